// SPDX-License-Identifier: GPL-2.0-only
//
// Whose memory a path names: the function's own, or somebody else's.

#ifndef DMACHECK_AST_OWNERSHIP_H
#define DMACHECK_AST_OWNERSHIP_H

#include "ast/TranslationUnit.h"

namespace dmacheck {

/// True if the object is a local variable, or lies in memory that this function
/// allocated through a local pointer and nothing else was assigned to it.
bool isOwnMemory(const AccessPath &Object, const Function &Fn);

} // namespace dmacheck

#endif
