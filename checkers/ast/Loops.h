// SPDX-License-Identifier: GPL-2.0-only
//
// The loops of a function: what they count, how far, and what stands in them.

#ifndef DMACHECK_AST_LOOPS_H
#define DMACHECK_AST_LOOPS_H

#include "ast/TranslationUnit.h"
#include <vector>

namespace dmacheck {

struct Loop {
  enum class Shape {
    UpTo,         ///< Counter from 0 (or an expression) while below Bound
    DownFrom,     ///< the entries below Counter, which is decremented first
    DownFromIncl, ///< the entry at Counter too, which is decremented last
    Other,
  };
  const clang::Stmt *S = nullptr;
  const Loop *Outer = nullptr;
  Shape Form = Shape::Other;
  std::optional<AccessPath> Counter;
  const clang::Expr *Bound = nullptr; ///< UpTo only
  bool IncludesBound = false;         ///< UpTo: "i <= Bound"

  bool contains(const Loop *Inner) const;
};

/// A call together with what it stands in, innermost first.
struct PlacedCall {
  const clang::CallExpr *Call;
  const Loop *In;   ///< innermost loop, or null
  bool Conditional; ///< inside an if, ?:, && or switch of that loop's body, or
                    ///< behind a continue or break in it
};

class LoopNest {
public:
  explicit LoopNest(const Function &Fn);

  const std::vector<PlacedCall> &calls() const { return Calls; }
  /// What the statement writes to, for every write in the loop (its header and
  /// loops inside it included).
  std::vector<AccessPath> writesIn(const Loop &L) const;
  /// True if what P names may change while the loop runs.
  bool varies(const AccessPath &P, const Loop &L) const;
  bool varies(const clang::Expr *E, const Loop &L) const;

private:
  friend class LoopWalker;
  const Function &Fn;
  std::vector<std::unique_ptr<Loop>> Loops;
  std::vector<PlacedCall> Calls;
};

/// Everything that S writes: assignments, increments, declarations with a
/// value, and variables whose address is given away.
std::vector<AccessPath> writesOf(const clang::Stmt *S,
                                 const PathBuilder &Paths);

} // namespace dmacheck

#endif
