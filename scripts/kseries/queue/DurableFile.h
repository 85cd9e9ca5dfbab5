// SPDX-License-Identifier: GPL-2.0-only
//
// Files and names that survive a power cut: what these functions have done is
// on the disk when they return. Errors name the file.

#ifndef KSERIES_QUEUE_DURABLEFILE_H
#define KSERIES_QUEUE_DURABLEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kseries {

/// Writes a file, whatever was there. \p Mode as for open(2), the umask taken
/// off.
llvm::Error writeDurably(llvm::StringRef Path, llvm::StringRef Text,
                         unsigned Mode = 0666);

/// The directory's entries, as renaming and removing have left them.
llvm::Error syncDirectory(llvm::StringRef Path);

/// Renames, over a file of that name if there is one. The directory is the
/// caller's to sync: several names may share one.
llvm::Error renameFile(llvm::StringRef From, llvm::StringRef To);

/// A file that is not there is no error.
llvm::Error removeFile(llvm::StringRef Path);

} // namespace kseries

#endif // KSERIES_QUEUE_DURABLEFILE_H
