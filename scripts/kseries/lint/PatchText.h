// SPDX-License-Identifier: GPL-2.0-only
//
// A patch's text with line numbers, for findings to point at.

#ifndef KSERIES_LINT_PATCHTEXT_H
#define KSERIES_LINT_PATCHTEXT_H

#include "queue/Queue.h"

namespace kseries {

struct NumberedLine {
  /// In the patch file, from 1.
  unsigned Number;
  llvm::StringRef Text;
};

/// "Fixes: ..." and the like, wherever it stands in the body.
struct TagLine {
  unsigned Number;
  llvm::StringRef Key;
  llvm::StringRef Value;
};

unsigned subjectLine(const QueuePatch &Of);
/// The message below the subject, tags included.
std::vector<NumberedLine> bodyLines(const QueuePatch &Of);
/// Whether a line of a message is a tag, as far as its form goes.
bool isTagLine(llvm::StringRef Line);
std::vector<TagLine> tagLines(const QueuePatch &Of);
/// The lines that a diff adds.
std::vector<NumberedLine> addedLines(const FileDiff &File);
/// The lines that it removes.
std::vector<NumberedLine> removedLines(const FileDiff &File);

} // namespace kseries

#endif // KSERIES_LINT_PATCHTEXT_H
