// SPDX-License-Identifier: GPL-2.0-only
//
// Two states of a series side by side. git range-diff pairs the commits and
// shows what changed between them.

#ifndef KSERIES_COMMANDS_RANGEDIFF_H
#define KSERIES_COMMANDS_RANGEDIFF_H

#include "commands/Commands.h"

namespace kseries {

/// \p Old and \p New each name a queue, a version of one that was sent
/// ("system-heap@v1") or a range of revisions ("base-7.2..topic"). Queues
/// become commits that no reference names.
llvm::Expected<int> rangeDiff(const Workspace &Where, llvm::StringRef Old,
                              llvm::StringRef New, StatusFormat Format,
                              Streams To);

/// The same for two versions of one queue: "v1..v2", or "v1.." for a version
/// against the queue as it is.
llvm::Expected<int> diffVersions(const Workspace &Where, llvm::StringRef Queue,
                                 llvm::StringRef Versions, StatusFormat Format,
                                 Streams To);

} // namespace kseries

#endif // KSERIES_COMMANDS_RANGEDIFF_H
