// SPDX-License-Identifier: GPL-2.0-only

#include "Scratch.h"
#include "commands/Commands.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

class Apply : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/f", simpleFile("one"));
    S.write("tree/g", simpleFile("one"));
    S.commitBase();
    S.writeQueue(
        "low", "base",
        {{"f-two.patch", simplePatch("f: two", "f", "one", "two")},
         {"f-three.patch", "From: An Author <author@example.org>\n" +
                               simplePatch("f: three", "f", "two", "three")}});
    S.writeQueue("high", "low",
                 {{"f-four.patch", simplePatch("f: four", "f", "three", "4")}});
  }

  std::string git(const std::string &Arguments) {
    return S.run("git --git-dir=linux.git " + Arguments);
  }
  std::string everyObject() {
    return git("cat-file --batch-check --batch-all-objects");
  }

  Scratch S;
};

TEST_F(Apply, MakesABranchAndOneReferenceAPatch) {
  Outcome Result = S.apply({"low"});
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(git("log --format='%s|%an|%ae|%cn' series/low"),
            "f: three|An Author|author@example.org|Test Sender\n"
            "f: two|Test Sender|sender@example.org|Test Sender\n"
            "base|Test Sender|sender@example.org|Test Sender");
  EXPECT_EQ(git("log -1 --format=%B series/low"), "f: three\n\nBecause.");
  EXPECT_EQ(git("rev-parse refs/patches/low/f-three.patch"),
            git("rev-parse series/low"));
  EXPECT_EQ(git("rev-parse refs/patches/low/f-two.patch"),
            git("rev-parse series/low~1"));
  EXPECT_EQ(git("rev-parse series/low~2"), git("rev-parse base"));
  EXPECT_EQ(git("cat-file blob series/low:f"),
            StringRef(simpleFile("three")).rtrim('\n'));
  git("fsck --strict");
}

TEST_F(Apply, SameQueueSameCommitsAndNothingNew) {
  ASSERT_EQ(S.apply({"high"}).Code, 0);
  std::string Objects = everyObject();
  std::string Refs = git("for-each-ref");
  std::string Files = S.run("find linux.git -newer series -type f | sort");
  S.run("touch mark");
  Outcome Again = S.apply({"high"});
  EXPECT_EQ(Again.Code, 0);
  EXPECT_NE(Again.Out.find("already applied"), std::string::npos) << Again.Out;
  EXPECT_EQ(everyObject(), Objects);
  EXPECT_EQ(git("for-each-ref"), Refs);
  EXPECT_EQ(S.run("find linux.git/refs linux.git/logs -newer mark 2>/dev/null"
                  " || true"),
            "");
  // From nothing, the ids are the same again.
  S.run("rm -rf linux.git index");
  S.commitBase();
  ASSERT_EQ(S.apply({"high"}).Code, 0);
  EXPECT_EQ(git("for-each-ref"), Refs);
}

TEST_F(Apply, DatesCountUpFromTheBase) {
  ASSERT_EQ(S.apply({"high"}).Code, 0);
  EXPECT_EQ(git("log -3 --format='%ci|%ai' series/high"),
            "2026-01-01 00:00:03 +0100|2026-01-01 00:00:03 +0100\n"
            "2026-01-01 00:00:02 +0100|2026-01-01 00:00:02 +0100\n"
            "2026-01-01 00:00:01 +0100|2026-01-01 00:00:01 +0100");
}

TEST_F(Apply, StacksOnAnotherQueueAndAppliesIt) {
  ASSERT_EQ(S.apply({"high"}).Code, 0);
  EXPECT_EQ(git("rev-parse series/high~1"), git("rev-parse series/low"));
}

TEST_F(Apply, DroppedPatchLosesItsReference) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  S.write("series/low/series", "f-two.patch\n");
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  EXPECT_EQ(git("for-each-ref --format='%(refname)' refs/patches"),
            "refs/patches/low/f-two.patch");
  EXPECT_EQ(git("rev-parse series/low~1"), git("rev-parse base"));
}

