// SPDX-License-Identifier: GPL-2.0-only
//
// A patch on a tree, in memory. Only the files and directories that the patch
// names are read.

#ifndef KSERIES_PATCH_TREEAPPLY_H
#define KSERIES_PATCH_TREEAPPLY_H

#include "git/Repository.h"
#include "patch/Patch.h"

namespace kseries {

/// Writes the patched tree and returns its id. A patch that does not fit is a
/// PatchError with the file and hunk; \p PatchFile names the patch in it.
llvm::Expected<kgit::Oid> applyPatch(const kgit::Repository &Repo,
                                     const kgit::Oid &Tree,
                                     const Patch &ToApply,
                                     llvm::StringRef PatchFile);

} // namespace kseries

#endif // KSERIES_PATCH_TREEAPPLY_H
