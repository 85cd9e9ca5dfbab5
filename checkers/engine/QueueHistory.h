// SPDX-License-Identifier: GPL-2.0-only
//
// A patch queue as a chain of tree states, read straight from git objects: no
// checkout, no stash. `kseries apply` leaves one reference a patch,
// refs/patches/<queue>/<patch file>.

#ifndef DMACHECK_ENGINE_QUEUEHISTORY_H
#define DMACHECK_ENGINE_QUEUEHISTORY_H

#include "engine/KernelTree.h"
#include "engine/ParseFile.h"

namespace dmacheck {

/// The tree after one patch (or before the first).
struct TreeState {
  std::string Patch; ///< patch file name, empty before the first patch
  /// Paths that this patch changed, relative to the tree.
  std::vector<std::string> Touched;
  /// All contents that differ from the tree on disk.
  Overlay Changed;
};

struct QueueHistory {
  std::string Name;
  TreeState Base;
  std::vector<TreeState> Patches;
};

/// Fails with one line if the queue is not applied, or if the tree on disk is
/// not the one that the queue stands on.
llvm::Expected<QueueHistory> readQueue(const KernelTree &Tree,
                                       llvm::StringRef GitDir,
                                       llvm::StringRef Queue);

} // namespace dmacheck

#endif
