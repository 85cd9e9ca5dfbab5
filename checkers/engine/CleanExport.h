// SPDX-License-Identifier: GPL-2.0-only
//
// A tree that was configured or built in place, as kbuild wants it: clean.

#ifndef DMACHECK_ENGINE_CLEANEXPORT_H
#define DMACHECK_ENGINE_CLEANEXPORT_H

#include "engine/KernelTree.h"

namespace dmacheck {

/// Makes Dir a tree of links to the files of Tree, without what kbuild left
/// there: its configuration, generated headers, objects and programs. What was
/// in Dir before is removed. Tree is only read.
llvm::Error exportWithoutBuild(const KernelTree &Tree, llvm::StringRef Dir);

/// True for what kbuild makes and no source package holds. Path: relative to
/// the tree, a folder's without a slash at its end.
bool isMadeByKbuild(llvm::StringRef Path);

} // namespace dmacheck

#endif
