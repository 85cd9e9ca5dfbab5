// SPDX-License-Identifier: GPL-2.0-only
//
// Generated histories, where git rebase says what is right: the same trees, and
// a conflict wherever it has one.

#include "Scratch.h"
#include "merge/TreeMerge.h"

#include "llvm/ADT/SmallVector.h"

#include <gtest/gtest.h>

#include <random>

using namespace llvm;
using namespace kseries;

namespace {

constexpr unsigned Batches = 10;
constexpr unsigned HistoriesABatch = 32;

struct File {
  std::string Mode;
  std::string Content;
};

using Tree = std::map<std::string, File>;

/// What developers do to trees, in small.
class TreeGenerator {
public:
  explicit TreeGenerator(unsigned Seed) : Random(Seed) {}

  unsigned below(unsigned Limit) {
    return std::uniform_int_distribution<unsigned>(0, Limit - 1)(Random);
  }
  bool chance(unsigned Percent) { return below(100) < Percent; }

  Tree tree() {
    Tree Made;
    for (unsigned I = 0, Count = 5 + below(5); I < Count; ++I)
      Made[path()] = {chance(15) ? "100755" : "100644", text()};
    Made["bin/blob"] = {"100644", std::string("\0\1", 2) + text()};
    if (chance(30))
      Made["link"] = {"120000", "d0/f0.c"};
    return Made;
  }

  /// Does \p Count things to a copy of \p Old.
  Tree changed(const Tree &Old, unsigned Count) {
    Tree New = Old;
    for (unsigned I = 0; I < Count; ++I)
      change(New);
    return New;
  }

private:
  std::string path() {
    return "d" + std::to_string(below(3)) + "/f" + std::to_string(below(12)) +
           ".c";
  }

  std::string line() {
    static const char *const Stock[] = {
        "{\n", "}\n", "\n", "\treturn 0;\n", "out:\n", "\tif (x)\n"};
    if (chance(70))
      return "\tcall_" + std::to_string(below(100000)) + "();\n";
    return Stock[below(6)];
  }

  std::string text() {
    std::string Text;
    for (unsigned I = 0, Count = 12 + below(30); I < Count; ++I)
      Text += line();
    if (chance(15))
      Text.pop_back();
    return Text;
  }

  /// A few places are changed; now and then the end of the file.
  std::string edited(const std::string &Old) {
    SmallVector<StringRef, 64> Lines;
    StringRef(Old).split(Lines, '\n');
    std::string New;
    unsigned Place = below(static_cast<unsigned>(Lines.size()));
    for (size_t I = 0; I < Lines.size(); ++I) {
      bool Last = I + 1 == Lines.size();
      unsigned Dice = I == Place ? below(3) : 3;
      if (Dice == 0)
        New += line();
      if (Dice != 1)
        New += (Lines[I] + (Last ? "" : "\n")).str();
      if (Dice == 2)
        New += line();
    }
    if (chance(8))
      New += chance(50) ? "end" : line();
    return New.empty() ? line() : New;
  }

  void put(Tree &Into, const std::string &Path, File New) {
    // A file and a directory do not share a name.
    for (auto It = Into.begin(); It != Into.end();)
      It = StringRef(It->first).starts_with(Path + "/") ||
                   StringRef(Path).starts_with(It->first + "/")
               ? Into.erase(It)
               : std::next(It);
    Into[Path] = std::move(New);
  }

  void change(Tree &Of) {
    if (Of.empty()) {
      put(Of, path(), {"100644", text()});
      return;
    }
    auto It = std::next(Of.begin(), below(static_cast<unsigned>(Of.size())));
    auto [Path, Was] = *It;
    bool Text = Was.Mode != "120000" && !StringRef(Was.Content).contains('\0');
    unsigned Dice = below(100);
    if (Dice < 55 && Text) {
      It->second.Content = edited(Was.Content);
    } else if (Dice < 65) {
      Of.erase(It);
      if (Text && chance(60))
        Was.Content = edited(Was.Content);
      put(Of, chance(70) ? path() : "moved/" + Path, Was);
    } else if (Dice < 75) {
      put(Of, path(), {"100644", text()});
    } else if (Dice < 83) {
      Of.erase(It);
    } else if (Dice < 90 && Was.Mode != "120000") {
      It->second.Mode = Was.Mode == "100644" ? "100755" : "100644";
    } else if (Dice < 95) {
      put(Of, "bin/blob", {"100644", std::string("\0\2", 2) + text()});
    } else if (Dice < 97) {
      put(Of, "link", {"120000", path()});
    } else if (Dice < 98) {
      put(Of, "empty" + std::to_string(below(2)), {"100644", ""});
    } else if (Text) {
      // The file makes room for a directory of its name.
      put(Of, Path + "/inside.c", Was);
    }
  }

