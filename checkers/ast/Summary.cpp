// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Summary.h"
#include "ast/Facts.h"
#include "ast/SourceText.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace dmacheck;

/// How deep wrappers of wrappers are looked through.
static constexpr unsigned MaxDepth = 4;

/// Members through which code that is not seen finds the object around them.
static bool isIntrusive(QualType T) {
  const auto *Record = T->getAs<RecordType>();
  return Record && llvm::StringSwitch<bool>(Record->getDecl()->getName())
                       .Cases("list_head", "hlist_node", "rb_node", true)
                       .Cases("work_struct", "delayed_work", "timer_list", true)
                       .Cases("kref", "kobject", "device", "llist_node", true)
                       .Cases("callback_head", "rcu_work", "dma_fence", true)
                       .Default(false);
}

/// True for an argument through which nothing can be written.
static bool isReadOnly(const Expr *Argument) {
  QualType T = Argument->getType();
  return !T->isPointerType() || T->getPointeeType().isConstQualified();
}

/// Releasing counts more than handing on, and that more than neither.
static StateUse stronger(StateUse A, StateUse B) {
  if (A == StateUse::Releases || B == StateUse::Releases)
    return StateUse::Releases;
  return A == StateUse::HandsOn ? A : B;
}

bool StateUses::carries(const Function &Fn, const Expr *E,
                        const AccessPath &State) {
  E = strip(E);
  std::optional<AccessPath> P;
  if (E->getType()->isPointerType())
    P = Fn.paths().pointee(E);
  else if (E->getType()->isRecordType())
    P = Fn.paths().lvalue(E);
  return P && P->isPrefixOf(State);
}

bool StateUses::holds(const Function &Fn, const Expr *E,
                      const AccessPath &State) {
  E = strip(E);
  if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(E))
    return holds(Fn, Literal->getInitializer(), State);
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return llvm::any_of(List->inits(), [&](const Expr *Each) {
      return holds(Fn, Each, State);
    });
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return holds(Fn, Choice->getTrueExpr(), State) ||
           holds(Fn, Choice->getFalseExpr(), State);
  return carries(Fn, E, State);
}

bool StateUses::isHandedOnBy(const Function &Fn, const Stmt *S,
                             const AccessPath &State) const {
  if (const auto *B = dyn_cast<BinaryOperator>(S);
      B && B->getOpcode() == BO_Assign) {
    auto Written = Fn.paths().lvalue(B->getLHS());
    if (Written && State.changesWith(*Written))
      return true;
    return holds(Fn, B->getRHS(), State);
  }
  const auto *D = dyn_cast<DeclStmt>(S);
  const auto *V =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  if (!V || !V->hasInit() || !holds(Fn, V->getInit(), State))
    return false;
  // An alias is seen through; anything else may be kept.
  return !Fn.isAlias(V);
}

StateUse StateUses::byCleanup(const FunctionDecl *Cleanup) const {
  const Function *Fn = TU.definition(Cleanup);
  if (!Fn)
    return StateUse::HandsOn;
  StateUse Use = StateUse::Keeps;
  for (const CallExpr *Call : Fn->calls()) {
    const DmaCall *Row = DmaApi::get().find(Call);
    if (Row && Row->Role == DmaRole::IovaFree)
      return StateUse::Releases;
    if (!Row && !llvm::all_of(Call->arguments(), isReadOnly))
      Use = StateUse::HandsOn;
  }
  return Use;
}

StateUse StateUses::byArgument(const CallExpr *Call, unsigned I,
                               const AccessPath &At, const AccessPath &State,
                               unsigned Depth) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const Expr *Arg = Call->getArg(I);
  const DmaCall *Row = DmaApi::get().find(Call);
  if (Row && Row->Role == DmaRole::Copies)
    return static_cast<int>(I) == Row->Object && At.isPrefixOf(State)
               ? StateUse::HandsOn
               : StateUse::Keeps;
  if (Row)
    return Row->Role == DmaRole::IovaFree && At == State ? StateUse::Releases
                                                         : StateUse::Keeps;
  if (!At.isPrefixOf(State))
    return isIntrusive(Arg->getType()->getPointeeType()) ? StateUse::HandsOn
                                                         : StateUse::Keeps;
  if (const Function *Fn = TU.definition(Callee);
      Fn && I < Callee->getNumParams() && Depth < MaxDepth)
    return inBody(*Fn, State.seenThrough(At, Fn->decl().getParamDecl(I)),
                  Depth + 1);
  // Unseen code that promises not to write the object cannot free its state.
  return isReadOnly(Arg) ? StateUse::Keeps : StateUse::HandsOn;
}

StateUse StateUses::byCall(const Function &Fn, const CallExpr *Call,
                           const AccessPath &State, unsigned Depth) const {
  StateUse Use = StateUse::Keeps;
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    if (!Call->getArg(I)->getType()->isPointerType())
      continue;
    auto At = Fn.paths().pointee(Call->getArg(I));
    if (At && At->base() == State.base())
      Use = stronger(Use, byArgument(Call, I, *At, State, Depth));
  }
  return Use;
}

StateUse StateUses::byCall(const Function &Fn, const CallExpr *Call,
                           const AccessPath &State) const {
  return byCall(Fn, Call, State, 0);
}

StateUse StateUses::inBody(const Function &Fn, const AccessPath &State,
                           unsigned Depth) const {
  StateUse Use = StateUse::Keeps;
  for (const CallExpr *Call : Fn.calls())
    Use = stronger(Use, byCall(Fn, Call, State, Depth));
  class Stores : public RecursiveASTVisitor<Stores> {
  public:
    explicit Stores(llvm::function_ref<void(const Stmt *)> Each) : Each(Each) {}
    bool VisitBinaryOperator(BinaryOperator *B) {
      Each(B);
      return true;
    }
    bool VisitDeclStmt(DeclStmt *D) {
      Each(D);
      return true;
    }

  private:
    llvm::function_ref<void(const Stmt *)> Each;
  };
  auto Note = [&](const Stmt *S) {
    if (isHandedOnBy(Fn, S, State))
      Use = stronger(Use, StateUse::HandsOn);
  };
  Stores(Note).TraverseStmt(const_cast<Stmt *>(Fn.body()));
  return Use;
}
