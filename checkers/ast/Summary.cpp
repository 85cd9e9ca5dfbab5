// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Summary.h"
#include "ast/SourceText.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace dmacheck;

/// How deep wrappers of wrappers are looked through.
static constexpr unsigned MaxDepth = 4;

namespace {
class Uses : public RecursiveASTVisitor<Uses> {
public:
  explicit Uses(const VarDecl *V) : V(V) {}
  std::vector<const DeclRefExpr *> Refs;
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (Ref->getDecl() == V)
      Refs.push_back(Ref);
    return true;
  }

private:
  const VarDecl *V;
};
} // namespace

/// The nearest statement around S that is more than a cast or a parenthesis.
static const Stmt *userOf(const Stmt *S, ASTContext &Ctx, const Stmt *&Child) {
  Child = S;
  for (;;) {
    auto Parents = Ctx.getParents(*Child);
    if (Parents.empty())
      return nullptr;
    const Stmt *P = Parents[0].get<Stmt>();
    if (!P)
      return nullptr;
    if (!isa<ImplicitCastExpr, ParenExpr, CStyleCastExpr>(P))
      return P;
    Child = P;
  }
}

StateUse Summaries::argument(const CallExpr *Call, unsigned Index,
                             unsigned Depth) {
  if (const DmaCall *Row = DmaApi::get().find(Call))
    return Row->Role == DmaRole::IovaFree ? StateUse::Releases
                                          : StateUse::Keeps;
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (const Function *Fn = TU.definition(Callee))
    return parameter(*Fn, Index, Depth + 1);
  // Unseen code that promises not to write the state cannot free it.
  if (Callee && Index < Callee->getNumParams()) {
    QualType T = Callee->getParamDecl(Index)->getType();
    if (T->isPointerType() && T->getPointeeType().isConstQualified())
      return StateUse::Keeps;
  }
  return StateUse::HandsOn;
}

StateUse Summaries::parameter(const Function &Fn, unsigned Index,
                              unsigned Depth) {
  if (Index >= Fn.decl().getNumParams() || Depth > MaxDepth)
    return StateUse::HandsOn;
  auto Key = std::make_pair(&Fn.decl(), Index);
  if (auto It = Memo.find(Key); It != Memo.end())
    return It->second;
  Memo[Key] = StateUse::Keeps; // recursion adds nothing
  Uses U(Fn.decl().getParamDecl(Index));
  U.TraverseStmt(const_cast<Stmt *>(Fn.body()));
  StateUse Result = StateUse::Keeps;
  for (const DeclRefExpr *Ref : U.Refs) {
    const Stmt *Child;
    const Stmt *User = userOf(Ref, TU.context(), Child);
    StateUse Use = StateUse::Keeps;
    if (const auto *Call = dyn_cast_or_null<CallExpr>(User)) {
      for (unsigned I = 0; I < Call->getNumArgs(); ++I)
        if (Call->getArg(I) == Child)
          Use = argument(Call, I, Depth);
    } else if (const auto *B = dyn_cast_or_null<BinaryOperator>(User)) {
      if (B->isAssignmentOp() && B->getRHS() == Child)
        Use = StateUse::HandsOn;
    } else if (!isa_and_nonnull<MemberExpr, UnaryOperator, IfStmt,
                                ConditionalOperator>(User)) {
      Use = StateUse::HandsOn;
    }
    if (Use == StateUse::Releases) {
      Result = Use;
      break;
    }
    if (Use == StateUse::HandsOn)
      Result = Use;
  }
  return Memo[Key] = Result;
}

StateUse Summaries::stateArgument(const CallExpr *Call, unsigned Index) {
  return argument(Call, Index, 0);
}
