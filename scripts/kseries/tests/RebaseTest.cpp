// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Rebase.h"
#include "Scratch.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

/// Twenty lines, some of them replaced.
std::string lines(std::map<unsigned, std::string> Changed = {}) {
  std::string Text;
  for (unsigned I = 1; I <= 20; ++I)
    Text +=
        (Changed.count(I) ? Changed[I] : "line " + std::to_string(I)) + "\n";
  return Text;
}

class RebaseTest : public testing::Test {
protected:
  /// The base, and the queue "low" with one patch for line 10 of f.
  void SetUp() override {
    S.write("tree/f", lines());
    S.write("tree/g", lines());
    S.commitBase();
    S.writeQueue(
        "low", "base",
        {{"ten.patch", patchOf("f: ten", "f", lines(), lines({{10, "ten"}}))}});
  }

  std::string git(const std::string &Arguments) {
    return S.run("git --git-dir=linux.git " + Arguments);
  }
  /// A patch as kseries writes it.
  std::string patchOf(StringRef Subject, StringRef Path, StringRef Old,
                      StringRef New) {
    S.write("a/" + Path.str(), Old);
    S.write("b/" + Path.str(), New);
    return ("Subject: " + Subject + "\n\nBecause.\n---\n").str() +
           S.run("git diff --no-index --no-prefix --abbrev=12 a/" + Path.str() +
                 " b/" + Path.str() + " || true") +
           "\n";
  }
  /// Commits tree/ on top of the base, or without parents.
  void newBase(const std::string &Tag, bool WithHistory = true) {
    std::string Id = S.commit("f: changed for " + Tag);
    if (!WithHistory)
      Id = git("commit-tree -m " + Tag + " " + Id + "^{tree}");
    git("tag " + Tag + " " + Id);
  }
  std::string everything() {
    return S.run("git --git-dir=linux.git for-each-ref; "
                 "find series -type f | sort | xargs sha256sum");
  }
  Outcome rebase(const std::string &Queue, const std::string &Onto) {
    RebaseOptions Options;
    Options.Queues = {Queue};
    Options.Onto = Onto;
    return S.rebase(Options);
  }
  Outcome resolve(const std::string &Onto) {
    RebaseOptions Options;
    Options.Queues = {"low"};
    Options.Onto = Onto;
    Options.Resolve = true;
    return S.rebase(Options);
  }
  Outcome goOn() {
    RebaseOptions Options;
    Options.Continue = true;
    return S.rebase(Options);
  }

  Scratch S;
};

TEST_F(RebaseTest, MovedLinesLeaveThePatchFileAlone) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  S.write("tree/f", "first\n" + lines({{20, "twenty"}}));
  newBase("new");
  std::string Before = S.read("series/low/ten.patch");
  Outcome Result = rebase("low", "new");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(S.read("series/low/ten.patch"), Before);
  EXPECT_EQ(S.read("series/low/base"), "new\n");
  EXPECT_EQ(git("rev-parse series/low~1"), git("rev-parse new"));
  EXPECT_EQ(
      git("cat-file blob series/low:f"),
      StringRef("first\n" + lines({{10, "ten"}, {20, "twenty"}})).rtrim('\n'));
  EXPECT_NE(S.status().Out.find("in sync"), std::string::npos);
}

TEST_F(RebaseTest, ChangedContextIsRewrittenAndComesBackByteForByte) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  std::string Before = everything();
  S.write("tree/f", lines({{8, "eight"}, {13, "thirteen"}}));
  newBase("new");
  Outcome Result = rebase("low", "new");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_NE(Result.Out.find("ten.patch: changed"), std::string::npos);
  EXPECT_EQ(S.read("series/low/ten.patch"),
            patchOf("f: ten", "f", lines({{8, "eight"}, {13, "thirteen"}}),
                    lines({{8, "eight"}, {10, "ten"}, {13, "thirteen"}})));
  EXPECT_EQ(rebase("low", "base").Code, 0);
  git("tag -d new");
  git("update-ref refs/heads/main base");
  EXPECT_EQ(everything(), Before);
}

