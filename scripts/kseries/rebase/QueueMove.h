// SPDX-License-Identifier: GPL-2.0-only
//
// One queue from one base to another, in memory: each patch merged onto the
// new base and the patches before it.

#ifndef KSERIES_REBASE_QUEUEMOVE_H
#define KSERIES_REBASE_QUEUEMOVE_H

#include "queue/QueueCommits.h"
#include "rebase/BaseHistory.h"
#include "rebase/Resolutions.h"

namespace kseries {

/// What a move goes by.
struct MoveRequest {
  const Queue &Files;
  /// The queue where it stands now.
  const QueueCommits &Old;
  /// The tree that it is to stand on.
  kgit::Oid NewTree;
  /// What the user calls that: "base-7.3".
  std::string NewName;
  /// Where the bases of the lowest queue below it were and will be.
  BaseHistory History;
  const Resolutions &Known;
};

struct MovedPatch {
  const QueuePatch *Patch;
  /// The new text, when the file does not make the same change as it is.
  std::optional<std::string> Rewritten;
};

/// A patch that the new base has already.
struct UpstreamPatch {
  const QueuePatch *Patch;
  /// 'abcdefabcdef ("subject")' when a commit with its patch-id is known.
  std::string Commit;
};

/// Where a move cannot go on.
struct StoppedAt {
  const QueuePatch *Patch;
  std::vector<Conflict> Conflicts;
  /// The trees that met, and what could be merged of them.
  kgit::Oid Base, Ours, Theirs;
  kgit::TreeEdits Merged;
};

/// A conflict that Known had an answer to, and what that makes of the patch.
struct Replayed {
  const QueuePatch *Patch;
  Conflict Met;
  std::optional<kgit::TreeEntry> Result;
};

struct QueueMove {
  std::string Queue;
  std::vector<MovedPatch> Patches;
  std::vector<UpstreamPatch> Upstream;
  std::vector<Replayed> Resolved;
  std::optional<StoppedAt> Stopped;
  /// On which the next queue would stand.
  kgit::Oid Tree;
};

llvm::Expected<QueueMove> moveQueue(const kgit::Repository &Repo,
                                    const MoveRequest &Request);

} // namespace kseries

#endif // KSERIES_REBASE_QUEUEMOVE_H
