// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Facts.h"
#include "ast/DmaApi.h"
#include "ast/SourceText.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace dmacheck;

std::string Value::text() const {
  switch (K) {
  case Unknown:
    return "?";
  case NonZero:
    return "!0";
  case Const:
    return std::to_string(C);
  }
  llvm_unreachable("no such value");
}

const Expr *dmacheck::strip(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      if (calleeName(Call) == "__builtin_expect" && Call->getNumArgs() > 0) {
        E = Call->getArg(0);
        continue;
      }
    }
    if (const auto *S = dyn_cast<StmtExpr>(E))
      if (const Expr *Last = resultOf(S)) {
        E = Last;
        continue;
      }
    // "a, b" is b
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      if (B->getOpcode() == BO_Comma) {
        E = B->getRHS();
        continue;
      }
    return E;
  }
}

/// A test whose outcome stays the same until what it looks at is written.
static bool isPureTest(const CallExpr *Call) {
  if (const DmaCall *Row = DmaApi::get().find(Call))
    return Row->Role == DmaRole::MappingError ||
           Row->Role == DmaRole::IovaInUse;
  return llvm::StringSwitch<bool>(calleeName(Call))
      .Cases("IS_ERR", "IS_ERR_OR_NULL", true)
      .Default(false);
}

bool dmacheck::isBoolean(const Expr *E) {
  E = strip(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_LNot;
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->isComparisonOp() || B->isLogicalOp();
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return isPureTest(Call);
  return false;
}

static std::string callKey(const CallExpr *Call) {
  return "call@" + std::to_string(reinterpret_cast<uintptr_t>(Call));
}

std::optional<std::string> Facts::testKey(const CallExpr *Call,
                                          std::optional<AccessPath> &Of) const {
  if (!isPureTest(Call))
    return std::nullopt;
  const DmaCall *Row = DmaApi::get().find(Call);
  if (Row && Row->Role == DmaRole::IovaInUse)
    Of = Fn->paths().pointee(Row->state(Call));
  else if (Row && Row->handle(Call))
    Of = Fn->paths().lvalue(Row->handle(Call));
  else if (Call->getNumArgs() == 1)
    Of = Fn->paths().lvalue(Call->getArg(0));
  if (!Of)
    return std::nullopt;
  return (calleeName(Call) + "(" + Of->key() + ")").str();
}

void Facts::setCall(const CallExpr *Call, Value V) {
  Known[callKey(Call)] = {std::nullopt, V};
}

void Facts::setTest(llvm::StringRef Test, const AccessPath &Of, Value V) {
  Known[(Test + "(" + Of.key() + ")").str()] = {Of, V};
}

void Facts::set(const AccessPath &P, Value V) {
  forget(P);
  learn(P, V);
}

void Facts::learn(const AccessPath &P, Value V) {
  if (V.known())
    Known[P.key()] = {P, V};
}

void Facts::forget(const AccessPath &Written) {
  std::erase_if(Known, [&](const auto &Item) {
    return Item.second.Path && Item.second.Path->changesWith(Written);
  });
}

void Facts::assign(const Expr *LHS, Value V) {
  if (auto P = Fn->paths().lvalue(LHS))
    set(*P, V);
}

Value Facts::evalBinary(const BinaryOperator *B) const {
  if (B->isAssignmentOp()) {
    auto P = Fn->paths().lvalue(B->getLHS());
    auto It = P ? Known.find(P->key()) : Known.end();
    return It == Known.end() ? Value::unknown() : It->second.V;
  }
  Value L = eval(B->getLHS()), R = eval(B->getRHS());
  if (B->getOpcode() == BO_LAnd || B->getOpcode() == BO_LOr) {
    bool Decides = B->getOpcode() == BO_LOr;
    for (Value V : {L, R})
      if (V.truth() == Decides)
        return Value::constant(Decides);
    if (L.known() && R.known())
      return Value::constant(!Decides);
    return Value::unknown();
  }
  auto LC = L.asConstant(), RC = R.asConstant();
  if (B->isEqualityOp()) {
    bool WantEqual = B->getOpcode() == BO_EQ;
    if (LC && RC)
      return Value::constant((*LC == *RC) == WantEqual);
    // something that is not zero, against zero
    if (L.known() && R.known() && L.truth() != R.truth())
      return Value::constant(!WantEqual);
    return Value::unknown();
  }
  if (!LC || !RC)
    return Value::unknown();
  switch (B->getOpcode()) {
  case BO_LT:
    return Value::constant(*LC < *RC);
  case BO_GT:
    return Value::constant(*LC > *RC);
  case BO_LE:
    return Value::constant(*LC <= *RC);
  case BO_GE:
    return Value::constant(*LC >= *RC);
  default:
    return Value::unknown();
  }
}

Value Facts::eval(const Expr *E) const {
  E = strip(E);
  Expr::EvalResult Result;
  if (!E->isValueDependent() && E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Result, TU->context()))
    return Value::constant(Result.Val.getInt().getExtValue());
  if (E->isNullPointerConstant(TU->context(),
                               Expr::NPC_ValueDependentIsNotNull))
    return Value::constant(0);
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    auto It = Known.find(callKey(Call));
    if (It != Known.end())
      return It->second.V;
    std::optional<AccessPath> Of;
    if (auto Key = testKey(Call, Of))
      if (It = Known.find(*Key); It != Known.end())
        return It->second.V;
    if (calleeName(Call) == "ERR_PTR" && Call->getNumArgs() == 1)
      return eval(Call->getArg(0));
    return Value::unknown();
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    Value Sub =
        U->getOpcode() == UO_AddrOf ? Value::nonZero() : eval(U->getSubExpr());
    switch (U->getOpcode()) {
    case UO_AddrOf:
      return Sub;
    case UO_LNot:
      if (auto T = Sub.truth())
        return Value::constant(!*T);
      return Value::unknown();
    case UO_Minus:
      if (auto C = Sub.asConstant())
        return Value::constant(-*C);
      return Sub;
    default:
      break;
    }
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return evalBinary(B);
  if (auto P = Fn->paths().lvalue(E))
    if (auto It = Known.find(P->key()); It != Known.end())
      return It->second.V;
  return Value::unknown();
}

