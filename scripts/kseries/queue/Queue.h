// SPDX-License-Identifier: GPL-2.0-only
//
// A queue as it is on disk: a quilt directory with a base and tags.

#ifndef KSERIES_QUEUE_QUEUE_H
#define KSERIES_QUEUE_QUEUE_H

#include "patch/Patch.h"
#include "queue/SeriesFile.h"
#include "queue/TrailersFile.h"
#include "queue/Workspace.h"

namespace kseries {

struct QueuePatch {
  SeriesEntry Entry;
  /// Where the patch file is, as shown in messages.
  std::string Path;
  std::string Text;
  Patch Parsed;
};

struct Queue {
  std::string Name;
  std::string Directory;
  SeriesFile Series;
  std::vector<QueuePatch> Patches;
  std::vector<Trailer> Trailers;

  const QueuePatch *find(llvm::StringRef PatchFile) const;
  /// Tags whose patch has changed since, or is gone.
  std::vector<Trailer> staleTrailers() const;
  /// Tags that \p Of still has.
  std::vector<Trailer> validTrailers(const QueuePatch &Of) const;
};

/// Reads and parses everything in the queue. No patches at all is an error.
llvm::Expected<Queue> loadQueue(const Workspace &Where, llvm::StringRef Name);

} // namespace kseries

#endif // KSERIES_QUEUE_QUEUE_H
