// SPDX-License-Identifier: GPL-2.0-only
//
// The checks' Markdown pages, compiled in. The definition is generated from
// checks/*/*.md by the build.

#ifndef DMACHECK_CHECKS_PAGES_H
#define DMACHECK_CHECKS_PAGES_H

#include "llvm/ADT/StringRef.h"

namespace dmacheck {

/// The page of a check, empty if it has none.
llvm::StringRef pageOf(llvm::StringRef Check);

} // namespace dmacheck

#endif
