// SPDX-License-Identifier: GPL-2.0-only

#include "Scratch.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace llvm;
using namespace kseries;

namespace {

class Export : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/f", simpleFile("one"));
    S.write("tree/g", simpleFile("one"));
    S.commitBase();
    S.writeQueue(
        "q", "base",
        {{"two.patch", simplePatch("f: two", "f", "one", "two")},
         {"three.patch", "From: An Author <author@example.org>\n" +
                             simplePatch("f: three", "f", "two", "three")},
         {"four.patch", simplePatch("g: four", "g", "one", "four")}});
    ASSERT_EQ(S.apply({"q"}).Code, 0);
    Before = files();
    S.run("git --git-dir=linux.git worktree add -q wt series/q");
  }

  std::string files() {
    return S.run("cd series/q && for f in series base *.patch; do "
                 "echo \"== $f\"; cat $f; done");
  }
  /// Changes the branch the way its owner would.
  void onBranch(const std::string &Commands) { S.run("cd wt && " + Commands); }

  void expectExported() {
    Outcome Result = S.exportBack("q");
    EXPECT_EQ(Result.Code, 0) << Result.Err;
    Outcome Status = S.status();
    EXPECT_NE(Status.Out.find("in sync"), std::string::npos) << Status.Out;
  }

  Scratch S;
  std::string Before;
};

TEST_F(Export, UnchangedBranchChangesNoByte) {
  Outcome Result = S.exportBack("q");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_NE(Result.Out.find("q: nothing to export\n"), std::string::npos);
  EXPECT_EQ(files(), Before);
}

TEST_F(Export, AmendedCommitComesBack) {
  std::string Tree;
  onBranch("sed -i s/four/4/ g && git commit -q -a --amend --no-edit");
  Tree = S.run("git --git-dir=linux.git rev-parse 'series/q^{tree}'");
  Outcome Result = S.exportBack("q");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(Result.Out.substr(0, Result.Out.find('\n')),
            S.path("series/q/four.patch") + ": changed");
  EXPECT_EQ(S.read("series/q/four.patch"),
            "Subject: g: four\n\nBecause.\n---\ndiff --git a/g b/g\n"
            "index " +
                S.run("git --git-dir=linux.git rev-parse base:g | cut -c-12") +
                ".." +
                S.run("git --git-dir=linux.git rev-parse series/q:g "
                      "| cut -c-12") +
                " 100644\n--- a/g\n+++ b/g\n@@ -1,7 +1,7 @@\n before 1\n"
                " before 2\n before 3\n-one\n+4\n after 1\n after 2\n after "
                "3\n");
  EXPECT_EQ(S.run("git --git-dir=linux.git rev-parse 'series/q^{tree}'"), Tree);
  EXPECT_EQ(S.exportBack("q").Out.substr(0, 20), "q: nothing to export");
}

TEST_F(Export, RewordedCommitKeepsItsNameAndAuthor) {
  onBranch("GIT_SEQUENCE_EDITOR=\"sed -i '2s/pick/reword/'\" "
           "GIT_EDITOR=\"sed -i '1s/.*/f: drei/'\" git rebase -q -i base");
  expectExported();
  std::string Text = S.read("series/q/three.patch");
  EXPECT_EQ(Text.substr(0, Text.find("\n\n")),
            "From: An Author <author@example.org>\nSubject: f: drei");
  EXPECT_EQ(S.read("series/q/series"), "two.patch\nthree.patch\nfour.patch\n");
}

TEST_F(Export, OthersWorkKeepsItsAuthorAndOwnWorkHasNone) {
  onBranch("echo new >h && git add h && "
           "git commit -q --author='Some One <some@example.org>' -m 'h: add' "
           "&& echo own >i && git add i && git commit -q -m 'i: Add It, too!'");
  expectExported();
  EXPECT_EQ(S.read("series/q/series"),
            "two.patch\nthree.patch\nfour.patch\nh-add.patch\n"
            "i-add-it-too.patch\n");
  EXPECT_TRUE(StringRef(S.read("series/q/h-add.patch"))
                  .starts_with("From: Some One <some@example.org>\n"));
  EXPECT_TRUE(StringRef(S.read("series/q/i-add-it-too.patch"))
                  .starts_with("Subject: i: Add It, too!\n"));
}

