// SPDX-License-Identifier: GPL-2.0-only
//
// The one form in which patches are written to a queue:
//
//   From: Name <address>          only where authorship is kept
//   Subject: text                 one line, no [PATCH n/m]
//
//   body
//   ---
//   notes                         only where there are some
//   diff --git ...                no diffstat, nothing after the diffs
//
// A patch without changes has "(no changes yet)" in place of diffs: one that
// ends where its diffs should be was cut off.

#ifndef KSERIES_PATCH_PATCHPRINTER_H
#define KSERIES_PATCH_PATCHPRINTER_H

#include "patch/Patch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kseries {

std::string printPatch(const Patch &ToPrint);

/// The diffs alone.
std::string printDiffs(llvm::ArrayRef<FileDiff> Files);

} // namespace kseries

#endif // KSERIES_PATCH_PATCHPRINTER_H