TEST_F(RebaseTest, RefsAreMadeOnlyWhereTheyWere) {
  S.write("tree/f", lines({{20, "twenty"}}));
  newBase("new");
  EXPECT_EQ(rebase("low", "new").Code, 0);
  EXPECT_EQ(git("for-each-ref refs/heads/series refs/patches"), "");
}

TEST_F(RebaseTest, ConflictChangesNothingAndSaysWhatMet) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  S.write("tree/f", lines({{2, "two"}}));
  S.commit("f: two");
  S.write("tree/f", lines({{2, "two"}, {10, "X"}}));
  newBase("new");
  S.write("tree/g", lines({{2, "two"}}));
  newBase("newer");
  std::string Before = everything();
  Outcome Result = rebase("low", "newer");
  EXPECT_EQ(Result.Code, 1);
  EXPECT_EQ(Result.Err, "");
  EXPECT_EQ(everything(), Before);
  std::string Patch = S.path("series/low/ten.patch");
  EXPECT_EQ(Result.Out,
            Patch + ": 'f' is changed both by the patch and in newer\n  " +
                Patch + ":9: hunk 1 of 1 meets line 10 of 'f'\n" +
                "    newer:\n      X\n    the patch:\n      ten\n"
                "  changed by commit " +
                git("rev-parse --short=12 new") +
                " (\"f: changed for new\")\n"
                "nothing was changed: 'kseries rebase --resolve' opens the "
                "conflict\n");
}

TEST_F(RebaseTest, WithoutHistoryTheVersionIsNamed) {
  S.write("tree/f", lines({{10, "X"}}));
  newBase("v2", /*WithHistory=*/false);
  Outcome Result = rebase("low", "v2");
  EXPECT_EQ(Result.Code, 1);
  EXPECT_NE(
      Result.Out.find("  changed by v2, which has no history since base\n"),
      std::string::npos)
      << Result.Out;
}

TEST_F(RebaseTest, OtherConflictsAreNamedForWhatTheyAre) {
  S.run("rm tree/f");
  newBase("gone");
  EXPECT_NE(rebase("low", "gone")
                .Out.find("'f' is changed by the patch, and is not in gone"),
            std::string::npos);
  S.write("tree/f/inside", "x\n");
  newBase("directory");
  EXPECT_EQ(rebase("low", "directory").Code, 1);
}

TEST_F(RebaseTest, FileRenamedUpstreamTakesThePatchAlong) {
  S.run("mkdir tree/d && mv tree/f tree/d/h");
  newBase("new");
  EXPECT_EQ(rebase("low", "new").Code, 0);
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  EXPECT_EQ(git("cat-file blob series/low:d/h | sed -n 10p"), "ten");
}

TEST_F(RebaseTest, QueuesOnTopComeAlongOrNothingMoves) {
  S.writeQueue(
      "high", "low",
      {{"eleven.patch", patchOf("f: 18", "f", lines({{10, "ten"}}),
                                lines({{10, "ten"}, {18, "eighteen"}}))}});
  ASSERT_EQ(S.apply({"high"}).Code, 0);
  S.write("tree/f", lines({{5, "five"}}));
  newBase("new");
  S.write("tree/f", lines({{5, "five"}, {18, "XVIII"}}));
  newBase("clash");
  std::string Before = everything();
  EXPECT_EQ(rebase("low", "clash").Code, 1);
  EXPECT_EQ(everything(), Before);
  EXPECT_EQ(rebase("low", "new").Code, 0);
  EXPECT_EQ(S.read("series/high/base"), "low\n");
  EXPECT_EQ(git("rev-parse series/high~1"), git("rev-parse series/low"));
  EXPECT_EQ(git("rev-parse series/low~1"), git("rev-parse new"));
  // Taken off the other queue.
  EXPECT_EQ(rebase("high", "base").Code, 0);
  EXPECT_EQ(S.read("series/high/base"), "base\n");
  EXPECT_EQ(git("rev-parse series/high~1"), git("rev-parse base"));
  EXPECT_EQ(git("cat-file blob series/high:f"),
            StringRef(lines({{18, "eighteen"}})).rtrim('\n'));
  // And put back on.
  EXPECT_EQ(rebase("high", "low").Code, 0);
  EXPECT_EQ(S.read("series/high/base"), "low\n");
  EXPECT_EQ(rebase("low", "high").Code, 2);
}

