// SPDX-License-Identifier: GPL-2.0-only
//
// Which patch of which queue introduces a finding, and which fixes it.

#ifndef DMACHECK_ENGINE_ORIGINS_H
#define DMACHECK_ENGINE_ORIGINS_H

#include "engine/Analyzer.h"
#include "engine/QueueHistory.h"

namespace dmacheck {

struct QueueFindings {
  /// Introduced and Fixed, in the order of the patches.
  std::vector<Finding> Changed;
  /// What is left when the whole queue is applied.
  unsigned Remaining = 0;
  std::vector<Unparsed> NotParsed;
};

/// Goes through the queue patch by patch, parsing only what a patch touched and
/// what includes a header that it touched. OnDisk is the tree without the
/// queue.
llvm::Expected<QueueFindings> followQueue(Analyzer &A, const Analysis &OnDisk,
                                          const QueueHistory &Queue);

} // namespace dmacheck

#endif
