// SPDX-License-Identifier: GPL-2.0-only

#include "FakeTree.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

std::string errorOf(llvm::StringRef Dir) {
  auto Tree = KernelTree::open(Dir);
  return Tree ? "" : llvm::toString(Tree.takeError());
}

TEST(KernelTree, OpensAndReadsTheVersion) {
  FakeTree Fake;
  KernelTree Tree = Fake.open();
  EXPECT_EQ(Tree.root(), Fake.root());
  EXPECT_EQ(Tree.version(), "7.2.12");
}

TEST(KernelTree, OpensThroughALink) {
  FakeTree Fake, Elsewhere;
  ASSERT_FALSE(llvm::sys::fs::create_link(Fake.root(), Elsewhere.path("link")));
  auto Tree = KernelTree::open(Elsewhere.path("link"));
  ASSERT_TRUE(bool(Tree)) << llvm::toString(Tree.takeError());
  EXPECT_EQ(Tree->root(), Fake.root());
}

TEST(KernelTree, MissingFolder) {
  EXPECT_EQ(errorOf("/no/such/folder"),
            "/no/such/folder: No such file or directory");
}

TEST(KernelTree, EachOfThreeFilesIsNeeded) {
  for (const char *File : {"Makefile", "Kconfig", "include/linux/kernel.h"}) {
    FakeTree Fake;
    llvm::sys::fs::remove(Fake.path(File));
    std::string Error = errorOf(Fake.root());
    EXPECT_TRUE(llvm::StringRef(Error).contains("not a kernel tree"))
        << File << ": " << Error;
    EXPECT_FALSE(llvm::StringRef(Error).contains('\n')) << Error;
  }
}

TEST(KernelTree, FolderInsideATreeIsNone) {
  FakeTree Fake;
  EXPECT_NE(errorOf(Fake.path("include")), "");
}

TEST(KernelTree, RelativePaths) {
  FakeTree Fake;
  KernelTree Tree = Fake.open();
  EXPECT_EQ(Tree.relative(Fake.path("drivers/a.c")), "drivers/a.c");
  EXPECT_EQ(Tree.relative("drivers/a.c"), "drivers/a.c");
  EXPECT_EQ(Tree.relative("/etc/passwd"), std::nullopt);
  // A folder whose name only begins like the tree's.
  EXPECT_EQ(Tree.relative(Fake.root() + "-other/a.c"), std::nullopt);
  EXPECT_EQ(Tree.absolute("drivers/a.c"), Fake.path("drivers/a.c"));
}

TEST(KernelTree, KnowsThatItWasConfigured) {
  for (const char *Trace :
       {".config", "include/config/x", "arch/x86/include/generated/x",
        "arch/arm64/include/generated/x"}) {
    FakeTree Fake;
    EXPECT_FALSE(Fake.open().isConfiguredInPlace());
    Fake.write(Trace, "");
    EXPECT_TRUE(Fake.open().isConfiguredInPlace()) << Trace;
  }
}

} // namespace
