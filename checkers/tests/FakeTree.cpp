// SPDX-License-Identifier: GPL-2.0-only

#include "FakeTree.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace dmacheck;
using namespace dmacheck::test;

FakeTree::FakeTree() {
  SmallString<128> Made, Real;
  if (std::error_code EC = sys::fs::createUniqueDirectory("dmacheck", Made))
    report_fatal_error(Twine("cannot make a temporary folder: ") +
                       EC.message());
  sys::fs::real_path(Made, Real);
  Root = Real.str().str();
  write("Makefile", "# SPDX-License-Identifier: GPL-2.0\n"
                    "VERSION = 7\nPATCHLEVEL = 2\nSUBLEVEL = 12\n");
  write("Kconfig", "");
  write("include/linux/kernel.h", "");
}

FakeTree::~FakeTree() { sys::fs::remove_directories(Root); }

KernelTree FakeTree::open() const { return cantFail(KernelTree::open(Root)); }

std::string FakeTree::path(StringRef Relative) const {
  SmallString<128> Path(Root);
  sys::path::append(Path, Relative);
  return Path.str().str();
}

void FakeTree::write(StringRef Relative, StringRef Text) const {
  std::string Path = path(Relative);
  sys::fs::create_directories(sys::path::parent_path(Path));
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  ASSERT_FALSE(EC) << Path << ": " << EC.message();
  OS << Text;
}

ParseResult test::parseText(StringRef Text, const CheckSet &Checks,
                            const std::vector<std::string> &Defines) {
  FakeTree Fake;
  KernelTree Tree = Fake.open();
  Overlay Source;
  Source[Tree.absolute("fixture.c")] = Text.str();
  ParseJob Job{"fixture.c",
               {Fake.root(),
                {"-std=gnu11", "-I", DMACHECK_INCLUDE_DIR},
                "the fixture test"},
               &Source};
  for (const std::string &Each : Defines)
    Job.Flags.Args.push_back("-D" + Each);
  return parseFile(Tree, Checks, Job);
}
