// SPDX-License-Identifier: GPL-2.0-only
//
// Queues on their branches, as a step of a transaction.

#ifndef KSERIES_COMMANDS_APPLIER_H
#define KSERIES_COMMANDS_APPLIER_H

#include "commands/QueueStack.h"
#include "queue/AppliedQueue.h"
#include "queue/Transaction.h"

namespace kseries {

/// Refuses what would take the user's work away: moving a branch that was
/// changed by hand or that a worktree has checked out.
llvm::Error checkBranchIsFree(const kgit::Repository &Repo,
                              const AppliedQueue &Old, const QueueCommits &New);

class Applier {
public:
  /// With \p Force branches move whatever checkBranchIsFree() says. Both
  /// references must outlive this.
  Applier(const Workspace &Where, QueueStack &Stack, bool Force)
      : Where(Where), Stack(Stack), Force(Force) {}

  /// Plans \p Queue and those below it.
  llvm::Error plan(llvm::StringRef Queue);
  /// Has \p Change move the references of every plan.
  llvm::Error record(Transaction &Change) const;
  /// One line a queue.
  void report(llvm::raw_ostream &OS) const;

private:
  /// A queue that applies, and what the repository has of it now.
  struct Plan {
    AppliedQueue Old;
    const QueueCommits *New;
  };

  const Workspace &Where;
  QueueStack &Stack;
  bool Force;
  std::vector<Plan> Plans;
};

} // namespace kseries

#endif // KSERIES_COMMANDS_APPLIER_H
