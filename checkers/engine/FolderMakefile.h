// SPDX-License-Identifier: GPL-2.0-only
//
// A folder's Makefile or Kbuild file read as data.

#ifndef DMACHECK_ENGINE_FOLDERMAKEFILE_H
#define DMACHECK_ENGINE_FOLDERMAKEFILE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace dmacheck {

/// The -I, -D, -U and -include options that a Makefile adds for one object.
/// Text: the Makefile's. Folder: relative to the tree, for $(src) and $(obj);
/// $(srctree) is ".". Object: "core.o"; empty for the options that hold below
/// the folder too (subdir-ccflags-y). Conditions are taken to be true: a
/// configuration that has everything switched on is the one they are for.
std::vector<std::string> makefileFlags(llvm::StringRef Text,
                                       llvm::StringRef Folder,
                                       llvm::StringRef Object);

} // namespace dmacheck

#endif
