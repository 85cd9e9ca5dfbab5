// SPDX-License-Identifier: GPL-2.0-only
//
// git's own command, for what belongs to it alone: worktrees, their index, and
// range-diff. Hooks do not run, and variables that point git to another
// repository do not count.

#ifndef KSERIES_PROCESS_GITPROGRAM_H
#define KSERIES_PROCESS_GITPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kseries {

/// What git prints. Failing is an error with git's last line. \p IndexFile,
/// unless empty, takes the place of the index.
llvm::Expected<std::string> runGit(llvm::ArrayRef<std::string> Arguments,
                                   llvm::StringRef IndexFile = "");

} // namespace kseries

#endif // KSERIES_PROCESS_GITPROGRAM_H
