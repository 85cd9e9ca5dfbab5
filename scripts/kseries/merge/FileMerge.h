// SPDX-License-Identifier: GPL-2.0-only
//
// Three versions of one file made into one, as git merge-file does it.

#ifndef KSERIES_MERGE_FILEMERGE_H
#define KSERIES_MERGE_FILEMERGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kseries {

/// What stands behind the conflict markers.
struct MergeLabels {
  std::string Ours;
  std::string Theirs;
};

struct MergedText {
  bool Clean;
  /// With markers where it is not clean. A binary file with changes on both
  /// sides is ours, and not clean.
  std::string Text;
};

llvm::Expected<MergedText> mergeText(llvm::StringRef Base, llvm::StringRef Ours,
                                     llvm::StringRef Theirs,
                                     const MergeLabels &Labels);

/// Whether a line of \p Text is one of the markers that mergeText() writes.
bool hasConflictMarkers(llvm::StringRef Text);

} // namespace kseries

#endif // KSERIES_MERGE_FILEMERGE_H
