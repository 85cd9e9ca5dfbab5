// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Loops.h"
#include "ast/Facts.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace dmacheck;

bool Loop::contains(const Loop *Inner) const {
  for (; Inner; Inner = Inner->Outer)
    if (Inner == this)
      return true;
  return false;
}

namespace {
class WriteVisitor : public RecursiveASTVisitor<WriteVisitor> {
public:
  explicit WriteVisitor(const PathBuilder &Paths) : Paths(Paths) {}
  std::vector<AccessPath> Out;

  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isAssignmentOp())
      add(B->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp())
      add(U->getSubExpr());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    for (const Expr *Arg : Call->arguments())
      if (const auto *U = dyn_cast<UnaryOperator>(Arg->IgnoreParenCasts());
          U && U->getOpcode() == UO_AddrOf)
        add(U->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    Out.push_back(AccessPath::ofVariable(V));
    return true;
  }

private:
  void add(const Expr *E) {
    if (auto P = Paths.lvalue(E))
      Out.push_back(*P);
  }
  const PathBuilder &Paths;
};

const UnaryOperator *decrementIn(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (!E)
    return nullptr;
  const auto *U = dyn_cast<UnaryOperator>(strip(E));
  return U && U->isDecrementOp() ? U : nullptr;
}

/// The last statement of a loop's body, looking into braces.
const Stmt *lastOf(const Stmt *Body) {
  const auto *C = dyn_cast_or_null<CompoundStmt>(Body);
  return C ? (C->body_empty() ? nullptr : C->body_back()) : Body;
}
const Stmt *firstOf(const Stmt *Body) {
  const auto *C = dyn_cast_or_null<CompoundStmt>(Body);
  return C ? (C->body_empty() ? nullptr : C->body_front()) : Body;
}

/// Fills in what the loop counts from its condition, its step and its body.
void classify(Loop &L, const Expr *Condition, const Stmt *Step,
              const Stmt *Body, const PathBuilder &Paths) {
  if (!Condition)
    return;
  Condition = strip(Condition);
  auto Count = [&](Loop::Shape Form, const Expr *Counter) {
    L.Counter = Paths.lvalue(Counter);
    if (L.Counter)
      L.Form = Form;
  };
  // The body of a do loop has run before its condition steps back.
  if (isa<DoStmt>(L.S) && !decrementIn(firstOf(Body))) {
    const auto *Compared = dyn_cast<BinaryOperator>(Condition);
    const Expr *Tested = Compared && Compared->isComparisonOp()
                             ? strip(Compared->getLHS())
                             : Condition;
    if (const auto *U = decrementIn(Tested))
      return Count(Loop::Shape::DownFromIncl, U->getSubExpr());
  }
  // while (i--), while (--i)
  if (const auto *U = decrementIn(Condition))
    return Count(Loop::Shape::DownFrom, U->getSubExpr());
  const auto *B = dyn_cast<BinaryOperator>(Condition);
  // for (; i; i--)
  if (!B) {
    if (const auto *U = decrementIn(Step))
      Count(Loop::Shape::DownFromIncl, U->getSubExpr());
    return;
  }
  if (!B->isComparisonOp())
    return;
  const Expr *Left = strip(B->getLHS());
  // while (--i >= 0), while (i-- > 0)
  if (const auto *U = decrementIn(Left))
    return Count(Loop::Shape::DownFrom, U->getSubExpr());
  bool Below = B->getOpcode() == BO_LT || B->getOpcode() == BO_LE ||
               B->getOpcode() == BO_NE;
  bool Above = B->getOpcode() == BO_GT || B->getOpcode() == BO_GE;
  if (Above) {
    // i >= 0 with i-- at the front of the body or at its end
    if (decrementIn(firstOf(Body)) && B->getOpcode() == BO_GT)
      return Count(Loop::Shape::DownFrom, Left);
    if (decrementIn(Step) || decrementIn(lastOf(Body)))
      return Count(Loop::Shape::DownFromIncl, Left);
    return;
  }
  if (Below) {
    Count(Loop::Shape::UpTo, Left);
    L.Bound = B->getRHS();
    L.IncludesBound = B->getOpcode() == BO_LE;
  }
}
} // namespace

namespace dmacheck {
class LoopWalker : public RecursiveASTVisitor<LoopWalker> {
  using Base = RecursiveASTVisitor<LoopWalker>;

public:
  LoopWalker(LoopNest &Nest, const PathBuilder &Paths)
      : Nest(Nest), Paths(Paths) {}

