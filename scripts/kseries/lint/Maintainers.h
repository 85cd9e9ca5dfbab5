// SPDX-License-Identifier: GPL-2.0-only
//
// The kernel's MAINTAINERS file: whose a file is.

#ifndef KSERIES_LINT_MAINTAINERS_H
#define KSERIES_LINT_MAINTAINERS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace kseries {

/// The titles of the entries whose F: lines match \p Path, as get_maintainer.pl
/// matches them: a pattern that ends in a slash takes all below it, others
/// only names with as many slashes as they have. X: lines take files out.
std::vector<llvm::StringRef> entriesFor(llvm::StringRef Maintainers,
                                        llvm::StringRef Path);

} // namespace kseries

#endif // KSERIES_LINT_MAINTAINERS_H
