// SPDX-License-Identifier: GPL-2.0-only
//
// Kconfig files read as data: what `make allyesconfig` would set, without
// running anything. It knows less than kconfig does: macros $(...) count as
// "y" where they stand for an answer, and a choice is its default.

#ifndef DMACHECK_ENGINE_KCONFIG_H
#define DMACHECK_ENGINE_KCONFIG_H

#include "engine/KernelTree.h"
#include <map>
#include <string>

namespace dmacheck {

/// Symbol, without CONFIG_, -> "y", a number, or a text in quotes. What is off
/// is not there.
using KconfigValues = std::map<std::string, std::string>;

/// All of the tree's symbols for arch/<Arch>/ switched on as far as their
/// dependencies allow. Fixed: symbols that are not up to Kconfig ("n": off).
KconfigValues allYes(const KernelTree &Tree, llvm::StringRef Arch,
                     const KconfigValues &Fixed);

} // namespace dmacheck

#endif
