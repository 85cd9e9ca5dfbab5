// SPDX-License-Identifier: GPL-2.0-only

#include "FakeTree.h"
#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace dmacheck;
using namespace dmacheck::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class CandidatesTest : public testing::Test {
protected:
  FakeTree Fake;
  const std::vector<llvm::StringRef> Words = {"dma_unmap_", "assert_held"};

  Candidates find(const std::vector<std::string> &Paths = {}) {
    auto Found = findCandidates(Fake.open(), Paths, Words);
    if (!Found) {
      ADD_FAILURE() << llvm::toString(Found.takeError());
      return {};
    }
    return std::move(*Found);
  }
  std::string errorOf(const std::string &Path) {
    auto Found = findCandidates(Fake.open(), {Path}, Words);
    return Found ? "" : llvm::toString(Found.takeError());
  }
};

TEST_F(CandidatesTest, OnlySourcesWithAWord) {
  Fake.write("drivers/b.c", "dma_unmap_page(x);");
  Fake.write("drivers/a.c", "lockdep_assert_held(x);");
  Fake.write("drivers/none.c", "int x;");
  Fake.write("drivers/header.h", "dma_unmap_page(x);");
  Fake.write("drivers/text.txt", "dma_unmap_page(x);");
  Candidates C = find();
  EXPECT_THAT(C.Files, ElementsAre("drivers/a.c", "drivers/b.c"));
  EXPECT_EQ(C.Scanned, 3u);
  EXPECT_THAT(C.Unreadable, IsEmpty());
}

TEST_F(CandidatesTest, OnlyBelowThePaths) {
  Fake.write("drivers/a.c", "dma_unmap_page(x);");
  Fake.write("mm/b.c", "dma_unmap_page(x);");
  Fake.write("net/c.c", "dma_unmap_page(x);");
  EXPECT_THAT(find({"drivers/", "mm/b.c"}).Files,
              ElementsAre("drivers/a.c", "mm/b.c"));
}

TEST_F(CandidatesTest, EachOnceHoweverOftenNamed) {
  Fake.write("mm/b.c", "dma_unmap_page(x);");
  EXPECT_THAT(find({"mm", "mm/b.c", Fake.path("mm")}).Files,
              ElementsAre("mm/b.c"));
}

TEST_F(CandidatesTest, DotIsTheWholeTree) {
  Fake.write("mm/b.c", "dma_unmap_page(x);");
  EXPECT_THAT(find({"."}).Files, ElementsAre("mm/b.c"));
}

TEST_F(CandidatesTest, LinksAreNotFollowed) {
  Fake.write("mm/b.c", "dma_unmap_page(x);");
  ASSERT_FALSE(llvm::sys::fs::create_link(Fake.root(), Fake.path("mm/loop")));
  ASSERT_FALSE(
      llvm::sys::fs::create_link(Fake.path("mm/b.c"), Fake.path("mm/c.c")));
  EXPECT_THAT(find().Files, ElementsAre("mm/b.c"));
}

TEST_F(CandidatesTest, UnreadableFileIsNamed) {
  Fake.write("mm/b.c", "dma_unmap_page(x);");
  Fake.write("mm/secret.c", "dma_unmap_page(x);");
  ASSERT_FALSE(
      llvm::sys::fs::setPermissions(Fake.root(), llvm::sys::fs::perms(0755)));
  ASSERT_FALSE(llvm::sys::fs::setPermissions(Fake.path("mm/secret.c"),
                                             llvm::sys::fs::no_perms));
  // Permissions do not stop root.
  bool Root = geteuid() == 0;
  if (Root)
    ASSERT_EQ(seteuid(65534), 0);
  Candidates C = find();
  if (Root)
    ASSERT_EQ(seteuid(0), 0);
  EXPECT_THAT(C.Files, ElementsAre("mm/b.c"));
  ASSERT_EQ(C.Unreadable.size(), 1u);
  EXPECT_EQ(C.Unreadable[0].first, "mm/secret.c");
  EXPECT_EQ(C.Unreadable[0].second, "Permission denied");
}

TEST_F(CandidatesTest, NamesAreBytes) {
  Fake.write("mm/caf\xe9 au lait.c", "dma_unmap_page(x);");
  EXPECT_THAT(find().Files, ElementsAre("mm/caf\xe9 au lait.c"));
}

TEST_F(CandidatesTest, PathThatIsNotThere) {
  EXPECT_EQ(errorOf("drivers/none"),
            "drivers/none: no such file or folder in the tree " + Fake.root());
}

TEST_F(CandidatesTest, PathOutsideTheTree) { EXPECT_NE(errorOf("/etc"), ""); }

} // namespace
