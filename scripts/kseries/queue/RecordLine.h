// SPDX-License-Identifier: GPL-2.0-only
//
// Lines of kseries' own small text files: fields parted by blanks, ids in full
// with "-" for none, and a name at the end, which may be quoted as git does it.

#ifndef KSERIES_QUEUE_RECORDLINE_H
#define KSERIES_QUEUE_RECORDLINE_H

#include "git/Oid.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kseries {

std::string printId(const std::optional<kgit::Oid> &Id);

/// Takes a field off the front of \p Line.
llvm::StringRef takeField(llvm::StringRef &Line);
/// Takes an id; false when it is none.
bool takeId(llvm::StringRef &Line, std::optional<kgit::Oid> &Into);
/// The name that \p Line is; nothing when its quoting is broken.
std::optional<std::string> readName(llvm::StringRef Line);

} // namespace kseries

#endif // KSERIES_QUEUE_RECORDLINE_H
