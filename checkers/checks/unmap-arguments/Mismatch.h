// SPDX-License-Identifier: GPL-2.0-only
//
// The parts of unmap-arguments: each looks at one way in which a mapping and
// what undoes it can disagree.

#ifndef DMACHECK_CHECKS_UNMAP_ARGUMENTS_MISMATCH_H
#define DMACHECK_CHECKS_UNMAP_ARGUMENTS_MISMATCH_H

#include "ast/MappingSites.h"
#include "checks/Check.h"

namespace dmacheck::unmap_arguments {

/// What differs, and as what the two sides have it.
struct Mismatch {
  std::string What;
  std::string Mapped, Undone;
  const MappingSite *Map;
};

/// The call as its author named it: dma_map_single, not what that expands to.
std::string nameOf(const TranslationUnit &TU, const clang::CallExpr *Call);

/// dma_unmap_sg() is given the number of entries that dma_map_sg() returned,
/// and not the one that it was given.
std::optional<Mismatch> entryCount(const TranslationUnit &TU,
                                   const MappingSites &Sites,
                                   const MappingSite &Undo);

/// Reports buffers that the CPU reads after they were handed to the device.
void syncOwner(const TranslationUnit &TU, const MappingSites &Sites,
               const Reporter &Report);

} // namespace dmacheck::unmap_arguments

#endif
