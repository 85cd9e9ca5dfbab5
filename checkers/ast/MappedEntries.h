// SPDX-License-Identifier: GPL-2.0-only
//
// Where the handle of a mapping goes: into a variable, an array entry, or the
// entries of a scatterlist.

#ifndef DMACHECK_AST_MAPPEDENTRIES_H
#define DMACHECK_AST_MAPPEDENTRIES_H

#include "ast/Loops.h"
#include "ast/TranslationUnit.h"

namespace dmacheck {

/// What the result of the call is assigned to.
std::optional<AccessPath> destinationOf(const Function &Fn,
                                        const clang::CallExpr *Map);

/// True if E reads sg_dma_address() (or sg_dma_len()) of some entry.
bool isSgDmaAddress(const clang::Expr *E, const clang::SourceManager &SM);
bool isSgDmaLength(const clang::Expr *E, const clang::SourceManager &SM);

/// A function that writes one DMA range into scatterlist entries.
struct SgFill {
  const Function *Fn = nullptr;
  unsigned AddressParam = 0; ///< gets the range's DMA address
  bool Splits = false;       ///< cuts the range into several entries
};
/// The function that the call calls, if it is one of those.
std::optional<SgFill> sgFill(const TranslationUnit &TU,
                             const clang::CallExpr *Call);

/// The call that hands the handle of Map to such a function.
const clang::CallExpr *fillOf(const TranslationUnit &TU, const Function &Fn,
                              const clang::CallExpr *Map, SgFill &Fill);

/// How an unmap and a map meet in the entries of one table.
struct SharedEntries {
  /// The entry as the mapping loop and as the unmap name it: addr[i + 1] and
  /// addr[i]. None for the entries of a scatterlist.
  std::optional<AccessPath> Written, Taken;
};
/// Nothing unless Unmap takes its handle from the entries that the loop around
/// Map fills: the same array, or a scatterlist on both sides.
std::optional<SharedEntries> sharedEntries(const TranslationUnit &TU,
                                           const Function &Fn,
                                           const clang::CallExpr *Map,
                                           const Loop &Mapping,
                                           const clang::CallExpr *Unmap);

} // namespace dmacheck

#endif