bool Facts::assumeBinary(const BinaryOperator *B, bool Truth) {
  if (B->isLogicalOp()) {
    bool And = B->getOpcode() == BO_LAnd;
    if (And == Truth) // both sides had the same outcome
      return assume(B->getLHS(), Truth) && assume(B->getRHS(), Truth);
    // One side had it; if it was not the one, it was the other.
    if (eval(B->getLHS()).truth() == And)
      return assume(B->getRHS(), Truth);
    if (eval(B->getRHS()).truth() == And)
      return assume(B->getLHS(), Truth);
    return true;
  }
  const Expr *L = strip(B->getLHS());
  if (const auto *A = dyn_cast<BinaryOperator>(L); A && A->isAssignmentOp())
    L = A->getLHS();
  auto Right = eval(B->getRHS()).asConstant();
  auto P = Fn->paths().lvalue(L);
  if (!Right || !P)
    return true;
  BinaryOperatorKind Op = B->getOpcode();
  if ((Op == BO_EQ && Truth) || (Op == BO_NE && !Truth))
    learn(*P, Value::constant(*Right));
  else if ((Op == BO_EQ || Op == BO_NE) && *Right == 0)
    learn(*P, Value::nonZero());
  else if ((Op == BO_LT && Truth && *Right <= 0) ||
           (Op == BO_GT && Truth && *Right >= 0))
    learn(*P, Value::nonZero());
  return true;
}

bool Facts::assume(const Expr *E, bool Truth) {
  E = strip(E);
  if (auto Already = eval(E).truth())
    return *Already == Truth;
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    if (U->getOpcode() == UO_LNot)
      return assume(U->getSubExpr(), !Truth);
  Value V = Truth ? Value::nonZero() : Value::constant(0);
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (!B->isAssignmentOp())
      return assumeBinary(B, Truth);
    if (auto P = Fn->paths().lvalue(B->getLHS()))
      learn(*P, V);
    return true;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    std::optional<AccessPath> Of;
    if (auto Key = testKey(Call, Of))
      Known[*Key] = {Of, V};
    return true;
  }
  if (auto P = Fn->paths().lvalue(E))
    learn(*P, V);
  return true;
}

void Facts::execute(const Stmt *S) {
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each)) {
        Value Init = V->hasInit() && !isa<InitListExpr>(V->getInit())
                         ? eval(V->getInit())
                         : Value::unknown();
        AccessPath P = AccessPath::ofVariable(V);
        set(P, Init);
      }
    return;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->getOpcode() == BO_Assign)
      assign(B->getLHS(), eval(B->getRHS()));
    else if (B->isCompoundAssignmentOp())
      assign(B->getLHS(), Value::unknown());
    return;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(S)) {
    if (!U->isIncrementDecrementOp())
      return;
    Value Old = eval(U->getSubExpr()), New = Value::unknown();
    if (auto C = Old.asConstant()) {
      int64_t Next = *C + (U->isIncrementOp() ? 1 : -1);
      // Past the first few rounds all that matters is "not zero any more".
      New = Next >= 0 && Next <= 2 ? Value::constant(Next) : Value::nonZero();
    } else if (Old.known() && U->isIncrementOp()) {
      New = Value::nonZero();
    }
    assign(U->getSubExpr(), New);
    return;
  }
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const DmaCall *Row = DmaApi::get().find(Call);
    if (Row && Row->Role != DmaRole::IovaFree && Row->Role != DmaRole::Alloc)
      return; // none of the others writes what a test looks at
    for (const Expr *Arg : Call->arguments()) {
      const auto *U = dyn_cast<UnaryOperator>(Arg->IgnoreParenCasts());
      if (U && U->getOpcode() == UO_AddrOf)
        if (auto P = Fn->paths().lvalue(U->getSubExpr()))
          forget(*P);
    }
  }
}

std::string Facts::fingerprint() const {
  std::string Out;
  for (const auto &[Key, Item] : Known)
    Out += Key + "=" + Item.V.text() + ";";
  return Out;
}
