// SPDX-License-Identifier: GPL-2.0-only

#include "cli/KbuildHook.h"
#include "ast/DmaApi.h"
#include "engine/ParseFile.h"
#include "report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <tuple>

using namespace llvm;
using namespace dmacheck;

namespace {

struct HookOptions {
  std::vector<std::string> Checks;
  std::vector<std::string> Compiler; ///< what kbuild added
  std::string ApiFile;
  bool Werror = false;
};

HookOptions parseHookOptions(ArrayRef<const char *> Words) {
  HookOptions Said;
  for (StringRef Word : Words) {
    if (Word.consume_front("--check="))
      Said.Checks.push_back(Word.str());
    else if (Word.consume_front("--api="))
      Said.ApiFile = Word.str();
    else if (Word == "--werror")
      Said.Werror = true;
    // Kbuild's CHECKFLAGS are written for sparse: --arch= is an option of it.
    else if (Word != "--kbuild" && !Word.starts_with("--arch="))
      Said.Compiler.push_back(Word.str());
  }
  return Said;
}

/// The tree that kbuild runs in: it says so, or its object folder has a link.
Expected<KernelTree> treeOfKbuild() {
  if (auto Source = sys::Process::GetEnv("srctree"))
    return KernelTree::open(*Source);
  return KernelTree::open(sys::fs::exists("source/Kbuild") ? "source" : ".");
}

int fail(const Twine &What) {
  errs() << "dmacheck: " << What << "\n";
  return 2;
}

} // namespace

std::optional<int> dmacheck::runKbuildHook(ArrayRef<const char *> Words) {
  if (none_of(Words, [](StringRef Word) { return Word == "--kbuild"; }))
    return std::nullopt;
  HookOptions Said = parseHookOptions(Words);
  std::string Input;
  std::vector<std::string> Flags = parseFlags(Said.Compiler, &Input);
  if (Input.empty())
    return fail("--kbuild: no source file; it is for make C=1 or C=2 "
                "CHECK=\"dmacheck --kbuild\"");
  if (!Said.ApiFile.empty())
    if (Error E = DmaApi::addFile(Said.ApiFile))
      return fail(toString(std::move(E)));
  auto Checks = selectChecks(Said.Checks);
  if (!Checks)
    return fail(toString(Checks.takeError()));
  // Kbuild calls for every file; most have nothing to look at.
  auto Text = MemoryBuffer::getFile(Input);
  if (!Text)
    return fail(Input + ": " + Text.getError().message());
  if (!holdsAny((*Text)->getBuffer(), Checks->Words))
    return 0;
  auto Tree = treeOfKbuild();
  if (!Tree)
    return fail(toString(Tree.takeError()));

  SmallString<256> File(Input), Here;
  sys::fs::make_absolute(File);
  sys::fs::current_path(Here);
  // A module outside the tree has a path of its own.
  std::string Relative = Tree->relative(File).value_or("");
  if (Relative.empty()) {
    SmallString<256> Up;
    for (auto It = sys::path::begin(Tree->root());
         It != sys::path::end(Tree->root()); ++It)
      if (*It != "/")
        sys::path::append(Up, "..");
    Relative = (Up + File).str();
  }
  ParseJob Job{Relative, {Here.str().str(), std::move(Flags), "kbuild"}};
  ParseResult Result = parseFile(*Tree, *Checks, Job);

  // In one piece: make -j runs many of these.
  std::string Report;
  raw_string_ostream OS(Report);
  if (!Result.Error.empty())
    OS << Input << ": warning: not checked: " << Result.Error
       << " [dmacheck]\n";
  llvm::sort(Result.Findings, [](const Finding &A, const Finding &B) {
    return std::tie(A.Line, A.Column, A.Check) <
           std::tie(B.Line, B.Column, B.Check);
  });
  bool Found = false;
  for (const Finding &F : Result.Findings)
    if (counts(F)) {
      Found = true;
      printFinding(F, OS);
    }
  errs() << OS.str();
  return Said.Werror && (Found || !Result.Error.empty()) ? 1 : 0;
}