TEST_F(Export, DroppedAndReorderedCommits) {
  onBranch("git reset -q --hard base && git cherry-pick "
           "refs/patches/q/four.patch refs/patches/q/two.patch >/dev/null");
  expectExported();
  EXPECT_EQ(S.read("series/q/series"), "four.patch\ntwo.patch\n");
  EXPECT_FALSE(S.exists("series/q/three.patch"));
}

TEST_F(Export, MovedHunksLeaveTheFileAlone) {
  std::string Text = "Subject: h: two\n\nBecause.\n---\n--- a/h\n+++ b/h\n"
                     "@@ -3,7 +3,7 @@\n before 1\n before 2\n before 3\n-one\n"
                     "+two\n after 1\n after 2\n after 3\n";
  S.write("tree/h", "1\n2\n" + simpleFile("one"));
  S.run("git --git-dir=linux.git tag other " + S.commit("h"));
  S.writeQueue("m", "other", {{"h.patch", Text}});
  ASSERT_EQ(S.apply({"m"}).Code, 0);
  onBranch("git checkout -q series/m && git reset -q --hard other && "
           "sed -i '1s/^/0\\n0\\n/' h && git commit -q -a -m 'h: more' && "
           "sed -i s/one/two/ h && git commit -q -a -m 'h: two' -m Because.");
  Outcome Result = S.exportBack("m");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(S.read("series/m/series"), "h-more.patch\nh.patch\n");
  EXPECT_EQ(S.read("series/m/h.patch"), Text);
}

TEST_F(Export, ForeignFormIsKeptUntilItsContentChanges) {
  StringRef Sender = "From: Test Sender <sender@example.org>\n";
  std::string Mails = S.mbox("q").Out;
  auto [Before, After] =
      StringRef(Mails).substr(Mails.rfind("From 0000000000")).split(Sender);
  S.write("series/q/four.patch",
          (Before + "Date: Mon, 14 Sep 2026 14:22:58 -0700\n" + After).str());
  ASSERT_EQ(S.apply({"q"}, /*Force=*/true).Code, 0);
  std::string Kept = files();
  expectExported();
  EXPECT_EQ(files(), Kept);
  onBranch("git reset -q --hard && sed -i s/four/4/ g && "
           "git commit -q -a --amend --no-edit");
  expectExported();
  EXPECT_TRUE(
      StringRef(S.read("series/q/four.patch")).starts_with("Subject: g: four"));
}

TEST_F(Export, RewrittenPatchHasOneLeadingDirectory) {
  S.writeQueue("p", "base",
               {{"two.patch", "f: two\n\n--- f\n+++ f\n@@ -2,4 +2,4 @@\n"
                              " before 2\n before 3\n-one\n+two\n after 1\n"}});
  S.write("series/p/series", "# two.patch\ntwo.patch -p0 # why\n");
  ASSERT_EQ(S.apply({"p"}).Code, 0);
  onBranch("git checkout -q series/p && sed -i s/two/2/ f && "
           "git commit -q -a --amend --no-edit");
  Outcome Result = S.exportBack("p");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(S.read("series/p/series"), "# two.patch\ntwo.patch # why\n");
  EXPECT_EQ(S.run("git --git-dir=linux.git show series/p:f | sed -n 4p"), "2");
}

TEST_F(Export, AnotherIdentityLaterAddsNoAuthor) {
  setenv("GIT_COMMITTER_NAME", "Another Name", 1);
  onBranch("sed -i s/four/4/ g && git commit -q -a --amend --no-edit");
  Outcome Result = S.exportBack("q");
  setenv("GIT_COMMITTER_NAME", "Test Sender", 1);
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_TRUE(StringRef(S.read("series/q/four.patch"))
                  .starts_with("Subject: g: four\n"));
}

