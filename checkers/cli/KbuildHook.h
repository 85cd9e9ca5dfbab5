// SPDX-License-Identifier: GPL-2.0-only
//
// dmacheck as kbuild's source checker, where sparse and smatch stand:
//
//   make C=2 CHECK="dmacheck --kbuild" drivers/dma/
//
// Kbuild adds the compiler's flags and one file. Options of dmacheck in this
// mode: --check=NAME (more than once), and --werror.

#ifndef DMACHECK_CLI_KBUILDHOOK_H
#define DMACHECK_CLI_KBUILDHOOK_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace dmacheck {

/// Findings go to stderr, as a compiler's do. Returns the exit status: 0 also
/// with findings or on a file that clang cannot parse, so that the build goes
/// on; with --werror 1 in both cases; 2 if the command line is of no use.
/// Nothing if the words do not hold --kbuild.
std::optional<int> runKbuildHook(llvm::ArrayRef<const char *> Words);

} // namespace dmacheck

#endif
