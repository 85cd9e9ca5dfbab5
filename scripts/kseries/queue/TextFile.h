// SPDX-License-Identifier: GPL-2.0-only
//
// Small files read whole and replaced whole.

#ifndef KSERIES_QUEUE_TEXTFILE_H
#define KSERIES_QUEUE_TEXTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kseries {

llvm::Expected<std::string> readTextFile(llvm::StringRef Path);

/// Replaces \p Path in one step: a reader sees the old text or the new one.
llvm::Error replaceTextFile(llvm::StringRef Path, llvm::StringRef Text);

} // namespace kseries

#endif // KSERIES_QUEUE_TEXTFILE_H
