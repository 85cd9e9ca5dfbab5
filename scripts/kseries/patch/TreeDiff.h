// SPDX-License-Identifier: GPL-2.0-only
//
// The diffs between two trees as git format-patch would give them: three lines
// of context, renames found, ids of twelve digits.

#ifndef KSERIES_PATCH_TREEDIFF_H
#define KSERIES_PATCH_TREEDIFF_H

#include "git/Repository.h"
#include "patch/Patch.h"

namespace kseries {

llvm::Expected<std::vector<FileDiff>> diffTrees(const kgit::Repository &Repo,
                                                const kgit::Oid &OldTree,
                                                const kgit::Oid &NewTree);

} // namespace kseries

#endif // KSERIES_PATCH_TREEDIFF_H
