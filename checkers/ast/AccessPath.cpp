// SPDX-License-Identifier: GPL-2.0-only

#include "ast/AccessPath.h"
#include "ast/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace dmacheck;

AccessPath AccessPath::ofVariable(const VarDecl *V) {
  AccessPath P;
  P.Base = V->getCanonicalDecl();
  return P;
}

std::string AccessPath::text() const {
  std::string Out = Base->getNameAsString();
  for (size_t I = 0; I < Steps.size(); ++I) {
    const Step &S = Steps[I];
    switch (S.K) {
    case Step::Deref:
      if (I + 1 < Steps.size() && Steps[I + 1].K == Step::Field) {
        Out += "->" + Steps[I + 1].F->getNameAsString();
        ++I;
      } else {
        Out = "*" + Out;
      }
      break;
    case Step::Field:
      Out += "." + S.F->getNameAsString();
      break;
    case Step::Index:
      Out += "[" + S.IndexText + "]";
      break;
    }
  }
  return Out;
}

std::string AccessPath::objectText() const {
  AccessPath P = *this;
  if (!P.Steps.empty() && P.Steps.back().K == Step::Deref)
    P.Steps.pop_back();
  return P.text();
}

std::string AccessPath::key() const {
  return text() + "#" + std::to_string(Base->getID());
}

bool AccessPath::isPrefixOf(const AccessPath &O) const {
  return Base == O.Base && Steps.size() <= O.Steps.size() &&
         std::equal(Steps.begin(), Steps.end(), O.Steps.begin());
}

bool AccessPath::changesWith(const AccessPath &Written) const {
  if (Written.isPrefixOf(*this))
    return true;
  return Written.Steps.empty() && llvm::is_contained(IndexVars, Written.Base);
}

bool AccessPath::mentions(const VarDecl *V) const {
  return Base == V || llvm::is_contained(IndexVars, V);
}

AccessPath AccessPath::seenThrough(const AccessPath &At,
                                   const VarDecl *Parameter) const {
  AccessPath P = ofVariable(Parameter);
  P.Steps.push_back({Step::Deref, nullptr, ""});
  P.Steps.append(Steps.begin() + At.Steps.size(), Steps.end());
  return P;
}

const FieldDecl *AccessPath::lastField() const {
  for (const Step &S : llvm::reverse(Steps))
    if (S.K == Step::Field)
      return S.F;
  return nullptr;
}

namespace {
/// Counts the writes of each local pointer and remembers the only one.
class WriteCollector : public RecursiveASTVisitor<WriteCollector> {
public:
  llvm::DenseMap<const VarDecl *, const Expr *> Source;
  llvm::DenseMap<const VarDecl *, unsigned> Writes;

  bool VisitVarDecl(VarDecl *V) {
    if (V->hasLocalStorage() && V->hasInit())
      note(V, V->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isAssignmentOp())
      if (const VarDecl *V = variable(B->getLHS()))
        note(V, B->getOpcode() == BO_Assign ? B->getRHS() : nullptr);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf)
      if (const VarDecl *V = variable(U->getSubExpr()))
        note(V, nullptr);
    return true;
  }

private:
  static const VarDecl *variable(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  }
  void note(const VarDecl *V, const Expr *E) {
    ++Writes[V];
    Source[V] = E;
  }
};
} // namespace

AliasMap dmacheck::aliasesIn(const FunctionDecl &Fn) {
  WriteCollector C;
  C.TraverseStmt(Fn.getBody());
  AliasMap Out;
  for (auto [V, E] : C.Source) {
    if (!E || C.Writes[V] != 1 || isa<ParmVarDecl>(V) ||
        !V->getType()->isPointerType())
      continue;
    const Expr *Init = E->IgnoreParenCasts();
    const auto *U = dyn_cast<UnaryOperator>(Init);
    bool IsAddress = U && U->getOpcode() == UO_AddrOf;
    const auto *Ref = dyn_cast<DeclRefExpr>(Init);
    // A copy of a pointer that itself never changes is the same pointer.
    bool IsCopy = false;
    if (Ref)
      if (const auto *From = dyn_cast<VarDecl>(Ref->getDecl()))
        IsCopy = From->getType()->isPointerType() &&
                 C.Writes.lookup(From) <= (isa<ParmVarDecl>(From) ? 0u : 1u);
    if (IsAddress || IsCopy)
      Out[V] = E;
  }
  return Out;
}

const MemberExpr *dmacheck::fieldAccess(const Expr *E) {
  const auto *M = dyn_cast<MemberExpr>(E->IgnoreParenCasts());
  return M && isa<FieldDecl>(M->getMemberDecl()) ? M : nullptr;
}

const FieldDecl *dmacheck::accessedField(const Expr *E) {
  const MemberExpr *M = fieldAccess(E);
  return M ? cast<FieldDecl>(M->getMemberDecl()) : nullptr;
}

std::optional<AccessPath> PathBuilder::append(std::optional<AccessPath> P,
                                              AccessPath::Step S) const {
  if (P)
    P->Steps.push_back(std::move(S));
  return P;
}

std::optional<AccessPath> PathBuilder::lvalue(const Expr *E) const {
  E = E->IgnoreParenCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (!V)
      return std::nullopt;
    return AccessPath::ofVariable(V);
  }
  if (const MemberExpr *M = fieldAccess(E)) {
    const FieldDecl *F = accessedField(M);
    auto P = objectOf(M);
    if (F->isAnonymousStructOrUnion())
      return P; // an anonymous member adds no name
    return append(std::move(P), {AccessPath::Step::Field, F, ""});
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return pointee(U->getSubExpr());
    return std::nullopt;
  }
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
    auto P = lvalue(S->getBase());
    if (!P)
      return std::nullopt;
    const Expr *Idx = S->getIdx()->IgnoreParenCasts();
    forEachVariable(Idx, [&](const VarDecl *V) { P->IndexVars.push_back(V); });
    return append(std::move(P),
                  {AccessPath::Step::Index, nullptr, normalisedText(Idx)});
  }
  if (const auto *S = dyn_cast<StmtExpr>(E))
    if (const auto *Last = resultOf(S))
      return lvalue(Last);
  return std::nullopt;
}

std::optional<AccessPath> PathBuilder::pointee(const Expr *E) const {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    if (U->getOpcode() == UO_AddrOf)
      return lvalue(U->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl())) {
      if (auto It = Aliases.find(V->getCanonicalDecl()); It != Aliases.end())
        if (auto P = pointee(It->second))
          return P;
      if (V->getType()->isArrayType())
        return append(lvalue(E), {AccessPath::Step::Index, nullptr, "0"});
    }
  if (const auto *M = dyn_cast<MemberExpr>(E))
    if (M->getType()->isArrayType())
      return append(lvalue(E), {AccessPath::Step::Index, nullptr, "0"});
  return append(lvalue(E), {AccessPath::Step::Deref, nullptr, ""});
}
