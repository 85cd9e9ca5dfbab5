// SPDX-License-Identifier: GPL-2.0-only
//
// The tests see no configuration of the machine: git's identity is the one set
// here, for git itself and for libgit2.

#include "git/Library.h"

#include <git2.h>
#include <gtest/gtest.h>

#include <cstdlib>

int main(int Argc, char **Argv) {
  testing::InitGoogleTest(&Argc, Argv);
  kgit::startLibrary();
  for (int Level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                    GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL})
    git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, Level, "/nonexistent");
  setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  for (const char *Role : {"AUTHOR", "COMMITTER"}) {
    std::string Prefix = std::string("GIT_") + Role;
    setenv((Prefix + "_NAME").c_str(), "Test Sender", 1);
    setenv((Prefix + "_EMAIL").c_str(), "sender@example.org", 1);
  }
  for (const char *Variable : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"})
    unsetenv(Variable);
  setenv("LC_ALL", "C", 1);
  return RUN_ALL_TESTS();
}
