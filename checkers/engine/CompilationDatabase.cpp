// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Flags.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck;

namespace {
class DatabaseFlags : public FlagSource {
public:
  DatabaseFlags(const KernelTree &Tree,
                std::unique_ptr<clang::tooling::JSONCompilationDatabase> Db)
      : Tree(Tree), Db(std::move(Db)) {}

  Error prepare(const std::vector<std::string> &) override {
    return Error::success();
  }
  std::optional<CompileFlags> flagsFor(StringRef File) const override {
    auto Commands = Db->getCompileCommands(Tree.absolute(File));
    if (Commands.empty())
      return std::nullopt;
    return CompileFlags{Commands[0].Directory,
                        parseFlags(Commands[0].CommandLine, nullptr),
                        "compile_commands.json"};
  }
  std::string reasonFor(StringRef) const override {
    return "not in compile_commands.json";
  }

private:
  const KernelTree &Tree;
  std::unique_ptr<clang::tooling::JSONCompilationDatabase> Db;
};
} // namespace

Expected<std::unique_ptr<FlagSource>>
dmacheck::compilationDatabase(const KernelTree &Tree, StringRef Dir) {
  SmallString<256> Path(Dir);
  sys::path::append(Path, "compile_commands.json");
  if (!sys::fs::exists(Path))
    return nullptr;
  // Clang reads it as YAML and prints what it does not like by itself.
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError(Text.getError(), "%s: %s", Path.c_str(),
                             Text.getError().message().c_str());
  if (auto Valid = json::parse((*Text)->getBuffer()); !Valid)
    return createStringError(inconvertibleErrorCode(), "%s: not valid JSON: %s",
                             Path.c_str(), toString(Valid.takeError()).c_str());
  std::string Message;
  auto Db = clang::tooling::JSONCompilationDatabase::loadFromFile(
      Path, Message, clang::tooling::JSONCommandLineSyntax::Gnu);
  if (!Db)
    return createStringError(
        inconvertibleErrorCode(), "%s: %s", Path.c_str(),
        StringRef(Message).split('\n').first.str().c_str());
  return std::make_unique<DatabaseFlags>(Tree, std::move(Db));
}
