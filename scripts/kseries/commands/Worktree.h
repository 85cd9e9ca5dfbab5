// SPDX-License-Identifier: GPL-2.0-only
//
// The git worktrees in which people work on a queue's branch. Nothing in them
// changes but through a transaction: git works on a copy of the index, and
// gives the files that are to be.

#ifndef KSERIES_COMMANDS_WORKTREE_H
#define KSERIES_COMMANDS_WORKTREE_H

#include "queue/Transaction.h"

namespace kseries {

/// The directories that have the queue's branch checked out.
llvm::Expected<std::vector<std::string>> findWorktrees(const Workspace &Where,
                                                       llvm::StringRef Queue);

/// A copy of a worktree's index, and what git makes of it.
class WorktreeIndex {
public:
  static llvm::Expected<WorktreeIndex> copy(llvm::StringRef Directory,
                                            Transaction &Change);

  const std::string &directory() const { return Directory; }
  /// Runs git in the worktree with the copy in place of the index.
  llvm::Expected<std::string> git(std::vector<std::string> Words) const;
  /// Has \p Change put the copy in place. An index that was changed since it
  /// was copied is an error.
  llvm::Error install(Transaction &Change) const;

private:
  std::string Directory;
  std::string Index;
  /// What was copied.
  std::optional<kgit::Oid> Before;
  std::string Copy;
};

/// Has \p Change take the files of a worktree from one commit of \p Repo to
/// another. Fails, with the reason, when that would touch what was edited.
llvm::Error planWorktreeMove(Transaction &Change, const kgit::Repository &Repo,
                             llvm::StringRef Directory, const kgit::Oid &Old,
                             const kgit::Oid &New);

/// What is in a worktree against its HEAD: edits of tracked files, and files
/// added to the index.
class WorktreeChanges {
public:
  static llvm::Expected<WorktreeChanges> take(llvm::StringRef Directory,
                                              Transaction &Change);

  const kgit::Oid &tree() const { return Tree; }
  const std::string &directory() const { return Index.directory(); }
  /// Has \p Change put the index in place that has it all: with HEAD at a
  /// commit of tree() nothing is left to commit.
  llvm::Error settle(Transaction &Change) const {
    return Index.install(Change);
  }

private:
  WorktreeChanges(WorktreeIndex Index, const kgit::Oid &Tree)
      : Index(std::move(Index)), Tree(Tree) {}

  WorktreeIndex Index;
  kgit::Oid Tree;
};

} // namespace kseries

#endif // KSERIES_COMMANDS_WORKTREE_H
