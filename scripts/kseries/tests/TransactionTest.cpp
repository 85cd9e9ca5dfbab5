// SPDX-License-Identifier: GPL-2.0-only

#include "queue/Transaction.h"
#include "Scratch.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

class TransactionTest : public testing::Test {
protected:
  void SetUp() override {
    S.commitBase();
    S.write("series/q/series", "one.patch\n");
    S.write("series/q/one.patch", "one");
    Base = cantFail(S.repository().commit("base")).id();
  }

  Transaction begin() {
    return cantFail(Transaction::begin(S.workspace(), "test", Said));
  }
  /// Changes a file, adds one, takes one away, and makes a reference.
  void change(Transaction &Change) {
    cantFail(Change.write(S.path("series/q/series"), "two.patch\n"));
    cantFail(Change.write(S.path("series/q/sub/two.patch"), "two"));
    cantFail(Change.remove(S.path("series/q/one.patch")));
    Change.setRef("refs/patches/q/two.patch", std::nullopt, Base);
  }
  std::string commit(Transaction &Change) {
    kgit::Repository Repo = S.repository();
    return toString(Change.commit(Repo));
  }
  std::string everything() {
    return S.run("git --git-dir=linux.git for-each-ref; find series | sort; "
                 "find series -type f | sort | xargs cat");
  }
  /// What a killed process has left: the journal of change() at \p State.
  void leave(StringRef State, bool WithFile) {
    auto Id = [](StringRef Text) {
      return cantFail(kgit::Oid::ofBlob(Text)).str();
    };
    S.write("linux.git/kseries/" + State.str(),
            "kseries-journal 1\nfile " + Id("one") + " " + Id("1") + " \"" +
                S.path("series/q/one.patch") + "\"\nref - " + Base.str() +
                " \"refs/patches/q/x\"\nend\n");
    if (WithFile)
      S.write("series/q/.one.patch.kseries-new", "1");
  }

  Scratch S;
  kgit::Oid Base;
  std::string Message;
  raw_string_ostream Said{Message};
};

TEST_F(TransactionTest, AllOfIt) {
  Transaction Change = begin();
  change(Change);
  Workspace Pending = S.workspace().with(Change.files());
  EXPECT_EQ(cantFail(Pending.files().read(S.path("series/q/series"))),
            "two.patch\n");
  EXPECT_FALSE(Pending.files().exists(S.path("series/q/one.patch")));
  EXPECT_EQ(S.read("series/q/series"), "one.patch\n");
  EXPECT_EQ(commit(Change), "");
  EXPECT_EQ(S.read("series/q/series"), "two.patch\n");
  EXPECT_EQ(S.read("series/q/sub/two.patch"), "two");
  EXPECT_FALSE(S.exists("series/q/one.patch"));
  EXPECT_EQ(S.repository().refs("refs/patches/")->size(), 1u);
  EXPECT_EQ(S.run("ls linux.git/kseries"), "lock");
}

TEST_F(TransactionTest, NothingWithoutCommitOrChange) {
  std::string Before = everything();
  {
    Transaction Change = begin();
    change(Change);
    EXPECT_FALSE(Change.changesNothing());
  }
  EXPECT_EQ(everything(), Before);
  Transaction Change = begin();
  cantFail(Change.write(S.path("series/q/one.patch"), "one"));
  Change.setRef("refs/tags/base", Base, Base);
  EXPECT_TRUE(Change.changesNothing());
}

TEST_F(TransactionTest, EditedMeanwhile) {
  Transaction Change = begin();
  change(Change);
  S.write("series/q/one.patch", "edited");
  std::string Before = everything();
  EXPECT_EQ(commit(Change),
            S.path("series/q/one.patch") +
                ": edited meanwhile, nothing was changed: try again");
  EXPECT_EQ(everything(), Before);
}

TEST_F(TransactionTest, ReferenceMovedMeanwhile) {
  Transaction Change = begin();
  change(Change);
  S.run("git --git-dir=linux.git update-ref refs/patches/q/two.patch base");
  std::string Before = everything();
  EXPECT_EQ(commit(Change), "refs/patches/q/two.patch: moved meanwhile, "
                            "nothing was changed: try again");
  EXPECT_EQ(everything(), Before);
}

TEST_F(TransactionTest, LockOfAnotherGitIsRespected) {
  S.write("linux.git/refs/patches/q/two.patch.lock", "");
  std::string Before = everything();
  Transaction Change = begin();
  change(Change);
  EXPECT_NE(commit(Change).find("cannot lock refs/patches/q/two.patch"),
            std::string::npos);
  EXPECT_TRUE(S.exists("linux.git/refs/patches/q/two.patch.lock"));
  EXPECT_EQ(everything(), Before);
}

