// SPDX-License-Identifier: GPL-2.0-only

#include "patch/ReversePatch.h"

#include <utility>

namespace kseries {

static FileChange opposite(FileChange Change) {
  switch (Change) {
  case FileChange::Add:
  case FileChange::Copy:
    return FileChange::Delete;
  case FileChange::Delete:
    return FileChange::Add;
  case FileChange::Modify:
  case FileChange::Rename:
    break;
  }
  return Change;
}

/// Between two lines of context, removed lines come first.
static void sortLines(std::vector<HunkLine> &Lines) {
  std::vector<HunkLine> Sorted, Added;
  for (HunkLine &Line : Lines) {
    if (Line.Kind == '+') {
      Added.push_back(std::move(Line));
      continue;
    }
    if (Line.Kind == ' ') {
      Sorted.insert(Sorted.end(), Added.begin(), Added.end());
      Added.clear();
    }
    Sorted.push_back(std::move(Line));
  }
  Sorted.insert(Sorted.end(), Added.begin(), Added.end());
  Lines = std::move(Sorted);
}

Patch reversed(const Patch &ToReverse) {
  Patch Back;
  Back.Subject = ToReverse.Subject;
  Back.Body = ToReverse.Body;
  for (auto It = ToReverse.Files.rbegin(); It != ToReverse.Files.rend(); ++It) {
    FileDiff File = *It;
    File.Change = opposite(File.Change);
    std::swap(File.OldPath, File.NewPath);
    std::swap(File.OldMode, File.NewMode);
    std::swap(File.OldId, File.NewId);
    std::swap(File.Forward, File.Reverse);
    for (Hunk &H : File.Hunks) {
      std::swap(H.OldStart, H.NewStart);
      std::swap(H.OldCount, H.NewCount);
      for (HunkLine &Line : H.Lines)
        if (Line.Kind != ' ')
          Line.Kind = Line.Kind == '+' ? '-' : '+';
      sortLines(H.Lines);
    }
    Back.Files.push_back(std::move(File));
  }
  return Back;
}

} // namespace kseries
