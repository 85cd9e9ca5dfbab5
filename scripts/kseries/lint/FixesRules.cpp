// SPDX-License-Identifier: GPL-2.0-only

#include "lint/PatchText.h"
#include "lint/Rule.h"

#include "llvm/Support/Regex.h"

using namespace llvm;

namespace kseries {

static std::optional<TagLine> firstFixes(const QueuePatch &Of) {
  for (const TagLine &Tag : tagLines(Of))
    if (Tag.Key.equals_insensitive("fixes"))
      return Tag;
  return std::nullopt;
}

Error checkFixesFirst(const LintInput &Input, LintReport &Report) {
  const QueuePatch *Other = nullptr;
  for (const QueuePatch &Patch : Input.Checked.Patches) {
    std::optional<TagLine> Fixes = firstFixes(Patch);
    if (Fixes && Other)
      Report.add(Input.nameOf(Patch), Fixes->Number,
                 "a fix stands behind " + Other->Entry.Name +
                     ", which fixes nothing: put it in front, so that it can "
                     "be taken alone");
    if (!Fixes && !Other)
      Other = &Patch;
  }
  return Error::success();
}

/// What is wrong with where the tag points, where that can be known.
static Expected<std::string> wrongCommit(const LintInput &Input, StringRef Id,
                                         StringRef Subject) {
  if (!Input.HasHistory)
    return "";
  Expected<std::optional<kgit::Commit>> Found = Input.Repo.findCommit(Id);
  if (!Found)
    return Found.takeError();
  if (!*Found)
    return ("no commit " + Id + " in the history of " + Input.RootName).str();
  StringRef Real = (*Found)->message().split('\n').first;
  if (Real != Subject)
    return ("commit " + Id + " is '" + Real + "'").str();
  return "";
}

Error checkFixesTag(const LintInput &Input, LintReport &Report) {
  static const Regex Form("^([0-9a-f]{12,40}) \\(\"(.+)\"\\)$");
  for (const QueuePatch &Patch : Input.Checked.Patches) {
    for (const TagLine &Tag : tagLines(Patch)) {
      if (!Tag.Key.equals_insensitive("fixes"))
        continue;
      SmallVector<StringRef, 3> Parts;
      if (Tag.Key != "Fixes" || !Form.match(Tag.Value, &Parts)) {
        Report.add(Input.nameOf(Patch), Tag.Number,
                   "not 'Fixes: ID (\"subject\")' on one line, with 12 digits "
                   "of the id or more");
        continue;
      }
      Expected<std::string> Wrong = wrongCommit(Input, Parts[1], Parts[2]);
      if (!Wrong)
        return Wrong.takeError();
      if (!Wrong->empty())
        Report.add(Input.nameOf(Patch), Tag.Number, *Wrong);
    }
  }
  return Error::success();
}

} // namespace kseries
