// SPDX-License-Identifier: GPL-2.0-only
//
// A comment that says why a finding is none:
//
//   /* dmacheck: ignore iova-leak: the firmware owns the range until reset */
//
// at the end of the finding's line, or as the comment above it. The check must
// be named and the reason given; a comment without a reason suppresses nothing.

#ifndef DMACHECK_ENGINE_SUPPRESSION_H
#define DMACHECK_ENGINE_SUPPRESSION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace dmacheck {

/// The reason why findings of Check on line Line (from 1) of Text are to be
/// passed over; empty if there is none.
std::string suppressionReason(llvm::StringRef Text, unsigned Line,
                              llvm::StringRef Check);

} // namespace dmacheck

#endif
