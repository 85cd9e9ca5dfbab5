// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Edit.h"
#include "Scratch.h"
#include "rebase/Resolutions.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

/// With a line on top: git, and so kseries, takes a hunk that starts in line 1
/// for one that must.
std::string fileOf(StringRef Line) { return "top\n" + simpleFile(Line); }
std::string patchOf(StringRef Subject, StringRef Path, StringRef Old,
                    StringRef New) {
  std::string Text = simplePatch(Subject, Path, Old, New);
  size_t At = Text.find("-1,7 +1,7");
  return Text.replace(At, 9, "-2,7 +2,7");
}

class Edit : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/f", fileOf("one"));
    S.write("tree/g", fileOf("one"));
    S.commitBase();
    S.writeQueue("q", "base",
                 {{"f.patch", patchOf("f: two", "f", "one", "two")},
                  {"f-again.patch", patchOf("f: three", "f", "two", "three")},
                  {"g.patch", patchOf("g: four", "g", "one", "four")}});
    S.writeQueue("above", "q",
                 {{"g5.patch", patchOf("g: five", "g", "four", "five")}});
    ASSERT_EQ(S.apply({"above"}).Code, 0);
    S.run("git --git-dir=linux.git worktree add -q wt series/q");
    Before = state();
  }

  /// Everything that a command may change.
  std::string state() {
    return S.run("tail -n +1 series/*/*; git --git-dir=linux.git for-each-ref; "
                 "cd wt; tail -n +1 *; git status --porcelain");
  }
  std::string git(const std::string &Words) {
    return S.run("git --git-dir=linux.git " + Words);
  }
  /// Files, branches and worktree say the same.
  void expectInStep() {
    EXPECT_EQ(S.run("cd wt && git status --porcelain"), "");
    std::string Out = S.status().Out;
    size_t Count = 0;
    for (size_t At = Out.find("in sync"); At != std::string::npos;
         At = Out.find("in sync", At + 1))
      ++Count;
    EXPECT_EQ(Count, 2u) << Out;
    EXPECT_FALSE(S.exists("linux.git/worktrees/wt/index.kseries-new"));
  }

  Outcome refresh(StringRef PatchFile = "", StringRef Message = "",
                  StringRef Directory = "") {
    return S.outcome([&](Streams To) {
      return refreshPatch(
          S.workspace(), {"q", PatchFile.str(), Directory.str(), Message.str()},
          To);
    });
  }
  Outcome add(StringRef PatchFile, StringRef Subject = "", StringRef After = "",
              StringRef Queue = "q") {
    return S.outcome([&](Streams To) {
      return newPatch(
          S.workspace(),
          {Queue.str(), PatchFile.str(), Subject.str(), After.str()}, To);
    });
  }
  Outcome drop(std::vector<std::string> Patches) {
    return S.outcome([&](Streams To) {
      return dropPatches(S.workspace(), "q", Patches, To);
    });
  }
  Outcome reorder(std::vector<std::string> Patches, StringRef Before = "",
                  StringRef After = "") {
    return S.outcome([&](Streams To) {
      return reorderPatches(S.workspace(),
                            {"q", Patches, Before.str(), After.str()}, To);
    });
  }

  Outcome split(StringRef PatchFile, std::vector<std::string> Parts,
                StringRef Into, bool List = false) {
    return S.outcome([&](Streams To) {
      return splitPatch(S.workspace(),
                        {"q", PatchFile.str(), Parts, Into.str(), List}, To);
    });
  }
  /// Makes g.patch one of many hunks, all alike, in a file that repeats itself.
  void refreshHunks() {
    std::string Same = "same\nsame\nsame\nsame\nsame\nsame\nsame\nsame\n";
    S.write("wt/many", Same + "1\n" + Same + "1\n" + Same + "1\n" + Same);
    S.run("cd wt && git add many");
    ASSERT_EQ(add("many.patch", "", "f-again.patch").Code, 0);
    ASSERT_EQ(refresh("many.patch").Code, 0);
    S.write("wt/many",
            Same + "2\n2\n" + Same + "2\n2\n" + Same + "2\n2\n" + Same);
    S.write("wt/mode", "");
    S.write("wt/added", "a\n");
    S.write("wt/a:1", "a\n");
    S.run("cd wt && git rm -q f && chmod +x many && git add mode added a:1");
    ASSERT_EQ(refresh("g.patch").Code, 0);
  }

  Scratch S;
  std::string Before;
};

