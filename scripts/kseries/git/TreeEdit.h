// SPDX-License-Identifier: GPL-2.0-only
//
// A tree with some files changed. Only the directories on the way to those
// files are read and written.

#ifndef KSERIES_GIT_TREEEDIT_H
#define KSERIES_GIT_TREEEDIT_H

#include "git/Repository.h"

#include <map>

namespace kgit {

/// What is to be at each path; nothing removes the file. A directory that
/// becomes empty goes with its last file, as in git's index.
using TreeEdits = std::map<std::string, std::optional<TreeEntry>>;

/// Writes the edited tree and returns its id. Fails when a path leads through
/// something that is not a directory, or would replace a directory.
llvm::Expected<Oid> editTree(const Repository &Repo, const Oid &Base,
                             const TreeEdits &Edits);

/// Writes the tree without entries and returns its id.
llvm::Expected<Oid> emptyTree(const Repository &Repo);

} // namespace kgit

#endif // KSERIES_GIT_TREEEDIT_H
