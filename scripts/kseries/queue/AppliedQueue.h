// SPDX-License-Identifier: GPL-2.0-only
//
// What the repository says of a queue that was applied: a branch
// refs/heads/series/QUEUE and one reference a patch,
// refs/patches/QUEUE/PATCH-FILE (StGit's idiom). The branch is the user's to
// change; the patch references stay where apply put them.

#ifndef KSERIES_QUEUE_APPLIEDQUEUE_H
#define KSERIES_QUEUE_APPLIEDQUEUE_H

#include "queue/QueueCommits.h"
#include "queue/Transaction.h"

#include <map>

namespace kseries {

std::string branchRef(llvm::StringRef Queue);

struct AppliedQueue {
  std::string Queue;
  /// Nothing when the queue is not applied.
  std::optional<kgit::Oid> Branch;
  std::map<std::string, kgit::Oid> Patches;
  /// The patches from the lowest up, as their commits stand on each other.
  std::vector<PatchCommit> Order;
  /// The commit on which the lowest one stands.
  kgit::Oid Base;

  /// The branch is not where apply left it.
  bool branchMoved() const;
  bool equals(const QueueCommits &Commits) const;
};

llvm::Expected<AppliedQueue> readApplied(const kgit::Repository &Repo,
                                         llvm::StringRef Queue);

/// Has \p Change move what differs between \p Old and \p New.
llvm::Error recordApplied(Transaction &Change, const AppliedQueue &Old,
                          const QueueCommits &New);

} // namespace kseries

#endif // KSERIES_QUEUE_APPLIEDQUEUE_H
