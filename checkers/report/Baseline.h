// SPDX-License-Identifier: GPL-2.0-only
//
// A file of findings that are known: a tree with old defects can be watched for
// new ones. Lines may move; what counts is the fingerprint.

#ifndef DMACHECK_REPORT_BASELINE_H
#define DMACHECK_REPORT_BASELINE_H

#include "report/Report.h"

namespace dmacheck {

/// Writes the findings of the run that no comment suppresses:
/// {"findings":[{"fingerprint","check","file","function","message"}]}, sorted,
/// so that two versions of the file compare line by line.
llvm::Error writeBaseline(const RunSummary &Run, llvm::StringRef Path);

/// Marks each finding of the run as new or unchanged, and adds those of the
/// baseline that were not found any more, as absent: only for the files that
/// this run looked at. Fails with one line if the file cannot be read.
llvm::Error compareWithBaseline(RunSummary &Run, llvm::StringRef Path);

} // namespace dmacheck

#endif
