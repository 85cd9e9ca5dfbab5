// SPDX-License-Identifier: GPL-2.0-only
//
// File names as patches write them: git's C-style quoting, and which names
// must never be followed.

#ifndef KSERIES_PATCH_PATHNAME_H
#define KSERIES_PATCH_PATHNAME_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kseries {

/// Takes a quoted name off the front of \p Text, the opening quote being its
/// first byte. Nothing when the quoting is broken.
std::optional<std::string> takeQuotedPath(llvm::StringRef &Text);

/// The name, between quotes when git would put it so.
std::string quotePath(llvm::StringRef Path);

/// Why \p Path must not be followed inside a tree: it is empty or absolute,
/// climbs, or enters a git directory. Nothing when it is safe.
std::optional<std::string> unsafePathReason(llvm::StringRef Path);

} // namespace kseries

#endif // KSERIES_PATCH_PATHNAME_H
