// SPDX-License-Identifier: GPL-2.0-only
//
// The change that takes a change back, as git apply -R understands it.

#ifndef KSERIES_PATCH_REVERSEPATCH_H
#define KSERIES_PATCH_REVERSEPATCH_H

#include "patch/Patch.h"

namespace kseries {

/// The diffs in opposite order, each the other way round. A copy becomes a
/// removal, which has no lines and so never applies.
Patch reversed(const Patch &ToReverse);

} // namespace kseries

#endif // KSERIES_PATCH_REVERSEPATCH_H
