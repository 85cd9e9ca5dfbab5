// SPDX-License-Identifier: GPL-2.0-only
//
// Names for new patch files.

#ifndef KSERIES_COMMANDS_PATCHNAME_H
#define KSERIES_COMMANDS_PATCHNAME_H

#include "queue/PendingFiles.h"

namespace kseries {

/// Whether \p Name can be a new file of the queue, a line of its series file
/// and part of a reference.
llvm::Error checkPatchName(llvm::StringRef Name, llvm::StringRef QueueDirectory,
                           const PendingFiles &Files);

} // namespace kseries

#endif // KSERIES_COMMANDS_PATCHNAME_H
