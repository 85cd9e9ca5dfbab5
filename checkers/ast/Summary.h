// SPDX-License-Identifier: GPL-2.0-only
//
// What a call or a statement does with an IOVA state: directly, and through the
// functions of the same file.

#ifndef DMACHECK_AST_SUMMARY_H
#define DMACHECK_AST_SUMMARY_H

#include "ast/DmaApi.h"
#include "ast/TranslationUnit.h"

namespace dmacheck {

enum class StateUse {
  Keeps,    ///< looked at, linked, synced: still to be freed
  Releases, ///< freed or destroyed, on some path at least
  HandsOn,  ///< stored, or given to code that is not seen
};

class StateUses {
public:
  explicit StateUses(const TranslationUnit &TU) : TU(TU) {}

  /// What the call does with the state, through whichever argument gives it
  /// access to the state or to the object around it.
  StateUse byCall(const Function &Fn, const clang::CallExpr *Call,
                  const AccessPath &State) const;
  /// What a cleanup attribute does when its variable goes out of scope.
  StateUse byCleanup(const clang::FunctionDecl *Cleanup) const;
  /// True if the statement stores the state, or a pointer to it or to the
  /// object around it, or makes its name another state's.
  bool isHandedOnBy(const Function &Fn, const clang::Stmt *S,
                    const AccessPath &State) const;

private:
  StateUse byCall(const Function &Fn, const clang::CallExpr *Call,
                  const AccessPath &State, unsigned Depth) const;
  /// Argument I gives access: At is what it points to.
  StateUse byArgument(const clang::CallExpr *Call, unsigned I,
                      const AccessPath &At, const AccessPath &State,
                      unsigned Depth) const;
  StateUse inBody(const Function &Fn, const AccessPath &State,
                  unsigned Depth) const;
  /// E's value is a pointer to the state or a copy of it, or has one in it.
  static bool holds(const Function &Fn, const clang::Expr *E,
                    const AccessPath &State);
  static bool carries(const Function &Fn, const clang::Expr *E,
                      const AccessPath &State);

  const TranslationUnit &TU;
};

} // namespace dmacheck

#endif
