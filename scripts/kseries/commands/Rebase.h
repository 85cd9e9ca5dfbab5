// SPDX-License-Identifier: GPL-2.0-only
//
// What `kseries rebase` is asked for.

#ifndef KSERIES_COMMANDS_REBASE_H
#define KSERIES_COMMANDS_REBASE_H

#include "commands/Commands.h"

namespace kseries {

struct RebaseOptions {
  /// The queues whose base changes; those that stand on them come along.
  std::vector<std::string> Queues;
  /// Every queue that stands on a revision, in place of Queues.
  bool All = false;
  /// A revision or another queue.
  std::string Onto;
  /// Drop patches that are upstream already, in place of reporting them.
  bool DropUpstream = false;
  /// Open a directory for the conflicts.
  bool Resolve = false;
  /// Take what was made of them, or give it up.
  bool Continue = false;
  bool Abort = false;
};

/// Gives 1, and changes nothing, when a patch conflicts or is upstream.
llvm::Expected<int> rebaseQueues(const Workspace &Where,
                                 const RebaseOptions &Options, Streams To);

} // namespace kseries

#endif // KSERIES_COMMANDS_REBASE_H
