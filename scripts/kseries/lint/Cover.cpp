// SPDX-License-Identifier: GPL-2.0-only

#include "lint/Rule.h"
#include "patch/LineReader.h"
#include "patch/TreeDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

#include <array>
#include <set>

using namespace llvm;

namespace kseries {

namespace {

/// What the whole queue does.
struct Totals {
  std::set<std::string> Files;
  unsigned Added = 0;
  unsigned Removed = 0;
};

struct Word {
  unsigned Line;
  /// Without punctuation at its ends.
  StringRef Text;
};

class CoverCheck {
public:
  CoverCheck(const LintInput &Input, LintReport &Report)
      : Input(Input), Report(Report), Count(Input.Checked.Patches.size()),
        File(Input.Checked.Name + "/cover") {}

  Error check();

private:
  void checkForm();
  void checkCounts();
  void checkPatchNumbers(size_t At);
  Error checkDiffstat();
  Error checkNames();

  const LintInput &Input;
  LintReport &Report;
  size_t Count;
  std::string File;
  std::vector<Word> Words;
};

std::vector<Word> splitWords(StringRef Text) {
  std::vector<Word> Words;
  for (LineReader Lines(Text); !Lines.atEnd(); Lines.skip()) {
    SmallVector<StringRef, 16> Parts;
    SplitString(Lines.peek(), Parts);
    for (StringRef Part : Parts)
      if (StringRef Word = Part.trim(".,;:()[]'\"`"); !Word.empty())
        Words.push_back({Lines.lineNumber(), Word});
  }
  return Words;
}

/// 0 for what is no number.
unsigned numberOf(StringRef Word) {
  unsigned Number = 0;
  if (!Word.getAsInteger(10, Number))
    return Number;
  return StringSwitch<unsigned>(Word.lower())
      .Case("two", 2)
      .Case("three", 3)
      .Case("four", 4)
      .Case("five", 5)
      .Case("six", 6)
      .Case("seven", 7)
      .Case("eight", 8)
      .Case("nine", 9)
      .Case("ten", 10)
      .Case("eleven", 11)
      .Case("twelve", 12)
      .Default(0);
}

void CoverCheck::checkForm() {
  LineReader Lines(*Input.Cover);
  if (Lines.next().trim().empty())
    Report.add(File, 1, "the first line, the subject, is empty");
  else if (!Lines.peek().trim().empty())
    Report.add(File, 2, "no blank line below the subject");
  else if (Lines.remaining().trim().empty())
    Report.add(File, 1, "there is nothing below the subject");
}

/// "patch 3", "patches 1, 2 and 4", "patch 2/3", "patches 2-4".
void CoverCheck::checkPatchNumbers(size_t At) {
  for (size_t I = At + 1; I < Words.size(); ++I) {
    if (Words[I].Text == "and" || Words[I].Text == "to")
      continue;
    auto [First, Second] =
        Words[I].Text.split(Words[I].Text.contains('/') ? '/' : '-');
    unsigned Number, Last = 0;
    if (First.getAsInteger(10, Number) ||
        (!Second.empty() && Second.getAsInteger(10, Last)))
      return;
    if (std::max(Number, Last) > Count)
      Report.add(File, Words[I].Line,
                 "there is no patch " + utostr(std::max(Number, Last)) +
                     ", the queue has " + utostr(Count));
    else if (Words[I].Text.contains('/') && Last != Count)
      Report.add(File, Words[I].Line,
                 ("'" + Words[I].Text + "' in a queue of ").str() +
                     utostr(Count));
  }
}

void CoverCheck::checkCounts() {
  static constexpr std::array<StringRef, 9> SomeOfThem = {
      "first",  "last",  "other",   "next",  "remaining",
      "former", "later", "earlier", "latter"};
  for (size_t I = 0; I < Words.size(); ++I) {
    bool Plural = Words[I].Text.equals_insensitive("patches");
    if (Plural || Words[I].Text.equals_insensitive("patch"))
      checkPatchNumbers(I);
    unsigned Said = I && Plural ? numberOf(Words[I - 1].Text) : 0;
    bool Some =
        I > 1 && is_contained(SomeOfThem, StringRef(Words[I - 2].Text.lower()));
    if (Said && (Some ? Said > Count : Said != Count))
      Report.add(File, Words[I].Line,
                 "speaks of " + utostr(Said) + " patches, the queue has " +
                     utostr(Count));
  }
}

Expected<Totals> totalsOf(const LintInput &Input) {
  Expected<kgit::Commit> Base = Input.Repo.commit(Input.Commits->Base);
  if (!Base)
    return Base.takeError();
  Expected<kgit::Commit> Tip = Input.Repo.commit(Input.Commits->tip());
  if (!Tip)
    return Tip.takeError();
  auto Files = diffTrees(Input.Repo, Base->treeId(), Tip->treeId());
  if (!Files)
    return Files.takeError();
  Totals All;
  for (const FileDiff &File : *Files) {
    All.Files.insert(File.NewPath);
    for (const Hunk &In : File.Hunks)
      for (const HunkLine &Line : In.Lines) {
        All.Added += Line.Kind == '+';
        All.Removed += Line.Kind == '-';
      }
  }
  return All;
}

Error CoverCheck::checkDiffstat() {
  static const Regex Summary("^ *([0-9]+) files? changed(, ([0-9]+) "
                             "insertions?\\(\\+\\))?(, ([0-9]+) "
                             "deletions?\\(-\\))?$");
  static const Regex Row("^ ([^ |]+) +\\| +([0-9]+|Bin)");
  std::optional<Totals> All;
  for (LineReader Lines(*Input.Cover); !Lines.atEnd(); Lines.skip()) {
    SmallVector<StringRef, 6> Parts;
    bool IsSummary = Summary.match(Lines.peek(), &Parts);
    if (!IsSummary && !Row.match(Lines.peek(), &Parts))
      continue;
    if (!All) {
      Expected<Totals> Found = totalsOf(Input);
      if (!Found)
        return Found.takeError();
      All = std::move(*Found);
    }
    if (!IsSummary) {
      if (!Parts[1].starts_with("...") && !All->Files.count(Parts[1].str()))
        Report.add(File, Lines.lineNumber(),
                   ("the diffstat has " + Parts[1] +
                    ", which the queue does not touch")
                       .str());
      continue;
    }
    if (numberOf(Parts[1]) != All->Files.size() ||
        numberOf(Parts[3]) != All->Added || numberOf(Parts[5]) != All->Removed)
      Report.add(File, Lines.lineNumber(),
                 "the diffstat of the queue is " + utostr(All->Files.size()) +
                     " files, " + utostr(All->Added) + " insertions, " +
                     utostr(All->Removed) + " deletions");
  }
  return Error::success();
}

/// Whether some tree has the file, and whether the name is one of a file of
/// this tree at all.
Expected<bool> exists(const LintInput &Input, const kgit::Oid &Commit,
                      StringRef Path) {
  Expected<kgit::Commit> At = Input.Repo.commit(Commit);
  if (!At)
    return At.takeError();
  Expected<kgit::Tree> Tree = At->tree();
  if (!Tree)
    return Tree.takeError();
  auto Top = Tree->find(Path.split('/').first);
  if (!Top)
    return Top.takeError();
  if (!*Top || !(*Top)->isTree())
    return true; // of something else
  auto Found = Tree->find(Path);
  if (!Found)
    return Found.takeError();
  return Found->has_value();
}

Error CoverCheck::checkNames() {
  static const Regex FileName(
      "^[A-Za-z0-9_][A-Za-z0-9_.+-]*(/[A-Za-z0-9_.+-]+)*/"
      "(Kconfig|Makefile|[A-Za-z0-9_+-][A-Za-z0-9_.+-]*\\."
      "(c|h|S|rs|rst|yaml|dts|dtsi|txt|py|sh))$");
  for (const Word &Each : Words) {
    if (!FileName.match(Each.Text))
      continue;
    bool Found = false;
    for (const kgit::Oid &At : {Input.Commits->Base, Input.Commits->tip()}) {
      Expected<bool> There = exists(Input, At, Each.Text);
      if (!There)
        return There.takeError();
      Found |= *There;
    }
    if (!Found)
      Report.add(File, Each.Line,
                 ("there is no file " + Each.Text + ", before or after").str());
  }
  return Error::success();
}

Error CoverCheck::check() {
  if (!Input.Cover) {
    if (Count > 1)
      Report.add(File, 0, "no cover letter for " + utostr(Count) + " patches");
    return Error::success();
  }
  Words = splitWords(*Input.Cover);
  checkForm();
  checkCounts();
  if (!Input.Commits)
    return Error::success();
  if (Error E = checkDiffstat())
    return E;
  return checkNames();
}

} // namespace

Error checkCover(const LintInput &Input, LintReport &Report) {
  return CoverCheck(Input, Report).check();
}

} // namespace kseries
