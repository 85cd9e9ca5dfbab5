// SPDX-License-Identifier: GPL-2.0-only
//
// Which patch of a queue a posted patch is, and which of its tags are new.

#ifndef KSERIES_TRAILERS_COLLECT_H
#define KSERIES_TRAILERS_COLLECT_H

#include "queue/Queue.h"
#include "trailers/Thread.h"

namespace kseries {

struct CollectedTag {
  Trailer Entry;
  /// The queue's patch is no longer the one that the tag was given to.
  bool Stale = false;
};

struct Collection {
  /// In the order of the series.
  std::vector<CollectedTag> New;
  /// Tags that the queue's trailers or the patch itself have already.
  unsigned Known = 0;
  std::vector<LeftOut> Ignored;
};

/// A posted patch is the queue's patch with the same patch-id, else, as in b4,
/// the one with the same subject.
Collection collectTags(const Queue &Into, const Thread &From);

/// The lines for the trailers file.
std::string printTrailers(llvm::ArrayRef<CollectedTag> Tags);

} // namespace kseries

#endif // KSERIES_TRAILERS_COLLECT_H
