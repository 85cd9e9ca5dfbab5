// SPDX-License-Identifier: GPL-2.0-only

#include "FakeTree.h"
#include "engine/Flags.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;
using testing::ElementsAre;

namespace {

TEST(CompilationDatabase, NoneThereIsNoError) {
  FakeTree Fake;
  auto Source = compilationDatabase(Fake.open(), Fake.root());
  ASSERT_TRUE(bool(Source)) << llvm::toString(Source.takeError());
  EXPECT_EQ(*Source, nullptr);
}

TEST(CompilationDatabase, GivesFlagsAndFolder) {
  FakeTree Fake;
  Fake.write("compile_commands.json",
             "[{\"directory\": \"/obj\", \"file\": \"" + Fake.path("a/b.c") +
                 "\", \"command\": \"gcc -DX='1 2' -fconserve-stack -c -o "
                 "a/b.o a/b.c\"}]");
  KernelTree Tree = Fake.open();
  auto Source = llvm::cantFail(compilationDatabase(Tree, Fake.root()));
  ASSERT_TRUE(Source);
  ASSERT_FALSE(Source->prepare({"a/b.c"}));
  auto Flags = Source->flagsFor("a/b.c");
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->From, "compile_commands.json");
  EXPECT_EQ(Flags->Directory, "/obj");
  EXPECT_THAT(Flags->Args, ElementsAre("-D", "X=1 2"));
  EXPECT_FALSE(Source->flagsFor("a/c.c"));
  EXPECT_EQ(Source->reasonFor("a/c.c"), "not in compile_commands.json");
}

TEST(CompilationDatabase, BrokenIsOneLine) {
  for (const char *Text : {"{", "[{\"file\": 1}]", "not json", ""}) {
    FakeTree Fake;
    Fake.write("compile_commands.json", Text);
    auto Source = compilationDatabase(Fake.open(), Fake.root());
    ASSERT_FALSE(bool(Source)) << Text;
    std::string Error = llvm::toString(Source.takeError());
    EXPECT_TRUE(llvm::StringRef(Error).starts_with(
        Fake.path("compile_commands.json") + ": "))
        << Error;
    EXPECT_FALSE(llvm::StringRef(Error).contains('\n')) << Error;
  }
}

class CmdFiles : public testing::Test {
protected:
  FakeTree Fake;
  std::unique_ptr<FlagSource> source() {
    Fake.write("scripts/mod/.empty.o.cmd", "");
    return cmdFiles(Fake.root());
  }
};

TEST_F(CmdFiles, FolderThatWasNeverBuilt) {
  EXPECT_EQ(cmdFiles(Fake.root()), nullptr);
}

TEST_F(CmdFiles, BothSpellings) {
  auto Source = source();
  ASSERT_TRUE(Source);
  Fake.write("a/.new.o.cmd", "savedcmd_a/new.o := clang -DNEW -c a/new.c\n\n"
                             "source_a/new.o := a/new.c\n");
  Fake.write("a/.old.o.cmd", "cmd_a/old.o := gcc -DOLD=$$x -c a/old.c\n");
  auto New = Source->flagsFor("a/new.c"), Old = Source->flagsFor("a/old.c");
  ASSERT_TRUE(New && Old);
  EXPECT_THAT(New->Args, ElementsAre("-D", "NEW"));
  EXPECT_THAT(Old->Args, ElementsAre("-D", "OLD=$x"));
  EXPECT_EQ(New->From, "kbuild .cmd files");
  EXPECT_EQ(New->Directory, Fake.root());
}

TEST_F(CmdFiles, NotBuiltOrNotUnderstood) {
  auto Source = source();
  Fake.write("a/.bad.o.cmd", "rubbish\n");
  Fake.write("a/.empty.o.cmd", "");
  EXPECT_FALSE(Source->flagsFor("a/bad.c"));
  EXPECT_FALSE(Source->flagsFor("a/empty.c"));
  EXPECT_FALSE(Source->flagsFor("a/gone.c"));
  EXPECT_EQ(Source->reasonFor("a/gone.c"),
            "never built: " + Fake.path("a/.gone.o.cmd") + " is not there");
}

} // namespace