  std::mt19937 Random;
};

/// A stream for git fast-import.
class Stream {
public:
  void commit(const std::string &Ref, const std::string &Parent,
              const Tree &Files) {
    Text += "commit " + Ref + "\ncommitter T <t@example.org> 1767225600 " +
            "+0000\ndata 1\nx\n";
    if (!Parent.empty())
      Text += "from " + Parent + "\n";
    Text += "deleteall\n";
    for (const auto &[Path, Is] : Files)
      Text += "M " + Is.Mode + " inline " + Path + "\ndata " +
              std::to_string(Is.Content.size()) + "\n" + Is.Content + "\n";
    Text += "\n";
  }

  std::string Text;
};

/// One line a history: its number, "clean" or "conflict", and the tree at which
/// git rebase arrived.
constexpr const char *RebaseAll = R"sh(
set -e
git init -q work
cd work
git config gc.auto 0
git config core.fsync none
git fast-import --quiet <../stream
git checkout -q old0
i=0
while git rev-parse -q --verify refs/heads/q$i >/dev/null; do
	how=clean
	git -c merge.directoryRenames=false rebase -q -X diff-algorithm=myers \
		--onto new$i old$i q$i >/dev/null 2>&1 || how=conflict
	echo "$i $how $(git rev-parse 'HEAD^{tree}')"
	[ $how = clean ] || git rebase --abort >/dev/null 2>&1 ||
		{ rm -rf .git/rebase-merge; git reset -q --hard; }
	git clean -q -ffdx
	i=$((i + 1))
done
)sh";

class RebaseOracle : public testing::TestWithParam<unsigned> {
protected:
  /// The line that RebaseAll should have for a history.
  std::string rebase(const kgit::Repository &Repo, const std::string &Number) {
    auto TreeOf = [&](const std::string &Revision) {
      return cantFail(Repo.commit(Revision)).treeId();
    };
    kgit::Oid Tree = TreeOf("new" + Number);
    kgit::Oid Before = TreeOf("old" + Number);
    unsigned Count = Patches[std::stoul(Number)];
    for (unsigned I = Count; I-- > 0;) {
      kgit::Oid After = TreeOf("was" + Number + "~" + std::to_string(I));
      auto Merged = mergeTrees(Repo, Before, Tree, After, {"ours", "theirs"},
                               [](const Conflict &) { return std::nullopt; });
      if (!Merged) {
        ADD_FAILURE() << toString(Merged.takeError());
        return "";
      }
      if (!Merged->Conflicts.empty())
        return Number + " conflict " + Tree.str();
      Tree = Merged->Tree;
      Before = After;
    }
    return Number + " clean " + Tree.str();
  }

  Scratch S;
  std::vector<unsigned> Patches;
};

TEST_P(RebaseOracle, SameTreesSameConflicts) {
  Stream Import;
  for (unsigned I = 0; I < HistoriesABatch; ++I) {
    TreeGenerator G(GetParam() * 1000 + I);
    std::string N = std::to_string(I);
    Tree Old = G.tree();
    Import.commit("refs/heads/old" + N, "", Old);
    Import.commit("refs/heads/new" + N, "refs/heads/old" + N,
                  G.changed(Old, 1 + G.below(6)));
    Patches.push_back(1 + G.below(3));
    // A branch goes on from where it is.
    std::string Parent = "refs/heads/old" + N;
    for (unsigned P = 0; P < Patches.back(); ++P) {
      Old = G.changed(Old, 1 + G.below(3));
      Import.commit("refs/heads/q" + N, Parent, Old);
      Parent.clear();
    }
    Import.Text +=
        "reset refs/heads/was" + N + "\nfrom refs/heads/q" + N + "\n\n";
  }
  S.write("stream", Import.Text);
  std::string Git = S.run(RebaseAll);
  kgit::Repository Repo = cantFail(kgit::Repository::open(S.path("work/.git")));
  SmallVector<StringRef, HistoriesABatch> Lines;
  StringRef(Git).split(Lines, '\n');
  ASSERT_EQ(Lines.size(), HistoriesABatch);
  unsigned Clean = 0;
  for (StringRef Line : Lines) {
    EXPECT_EQ(rebase(Repo, Line.split(' ').first.str()), Line.str());
    Clean += Line.contains("clean");
  }
  // Neither is worth much without the other.
  EXPECT_GE(Clean, HistoriesABatch / 5);
  EXPECT_LE(Clean, HistoriesABatch - 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RebaseOracle, testing::Range(1u, 1 + Batches));

} // namespace