TEST_F(Edit, RefreshTakesEditsIntoTheTopPatch) {
  S.write("wt/g", "zero\n" + fileOf("four"));
  S.write("wt/added", "new\n");
  S.write("wt/untracked", "mine\n");
  S.run("cd wt && git add added && rm f && git rm -q --cached f && "
        "git checkout -q HEAD -- f");
  Outcome Result = refresh();
  EXPECT_EQ(Result.Code, 0) << Result.Err << Result.Out;
  EXPECT_EQ(git("show series/q:g"),
            "zero\n" + StringRef(fileOf("four")).rtrim("\n").str());
  EXPECT_EQ(git("show series/q:added"), "new");
  EXPECT_EQ(S.read("wt/untracked"), "mine\n");
  EXPECT_EQ(S.run("cd wt && git status --porcelain"), "?? untracked");
  S.run("rm wt/untracked");
  expectInStep();
  // The one above moved by a line only: its file did not.
  EXPECT_EQ(S.read("series/above/g5.patch"),
            patchOf("g: five", "g", "four", "five"));
}

TEST_F(Edit, RefreshOfALowerPatchRebasesThoseAbove) {
  S.write("wt/f", "zero\n" + fileOf("three"));
  Outcome Result = refresh("f.patch");
  EXPECT_EQ(Result.Code, 0) << Result.Err << Result.Out;
  EXPECT_EQ(git("show series/q~2:f"),
            "zero\n" + StringRef(fileOf("two")).rtrim("\n").str());
  EXPECT_EQ(S.read("series/q/f-again.patch"),
            patchOf("f: three", "f", "two", "three"));
  expectInStep();
}

TEST_F(Edit, RefreshThatConflictsChangesNothing) {
  S.write("wt/f", fileOf("drei"));
  Before = state();
  Outcome Result = refresh("f.patch");
  EXPECT_EQ(Result.Code, 1) << Result.Err;
  EXPECT_NE(Result.Out.find("f.patch: hunk 1 of 1 does not apply to 'f'"),
            std::string::npos)
      << Result.Out;
  EXPECT_EQ(StringRef(Result.Out).count('\n'), 1u);
  EXPECT_EQ(state(), Before);
  EXPECT_FALSE(S.exists("linux.git/worktrees/wt/index.kseries-new"));
  EXPECT_EQ(refresh("f-again.patch").Code, 0);
  expectInStep();
}

TEST_F(Edit, RefreshWithNothingToTake) {
  Outcome Result = refresh();
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_NE(Result.Out.find("q: nothing to take from "), std::string::npos);
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, RefreshBringsAnOldIndexInLine) {
  std::string Index = "linux.git/worktrees/wt/index";
  S.run("cp " + Index + " old");
  S.write("wt/g", fileOf("four") + "last\n");
  ASSERT_EQ(refresh().Code, 0);
  S.run("cp old " + Index);
  EXPECT_NE(S.run("cd wt && git status --porcelain"), "");
  EXPECT_EQ(refresh().Code, 0);
  EXPECT_EQ(S.read("wt/g"), fileOf("four") + "last\n");
  expectInStep();
}

TEST_F(Edit, RefreshTakesAnEditOfTheSecondOfTheIndex) {
  // The same size, inode and second: only the index' own time tells.
  S.run("rm -r series/above; cd wt; while [ $(date +%N | cut -c1) != 0 ]; do "
        ":; done; "
        "printf x >>g; git checkout -q HEAD -- g; sed s/four/vier/ g >../new; "
        "cat ../new >g; sleep 1.1");
  EXPECT_EQ(refresh().Code, 0);
  EXPECT_NE(S.read("series/q/g.patch").find("+vier"), std::string::npos);
}

