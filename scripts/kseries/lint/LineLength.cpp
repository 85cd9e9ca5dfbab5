// SPDX-License-Identifier: GPL-2.0-only

#include "lint/PatchText.h"
#include "lint/Rule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

namespace kseries {

static constexpr int Columns = 75;

static int width(StringRef Text) {
  int Known = sys::unicode::columnWidthUTF8(Text);
  return Known < 0 ? static_cast<int>(Text.size()) : Known;
}

/// What may be as long as it is: tags, by submitting-patches.rst, and what
/// would not be the same text in two lines, as logs, tables, quotations and
/// addresses.
static bool mayBeLong(StringRef Line) {
  return isTagLine(Line) || Line.starts_with(" ") || Line.starts_with("\t") ||
         Line.starts_with(">") || Line.starts_with("[") ||
         Line.contains("://") || !Line.trim().contains(' ');
}

Error checkLineLength(const LintInput &Input, LintReport &Report) {
  for (const QueuePatch &Patch : Input.Checked.Patches) {
    if (int Long = width(Patch.Parsed.Subject); Long > Columns)
      Report.add(Input.nameOf(Patch), subjectLine(Patch),
                 "the subject has " + itostr(Long) + " columns, " +
                     itostr(Columns) + " are the limit");
    for (const NumberedLine &Line : bodyLines(Patch))
      if (int Long = width(Line.Text); Long > Columns && !mayBeLong(Line.Text))
        Report.add(Input.nameOf(Patch), Line.Number,
                   "the line has " + itostr(Long) + " columns: wrap it at " +
                       itostr(Columns));
  }
  return Error::success();
}

} // namespace kseries