TEST_F(Export, WorkOnBothSidesIsNotLost) {
  S.write("series/q/four.patch", simplePatch("g: four", "g", "one", "vier"));
  std::string Edited = files();
  onBranch("sed -i s/four/4/ g && git commit -q -a --amend --no-edit");
  Outcome Result = S.exportBack("q");
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(StringRef(Result.Err).count('\n'), 0u);
  EXPECT_EQ(StringRef(Result.Err).split(", by commit").first,
            S.path("series/q/four.patch") +
                ": changed both in the queue and on the branch");
  EXPECT_EQ(files(), Edited);
}

TEST_F(Export, EditedFileIsKeptWhenTheBranchHasNotTouchedIt) {
  S.write("series/q/four.patch", simplePatch("g: four", "g", "one", "vier"));
  onBranch("echo new >h && git add h && git commit -q -m 'h: add'");
  Outcome Result = S.exportBack("q");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(S.read("series/q/four.patch"),
            simplePatch("g: four", "g", "one", "vier"));
  EXPECT_EQ(S.run("git --git-dir=linux.git show series/q:g | sed -n 4p"),
            "vier");
}

TEST_F(Export, PatchNotAppliedYetStaysInItsPlace) {
  S.write("series/q/more.patch", simplePatch("f: 3", "f", "three", "3"));
  S.write("series/q/series",
          "two.patch\nthree.patch\nmore.patch\nfour.patch\n");
  onBranch("sed -i s/four/4/ g && git commit -q -a --amend --no-edit");
  expectExported();
  EXPECT_EQ(S.read("series/q/series"),
            "two.patch\nthree.patch\nmore.patch\nfour.patch\n");
}

TEST_F(Export, RenamesModesAndBinariesComeBack) {
  onBranch("git mv g renamed && chmod +x f && printf 'a\\000b' >bin && "
           "ln -s f link && printf 'no end' >unended && git add -A && "
           "git commit -q -m 'all kinds'");
  std::string Tree =
      S.run("git --git-dir=linux.git rev-parse 'series/q^{tree}'");
  expectExported();
  std::string Text = S.read("series/q/all-kinds.patch");
  for (StringRef Part :
       {"rename from g\nrename to renamed\n",
        "old mode 100644\nnew mode 100755\n", "GIT binary patch\nliteral 3\n",
        "new file mode 120000\n", "\\ No newline at end of file\n"})
    EXPECT_TRUE(StringRef(Text).contains(Part)) << Part.str() << Text;
  EXPECT_EQ(S.run("git --git-dir=linux.git rev-parse 'series/q^{tree}'"), Tree);
}

TEST_F(Export, MessageThatNoPatchCanCarry) {
  onBranch("echo new >h && git add h && "
           "printf 'h: add\\n\\nabove\\n---\\nbelow\\n' | git commit -q -F -");
  Outcome Result = S.exportBack("q");
  EXPECT_EQ(Result.Code, 2);
  EXPECT_NE(Result.Err.find("cannot be written as a patch"), std::string::npos)
      << Result.Err;
  EXPECT_EQ(files(), Before);
}

TEST_F(Export, EmptyCommitMergeAndForeignBranch) {
  onBranch("git commit -q --allow-empty -m nothing");
  EXPECT_NE(S.exportBack("q").Err.find("changes no file"), std::string::npos);
  onBranch("git reset -q --hard HEAD~1 && git checkout -q --detach base && "
           "echo x >x && git add x && git commit -q -m side && "
           "git checkout -q series/q && git merge -q --no-edit HEAD@{1}");
  EXPECT_NE(S.exportBack("q").Err.find("holds the merge"), std::string::npos);
  onBranch("git checkout -q --orphan other && git commit -q -m orphan && "
           "git branch -f series/q HEAD");
  EXPECT_NE(S.exportBack("q").Err.find("does not stand on"), std::string::npos);
  EXPECT_EQ(files(), Before);
}

TEST_F(Export, NotApplied) {
  S.writeQueue("r", "base", {{"x.patch", simplePatch("x", "f", "one", "x")}});
  EXPECT_EQ(S.exportBack("r").Err,
            "queue r is not applied: there is no branch series/r");
}

} // namespace
