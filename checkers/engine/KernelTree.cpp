// SPDX-License-Identifier: GPL-2.0-only

#include "engine/KernelTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck;

static std::string makefileVariable(StringRef Makefile, StringRef Name) {
  SmallVector<StringRef> Lines;
  Makefile.split(Lines, '\n', /*MaxSplit=*/40);
  for (StringRef Line : Lines) {
    auto [Key, Value] = Line.split('=');
    if (Key.trim() == Name)
      return Value.trim().str();
  }
  return "";
}

Expected<KernelTree> KernelTree::open(StringRef Dir) {
  KernelTree Tree;
  SmallString<256> Real;
  if (std::error_code EC = sys::fs::real_path(Dir, Real))
    return createStringError(EC, "%s: %s", Dir.str().c_str(),
                             EC.message().c_str());
  Tree.Root = Real.str().str();
  auto Makefile = MemoryBuffer::getFile(Tree.absolute("Makefile"));
  if (!Makefile || !sys::fs::exists(Tree.absolute("Kconfig")) ||
      !sys::fs::exists(Tree.absolute("include/linux/kernel.h")))
    return createStringError(
        inconvertibleErrorCode(),
        "%s: not a kernel tree (no Makefile, Kconfig and "
        "include/linux/kernel.h); give its top directory with --tree",
        Dir.str().c_str());
  StringRef Text = (*Makefile)->getBuffer();
  Tree.Version = makefileVariable(Text, "VERSION") + "." +
                 makefileVariable(Text, "PATCHLEVEL") + "." +
                 makefileVariable(Text, "SUBLEVEL");
  return Tree;
}

bool KernelTree::isConfiguredInPlace() const {
  // The three things that kbuild itself looks for.
  return sys::fs::exists(absolute(".config")) ||
         sys::fs::is_directory(absolute("include/config")) ||
         sys::fs::is_directory(absolute("arch/x86/include/generated")) ||
         sys::fs::is_directory(absolute("arch/arm64/include/generated"));
}

std::optional<std::string> KernelTree::relative(StringRef Path) const {
  if (!sys::path::is_absolute(Path))
    return Path.str();
  if (!Path.consume_front(Root) || !Path.consume_front("/"))
    return std::nullopt;
  return Path.str();
}

std::string KernelTree::absolute(StringRef Relative) const {
  SmallString<256> P(Root);
  sys::path::append(P, Relative);
  return P.str().str();
}

bool dmacheck::holdsAny(StringRef Text, const std::vector<StringRef> &Words) {
  return any_of(Words, [&](StringRef W) { return Text.contains(W); });
}

namespace {
class Scan {
public:
  Scan(const KernelTree &Tree, const std::vector<StringRef> &Words)
      : Tree(Tree), Words(Words) {}
  Candidates Out;

  void file(const std::string &Path) {
    if (!StringRef(Path).ends_with(".c"))
      return;
    ++Out.Scanned;
    auto Buffer = MemoryBuffer::getFile(Tree.absolute(Path));
    if (!Buffer)
      Out.Unreadable.push_back({Path, Buffer.getError().message()});
    else if (holdsAny((*Buffer)->getBuffer(), Words))
      Out.Files.push_back(Path);
  }

  void directory(const std::string &Path) {
    std::error_code EC;
    std::string Full = Tree.absolute(Path);
    for (sys::fs::directory_iterator It(Full, EC, /*follow_symlinks=*/false),
         End;
         It != End && !EC; It.increment(EC)) {
      std::string Name = sys::path::filename(It->path()).str();
      std::string Below = Path.empty() ? Name : Path + "/" + Name;
      // A link's target is scanned where it is; following links may not end.
      if (It->type() == sys::fs::file_type::directory_file)
        directory(Below);
      else if (It->type() == sys::fs::file_type::regular_file)
        file(Below);
    }
    if (EC)
      Out.Unreadable.push_back({Path, EC.message()});
  }

private:
  const KernelTree &Tree;
  const std::vector<StringRef> &Words;
};
} // namespace

Expected<Candidates>
dmacheck::findCandidates(const KernelTree &Tree,
                         const std::vector<std::string> &Paths,
                         const std::vector<StringRef> &Words) {
  Scan S(Tree, Words);
  for (const std::string &Path :
       Paths.empty() ? std::vector<std::string>{""} : Paths) {
    auto Relative = Tree.relative(Path);
    std::string Clean = Relative ? StringRef(*Relative).rtrim('/').str() : "";
    if (Clean == ".")
      Clean = "";
    std::string Full = Tree.absolute(Clean);
    if (!Relative || !sys::fs::exists(Full))
      return createStringError(inconvertibleErrorCode(),
                               "%s: no such file or folder in the tree %s",
                               Path.c_str(), Tree.root().c_str());
    // Through "..", or through a link in the tree.
    SmallString<256> Real;
    if (sys::fs::real_path(Full, Real) ||
        (Real != Tree.root() && !Real.starts_with(Tree.root() + "/")))
      return createStringError(inconvertibleErrorCode(),
                               "%s: not inside the tree %s", Path.c_str(),
                               Tree.root().c_str());
    if (sys::fs::is_directory(Full))
      S.directory(Clean);
    else
      S.file(Clean);
  }
  llvm::sort(S.Out.Files);
  S.Out.Files.erase(std::unique(S.Out.Files.begin(), S.Out.Files.end()),
                    S.Out.Files.end());
  return std::move(S.Out);
}
