// SPDX-License-Identifier: GPL-2.0-only
//
// Which commit of a changed branch is which patch.

#ifndef KSERIES_COMMANDS_BRANCHMATCH_H
#define KSERIES_COMMANDS_BRANCHMATCH_H

#include "queue/AppliedQueue.h"

#include <set>

namespace kseries {

struct BranchCommit {
  kgit::Oid Commit;
  std::string PatchFile;
};

/// The commits of the branch from the lowest up, each with its patch file: by
/// id, then by subject, then by change, then by its place between two that are
/// known. What is left is new and gets a name made of its subject that is not
/// among \p Taken.
llvm::Expected<std::vector<BranchCommit>>
matchBranch(const kgit::Repository &Repo, const AppliedQueue &Applied,
            std::set<std::string> Taken);

} // namespace kseries

#endif // KSERIES_COMMANDS_BRANCHMATCH_H
