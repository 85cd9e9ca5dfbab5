// SPDX-License-Identifier: GPL-2.0-only
//
// The commands. Each gives its exit code (0 clean, 1 findings) or an error,
// which the caller prints and turns into 2.

#ifndef KSERIES_COMMANDS_COMMANDS_H
#define KSERIES_COMMANDS_COMMANDS_H

#include "queue/Workspace.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace kseries {

struct Streams {
  llvm::raw_ostream &Out;
  llvm::raw_ostream &Err;
};

/// Commits \p Queues, and the queues below them, to branches. With \p Force a
/// branch that was moved by hand is moved back. Of several queues those that
/// apply are committed even when another one fails.
llvm::Expected<int> applyQueues(const Workspace &Where,
                                llvm::ArrayRef<std::string> Queues, bool Force,
                                Streams To);

/// Prints the queue as mails for git am.
llvm::Expected<int> printMails(const Workspace &Where, llvm::StringRef Queue,
                               Streams To);

/// Brings what was changed on the queue's branch back into its files.
llvm::Expected<int> exportQueue(const Workspace &Where, llvm::StringRef Queue,
                                Streams To);

enum class StatusFormat { Text, Json };

/// Says of each queue whether it applies and how it stands to its branch;
/// of all queues when \p Queues is empty.
llvm::Expected<int> printStatus(const Workspace &Where,
                                llvm::ArrayRef<std::string> Queues,
                                StatusFormat Format, Streams To);

/// Adds to the queue's trailers the tags that were given to its patches in
/// \p Mails: an mbox, a Maildir, a folder of mails, or one mail.
llvm::Expected<int> collectTrailers(const Workspace &Where,
                                    llvm::StringRef Queue,
                                    llvm::StringRef Mails, Streams To);

struct LintOptions {
  bool Json = false;
  /// A plain folder of the base for checkpatch and dmacheck; empty for
  /// build/worktrees/BASE.
  std::string Tree;
  /// Rules that are not to run.
  std::vector<std::string> Skipped;
};

/// Checks the queue by the rules of the kernel (see lint/Rule.h). 1 when there
/// are findings, 2 when a rule could not be checked, which \p To.Err tells.
llvm::Expected<int> lintQueue(const Workspace &Where, llvm::StringRef Queue,
                              const LintOptions &Options, Streams To);

} // namespace kseries

#endif // KSERIES_COMMANDS_COMMANDS_H
