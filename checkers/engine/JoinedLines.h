// SPDX-License-Identifier: GPL-2.0-only
//
// Lines as make and kconfig read them.

#ifndef DMACHECK_ENGINE_JOINEDLINES_H
#define DMACHECK_ENGINE_JOINEDLINES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace dmacheck {

/// Calls Each for every line of Text, without the white space at its end, and
/// with the lines that a backslash continues it by.
void forEachJoinedLine(llvm::StringRef Text,
                       llvm::function_ref<void(llvm::StringRef)> Each);

} // namespace dmacheck

#endif
