// SPDX-License-Identifier: GPL-2.0-only
//
// A queue as commits. The same queue, base and identity give the same ids.

#ifndef KSERIES_QUEUE_QUEUECOMMITS_H
#define KSERIES_QUEUE_QUEUECOMMITS_H

#include "git/Repository.h"
#include "queue/Queue.h"

namespace kseries {

struct PatchCommit {
  std::string PatchFile;
  kgit::Oid Commit;
};

struct QueueCommits {
  kgit::Oid Base;
  /// In the order of the series.
  std::vector<PatchCommit> Patches;

  kgit::Oid tip() const {
    return Patches.empty() ? Base : Patches.back().Commit;
  }
};

/// Who commits when git knows no identity, so that a machine that only checks
/// needs none. Never goes into a mail.
kgit::Signature placeholderIdentity();

/// git's identity for \p Directory, else the placeholder.
llvm::Expected<kgit::Signature> committerFor(llvm::StringRef Directory);

/// Writes one commit a patch, the first one on \p Base. The dates count up
/// from the base's, a second a patch.
llvm::Expected<QueueCommits> commitQueue(const kgit::Repository &Repo,
                                         const Queue &ToCommit,
                                         const kgit::Oid &Base,
                                         const kgit::Signature &Committer);

} // namespace kseries

#endif // KSERIES_QUEUE_QUEUECOMMITS_H
