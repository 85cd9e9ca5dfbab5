// SPDX-License-Identifier: GPL-2.0-only
//
// The id by which a change is known whatever it is applied to: what
// `git patch-id --stable` prints for it.

#ifndef KSERIES_PATCH_PATCHID_H
#define KSERIES_PATCH_PATCHID_H

#include "patch/Patch.h"

#include "llvm/ADT/ArrayRef.h"

namespace kseries {

/// Forty hexadecimal digits. Line numbers and blanks do not count, nor does the
/// order of files that have hunks.
std::string patchId(llvm::ArrayRef<FileDiff> Files);

} // namespace kseries

#endif // KSERIES_PATCH_PATCHID_H
