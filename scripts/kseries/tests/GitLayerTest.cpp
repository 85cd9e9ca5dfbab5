// SPDX-License-Identifier: GPL-2.0-only

#include "Scratch.h"
#include "git/ChangedPaths.h"
#include "git/Identity.h"
#include "git/RefTransaction.h"
#include "git/TreeEdit.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;
using kgit::TreeEntry;

namespace {

class GitLayer : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/a/one", "1\n");
    S.write("tree/a/two", "2\n");
    S.write("tree/b/c/deep", "3\n");
    S.write("tree/top", "4\n");
    S.commitBase();
  }

  std::string list(const kgit::Oid &Tree) {
    return S.run("git --git-dir=linux.git ls-tree -r --name-only " +
                 Tree.str() + " | tr '\\n' ' '");
  }

  Scratch S;
};

TEST_F(GitLayer, OpenSaysWhatIsMissing) {
  auto Repo = kgit::Repository::open(S.path("nowhere"));
  ASSERT_FALSE(Repo);
  std::string Message = toString(Repo.takeError());
  EXPECT_NE(Message.find(S.path("nowhere")), std::string::npos) << Message;
  EXPECT_EQ(Message.find('\n'), std::string::npos) << Message;
}

TEST_F(GitLayer, ResolvesTagsAndTellsUnknownOnesApart) {
  kgit::Repository Repo = S.repository();
  EXPECT_EQ(cantFail(Repo.commit("base")).id().str(),
            S.run("git --git-dir=linux.git rev-parse base"));
  EXPECT_FALSE(cantFail(Repo.findCommit("base-9.9")).has_value());
  EXPECT_FALSE(cantFail(Repo.findCommit("bad..name")).has_value());
  EXPECT_EQ(toString(Repo.commit("base-9.9").takeError()),
            "no revision 'base-9.9' in " + Repo.path());
}

TEST_F(GitLayer, ReadsBlobsByPath) {
  kgit::Repository Repo = S.repository();
  kgit::Commit Base = cantFail(Repo.commit("base"));
  EXPECT_EQ(cantFail(Repo.blobAt(Base, "b/c/deep")).content(), "3\n");
  EXPECT_TRUE(errorToBool(Repo.blobAt(Base, "b/c").takeError()));
  EXPECT_TRUE(errorToBool(Repo.blobAt(Base, "b/none").takeError()));
}

TEST_F(GitLayer, WalkSkipsAndStops) {
  kgit::Repository Repo = S.repository();
  kgit::Tree Tree = cantFail(cantFail(Repo.commit("base")).tree());
  std::vector<std::string> Seen;
  cantFail(Tree.walk([&](StringRef Path, const TreeEntry &Entry) {
    Seen.push_back(Path.str());
    if (Path == "a")
      return kgit::Tree::Visit::SkipDirectory;
    return Path == "b/c/deep" ? kgit::Tree::Visit::Stop
                              : kgit::Tree::Visit::Continue;
  }));
  EXPECT_EQ(Seen, (std::vector<std::string>{"a", "b", "b/c", "b/c/deep"}));
}

TEST_F(GitLayer, EditedTreeLosesEmptyDirectories) {
  kgit::Repository Repo = S.repository();
  kgit::Oid Base = cantFail(Repo.commit("base")).treeId();
  kgit::Oid Blob = cantFail(Repo.writeBlob("new\n"));
  kgit::Oid Edited = cantFail(kgit::editTree(
      Repo, Base,
      {{"b/c/deep", std::nullopt}, {"x/y", TreeEntry{Blob, 0100755}}}));
  EXPECT_EQ(list(Edited), "a/one a/two top x/y ");
  EXPECT_EQ(S.run("git --git-dir=linux.git ls-tree " + Edited.str() + " x/y")
                .substr(0, 6),
            "100755");
}