TEST_F(RebaseTest, PatchThatIsUpstreamIsNamedAndDroppedOnRequest) {
  S.writeQueue(
      "low", "base",
      {{"ten.patch", patchOf("f: ten", "f", lines(), lines({{10, "ten"}}))},
       {"g.patch", patchOf("g: ten", "g", lines(), lines({{10, "ten"}}))}});
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  S.write("tree/f", lines({{10, "ten"}}));
  newBase("new");
  std::string Before = everything();
  Outcome Result = rebase("low", "new");
  EXPECT_EQ(Result.Code, 1);
  EXPECT_EQ(everything(), Before);
  EXPECT_EQ(Result.Out.find(S.path("series/low/ten.patch") +
                            ": already in new as commit " +
                            git("rev-parse --short=12 new")),
            0u)
      << Result.Out;
  RebaseOptions Options;
  Options.Queues = {"low"};
  Options.Onto = "new";
  Options.DropUpstream = true;
  EXPECT_EQ(S.rebase(Options).Code, 0);
  EXPECT_FALSE(S.exists("series/low/ten.patch"));
  EXPECT_EQ(S.read("series/low/series"), "g.patch\n");
  EXPECT_EQ(git("for-each-ref --format='%(refname)' refs/patches"),
            "refs/patches/low/g.patch");
}

TEST_F(RebaseTest, UpstreamAndChangedSinceIsUpstreamWhereHistoryTells) {
  S.write("tree/f", lines({{10, "ten"}}));
  S.commit("f: ten");
  S.write("tree/f", lines({{10, "ten, better"}}));
  newBase("new");
  Outcome Result = rebase("low", "new");
  EXPECT_EQ(Result.Code, 1);
  EXPECT_NE(Result.Out.find("already in new as commit"), std::string::npos)
      << Result.Out;
}

TEST_F(RebaseTest, UpstreamAndRevertedIsWantedAgain) {
  S.write("tree/f", lines({{10, "ten"}}));
  S.commit("f: ten");
  S.write("tree/f", lines({{3, "three"}}));
  newBase("new");
  Outcome Result = rebase("low", "new");
  EXPECT_EQ(Result.Code, 0) << Result.Out;
}

class ResolveTest : public RebaseTest {
protected:
  void SetUp() override {
    RebaseTest::SetUp();
    ASSERT_EQ(S.apply({"low"}).Code, 0);
    Before = everything();
    S.write("tree/f", lines({{10, "X"}}));
    newBase("new");
    ASSERT_EQ(resolve("new").Code, 1);
  }

  std::string Before;
  const std::string File = "build/worktrees/resolve-low/f";
};

TEST_F(ResolveTest, OrdinaryMarkersThenContinue) {
  EXPECT_EQ(S.read(File), lines({{10, "<<<<<<< new\nX\n=======\nten\n"
                                      ">>>>>>> ten.patch"}}));
  Outcome Early = goOn();
  EXPECT_EQ(Early.Code, 1);
  EXPECT_EQ(Early.Out, S.path(File) + ": conflict markers are left\n");
  S.write(File, lines({{10, "X, ten"}}));
  Outcome Result = goOn();
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_FALSE(S.exists("build/worktrees/resolve-low"));
  EXPECT_EQ(git("cat-file blob series/low:f | sed -n 10p"), "X, ten");
  EXPECT_EQ(
      S.read("series/low/ten.patch"),
      patchOf("f: ten", "f", lines({{10, "X"}}), lines({{10, "X, ten"}})));
}

