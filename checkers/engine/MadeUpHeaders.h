// SPDX-License-Identifier: GPL-2.0-only
//
// Stands in for what kbuild generates before it compiles anything.

#ifndef DMACHECK_ENGINE_MADEUPHEADERS_H
#define DMACHECK_ENGINE_MADEUPHEADERS_H

#include "engine/KernelTree.h"

namespace dmacheck {

/// What the tree does not say of an architecture.
struct MachineFacts {
  llvm::StringLiteral Arch;   ///< as kbuild's ARCH=
  llvm::StringLiteral Source; ///< its folder below arch/
  /// Options that decide types and predefined macros.
  std::vector<llvm::StringLiteral> Flags;
};
/// Null for an architecture that nothing is known of.
const MachineFacts *machineFacts(llvm::StringRef Arch);

/// Writes include/ and arch/ into Dir: the configuration with everything
/// switched on, wrappers of asm-generic headers, and substitutes for headers
/// whose contents only the compiler or a program of the tree knows.
llvm::Error makeUpHeaders(const KernelTree &Tree, const MachineFacts &Machine,
                          llvm::StringRef Dir);

} // namespace dmacheck

#endif
