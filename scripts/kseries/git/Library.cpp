// SPDX-License-Identifier: GPL-2.0-only

#include "git/Library.h"

#include <git2.h>

namespace kgit {

void startLibrary() {
  static const int Users = [] {
    int Count = git_libgit2_init();
    // A reference must not outlive, in a power cut, the objects it leads to.
    git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
    return Count;
  }();
  (void)Users;
}

} // namespace kgit