TEST_F(Edit, RefreshReplacesTheMessage) {
  S.write("message", "g: vier\n\nSaid otherwise.\n");
  EXPECT_EQ(refresh("g.patch", S.path("message")).Code, 0);
  EXPECT_EQ(S.read("series/q/g.patch").substr(0, 37),
            "Subject: g: vier\n\nSaid otherwise.\n---");
  expectInStep();
  S.write("message", "g: vier\n\nabove\n---\nbelow\n");
  Before = state();
  EXPECT_EQ(refresh("g.patch", S.path("message")).Code, 2);
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, RefreshNeedsTheBranchAsApplied) {
  S.run("cd wt && git commit -q --allow-empty -m mine");
  EXPECT_NE(refresh().Err.find("was changed by hand"), std::string::npos);
  S.run("cd wt && git reset -q --hard HEAD~1 && git checkout -q --detach");
  EXPECT_NE(refresh().Err.find("no worktree has series/q checked out"),
            std::string::npos);
  EXPECT_NE(refresh("", "", S.path("wt")).Err.find("is no worktree that has"),
            std::string::npos);
  S.run("cd wt && git checkout -q series/q");
  EXPECT_NE(refresh("nothing.patch").Err.find("no patch 'nothing.patch'"),
            std::string::npos);
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, RefreshThatEmptiesAPatchAbove) {
  S.write("wt/g", fileOf("five"));
  Before = state();
  Outcome Result = refresh();
  EXPECT_EQ(Result.Code, 1) << Result.Err;
  EXPECT_NE(Result.Out.find("above/g5.patch: nothing is left of it"),
            std::string::npos)
      << Result.Out;
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, NewIsEmptyUntilRefreshed) {
  Outcome Result = add("h.patch", "h: add", "f.patch");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(S.read("series/q/h.patch"),
            "Subject: h: add\n\n---\n(no changes yet)\n");
  EXPECT_EQ(S.read("series/q/series"),
            "f.patch\nh.patch\nf-again.patch\ng.patch\n");
  expectInStep();
  EXPECT_NE(S.status().Out.find("q/h.patch: changes nothing yet"),
            std::string::npos);
  EXPECT_NE(S.status(true).Out.find("\"h.patch\""), std::string::npos);
  EXPECT_NE(S.mbox("q").Err.find("h.patch: changes nothing yet"),
            std::string::npos);
  S.write("wt/h", "h\n");
  S.run("cd wt && git add h");
  EXPECT_EQ(refresh("h.patch").Code, 0);
  EXPECT_EQ(git("show --format=%s --name-only series/q~2"), "h: add\n\nh");
  expectInStep();
}

TEST_F(Edit, NewInAQueueJustBegun) {
  S.write("series/fresh/series", "");
  S.write("series/fresh/base", "base\n");
  Outcome Result = add("a-b.patch", "", "", "fresh");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(S.read("series/fresh/series"), "a-b.patch\n");
  EXPECT_EQ(S.apply({"fresh"}).Code, 0);
  EXPECT_EQ(git("show -s --format=%s series/fresh"), "a-b");
}

TEST_F(Edit, NewRefusesNames) {
  for (StringRef Name : {"f.patch", "x", "../x.patch", "a b.patch", "-x.patch",
                         "x..y.patch", ".patch"})
    EXPECT_EQ(add(Name).Code, 2) << Name.str();
  EXPECT_EQ(add("x.patch", "", "nothing.patch").Code, 2);
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, DropRebasesThoseAboveAndTheWorktree) {
  EXPECT_EQ(add("h.patch").Code, 0);
  S.write("wt/f", fileOf("three") + "last\n");
  EXPECT_EQ(refresh("h.patch").Code, 0);
  Outcome Result = drop({"h.patch"});
  EXPECT_EQ(Result.Code, 0) << Result.Err << Result.Out;
  EXPECT_EQ(state(), Before);
  EXPECT_FALSE(S.exists("series/q/h.patch"));
}

