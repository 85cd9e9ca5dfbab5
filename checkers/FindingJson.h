// SPDX-License-Identifier: GPL-2.0-only
//
// A finding as JSON: the contract with everyone who reads dmacheck's output.

#ifndef DMACHECK_FINDINGJSON_H
#define DMACHECK_FINDINGJSON_H

#include "Finding.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace dmacheck {

/// {"check","file","line","column","function","message","fingerprint",
///  "origin","queue","patch","baseline","suppressed","flags_from",
///  "path":[{"file","line","note"}]}
/// "origin" is "introduced", "pre-existing", "fixed" or null; "queue" and
/// "patch" are null unless the origin is the first or the last of these.
/// "baseline" is "new", "unchanged", "absent" or null; "suppressed" is the
/// reason that a comment gives, or null.
llvm::json::Value toJson(const Finding &F);

/// The inverse of toJson(); nothing if a field is missing.
std::optional<Finding> findingFromJson(const llvm::json::Value &V);

/// "introduced", "pre-existing", "fixed", or "" for Origin::None.
llvm::StringRef originName(Origin O);
/// "new", "unchanged", "absent", or "" for Baseline::None.
llvm::StringRef baselineName(Baseline B);

} // namespace dmacheck

#endif
