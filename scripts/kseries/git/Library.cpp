// SPDX-License-Identifier: GPL-2.0-only

#include "git/Library.h"

#include <git2.h>

namespace kgit {

void startLibrary() {
  static const int Users = [] {
    int Count = git_libgit2_init();
    // A reference must not outlive, in a power cut, the objects it leads to.
    git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
    // git too leaves hashing what it reads to fsck; zlib's checksum is in each
    // object.
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    // A kernel's larger directories are read over and over; libgit2 alone would
    // remember trees of up to 4 KiB.
    git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE,
                     static_cast<size_t>(256) << 10);
    return Count;
  }();
  (void)Users;
}

} // namespace kgit