TEST_F(Apply, FailureLeavesNoObjectAndNoReference) {
  S.write("series/low/f-three.patch",
          simplePatch("f: three", "f", "another", "three"));
  std::string Objects = everyObject(), Refs = git("for-each-ref");
  Outcome Result = S.apply({"low"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(S.apply({"low", "high"}).Err, Result.Err);
  EXPECT_EQ(Result.Err, S.path("series/low/f-three.patch") +
                            ":8: hunk 1 of 1 does not apply to 'f': line 4 is "
                            "'two', the patch expects 'another'");
  EXPECT_EQ(everyObject(), Objects);
  EXPECT_EQ(git("for-each-ref"), Refs);
}

TEST_F(Apply, OneQueueThatFailsDoesNotStopTheOthers) {
  S.writeQueue("bad", "base",
               {{"x.patch", simplePatch("g", "g", "another", "two")}});
  Outcome Result = S.apply({"bad", "low"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(StringRef(Result.Err).count('\n'), 0u) << Result.Err;
  EXPECT_EQ(git("for-each-ref --format='%(refname)' refs/heads/series"),
            "refs/heads/series/low");
}

TEST_F(Apply, BranchChangedByHandIsNotOverwritten) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  git("update-ref refs/heads/series/low base");
  S.write("series/low/f-two.patch", simplePatch("f: 2", "f", "one", "two"));
  Outcome Result = S.apply({"low"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(Result.Err, "branch series/low was changed by hand: run 'kseries "
                        "export low' to keep that, or apply --force to lose "
                        "it");
  EXPECT_EQ(git("rev-parse series/low"), git("rev-parse base"));
  EXPECT_EQ(S.apply({"low"}, /*Force=*/true).Code, 0);
  EXPECT_EQ(git("log -1 --format=%s series/low~1"), "f: 2");
}

TEST_F(Apply, BranchInAWorktreeIsNotPulledAway) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  git("worktree add -q wt series/low");
  EXPECT_EQ(S.apply({"low"}).Code, 0);
  std::string Tip = git("rev-parse series/low");
  S.write("series/low/series", "f-two.patch\n");
  Outcome Result = S.apply({"low"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(Result.Err,
            "branch series/low is checked out in a worktree: switch that to "
            "another branch, or apply --force and reset it afterwards");
  EXPECT_EQ(git("rev-parse series/low"), Tip);
  EXPECT_EQ(S.apply({"low"}, /*Force=*/true).Code, 0);
}

TEST_F(Apply, AnotherBaseTakesThePlaceOfTheRevisionOnly) {
  S.write("tree/g", simpleFile("moved on"));
  S.run("git --git-dir=linux.git tag newer " + S.commit("newer"));
  std::string Out, Err;
  raw_string_ostream OutStream(Out), ErrStream(Err);
  Workspace Where =
      cantFail(Workspace::find(S.path("series"), S.path("linux.git"), "newer"));
  EXPECT_EQ(
      cantFail(applyQueues(Where, {"high"}, false, {OutStream, ErrStream})), 0);
  EXPECT_EQ(git("rev-parse series/high~1"), git("rev-parse series/low"));
  EXPECT_EQ(git("rev-parse series/low~2"), git("rev-parse newer"));
  Where =
      cantFail(Workspace::find(S.path("series"), S.path("linux.git"), "none"));
  EXPECT_EQ(toString(applyQueues(Where, {"high"}, false, {OutStream, ErrStream})
                         .takeError()),
            "--base: 'none' is not a revision of " + S.path("linux.git"));
}

TEST_F(Apply, PatchNameThatIsNoReference) {
  S.writeQueue("q", "base",
               {{"x..y.patch", simplePatch("g", "g", "one", "two")}});
  std::string Refs = git("for-each-ref"), Objects = everyObject();
  Outcome Result = S.apply({"q"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(Result.Err, "patch name 'x..y.patch' of queue q cannot be part of "
                        "a git reference: rename the file");
  EXPECT_EQ(git("for-each-ref"), Refs);
  EXPECT_EQ(everyObject(), Objects);
}

TEST_F(Apply, LockedReferenceStopsEverything) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  std::string Refs = git("for-each-ref");
  S.write("series/low/f-two.patch", simplePatch("f: 2", "f", "one", "two"));
  S.write("linux.git/refs/heads/series/low.lock", "");
  Outcome Result = S.apply({"low"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(StringRef(Result.Err).count('\n'), 0u) << Result.Err;
  EXPECT_EQ(git("for-each-ref"), Refs);
  S.run("rm linux.git/refs/heads/series/low.lock");
  EXPECT_EQ(S.apply({"low"}).Code, 0);
}

TEST_F(Apply, NoRepository) {
  S.run("rm -rf linux.git");
  Outcome Result = S.apply({"low"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_NE(Result.Err.find(S.path("linux.git")), std::string::npos);
  EXPECT_EQ(StringRef(Result.Err).count('\n'), 0u) << Result.Err;
}

TEST_F(Apply, NamesWithBlanksAndOtherBytes) {
  S.run("mkdir new && cd new && printf 'x\\n' >'a b' && "
        "printf 'y\\n' >\"$(printf 'b\\303\\244\\377')\" && "
        "git init -q && git add -A && git commit -q -m add && "
        "git format-patch -q --root -o ../series/names HEAD");
  std::string PatchFile = S.run("cd series/names && ls");
  S.writeQueue("names", "base",
               {{PatchFile, S.read("series/names/" + PatchFile)}});
  Outcome Result = S.apply({"names"});
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(git("ls-tree -r --name-only series/names"),
            "a b\n\"b\\303\\244\\377\"\nf\ng");
  Outcome Back = S.exportBack("names");
  EXPECT_EQ(Back.Code, 0) << Back.Err;
}

} // namespace
