// SPDX-License-Identifier: GPL-2.0-only
//
// One run: finds the files, parses them, and gives each finding its origin.

#ifndef DMACHECK_CLI_RUN_H
#define DMACHECK_CLI_RUN_H

#include "cli/Options.h"
#include "report/Report.h"

namespace dmacheck {

/// Fails with one line if nothing could be checked at all.
llvm::Expected<RunSummary> run(const Options &Asked);

} // namespace dmacheck

#endif
