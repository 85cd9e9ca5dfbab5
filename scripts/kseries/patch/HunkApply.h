// SPDX-License-Identifier: GPL-2.0-only
//
// Hunks on the text of one file, with the rules of git apply: every context
// line must match, a hunk may be found at another line, one without leading or
// trailing context must be at that end of the file.

#ifndef KSERIES_PATCH_HUNKAPPLY_H
#define KSERIES_PATCH_HUNKAPPLY_H

#include "patch/Patch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <variant>

namespace kseries {

struct HunkFailure {
  /// From 1.
  unsigned Hunk;
  /// What the hunk met where it should have matched.
  std::string Reason;
};

/// The new text, or the first hunk that has no place.
std::variant<std::string, HunkFailure> applyHunks(llvm::StringRef Old,
                                                  llvm::ArrayRef<Hunk> Hunks);

} // namespace kseries

#endif // KSERIES_PATCH_HUNKAPPLY_H