TEST_F(GitLayer, EditedTreeMayBeEmpty) {
  kgit::Repository Repo = S.repository();
  kgit::Oid Base = cantFail(Repo.commit("base")).treeId();
  kgit::Oid Edited = cantFail(kgit::editTree(Repo, Base,
                                             {{"a/one", std::nullopt},
                                              {"a/two", std::nullopt},
                                              {"b/c/deep", std::nullopt},
                                              {"top", std::nullopt}}));
  EXPECT_EQ(Edited.str(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

TEST_F(GitLayer, AFileMayBecomeADirectoryButNotTheOtherWayRound) {
  kgit::Repository Repo = S.repository();
  kgit::Oid Base = cantFail(Repo.commit("base")).treeId();
  TreeEntry File{cantFail(Repo.writeBlob("new\n")), 0100644};
  kgit::Oid Edited = cantFail(
      kgit::editTree(Repo, Base, {{"top", std::nullopt}, {"top/file", File}}));
  EXPECT_EQ(list(Edited), "a/one a/two b/c/deep top/file ");
  EXPECT_EQ(toString(kgit::editTree(Repo, Base, {{"a", File}}).takeError()),
            "a is a directory");
  EXPECT_EQ(
      toString(kgit::editTree(Repo, Base, {{"top/file", File}}).takeError()),
      "top is not a directory");
}

TEST_F(GitLayer, ChangedPathsNamesBothSides) {
  S.write("tree/a/one", "changed\n");
  S.run("rm -r tree/b && mkdir tree/b && echo 5 >tree/b/c && rm tree/top");
  kgit::Repository Repo = S.repository();
  kgit::Commit Old = cantFail(Repo.commit("base"));
  kgit::Commit New = cantFail(Repo.commit(S.commit("next")));
  auto Changed = cantFail(kgit::changedPaths(Repo, Old, New));
  ASSERT_EQ(Changed.size(), 4u);
  EXPECT_EQ(Changed[0].Path, "a/one");
  EXPECT_TRUE(Changed[0].Old && Changed[0].New);
  EXPECT_EQ(cantFail(Repo.blob(Changed[0].New->Id)).content(), "changed\n");
  EXPECT_EQ(Changed[1].Path, "b/c");
  EXPECT_TRUE(!Changed[1].Old && Changed[1].New);
  EXPECT_EQ(Changed[2].Path, "b/c/deep");
  EXPECT_TRUE(Changed[2].Old && !Changed[2].New);
  EXPECT_EQ(Changed[3].Path, "top");
  EXPECT_TRUE(Changed[3].Old && !Changed[3].New);
}

TEST_F(GitLayer, HeldObjectsReachTheDiskOnlyWhenFlushed) {
  kgit::Repository Repo = S.repository();
  cantFail(Repo.holdWrites());
  kgit::Oid Id = cantFail(Repo.writeBlob("held back\n"));
  EXPECT_EQ(cantFail(Repo.blob(Id)).content(), "held back\n");
  std::string Probe = "git --git-dir=linux.git cat-file -e " + Id.str();
  EXPECT_NE(S.exitCode(Probe), 0);
  cantFail(Repo.flushWrites());
  EXPECT_EQ(S.exitCode(Probe), 0);
}

TEST_F(GitLayer, ReferencesMoveTogetherOrNotAtAll) {
  kgit::Repository Repo = S.repository();
  kgit::Oid Base = cantFail(Repo.commit("base")).id();
  {
    auto Dropped = cantFail(kgit::RefTransaction::begin(Repo));
    cantFail(Dropped.set("refs/patches/q/one", Base, "test"));
  }
  EXPECT_TRUE(cantFail(Repo.refs("refs/patches/")).empty());
  auto Kept = cantFail(kgit::RefTransaction::begin(Repo));
  cantFail(Kept.set("refs/patches/q/two", Base, "test"));
  cantFail(Kept.set("refs/patches/q/one", Base, "test"));
  cantFail(Kept.commit());
  auto Refs = cantFail(Repo.refs("refs/patches/q/"));
  ASSERT_EQ(Refs.size(), 2u);
  EXPECT_EQ(Refs[0].Name, "refs/patches/q/one");
  EXPECT_EQ(Refs[1].Target, Base);
  auto Gone = cantFail(kgit::RefTransaction::begin(Repo));
  cantFail(Gone.remove("refs/patches/q/one"));
  cantFail(Gone.commit());
  EXPECT_FALSE(cantFail(Repo.refTarget("refs/patches/q/one")).has_value());
  EXPECT_TRUE(cantFail(Repo.refTarget("refs/patches/q/two")).has_value());
}

TEST_F(GitLayer, IdentityComesFromTheEnvironmentFirst) {
  auto User = cantFail(kgit::identity(S.path("")));
  ASSERT_TRUE(User.has_value());
  EXPECT_EQ(User->Name, "Test Sender");
  EXPECT_EQ(User->Email, "sender@example.org");
}

} // namespace
