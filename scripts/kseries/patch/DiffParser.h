// SPDX-License-Identifier: GPL-2.0-only
//
// The diffs of a patch file: git's own form, and the plain ---/+++ form of
// quilt and diff. Strict where git apply is: counts must be met, names must
// stay inside the tree.

#ifndef KSERIES_PATCH_DIFFPARSER_H
#define KSERIES_PATCH_DIFFPARSER_H

#include "patch/LineReader.h"
#include "patch/Patch.h"

#include "llvm/Support/Error.h"

namespace kseries {

/// Whether a line starts the diffs and so ends the text above them.
bool startsDiff(llvm::StringRef Line);

/// Reads every diff up to the end of the text or a mail signature.
/// \p PatchFile names the patch in errors; \p Strip is patch's -p.
llvm::Expected<std::vector<FileDiff>>
parseDiffs(LineReader &Lines, llvm::StringRef PatchFile, unsigned Strip);

} // namespace kseries

#endif // KSERIES_PATCH_DIFFPARSER_H
