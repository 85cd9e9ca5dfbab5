// SPDX-License-Identifier: GPL-2.0-only

#include "ast/ArgumentValue.h"
#include "ast/Assignments.h"
#include "ast/Facts.h"
#include "ast/Loops.h"
#include "ast/PathExplorer.h"
#include "ast/SourceText.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace dmacheck;

/// Variables that are set from variables that are set from ...
static constexpr unsigned MaxDepth = 6;
static constexpr size_t MaxConstants = 4;

static std::optional<int64_t> constantOf(const TranslationUnit &TU,
                                         const Expr *E) {
  Expr::EvalResult R;
  if (!E->isValueDependent() && E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(R, TU.context()))
    return R.Val.getInt().getExtValue();
  return std::nullopt;
}

/// A local variable that only this function can change.
static const VarDecl *localVariable(const Function &Fn, const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!V || !V->hasLocalStorage())
    return nullptr;
  return V;
}

namespace {
/// Everything that is assigned to one variable.
struct Sources {
  std::vector<const Expr *> Values;
  std::vector<const CompoundAssignOperator *> Steps;
  bool Elsewhere = false; ///< its address is taken, or it is counted up
};

class AddressTaken : public RecursiveASTVisitor<AddressTaken> {
public:
  AddressTaken(const VarDecl *V) : V(V) {}
  bool Found = false;
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (U->getOpcode() != UO_AddrOf && !U->isIncrementDecrementOp())
      return true;
    const auto *Ref =
        dyn_cast<DeclRefExpr>(U->getSubExpr()->IgnoreParenCasts());
    Found |= Ref && Ref->getDecl()->getCanonicalDecl() == V;
    return true;
  }

private:
  const Decl *V;
};
} // namespace

static Sources sourcesOf(const Function &Fn, const VarDecl *V) {
  Sources Out;
  const VarDecl *Canonical = V->getCanonicalDecl();
  auto IsV = [&](const Expr *To) {
    const auto *Ref = dyn_cast<DeclRefExpr>(To->IgnoreParenCasts());
    return Ref && Ref->getDecl()->getCanonicalDecl() == Canonical;
  };
  const Assignments &A = Fn.assignments();
  for (const Assignment &Each : A.All)
    if (IsV(Each.To))
      Out.Values.push_back(Each.From);
  for (auto [Var, Init] : A.Inits)
    if (Var->getCanonicalDecl() == Canonical)
      Out.Values.push_back(Init);
  for (const CompoundAssignOperator *Step : A.Steps)
    if (IsV(Step->getLHS()))
      Out.Steps.push_back(Step);
  AddressTaken Taken(Canonical);
  Taken.TraverseStmt(const_cast<Stmt *>(Fn.body()));
  Out.Elsewhere = Taken.Found || isa<ParmVarDecl>(V);
  return Out;
}

static std::set<int64_t> constants(const TranslationUnit &TU,
                                   const Function &Fn, const Expr *E,
                                   unsigned Depth) {
  if (auto C = constantOf(TU, E))
    return {*C};
  E = strip(E);
  if (auto C = constantOf(TU, E))
    return {*C};
  if (Depth > MaxDepth)
    return {};
  auto Join = [&](const Expr *A, const Expr *B) {
    auto L = constants(TU, Fn, A, Depth + 1);
    auto R = constants(TU, Fn, B, Depth + 1);
    if (L.empty() || R.empty())
      return std::set<int64_t>{};
    L.insert(R.begin(), R.end());
    return L;
  };
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return Join(Choice->getTrueExpr(), Choice->getFalseExpr());
  const VarDecl *V = localVariable(Fn, E);
  if (!V)
    return {};
  Sources From = sourcesOf(Fn, V);
  if (From.Elsewhere || From.Values.empty())
    return {};
  std::set<int64_t> Out;
  for (const Expr *Value : From.Values) {
    auto Each = constants(TU, Fn, Value, Depth + 1);
    if (Each.empty())
      return {};
    Out.insert(Each.begin(), Each.end());
  }
  for (const CompoundAssignOperator *Step : From.Steps) {
    auto Bits = constantOf(TU, Step->getRHS());
    if (Step->getOpcode() != BO_OrAssign || !Bits)
      return {};
    for (int64_t Before : std::set<int64_t>(Out))
      Out.insert(Before | *Bits);
  }
  return Out.size() <= MaxConstants ? Out : std::set<int64_t>{};
}

std::set<int64_t> dmacheck::possibleConstants(const TranslationUnit &TU,
                                              const Function &Fn,
                                              const Expr *E) {
  return constants(TU, Fn, E, 0);
}

static void add(LinearSum &To, const LinearSum &What, int64_t Factor) {
  To.Constant += What.Constant * Factor;
  for (auto [Term, N] : What.Terms)
    if ((To.Terms[Term] += N * Factor) == 0)
      To.Terms.erase(Term);
}

/// A term that is what it is all through the function.
static std::optional<LinearSum> term(const Function &Fn, const Expr *E) {
  auto P = Fn.paths().lvalue(E);
  std::string Name = P ? P->key() : normalisedText(E);
  if (!P && !isa<CallExpr, BinaryOperator>(E))
    return std::nullopt;
  auto Writes = writesOf(Fn.body(), Fn.paths());
  // What lies behind a pointer must not be written at all; a variable may be
  // set once, and its declaration counts as a write.
  bool Changes = P && llvm::any_of(Writes, [&](const AccessPath &W) {
                   return !W.steps().empty() && P->changesWith(W);
                 });
  forEachVariable(E, [&](const VarDecl *V) {
    unsigned Allowed = isa<ParmVarDecl>(V) || !V->hasLocalStorage() ? 0
                       : V->hasInit()                               ? 1
                                                                    : 2;
    Changes |= llvm::count_if(Writes, [&](const AccessPath &W) {
                 return W.steps().empty() && W.base() == V;
               }) > Allowed;
  });
  if (Changes)
    return std::nullopt;
  LinearSum Sum;
  Sum.Terms[Name] = 1;
  return Sum;
}

