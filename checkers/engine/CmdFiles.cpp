// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Flags.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck;

namespace {
class CmdFileFlags : public FlagSource {
public:
  explicit CmdFileFlags(StringRef Dir) : Dir(Dir.str()) {}

  Error prepare(const std::vector<std::string> &) override {
    return Error::success();
  }
  std::optional<CompileFlags> flagsFor(StringRef File) const override {
    auto Text = MemoryBuffer::getFile(pathOf(File));
    if (!Text)
      return std::nullopt;
    // "savedcmd_drivers/a/b.o := clang ..."; before 6.3 it was "cmd_".
    StringRef Line = (*Text)->getBuffer().split('\n').first;
    auto [Name, Command] = Line.split(" := ");
    if (!Name.consume_front("savedcmd_") && !Name.consume_front("cmd_"))
      return std::nullopt;
    return CompileFlags{Dir, parseFlags(Command, nullptr), "kbuild .cmd files"};
  }
  std::string reasonFor(StringRef File) const override {
    return "never built: " + pathOf(File) + " is not there";
  }

private:
  std::string pathOf(StringRef File) const {
    SmallString<256> Path(Dir);
    sys::path::append(Path, sys::path::parent_path(File),
                      "." + sys::path::stem(File) + ".o.cmd");
    return Path.str().str();
  }
  std::string Dir;
};
} // namespace

std::unique_ptr<FlagSource> dmacheck::cmdFiles(StringRef Dir) {
  SmallString<256> Path(Dir);
  // Made by the first object of every build.
  sys::path::append(Path, "scripts", "mod", ".empty.o.cmd");
  if (!sys::fs::exists(Path))
    return nullptr;
  return std::make_unique<CmdFileFlags>(Dir);
}
