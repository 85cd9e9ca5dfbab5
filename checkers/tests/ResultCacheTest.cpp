// SPDX-License-Identifier: GPL-2.0-only

#include "engine/ResultCache.h"
#include "FakeTree.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

class ResultCacheTest : public testing::Test {
protected:
  FakeTree Fake;
  FakeTree Elsewhere; // for the cache and the program
  CheckSet Checks = llvm::cantFail(selectChecks({}));
  KernelTree Tree = Fake.open();
  ParseJob Job{"a.c", {Fake.root(), {"-DX"}, "a test"}, nullptr};

  void SetUp() override {
    Fake.write("a.c", "#include \"a.h\"\n");
    Fake.write("a.h", "int x;\n");
    Elsewhere.write("program", "build 1");
  }
  /// As another run of the program would have it: nothing kept in memory.
  ResultCache cache() {
    return ResultCache(Elsewhere.path("results"), Elsewhere.path("program"),
                       Checks);
  }
  ParseResult sample() const {
    ParseResult R;
    Finding F;
    F.Check = "iova-leak";
    F.File = "a.c";
    F.Line = 3;
    F.Message = "leaks";
    R.Findings.push_back(F);
    R.Dependencies = {Fake.path("a.c"), Fake.path("a.h")};
    return R;
  }
  void stored() { cache().store(Job, Tree, sample()); }
  bool hit() { return cache().find(Job, Tree).has_value(); }
};

TEST_F(ResultCacheTest, MissOnNothing) { EXPECT_FALSE(hit()); }

TEST_F(ResultCacheTest, HitGivesTheResultBack) {
  stored();
  auto R = cache().find(Job, Tree);
  ASSERT_TRUE(R);
  ASSERT_EQ(R->Findings.size(), 1u);
  EXPECT_EQ(R->Findings[0].Message, "leaks");
  EXPECT_EQ(R->Findings[0].Line, 3u);
  EXPECT_EQ(R->Error, "");
  EXPECT_EQ(R->Dependencies.size(), 2u);
}

TEST_F(ResultCacheTest, KeepsErrors) {
  ParseResult R;
  R.Error = "a.c:1: no";
  R.Dependencies = {Fake.path("a.c")};
  cache().store(Job, Tree, R);
  auto Back = cache().find(Job, Tree);
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->Error, "a.c:1: no");
}

TEST_F(ResultCacheTest, MissWhenTheFileChanged) {
  stored();
  Fake.write("a.c", "#include \"a.h\"\n\n");
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, MissWhenAHeaderChanged) {
  stored();
  Fake.write("a.h", "int y;\n");
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, MissWhenAHeaderIsGone) {
  stored();
  llvm::sys::fs::remove(Fake.path("a.h"));
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, MissWhenAPatchChangesAHeader) {
  stored();
  Overlay Changed;
  Changed[Fake.path("a.h")] = "int y;\n";
  Job.Changed = &Changed;
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, HitWhenAPatchIsElsewhere) {
  stored();
  Overlay Changed;
  Changed[Fake.path("b.h")] = "int y;\n";
  Job.Changed = &Changed;
  EXPECT_TRUE(hit());
}

TEST_F(ResultCacheTest, MissWithOtherFlags) {
  stored();
  Job.Flags.Args = {"-DY"};
  EXPECT_FALSE(hit());
  Job.Flags.Args = {"-DX", "-DY"};
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, MissInAnotherFolder) {
  stored();
  Job.Flags.Directory = Elsewhere.root();
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, MissWithAnotherBuildOfTheProgram) {
  stored();
  Elsewhere.write("program", "build 2");
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, MissWithOtherChecks) {
  stored();
  Checks = llvm::cantFail(selectChecks({"iova-leak"}));
  EXPECT_FALSE(hit());
}

TEST_F(ResultCacheTest, CorruptResultIsNoResult) {
  stored();
  std::error_code EC;
  std::string File;
  for (llvm::sys::fs::directory_iterator It(Elsewhere.path("results"), EC), End;
       It != End && !EC; It.increment(EC))
    File = It->path();
  ASSERT_NE(File, "");
  std::string Name = File.substr(Elsewhere.root().size() + 1);
  for (const char *Text :
       {"", "{", "[]", "{}", "null", "{\"read\":{},\"findings\":[{}]}",
        "{\"read\":{},\"findings\":[1],\"error\":\"\"}", "\xff\xfe\x00"}) {
    Elsewhere.write(Name, Text);
    EXPECT_FALSE(hit()) << Text;
  }
  stored();
  EXPECT_TRUE(hit());
}

TEST_F(ResultCacheTest, NoFolderNoCache) {
  ResultCache Off("", Elsewhere.path("program"), Checks);
  Off.store(Job, Tree, sample());
  EXPECT_FALSE(Off.find(Job, Tree));
}

TEST_F(ResultCacheTest, FolderThatCannotBeMade) {
  Elsewhere.write("file", "");
  ResultCache Bad(Elsewhere.path("file/results"), Elsewhere.path("program"),
                  Checks);
  Bad.store(Job, Tree, sample());
  EXPECT_FALSE(Bad.find(Job, Tree));
}

} // namespace