static std::optional<LinearSum> sum(const TranslationUnit &TU,
                                    const Function &Fn, const Expr *E,
                                    unsigned Depth) {
  E = strip(E);
  if (auto C = constantOf(TU, E)) {
    LinearSum Sum;
    Sum.Constant = *C;
    return Sum;
  }
  if (Depth > MaxDepth)
    return std::nullopt;
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    auto C = constantOf(TU, B->getRHS());
    if (B->isAdditiveOp()) {
      auto L = sum(TU, Fn, B->getLHS(), Depth + 1);
      auto R = sum(TU, Fn, B->getRHS(), Depth + 1);
      if (!L || !R)
        return std::nullopt;
      add(*L, *R, B->getOpcode() == BO_Add ? 1 : -1);
      return L;
    }
    const Expr *Other = B->getLHS();
    if (B->getOpcode() == BO_Mul && !C) {
      C = constantOf(TU, B->getLHS());
      Other = B->getRHS();
    }
    if (B->getOpcode() == BO_Shl && C)
      C = *C >= 0 && *C < 32 ? std::optional<int64_t>(int64_t(1) << *C)
                             : std::nullopt;
    if (C && (B->getOpcode() == BO_Mul || B->getOpcode() == BO_Shl)) {
      auto Inner = sum(TU, Fn, Other, Depth + 1);
      if (!Inner)
        return std::nullopt;
      LinearSum Scaled;
      add(Scaled, *Inner, *C);
      return Scaled;
    }
    return term(Fn, E);
  }
  if (const VarDecl *V = localVariable(Fn, E); V && !isa<ParmVarDecl>(V)) {
    Sources From = sourcesOf(Fn, V);
    if (!From.Elsewhere && From.Steps.empty() && From.Values.size() == 1)
      if (auto Inner = sum(TU, Fn, From.Values.front(), Depth + 1))
        return Inner;
  }
  return term(Fn, E);
}

std::optional<LinearSum> dmacheck::linearSum(const TranslationUnit &TU,
                                             const Function &Fn,
                                             const Expr *E) {
  return sum(TU, Fn, E, 0);
}

static bool isMore(const LinearSum &A, const LinearSum &B) {
  if (B.Terms.empty() && B.Constant == 0)
    return false;
  LinearSum Rest = A;
  add(Rest, B, -1);
  bool Some = Rest.Constant > 0 || !Rest.Terms.empty();
  return Some && Rest.Constant >= 0 &&
         llvm::all_of(Rest.Terms, [](const auto &T) { return T.second > 0; });
}

bool dmacheck::certainlyDiffer(const LinearSum &A, const LinearSum &B) {
  return isMore(A, B) || isMore(B, A);
}

bool dmacheck::isInForeignByteOrder(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const auto *T = E->getType()->getAs<TypedefType>();
  return T && isa<MemberExpr, DeclRefExpr, ArraySubscriptExpr>(E) &&
         llvm::StringSwitch<bool>(T->getDecl()->getName())
             .Cases("__le16", "__le32", "__le64", true)
             .Cases("__be16", "__be32", "__be64", true)
             .Default(false);
}

namespace {
/// Where an expression is evaluated.
struct Spot {
  const CFGBlock *Block = nullptr;
  size_t At = 0;
};
} // namespace

static Spot spotOf(const CFG &Graph, const Expr *E) {
  E = E->IgnoreParens(); // which are no steps of the graph
  for (const CFGBlock *Block : Graph)
    for (size_t I = 0; I < Block->size(); ++I)
      if (auto S = (*Block)[I].getAs<CFGStmt>(); S && S->getStmt() == E)
        return {Block, I};
  return {};
}

bool dmacheck::canReach(const Function &Fn, const Expr *A, const Expr *B) {
  const CFG *Graph = Fn.cfg();
  if (!Graph)
    return false;
  Spot From = spotOf(*Graph, A), To = spotOf(*Graph, B);
  if (!From.Block || !To.Block)
    return false;
  if (From.Block == To.Block && From.At < To.At)
    return true;
  auto Reaches = blocksReaching(
      *Graph, [&](const CFGBlock &Each) { return &Each == To.Block; });
  return llvm::any_of(From.Block->succs(), [&](const CFGBlock *Next) {
    return Next && Reaches[Next->getBlockID()];
  });
}

bool dmacheck::canLeave(const Function &Fn, const Expr *A,
                        const Expr *Avoided) {
  const CFG *Graph = Fn.cfg();
  if (!Graph)
    return false;
  Spot From = spotOf(*Graph, A), Not = spotOf(*Graph, Avoided);
  if (!From.Block || (From.Block == Not.Block && From.At < Not.At))
    return false;
  std::vector<bool> Seen(Graph->getNumBlockIDs(), false);
  std::vector<const CFGBlock *> Todo{From.Block};
  while (!Todo.empty()) {
    const CFGBlock *Block = Todo.back();
    Todo.pop_back();
    for (const CFGBlock *Next : Block->succs()) {
      if (!Next || Next == Not.Block || Seen[Next->getBlockID()])
        continue;
      if (Next == &Graph->getExit())
        return true;
      Seen[Next->getBlockID()] = true;
      Todo.push_back(Next);
    }
  }
  return false;
}