TEST_F(Edit, DropThatConflictsChangesNothing) {
  Outcome Result = drop({"f.patch"});
  EXPECT_EQ(Result.Code, 1) << Result.Err;
  EXPECT_NE(Result.Out.find("f-again.patch:8: hunk 1 of 1 does not apply to "
                            "'f'"),
            std::string::npos)
      << Result.Out;
  EXPECT_NE(drop({"g.patch"}).Out.find("above/g5.patch"), std::string::npos);
  EXPECT_EQ(drop({"f.patch", "f-again.patch", "g.patch"}).Code, 2);
  EXPECT_EQ(drop({"nothing.patch"}).Code, 2);
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, DropReplaysResolutions) {
  auto Record = [&](StringRef Queue, StringRef Path, StringRef Old,
                    StringRef Theirs) {
    kgit::Repository Repo = S.repository();
    auto Entry = [&](StringRef Line) {
      return kgit::TreeEntry{cantFail(Repo.writeBlob(fileOf(Line))),
                             GIT_FILEMODE_BLOB};
    };
    Conflict Met{};
    Met.Path = Path.str();
    Met.Base = Entry(Old);
    Met.Ours = Entry("one");
    Met.Theirs = Entry(Theirs);
    Resolutions Known;
    cantFail(Known.add(Repo, Met, Entry("settled")));
    cantFail(Repo.flushWrites());
    S.write(("series/" + Queue + "/resolutions").str(), Known.text());
  };
  Record("q", "f", "two", "three");
  // The queue above has its own.
  Record("above", "g", "four", "five");
  Outcome Result = drop({"f.patch", "g.patch"});
  ASSERT_EQ(Result.Code, 0) << Result.Err << Result.Out;
  EXPECT_NE(Result.Out.find("q/f-again.patch: conflict in 'f' resolved as "
                            "before\n"),
            std::string::npos)
      << Result.Out;
  EXPECT_NE(Result.Out.find("above/g5.patch: conflict in 'g' resolved as "
                            "before\n"),
            std::string::npos)
      << Result.Out;
  EXPECT_EQ(git("show series/q:f") + "\n", fileOf("settled"));
  EXPECT_EQ(git("show series/above:g") + "\n", fileOf("settled"));
  expectInStep();
}