TEST_F(TransactionTest, PermissionsStay) {
  S.run("chmod 640 series/q/one.patch");
  Transaction Change = begin();
  cantFail(Change.write(S.path("series/q/one.patch"), "1"));
  EXPECT_EQ(commit(Change), "");
  EXPECT_EQ(S.run("stat -c %a series/q/one.patch"), "640");
}

TEST_F(TransactionTest, PreparedIsUndone) {
  std::string Before = everything();
  leave("prepared", /*WithFile=*/true);
  S.run("git --git-dir=linux.git update-ref refs/patches/q/x base");
  cantFail(settle(S.workspace(), Said));
  EXPECT_EQ(Message, "kseries: undid what an interrupted command had begun\n");
  EXPECT_EQ(everything(), Before);
}

TEST_F(TransactionTest, CommittedIsFinished) {
  leave("committed", /*WithFile=*/true);
  cantFail(settle(S.workspace(), Said));
  EXPECT_EQ(Message, "kseries: finished what an interrupted command had "
                     "begun\n");
  EXPECT_EQ(S.read("series/q/one.patch"), "1");
  EXPECT_FALSE(S.exists("series/q/.one.patch.kseries-new"));
}

TEST_F(TransactionTest, EditSinceTheKillIsKept) {
  leave("committed", /*WithFile=*/true);
  S.write("series/q/one.patch", "edited");
  cantFail(settle(S.workspace(), Said));
  EXPECT_EQ(S.read("series/q/one.patch"), "1");
  EXPECT_EQ(S.read("series/q/one.patch.orig"), "edited");
  EXPECT_NE(Message.find("your text is kept as"), std::string::npos);
}

TEST_F(TransactionTest, WorktreeIsFinished) {
  auto Id = [](StringRef Text) {
    return cantFail(kgit::Oid::ofBlob(Text)).str();
  };
  S.write("wt/changed", "old");
  S.write("wt/edited", "mine");
  S.write("wt/gone/file", "old");
  S.write("wt/.kseries-new/0", "new");
  S.write("wt/.kseries-new/1", "new");
  S.write("wt/.kseries-new/3", "new");
  std::string Line = "checkout " + Id("old") + " " + Id("new") + " ";
  S.write("linux.git/kseries/committed",
          "kseries-journal 1\nworktree \"" + S.path("wt") + "\"\n" + Line +
              "\"changed\"\n" + Line + "\"edited\"\ncheckout " + Id("old") +
              " - \"gone/file\"\ncheckout - " + Id("new") + " \"gone\"\nend\n");
  cantFail(settle(S.workspace(), Said));
  EXPECT_EQ(S.run("cd wt && tail -n +1 *"),
            "==> changed <==\nnew\n==> edited <==\nnew\n"
            "==> edited.orig <==\nmine\n==> gone <==\nnew");
  EXPECT_FALSE(S.exists("wt/.kseries-new"));
  EXPECT_NE(Message.find("wt/edited: edited while a change"),
            std::string::npos);
}

TEST_F(TransactionTest, EmptiedDirectoriesOfAWorktreeGo) {
  // Killed between the removal of one directory and of the one above it.
  S.run("mkdir -p wt/emptied wt/full && touch wt/full/mine");
  std::string Old = "checkout " + Base.str() + " - ";
  S.write("linux.git/kseries/committed",
          "kseries-journal 1\nworktree \"" + S.path("wt") + "\"\n" + Old +
              "\"emptied/deep/file\"\n" + Old + "\"full/deep/file\"\nend\n");
  cantFail(settle(S.workspace(), Said));
  EXPECT_EQ(S.run("find wt | sort"), "wt\nwt/full\nwt/full/mine");
}

TEST_F(TransactionTest, BranchThatMovedSinceTheKillStays) {
  S.write("linux.git/kseries/prepared", "kseries-journal 1\nref - " +
                                            Base.str() +
                                            " \"refs/heads/series/q\"\nend\n");
  std::string Other = S.commit("other");
  S.run("git --git-dir=linux.git update-ref refs/heads/series/q " + Other);
  cantFail(settle(S.workspace(), Said));
  EXPECT_EQ(S.run("git --git-dir=linux.git rev-parse series/q"), Other);
}

TEST_F(TransactionTest, DamagedJournalIsNotGuessedAt) {
  for (StringRef Text : {"", "kseries-journal 2\nend\n", "kseries-journal 1\n",
                         "kseries-journal 1\nfile x y \"z\"\nend\n",
                         "kseries-journal 1\ndiscard /etc\nend\n"}) {
    S.write("linux.git/kseries/committed", Text);
    auto Change = Transaction::begin(S.workspace(), "test", Said);
    ASSERT_FALSE(!!Change) << Text.str();
    EXPECT_NE(toString(Change.takeError()).find(": damaged: "),
              std::string::npos);
  }
}

} // namespace
