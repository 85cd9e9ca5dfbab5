// SPDX-License-Identifier: GPL-2.0-only

#include "patch/TreeApply.h"
#include "Scratch.h"
#include "patch/PatchError.h"
#include "patch/PatchParser.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

class TreeApply : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/d/f.c", simpleFile("old"));
    S.write("tree/empty", "");
    S.write("tree/unended", "a\nb");
    S.run("ln -s d tree/link && ln -s d/f.c tree/alias");
    S.commitBase();
  }

  /// The error, or an empty string with New set.
  std::string apply(const std::string &Text) {
    auto Parsed = parsePatch(Text, "q/x.patch");
    if (!Parsed)
      return "parse: " + toString(Parsed.takeError());
    kgit::Repository Repo = S.repository();
    auto Tree = applyPatch(Repo, cantFail(Repo.commit("base")).treeId(),
                           *Parsed, "q/x.patch");
    if (!Tree)
      return toString(Tree.takeError());
    New = Tree->str();
    return "";
  }

  std::string show(const std::string &Path) {
    S.run("git --git-dir=linux.git cat-file blob " + New + ":" + Path +
          " >shown");
    return S.read("shown");
  }

  Scratch S;
  std::string New;
};

const std::string Change = "@@ -1,7 +1,7 @@\n before 1\n before 2\n before 3\n"
                           "-old\n+new\n after 1\n after 2\n after 3\n";

TEST_F(TreeApply, ChangesALine) {
  EXPECT_EQ(apply(simplePatch("s", "d/f.c", "old", "new")), "");
  EXPECT_EQ(show("d/f.c"), simpleFile("new"));
}

TEST_F(TreeApply, AnotherVersionNamesFileHunkAndLine) {
  std::string Text = simplePatch("s", "d/f.c", "other", "new");
  EXPECT_EQ(apply(Text),
            "q/x.patch:8: hunk 1 of 1 does not apply to 'd/f.c': line 4 is "
            "'old', the patch expects 'other'");
  auto Parsed = parsePatch(Text, "q/x.patch");
  kgit::Repository Repo = S.repository();
  auto Tree = applyPatch(Repo, cantFail(Repo.commit("base")).treeId(),
                         cantFail(std::move(Parsed)), "q/x.patch");
  handleAllErrors(Tree.takeError(), [](const PatchError &Failure) {
    EXPECT_EQ(Failure.Path, "d/f.c");
    EXPECT_EQ(Failure.Hunk, 1u);
    EXPECT_EQ(Failure.Line, 8u);
  });
}

TEST_F(TreeApply, NoFuzz) {
  std::string Text = simplePatch("s", "d/f.c", "old", "new");
  Text.replace(Text.find("before 1"), 8, "before X");
  EXPECT_EQ(apply(Text),
            "q/x.patch:8: hunk 1 of 1 does not apply to 'd/f.c': line 1 is "
            "'before 1', the patch expects 'before X'");
}

TEST_F(TreeApply, MissingFile) {
  EXPECT_EQ(apply(simplePatch("s", "d/none.c", "old", "new")),
            "q/x.patch:5: 'd/none.c' does not exist in the tree");
}

TEST_F(TreeApply, PathThroughASymbolicLink) {
  EXPECT_EQ(apply(simplePatch("s", "link/f.c", "old", "new")),
            "q/x.patch:5: path 'link/f.c' goes through the symbolic link "
            "'link'");
}

TEST_F(TreeApply, PathThroughASymbolicLinkThatThePatchItselfMakes) {
  EXPECT_EQ(apply("s\n\ndiff --git a/out b/out\nnew file mode 120000\n"
                  "--- /dev/null\n+++ b/out\n@@ -0,0 +1 @@\n+/etc\n"
                  "\\ No newline at end of file\n"
                  "--- /dev/null\n+++ b/out/passwd\n@@ -0,0 +1 @@\n+x\n"),
            "q/x.patch:10: path 'out/passwd' goes through the symbolic link "
            "'out'");
}

