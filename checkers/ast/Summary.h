// SPDX-License-Identifier: GPL-2.0-only
//
// What a function of the same file does with a pointer that it is given.

#ifndef DMACHECK_AST_SUMMARY_H
#define DMACHECK_AST_SUMMARY_H

#include "ast/DmaApi.h"
#include "ast/TranslationUnit.h"

namespace dmacheck {

/// What becomes of an IOVA state that a call is given.
enum class StateUse {
  Keeps,    ///< looked at, linked, synced: still the caller's to free
  Releases, ///< freed or destroyed on some path
  HandsOn,  ///< stored, or given to code that is not seen
};

class Summaries {
public:
  explicit Summaries(const TranslationUnit &TU) : TU(TU) {}

  /// What the call does with the state that its argument `Index` points to.
  StateUse stateArgument(const clang::CallExpr *Call, unsigned Index);

private:
  StateUse parameter(const Function &Fn, unsigned Index, unsigned Depth);
  StateUse argument(const clang::CallExpr *Call, unsigned Index,
                    unsigned Depth);

  const TranslationUnit &TU;
  llvm::DenseMap<std::pair<const clang::FunctionDecl *, unsigned>, StateUse>
      Memo;
};

} // namespace dmacheck

#endif
