// SPDX-License-Identifier: GPL-2.0-only

#include "Fixture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck::test;

std::vector<Expectation> dmacheck::test::expectationsIn(StringRef Text) {
  std::vector<Expectation> Out;
  std::vector<size_t> Pending; // comments on lines of their own
  unsigned Number = 0;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    std::vector<size_t> Here;
    std::string Code;
    for (StringRef Left = Line; !Left.empty();) {
      auto [Before, Behind] = Left.split("/* expect: ");
      Code += Before;
      if (Before.size() == Left.size())
        break;
      auto [Said, After] = Behind.split("*/");
      Here.push_back(Out.size());
      Out.push_back({Number, Number, Said.trim().str()});
      Left = After;
    }
    if (StringRef(Code).trim().empty() && !Here.empty()) {
      append_range(Pending, Here);
      continue;
    }
    for (size_t Index : Pending)
      Out[Index].Line = Number;
    Pending.clear();
  }
  return Out;
}

std::vector<Fixture> dmacheck::test::allFixtures() {
  std::vector<Fixture> Out;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator It(DMACHECK_CHECKS_DIR, EC), End;
       It != End && !EC; It.increment(EC)) {
    StringRef Path = It->path();
    StringRef Folder = sys::path::parent_path(Path);
    if (!Path.ends_with(".c") || sys::path::filename(Folder) != "fixtures")
      continue;
    auto Text = MemoryBuffer::getFile(Path);
    Fixture F;
    F.Check = sys::path::filename(sys::path::parent_path(Folder)).str();
    F.Name = sys::path::stem(Path).str();
    F.Path = Path.str();
    if (Text)
      F.Text = (*Text)->getBuffer().str();
    F.Expected = expectationsIn(F.Text);
    Out.push_back(std::move(F));
  }
  llvm::sort(
      Out, [](const Fixture &A, const Fixture &B) { return A.Path < B.Path; });
  return Out;
}

void dmacheck::test::PrintTo(const Fixture &F, std::ostream *OS) {
  *OS << F.Check << "/" << F.Name;
}
