// SPDX-License-Identifier: GPL-2.0-only
//
// Who git takes the user for.

#ifndef KSERIES_GIT_IDENTITY_H
#define KSERIES_GIT_IDENTITY_H

#include "git/Objects.h"

namespace kgit {

/// GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL, else user.name and user.email
/// of the repository around \p Directory, of the user or of the system, as
/// `git config` there would print them. Nothing when either is not set. The
/// date is left at zero.
llvm::Expected<std::optional<Signature>> identity(llvm::StringRef Directory);

} // namespace kgit

#endif // KSERIES_GIT_IDENTITY_H
