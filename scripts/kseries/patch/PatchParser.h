// SPDX-License-Identifier: GPL-2.0-only
//
// Reads one patch: our own form, a mail as git format-patch writes it, or
// free text with diffs below as quilt keeps it.

#ifndef KSERIES_PATCH_PATCHPARSER_H
#define KSERIES_PATCH_PATCHPARSER_H

#include "patch/Patch.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kseries {

/// \p PatchFile names the patch in errors and, when the text has no
/// description at all, in the subject. \p Strip is patch's -p.
llvm::Expected<Patch> parsePatch(llvm::StringRef Text,
                                 llvm::StringRef PatchFile, unsigned Strip = 1);

/// Sets subject and body from a commit message as git format-patch would: the
/// lines of the first paragraph become one.
void setMessage(Patch &Into, llvm::StringRef CommitMessage);

/// Whether a line of a message ends it for git am ("---", the start of a
/// diff).
bool endsMessage(llvm::StringRef Line);

} // namespace kseries

#endif // KSERIES_PATCH_PATCHPARSER_H
