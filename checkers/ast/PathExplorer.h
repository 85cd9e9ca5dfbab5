// SPDX-License-Identifier: GPL-2.0-only
//
// Walks every feasible path of a function from its entry to its ends, carrying
// facts along and dropping paths that contradict them. Loops are walked until
// nothing new is learnt: counters are exact for the first rounds and "not zero"
// from then on.

#ifndef DMACHECK_AST_PATHEXPLORER_H
#define DMACHECK_AST_PATHEXPLORER_H

#include "ast/Facts.h"
#include "clang/Analysis/CFG.h"
#include <memory>

namespace dmacheck {

/// A decision on the way: block Block went to its successor Taken.
struct Decision {
  const clang::CFGBlock *Block;
  const clang::CFGBlock *Taken;
  const clang::Expr *Condition; ///< null for a switch
  bool Truth;
  std::shared_ptr<const Decision> Before;
};

struct PathState {
  Facts Known;
  std::shared_ptr<const Decision> Trail;     ///< newest first
  const clang::CFGBlock *Block = nullptr;    ///< where the path is
  const clang::ReturnStmt *Return = nullptr; ///< the one that was executed
  bool Marked = false; ///< the visitor's own: what it looks for has happened
  std::shared_ptr<const Decision> MarkedAt; ///< the trail at that moment

  void mark() {
    Marked = true;
    MarkedAt = Trail;
  }
};

class PathVisitor {
public:
  enum class Next { Continue, Stop };
  virtual ~PathVisitor() = default;
  /// Called for each element before its own effect on the facts.
  virtual Next element(const clang::CFGElement &E, PathState &S) = 0;
  /// A path left the function, all cleanups behind it.
  virtual void end(const PathState &S) = 0;
};

class PathExplorer {
public:
  PathExplorer(const TranslationUnit &TU, const Function &Fn)
      : TU(TU), Fn(Fn) {}

  /// Walks from the function's entry. Returns false if the walk was cut short
  /// because the function has too many paths; what was seen until then stands.
  bool run(PathVisitor &Visitor);

private:
  struct Work {
    const clang::CFGBlock *Block;
    size_t Element;
    PathState State;
  };
  void runBlock(Work W, PathVisitor &Visitor, std::vector<Work> &Todo);
  void branch(const clang::CFGBlock &B, PathState State,
              std::vector<Work> &Todo);
  static const clang::Expr *conditionOf(const clang::CFGBlock &B);

  const TranslationUnit &TU;
  const Function &Fn;
};

/// The blocks from which control can reach a block for which IsGoal holds.
/// Indexed by block ID.
std::vector<bool>
blocksReaching(const clang::CFG &Graph,
               llvm::function_ref<bool(const clang::CFGBlock &)> IsGoal);

} // namespace dmacheck

#endif
