// SPDX-License-Identifier: GPL-2.0-only
//
// Which files differ between two trees. Equal subtrees are skipped by id, so
// the cost follows the change and not the tree.

#ifndef KSERIES_GIT_CHANGEDPATHS_H
#define KSERIES_GIT_CHANGEDPATHS_H

#include "git/Repository.h"

namespace kgit {

/// One file. An absent side means that the file is not there; a rename is a
/// path that went and one that came.
struct ChangedPath {
  std::string Path;
  std::optional<TreeEntry> Old;
  std::optional<TreeEntry> New;
};

/// The files that differ, sorted as git sorts tree entries.
llvm::Expected<std::vector<ChangedPath>>
changedPaths(const Repository &Repo, const Oid &OldTree, const Oid &NewTree);

/// The same between the trees of two commits.
llvm::Expected<std::vector<ChangedPath>>
changedPaths(const Repository &Repo, const Commit &Old, const Commit &New);

} // namespace kgit

#endif // KSERIES_GIT_CHANGEDPATHS_H