TEST_F(Edit, DropTrustsNoDamagedResolution) {
  S.write("series/q/resolutions", "resolve a b c\n");
  Before = state();
  Outcome Result = drop({"f.patch"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_NE(Result.Err.find("resolutions:1: not a resolution: remove it"),
            std::string::npos)
      << Result.Err;
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, DropKeepsWhatWasEdited) {
  S.run("rm -r series/above");
  S.write("wt/g", fileOf("mine"));
  Before = state();
  EXPECT_EQ(drop({"g.patch"}).Code, 2);
  EXPECT_EQ(state(), Before);
  S.run("cd wt && git checkout -q g");
  S.write("wt/f", fileOf("mine"));
  EXPECT_EQ(drop({"g.patch"}).Code, 0);
  EXPECT_EQ(S.read("wt/f"), fileOf("mine"));
  EXPECT_EQ(S.read("wt/g"), fileOf("one"));
  EXPECT_EQ(S.run("cd wt && git status --porcelain"), " M f");
}

TEST_F(Edit, DropInASparseWorktree) {
  S.run("rm -r series/above; cd wt && mkdir d && echo d >d/in && git add d");
  ASSERT_EQ(refresh().Code, 0);
  S.run("cd wt && git sparse-checkout set --no-cone '/*' '!/d/' '!/g'");
  ASSERT_FALSE(S.exists("wt/g"));
  Outcome Result = drop({"g.patch"});
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_FALSE(S.exists("wt/g"));
  EXPECT_FALSE(S.exists("wt/d"));
  EXPECT_EQ(S.run("cd wt && git status --porcelain"), "");
}

TEST_F(Edit, DropWritesLineEndsAsTheWorktreeHasThem) {
  S.run("rm -r series/above; git --git-dir=linux.git config core.autocrlf "
        "true; cd wt && rm g && git checkout -q g && git add --renormalize .");
  ASSERT_NE(S.read("wt/g").find("four\r\n"), std::string::npos);
  Outcome Result = drop({"g.patch"});
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_NE(S.read("wt/g").find("one\r\n"), std::string::npos);
  EXPECT_EQ(S.run("cd wt && git status --porcelain"), "");
}

TEST_F(Edit, DropDoesNotTakeTheNameOfItsOwnDirectory) {
  S.run("rm -r series/above");
  S.write("wt/.kseries-new/mine", "mine\n");
  Before = state();
  Outcome Result = drop({"g.patch"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_NE(Result.Err.find("in the way of kseries: remove it"),
            std::string::npos)
      << Result.Err;
  EXPECT_EQ(state(), Before);
  EXPECT_EQ(S.read("wt/.kseries-new/mine"), "mine\n");
}

TEST_F(Edit, Reorder) {
  Outcome Result = reorder({"g.patch", "f.patch", "f-again.patch"});
  EXPECT_EQ(Result.Code, 0) << Result.Err << Result.Out;
  EXPECT_EQ(S.read("series/q/series"), "g.patch\nf.patch\nf-again.patch\n");
  EXPECT_EQ(git("log --format=%s base..series/q"), "f: three\nf: two\ng: four");
  expectInStep();
  EXPECT_EQ(reorder({"g.patch"}, "", "f-again.patch").Code, 0);
  EXPECT_EQ(state(), Before);
  EXPECT_EQ(reorder({"g.patch"}, "f.patch").Code, 0);
  EXPECT_EQ(S.read("series/q/series"), "g.patch\nf.patch\nf-again.patch\n");
}

TEST_F(Edit, SplitByFile) {
  S.write("wt/f", fileOf("four"));
  S.write("wt/new", "new\n");
  S.run("cd wt && git add new");
  ASSERT_EQ(refresh("g.patch").Code, 0);
  std::string Tree = git("rev-parse 'series/q^{tree}'");
  Outcome Result = split("g.patch", {"f", "new"}, "first.patch");
  EXPECT_EQ(Result.Code, 0) << Result.Err << Result.Out;
  EXPECT_EQ(S.read("series/q/series"),
            "f.patch\nf-again.patch\nfirst.patch\ng.patch\n");
  EXPECT_EQ(git("show --format=%s --name-only series/q~1"), "first\n\nf\nnew");
  EXPECT_EQ(git("show --format=%s --name-only series/q"), "g: four\n\ng");
  EXPECT_EQ(git("rev-parse 'series/q^{tree}'"), Tree);
  expectInStep();
}

TEST_F(Edit, SplitListsParts) {
  refreshHunks();
  Before = state();
  Outcome Result = split("g.patch", {}, "", /*List=*/true);
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(Result.Out, "a:1:1  @@ -0,0 +1 @@\n"
                        "added:1  @@ -0,0 +1 @@\n"
                        "f:1  @@ -1,8 +0,0 @@\n"
                        "g:1  @@ -2,7 +2,7 @@ top\n"
                        "many:1  @@ -6,7 +6,8 @@ same\n"
                        "many:2  @@ -15,7 +16,8 @@ same\n"
                        "many:3  @@ -24,7 +26,8 @@ same\n"
                        "mode  (added, empty)\n");
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, SplitByHunk) {
  refreshHunks();
  for (auto [Parts, Lines] :
       {std::pair("many:2", "9:1 18:2 19:2 28:1"),
        std::pair("many:1,3", "9:2 10:2 19:1 28:2 29:2"),
        std::pair("many:2-3 f:1 many:3", "9:1 18:2 19:2 28:2 29:2")}) {
    std::string Tree = git("rev-parse 'series/q^{tree}'");
    S.run("cp -a series saved");
    SmallVector<StringRef, 4> Words;
    StringRef(Parts).split(Words, ' ');
    Outcome Result =
        split("g.patch", {Words.begin(), Words.end()}, "first.patch");
    ASSERT_EQ(Result.Code, 0) << Result.Err << Result.Out;
    EXPECT_EQ(git("show series/q~1:many | grep -n '[0-9]' | tr '\\n' ' '"),
              std::string(Lines) + " ");
    EXPECT_EQ(git("rev-parse 'series/q^{tree}'"), Tree);
    EXPECT_EQ(git("ls-tree series/q~1 many | cut -c1-6"), "100644");
    EXPECT_EQ(git("ls-tree series/q many | cut -c1-6"), "100755");
    EXPECT_EQ(git("ls-tree --name-only series/q~1 f"),
              Words.size() > 1 ? "" : "f");
    expectInStep();
    // Both halves, as git itself takes them.
    S.run(
        "rm -rf check && git --git-dir=linux.git worktree add -q --detach "
        "check base && cd check && for p in $(cat ../series/q/series); do "
        "git apply --index ../series/q/$p; done && test $(git write-tree) = " +
        Tree +
        " && cd .. && git --git-dir=linux.git worktree remove -f "
        "check");
    S.run("rm -r series && mv saved series");
    S.run("cd wt && git checkout -q --detach");
    ASSERT_EQ(S.apply({"above"}).Code, 0);
    S.run("cd wt && git checkout -q series/q");
  }
}

TEST_F(Edit, SplitThatCannotBe) {
  EXPECT_NE(
      split("g.patch", {"g"}, "x.patch").Err.find("nothing would be left"),
      std::string::npos);
  EXPECT_NE(
      split("g.patch", {"g:1"}, "x.patch").Err.find("nothing would be left"),
      std::string::npos);
  EXPECT_NE(split("g.patch", {"f"}, "x.patch").Err.find("does not change 'f'"),
            std::string::npos);
  EXPECT_EQ(split("g.patch", {"g"}, "f.patch").Code, 2);
  EXPECT_EQ(split("g.patch", {}, "x.patch").Code, 2);
  EXPECT_EQ(split("g.patch", {"g"}, "").Code, 2);
  EXPECT_EQ(split("g.patch", {"g"}, "", /*List=*/true).Code, 2);
  EXPECT_EQ(state(), Before);
}

TEST_F(Edit, SplitNamesHunksThatAreNotThere) {
  refreshHunks();
  Before = state();
  std::pair<StringRef, StringRef> Cases[] = {
      {"many:4", "g.patch has 3 there: --list"},
      {"many:2-9", "no hunk 4 in 'many'"},
      {"many:1,4294967295", "no hunk 4294967295 in 'many'"},
      {"many:0", "'many:0': hunks are numbers from 1"},
      {"many:3-2", "'many:3-2': hunks are numbers from 1"},
      {"many:", "'many:': hunks are numbers from 1"},
      {"many:1,", "'many:1,': hunks are numbers from 1"},
      {"many:x", "'many:x': hunks are numbers from 1"},
      {"many:99999999999", "hunks are numbers from 1"},
      {"mode:1", "g.patch has no hunks (added, empty)"},
      {"none:1", "g.patch does not change 'none'"}};
  for (auto [Word, Expected] : Cases) {
    Outcome Result = split("g.patch", {Word.str()}, "x.patch");
    EXPECT_EQ(Result.Code, 2) << Word.str();
    EXPECT_EQ(StringRef(Result.Err).count('\n'), 0u) << Result.Err;
    EXPECT_NE(Result.Err.find(Expected.str()), std::string::npos) << Result.Err;
  }
  EXPECT_EQ(state(), Before);
  // A name that only looks like a hunk of another.
  EXPECT_EQ(split("g.patch", {"a:1"}, "x.patch").Code, 0);
  EXPECT_EQ(git("show --format= --name-only series/q~1"), "a:1");
}

TEST_F(Edit, ReorderThatCannotBe) {
  Outcome Result = reorder({"f-again.patch"}, "f.patch");
  EXPECT_EQ(Result.Code, 1) << Result.Err;
  EXPECT_NE(Result.Out.find("f-again.patch:8: hunk 1 of 1"), std::string::npos)
      << Result.Out;
  EXPECT_EQ(reorder({"f.patch"}).Code, 2);
  EXPECT_EQ(reorder({"f.patch", "f.patch"}, "g.patch").Code, 2);
  EXPECT_EQ(reorder({"f.patch"}, "f.patch").Code, 2);
  EXPECT_EQ(state(), Before);
}

} // namespace