  bool TraverseForStmt(ForStmt *S) {
    return loop(S, S->getCond(), S->getInc(), S->getBody(),
                [&] { return Base::TraverseForStmt(S); });
  }
  bool TraverseWhileStmt(WhileStmt *S) {
    return loop(S, S->getCond(), nullptr, S->getBody(),
                [&] { return Base::TraverseWhileStmt(S); });
  }
  bool TraverseDoStmt(DoStmt *S) {
    // do { } while (0) is how macros are written, not a loop.
    Expr::EvalResult R;
    if (S->getCond()->EvaluateAsInt(R, Nest.Fn.context()) &&
        R.Val.getInt() == 0)
      return Base::TraverseDoStmt(S);
    return loop(S, S->getCond(), nullptr, S->getBody(),
                [&] { return Base::TraverseDoStmt(S); });
  }
  bool TraverseIfStmt(IfStmt *S) {
    return conditional([&] { return Base::TraverseIfStmt(S); });
  }
  bool TraverseSwitchStmt(SwitchStmt *S) {
    return conditional([&] { return Base::TraverseSwitchStmt(S); });
  }
  bool TraverseConditionalOperator(ConditionalOperator *S) {
    return conditional([&] { return Base::TraverseConditionalOperator(S); });
  }
  bool VisitContinueStmt(ContinueStmt *) { return jumped(); }
  bool VisitBreakStmt(BreakStmt *) { return jumped(); }

  bool VisitCallExpr(CallExpr *Call) {
    Nest.Calls.push_back({Call, Current, Depth > 0 || Jumped});
    return true;
  }

private:
  bool jumped() {
    Jumped = true;
    return true;
  }
  template <typename Fn> bool conditional(Fn Go) {
    ++Depth;
    bool R = Go();
    --Depth;
    return R;
  }
  template <typename Fn>
  bool loop(Stmt *S, const Expr *Condition, const Stmt *Step, const Stmt *Body,
            Fn Go) {
    auto L = std::make_unique<Loop>();
    L->S = S;
    L->Outer = Current;
    classify(*L, Condition, Step, Body, Paths);
    const Loop *Before = Current;
    unsigned DepthBefore = Depth;
    bool JumpedBefore = Jumped;
    Current = L.get();
    Depth = 0;
    Jumped = false;
    Nest.Loops.push_back(std::move(L));
    bool R = Go();
    Current = Before;
    Depth = DepthBefore;
    Jumped = JumpedBefore;
    return R;
  }

  LoopNest &Nest;
  const PathBuilder &Paths;
  const Loop *Current = nullptr;
  unsigned Depth = 0;
  bool Jumped = false;
};
} // namespace dmacheck

LoopNest::LoopNest(const Function &Fn) : Fn(Fn) {
  LoopWalker(*this, Fn.paths()).TraverseStmt(const_cast<Stmt *>(Fn.body()));
}

std::vector<AccessPath> dmacheck::writesOf(const Stmt *S,
                                           const PathBuilder &Paths) {
  WriteVisitor V(Paths);
  V.TraverseStmt(const_cast<Stmt *>(S));
  return std::move(V.Out);
}

std::vector<AccessPath> LoopNest::writesIn(const Loop &L) const {
  return writesOf(L.S, Fn.paths());
}

bool LoopNest::varies(const AccessPath &P, const Loop &L) const {
  return llvm::any_of(writesIn(L), [&](const AccessPath &Written) {
    return P.changesWith(Written);
  });
}

bool LoopNest::varies(const Expr *E, const Loop &L) const {
  if (auto P = Fn.paths().lvalue(E))
    return varies(*P, L);
  bool Varies = false;
  auto Writes = writesIn(L);
  class Parts : public RecursiveASTVisitor<Parts> {
  public:
    Parts(const PathBuilder &Paths, const std::vector<AccessPath> &Writes,
          bool &Varies)
        : Paths(Paths), Writes(Writes), Varies(Varies) {}
    bool VisitExpr(Expr *E) {
      if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(E))
        if (auto P = Paths.lvalue(E))
          Varies |= llvm::any_of(
              Writes, [&](const AccessPath &W) { return P->changesWith(W); });
      return true;
    }
    const PathBuilder &Paths;
    const std::vector<AccessPath> &Writes;
    bool &Varies;
  };
  Parts(Fn.paths(), Writes, Varies).TraverseStmt(const_cast<Expr *>(E));
  return Varies;
}