TEST_F(TreeApply, SymbolicLinkIsNoFile) {
  EXPECT_EQ(apply("s\n\n--- a/alias\n+++ b/alias\n@@ -1 +1 @@\n-d/f.c\n"
                  "\\ No newline at end of file\n+x\n"),
            "q/x.patch:3: 'alias' is a symbolic link in the tree");
}

TEST_F(TreeApply, PathBelowAFile) {
  EXPECT_EQ(apply("s\n\n--- /dev/null\n+++ b/d/f.c/x\n@@ -0,0 +1 @@\n+x\n"),
            "q/x.patch:3: path 'd/f.c/x': 'd/f.c' is not a directory");
}

TEST_F(TreeApply, NewFileThatIsThere) {
  EXPECT_EQ(apply("s\n\n--- /dev/null\n+++ b/empty\n@@ -0,0 +1 @@\n+x\n"),
            "q/x.patch:3: 'empty' already exists in the tree");
}

TEST_F(TreeApply, DeletionMustTakeEveryLine) {
  EXPECT_EQ(apply("s\n\n--- a/d/f.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n"
                  "-before 1\n-before 2\n"),
            "q/x.patch:5: hunk 1 of 1 does not apply to 'd/f.c': it must match "
            "at the end of the file");
}

TEST_F(TreeApply, NewlineAtTheEndIsPartOfTheLine) {
  EXPECT_EQ(apply("s\n\n--- a/unended\n+++ b/unended\n@@ -1,2 +1,2 @@\n a\n"
                  "-b\n+c\n"),
            "q/x.patch:5: hunk 1 of 1 does not apply to 'unended': line 2 is "
            "'b', the patch expects 'b'");
  EXPECT_EQ(apply("s\n\n--- a/unended\n+++ b/unended\n@@ -1,2 +1,2 @@\n a\n"
                  "-b\n\\ No newline at end of file\n+c\n"),
            "");
  EXPECT_EQ(show("unended"), "a\nc\n");
}

TEST_F(TreeApply, TwoDiffsOfOneFileFollowEachOther) {
  std::string Text = simplePatch("s", "d/f.c", "old", "mid");
  std::string Second = simplePatch("s", "d/f.c", "mid", "new");
  EXPECT_EQ(apply(Text + Second.substr(Second.find("diff --git"))), "");
  EXPECT_EQ(show("d/f.c"), simpleFile("new"));
}

TEST_F(TreeApply, AFileMadeAndTakenAwayLeavesNothing) {
  EXPECT_EQ(apply("s\n\n--- /dev/null\n+++ b/x/y\n@@ -0,0 +1 @@\n+x\n"
                  "--- a/x/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"),
            "");
  EXPECT_EQ(New, S.run("git --git-dir=linux.git rev-parse 'base^{tree}'"));
}

TEST_F(TreeApply, BinaryForAnotherVersion) {
  S.run("printf 'a\\000b' >tree/bin");
  S.commit("binary");
  S.run("git --git-dir=linux.git tag -f base main");
  S.run("cp -r tree changed && printf 'a\\000c' >changed/bin && "
        "{ printf 's\\n\\n'; git diff --no-index --binary tree changed "
        "| sed 's,a/tree/,a/,g; s,b/changed/,b/,g'; } >x.patch");
  std::string Good = S.read("x.patch");
  EXPECT_EQ(apply(Good), "");
  EXPECT_EQ(show("bin"), std::string("a\0c", 3));
  S.run("printf 'a\\000X' >tree/bin");
  S.commit("another");
  S.run("git --git-dir=linux.git tag -f base main");
  std::string Message = apply(Good);
  EXPECT_NE(Message.find("q/x.patch:3: binary file 'bin' is "),
            std::string::npos)
      << Message;
}

} // namespace
