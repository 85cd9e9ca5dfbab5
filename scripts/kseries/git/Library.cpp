// SPDX-License-Identifier: GPL-2.0-only

#include "git/Library.h"

#include <git2.h>

namespace kgit {

void startLibrary() {
  static const int Users = git_libgit2_init();
  (void)Users;
}

} // namespace kgit
