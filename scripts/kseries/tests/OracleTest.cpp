// SPDX-License-Identifier: GPL-2.0-only
//
// Generated changes, where git itself says what is right: the tree that git
// apply makes, the id that git patch-id prints, the text that git diff writes.

#include "Scratch.h"
#include "patch/PatchId.h"
#include "patch/PatchParser.h"
#include "patch/PatchPrinter.h"
#include "patch/TreeApply.h"
#include "patch/TreeDiff.h"

#include <gtest/gtest.h>

#include <random>

using namespace llvm;
using namespace kseries;

namespace {

class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}

  unsigned below(unsigned Limit) {
    return std::uniform_int_distribution<unsigned>(0, Limit - 1)(Random);
  }
  bool chance(unsigned Percent) { return below(100) < Percent; }

  /// Lines from a small stock, so that hunks have places to be mistaken for.
  std::string text() {
    std::string Text;
    for (unsigned I = 0, Count = below(60); I < Count; ++I)
      Text += line();
    if (chance(15) && !Text.empty())
      Text.pop_back();
    return Text;
  }

  std::string line() {
    static const char *const Stock[] = {
        "int f(void)\n",           "{\n",    "}\n",        "\n",
        "\treturn 0;\n",           "out:\n", "\tif (x)\n", "\t\tgoto out;\n",
        "static struct s y = {\n", "};\n"};
    if (chance(40))
      return "\tcall_" + std::to_string(below(1000)) + "();\n";
    return Stock[below(10)];
  }

  std::string edited(const std::string &Old) {
    std::string New;
    for (StringRef Rest = Old; !Rest.empty();) {
      size_t End = Rest.find('\n');
      StringRef Line =
          Rest.take_front(End == StringRef::npos ? Rest.size() : End + 1);
      Rest = Rest.drop_front(Line.size());
      if (chance(8))
        New += line();
      if (!chance(6))
        New += Line;
    }
    return chance(10) ? New + line() : New;
  }

private:
  std::mt19937 Random;
};

class Oracle : public testing::TestWithParam<unsigned> {
protected:
  using Tree = std::map<std::string, std::string>;

  void SetUp() override {
    Generator G(GetParam());
    for (unsigned I = 0; I < 6; ++I)
      Old["d" + std::to_string(I % 2) + "/f" + std::to_string(I) + ".c"] =
          G.text();
    Old["bin"] = std::string("\0\1\2", 3) + G.text();
    Old["d1/sp ace\xff"] = G.text();
    Tree New;
    for (const auto &[Path, Text] : Old) {
      unsigned Dice = G.below(10);
      if (Dice == 0)
        continue; // deleted
      std::string Where = Dice == 1 ? "moved/" + Path : Path;
      New[Where] = Dice < 7 ? G.edited(Text) : Text;
      if (Path == "bin" && Dice < 7)
        New[Where] = std::string("\0x", 2) + G.text();
    }
    if (G.chance(50))
      New["new/file"] = G.text();
    bool ModeChange = G.chance(30);

    fill(Old);
    S.commitBase();
    S.run("rm -rf tree && mkdir tree");
    fill(New);
    if (ModeChange && New.count("d0/f0.c"))
      S.run("chmod +x tree/d0/f0.c");
    Next = S.commit("next");
  }

  void fill(const Tree &Files) {
    for (const auto &[Path, Text] : Files)
      S.write("tree/" + Path, Text);
  }

  std::string git(const std::string &Arguments) {
    return S.run("git --git-dir=linux.git " + Arguments);
  }
  std::string treeOf(const std::string &Revision) {
    return git("rev-parse '" + Revision + "^{tree}'");
  }

  Scratch S;
  Tree Old;
  std::string Next;
};

TEST_P(Oracle, GitsPatchMakesGitsTreeAndId) {
  git("format-patch -q --binary --full-index -1 --stdout " + Next + " >p");
  std::string Text = S.read("p");
  if (!StringRef(Text).contains("\ndiff --git ")) {
    EXPECT_EQ(treeOf("base"), treeOf(Next));
    return;
  }
  auto Parsed = parsePatch(Text, "p");
  ASSERT_TRUE(!!Parsed) << toString(Parsed.takeError()) << Text;
  kgit::Repository Repo = S.repository();
  auto Tree =
      applyPatch(Repo, cantFail(Repo.commit("base")).treeId(), *Parsed, "p");
  ASSERT_TRUE(!!Tree) << toString(Tree.takeError()) << Text;
  EXPECT_EQ(Tree->str(), treeOf(Next)) << Text;
  EXPECT_EQ(patchId(Parsed->Files),
            S.run("git patch-id --stable <p | cut -d' ' -f1"))
      << Text;
}

TEST_P(Oracle, OwnDiffIsGitsAndGitTakesIt) {
  kgit::Repository Repo = S.repository();
  auto Files = diffTrees(Repo, cantFail(Repo.commit("base")).treeId(),
                         cantFail(Repo.commit(Next)).treeId());
  ASSERT_TRUE(!!Files) << toString(Files.takeError());
  std::string Text = printDiffs(*Files);
  S.write("own", Text);
  if (Files->empty()) {
    EXPECT_EQ(treeOf("base"), treeOf(Next));
    return;
  }
  EXPECT_EQ(S.run("export GIT_DIR=$PWD/linux.git GIT_INDEX_FILE=$PWD/i\n"
                  "git read-tree base && git apply --cached own && "
                  "git write-tree"),
            treeOf(Next))
      << Text;
  // Text for text where nothing was renamed: how alike two files are in
  // percent is libgit2's own measure. Binaries may be packed in other ways.
  if (StringRef(Text).contains("\nrename ") ||
      StringRef(Text).contains("GIT binary patch"))
    return;
  S.write("attributes", "*.[ch] diff=cpp\n");
  git("-c core.attributesFile=$PWD/attributes diff --abbrev=12 base " + Next +
      " >git");
  EXPECT_EQ(Text, S.read("git"));
}

// The patch meets a file that has moved on: either both take it and agree, or
// both refuse.
TEST_P(Oracle, AnotherVersionIsTakenOrRefusedAsByGitApply) {
  git("format-patch -q --no-renames --binary --full-index -1 --stdout " + Next +
      " >p");
  auto Parsed = parsePatch(S.read("p"), "p");
  if (!Parsed) {
    EXPECT_EQ(treeOf("base"), treeOf(Next)) << toString(Parsed.takeError());
    return;
  }
  Generator G(GetParam() + 100000);
  S.run("rm -rf tree && mkdir tree");
  for (auto &[Path, Text] : Old)
    S.write("tree/" + Path, G.chance(50)   ? G.line() + G.line() + Text
                            : G.chance(30) ? G.edited(Text)
                                           : Text);
  std::string Moved = S.commit("moved");
  kgit::Repository Repo = S.repository();
  auto Tree =
      applyPatch(Repo, cantFail(Repo.commit(Moved)).treeId(), *Parsed, "p");
  int Code = S.exitCode("export GIT_DIR=$PWD/linux.git GIT_INDEX_FILE=$PWD/i\n"
                        "git read-tree " +
                        Moved + " && git apply --cached p && git write-tree");
  if (!Tree) {
    std::string Message = toString(Tree.takeError());
    EXPECT_NE(Code, 0) << Message;
    return;
  }
  ASSERT_EQ(Code, 0) << S.read(".err") << S.read("p");
  EXPECT_EQ(Tree->str(), StringRef(S.read(".out")).trim()) << S.read("p");
}

INSTANTIATE_TEST_SUITE_P(Seeds, Oracle, testing::Range(1u, 41u));

} // namespace
