// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Ownership.h"
#include "ast/Facts.h"
#include "ast/SourceText.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace dmacheck;

namespace {
/// Does any call in the expression allocate? Kernel allocators hide behind
/// macros, but all of them are called something with "alloc".
class AllocationFinder : public RecursiveASTVisitor<AllocationFinder> {
public:
  bool Found = false;
  bool VisitCallExpr(CallExpr *Call) {
    Found |= calleeName(Call).contains("alloc");
    return !Found;
  }
};

class AssignmentsTo : public RecursiveASTVisitor<AssignmentsTo> {
public:
  AssignmentsTo(const VarDecl *V, ASTContext &Ctx) : V(V), Ctx(Ctx) {}
  bool AnyAllocation = false, OnlyAllocations = true;

  bool VisitVarDecl(VarDecl *D) {
    if (D == V && D->hasInit())
      note(D->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
    const auto *Ref = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParenCasts());
    if (B->isAssignmentOp() && Ref && Ref->getDecl() == V)
      note(B->getRHS());
    return true;
  }

private:
  void note(const Expr *E) {
    if (E->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull))
      return;
    AllocationFinder F;
    F.TraverseStmt(const_cast<Expr *>(E));
    AnyAllocation |= F.Found;
    OnlyAllocations &= F.Found;
  }
  const VarDecl *V;
  ASTContext &Ctx;
};
} // namespace

bool dmacheck::isOwnMemory(const AccessPath &Object, const Function &Fn) {
  const VarDecl *V = Object.base();
  if (!V->hasLocalStorage())
    return false;
  bool ThroughPointer = llvm::any_of(Object.steps(),
                                     [](const auto &S) {
                                       return S.K == AccessPath::Step::Deref;
                                     }) ||
                        V->getType()->isPointerType();
  if (!ThroughPointer)
    return true;
  if (isa<ParmVarDecl>(V))
    return false;
  AssignmentsTo A(V, Fn.decl().getASTContext());
  A.TraverseStmt(const_cast<Stmt *>(Fn.body()));
  return A.AnyAllocation && A.OnlyAllocations;
}
