// SPDX-License-Identifier: GPL-2.0-only
//
// The git worktrees in which people work on a queue's branch.

#ifndef KSERIES_COMMANDS_WORKTREE_H
#define KSERIES_COMMANDS_WORKTREE_H

#include "queue/Workspace.h"

namespace kseries {

/// The directories that have the queue's branch checked out.
llvm::Expected<std::vector<std::string>> findWorktrees(const Workspace &Where,
                                                       llvm::StringRef Queue);

/// Whether git can take the files of a worktree from one commit to another
/// without touching what was edited there; the reason when it cannot.
llvm::Error checkWorktreeMove(llvm::StringRef Directory, const kgit::Oid &Old,
                              const kgit::Oid &New);
llvm::Error moveWorktree(llvm::StringRef Directory, const kgit::Oid &Old,
                         const kgit::Oid &New);

/// What is in a worktree against its HEAD: edits of tracked files, and files
/// added to the index. They wait in an index of their own until settle(): up
/// to then the worktree is as it was.
class WorktreeChanges {
public:
  static llvm::Expected<WorktreeChanges> take(llvm::StringRef Directory);
  WorktreeChanges(WorktreeChanges &&) = default;
  ~WorktreeChanges();

  const kgit::Oid &tree() const { return Tree; }
  const std::string &directory() const { return Directory; }
  /// Puts that index in place: with HEAD at a commit of tree() nothing is left
  /// to commit.
  llvm::Error settle();

private:
  WorktreeChanges() = default;

  std::string Directory;
  std::string Index;
  /// Empty once it is in place.
  std::string Waiting;
  /// The index that was copied.
  std::string Before;
  kgit::Oid Tree;
};

} // namespace kseries

#endif // KSERIES_COMMANDS_WORKTREE_H