TEST_F(ResolveTest, ReplayedTheNextTimeAndOnTheWayBack) {
  std::string Patch = S.read("series/low/ten.patch");
  S.write(File, lines({{10, "X, ten"}}));
  ASSERT_EQ(goOn().Code, 0);
  std::string There = S.read("series/low/ten.patch");
  Outcome Back = rebase("low", "base");
  EXPECT_EQ(Back.Code, 0) << Back.Out << Back.Err;
  EXPECT_EQ(S.read("series/low/ten.patch"), Patch);
  Outcome Again = rebase("low", "new");
  EXPECT_EQ(Again.Code, 0) << Again.Out << Again.Err;
  EXPECT_EQ(S.read("series/low/ten.patch"), There);
  std::string Damaged = S.read("series/low/resolutions");
  ASSERT_EQ(rebase("low", "base").Code, 0);
  Damaged.replace(Damaged.find("+X, ten"), 7, "+Y, ten");
  S.write("series/low/resolutions", Damaged);
  Outcome Refused = rebase("low", "new");
  EXPECT_EQ(Refused.Code, 2);
  EXPECT_NE(Refused.Err.find("does not give what it says"), std::string::npos)
      << Refused.Err;
}

TEST_F(ResolveTest, AbortChangesNothing) {
  RebaseOptions Options;
  Options.Abort = true;
  EXPECT_EQ(S.rebase(Options).Code, 0);
  EXPECT_FALSE(S.exists("build/worktrees/resolve-low"));
  git("tag -d new");
  git("update-ref refs/heads/main base");
  EXPECT_EQ(everything(), Before);
  EXPECT_EQ(goOn().Code, 2);
}

TEST_F(ResolveTest, ASecondConflictOpensInItsTurn) {
  RebaseOptions Abort;
  Abort.Abort = true;
  ASSERT_EQ(S.rebase(Abort).Code, 0);
  S.writeQueue(
      "low", "base",
      {{"ten.patch", patchOf("f: ten", "f", lines(), lines({{10, "ten"}}))},
       {"g.patch", patchOf("g: 3", "g", lines(), lines({{3, "three"}}))}});
  S.write("tree/g", lines({{3, "III"}}));
  newBase("newer");
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  ASSERT_EQ(resolve("newer").Code, 1);
  EXPECT_EQ(resolve("newer").Code, 2);
  S.write(File, lines({{10, "X, ten"}}));
  EXPECT_EQ(goOn().Code, 1);
  S.write("build/worktrees/resolve-low/g", lines({{3, "III, three"}}));
  Outcome Result = goOn();
  EXPECT_EQ(Result.Code, 0) << Result.Out << Result.Err;
  EXPECT_EQ(git("cat-file blob series/low:f | sed -n 10p"), "X, ten");
  EXPECT_EQ(git("cat-file blob series/low:g | sed -n 3p"), "III, three");
}

TEST_F(ResolveTest, EditedQueueIsNoticed) {
  S.writeQueue(
      "low", "base",
      {{"ten.patch", patchOf("f: ten", "f", lines(), lines({{10, "10"}}))}});
  S.write(File, lines({{10, "X, ten"}}));
  Outcome Result = goOn();
  EXPECT_EQ(Result.Code, 2);
  EXPECT_NE(Result.Err.find("have changed since"), std::string::npos);
}

TEST_F(RebaseTest, WhatCannotBeAskedFor) {
  EXPECT_EQ(rebase("low", "nowhere").Err,
            "--onto: 'nowhere' is neither a queue nor a revision of " +
                S.path("linux.git"));
  EXPECT_EQ(rebase("none", "base").Code, 2);
  S.write("series/low/base", "unknown\n");
  Outcome Unknown = rebase("low", "base");
  EXPECT_EQ(Unknown.Code, 2);
  EXPECT_EQ(Unknown.Err, S.path("series/low/base") +
                             ": 'unknown' is neither a queue nor a revision "
                             "of " +
                             S.path("linux.git"));
}

TEST_F(RebaseTest, WorkOnTheBranchIsNotLost) {
  ASSERT_EQ(S.apply({"low"}).Code, 0);
  S.write("tree/f", lines({{20, "twenty"}}));
  newBase("new");
  S.run("git --git-dir=linux.git worktree add -q wt series/low");
  EXPECT_NE(rebase("low", "new").Err.find("checked out in a worktree"),
            std::string::npos);
  S.run("cd wt && echo x >>f && git commit -q -a -m more && "
        "git checkout -q --detach");
  std::string Before = everything();
  EXPECT_NE(rebase("low", "new").Err.find("was changed by hand"),
            std::string::npos);
  EXPECT_EQ(everything(), Before);
}

} // namespace
