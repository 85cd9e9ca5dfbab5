// SPDX-License-Identifier: GPL-2.0-only
//
// libgit2 itself, which wants to be started before its first use.

#ifndef KSERIES_GIT_LIBRARY_H
#define KSERIES_GIT_LIBRARY_H

namespace kgit {

/// Starts libgit2 once for the life of the process; cheap to call again.
void startLibrary();

} // namespace kgit

#endif // KSERIES_GIT_LIBRARY_H
