// SPDX-License-Identifier: GPL-2.0-only
//
// What a piece of code assigns to what.

#ifndef DMACHECK_AST_ASSIGNMENTS_H
#define DMACHECK_AST_ASSIGNMENTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <utility>
#include <vector>

namespace dmacheck {

struct Assignment {
  const clang::Expr *To, *From;
};

/// The assignments of a statement and all that it holds, in source order.
struct Assignments {
  explicit Assignments(const clang::Stmt *S);

  std::vector<Assignment> All;
  /// Declarations with a value.
  std::vector<std::pair<const clang::VarDecl *, const clang::Expr *>> Inits;
  /// +=, |= and their like.
  std::vector<const clang::CompoundAssignOperator *> Steps;
};

} // namespace dmacheck

#endif
