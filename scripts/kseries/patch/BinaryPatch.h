// SPDX-License-Identifier: GPL-2.0-only
//
// The "GIT binary patch" form: zlib in base 85, whole or as a delta.

#ifndef KSERIES_PATCH_BINARYPATCH_H
#define KSERIES_PATCH_BINARYPATCH_H

#include "patch/LineReader.h"
#include "patch/Patch.h"

#include "llvm/Support/Error.h"

namespace kseries {

/// Reads "literal N" or "delta N" and its lines. Nothing when no such block
/// follows; the error says what is wrong with one that does.
llvm::Expected<std::optional<BinaryData>> parseBinaryBlock(LineReader &Lines);

/// The block for \p Data, blank line at its end included.
std::string printBinaryBlock(const BinaryData &Data);

/// The content that \p Change makes of \p Old.
llvm::Expected<std::string> applyBinary(llvm::StringRef Old,
                                        const BinaryData &Change);

} // namespace kseries

#endif // KSERIES_PATCH_BINARYPATCH_H
