// SPDX-License-Identifier: GPL-2.0-only
//
// A conflict told to people: patch, file and hunk, both sides, and what
// upstream changed there.

#ifndef KSERIES_REBASE_CONFLICTREPORT_H
#define KSERIES_REBASE_CONFLICTREPORT_H

#include "rebase/QueueMove.h"

namespace kseries {

/// Writes a paragraph for each conflict of \p Request's move that ended at
/// \p Stopped. \p OldName is what the base was called.
llvm::Error reportConflicts(const kgit::Repository &Repo,
                            const MoveRequest &Request,
                            const StoppedAt &Stopped, llvm::StringRef OldName,
                            llvm::raw_ostream &OS);

} // namespace kseries

#endif // KSERIES_REBASE_CONFLICTREPORT_H
