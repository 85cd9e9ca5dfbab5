// SPDX-License-Identifier: GPL-2.0-only
//
// What is known of values on one path through a function: constants, zero or
// not, and the outcome of pure tests such as dma_use_iova(state).

#ifndef DMACHECK_AST_FACTS_H
#define DMACHECK_AST_FACTS_H

#include "ast/TranslationUnit.h"
#include <map>
#include <optional>
#include <string>

namespace dmacheck {

class Value {
public:
  Value() = default;
  static Value unknown() { return {}; }
  static Value constant(int64_t C) { return {Const, C}; }
  static Value nonZero() { return {NonZero, 0}; }

  /// True or false if the value decides a condition.
  std::optional<bool> truth() const {
    if (K == Unknown)
      return std::nullopt;
    return K == NonZero || C != 0;
  }
  std::optional<int64_t> asConstant() const {
    if (K == Const)
      return C;
    return std::nullopt;
  }
  bool known() const { return K != Unknown; }
  bool operator==(const Value &O) const { return K == O.K && C == O.C; }
  std::string text() const;

private:
  enum Kind { Unknown, Const, NonZero } K = Unknown;
  int64_t C = 0;
  Value(Kind K, int64_t C) : K(K), C(C) {}
};

class Facts {
public:
  Facts(const TranslationUnit &TU, const Function &Fn) : TU(&TU), Fn(&Fn) {}

  Value eval(const clang::Expr *E) const;
  /// Records that E came out true (or false). Returns false if that contradicts
  /// what is known: the path cannot be taken.
  bool assume(const clang::Expr *E, bool Truth);
  /// Runs one CFG element: assignments, declarations, increments, calls that
  /// are given an address.
  void execute(const clang::Stmt *S);

  /// Fixes the value of one call expression, for as long as the path lasts.
  void setCall(const clang::CallExpr *Call, Value V);
  /// Records the outcome of a pure test, e.g. dma_use_iova() of a state.
  void setTest(llvm::StringRef Test, const AccessPath &Of, Value V);
  /// P was written: what is known of it, and behind it, is V and nothing else.
  void set(const AccessPath &P, Value V);
  /// P turned out to be V.
  void learn(const AccessPath &P, Value V);

  /// Equal text means equal knowledge.
  std::string fingerprint() const;

private:
  struct Entry {
    std::optional<AccessPath> Path; ///< what the fact depends on
    Value V;
  };
  std::optional<std::string> testKey(const clang::CallExpr *Call,
                                     std::optional<AccessPath> &Of) const;
  void forget(const AccessPath &Written);
  void assign(const clang::Expr *LHS, Value V);
  Value evalBinary(const clang::BinaryOperator *B) const;
  bool assumeBinary(const clang::BinaryOperator *B, bool Truth);

  const TranslationUnit *TU;
  const Function *Fn;
  std::map<std::string, Entry> Known;
};

/// True for an expression whose value is a truth: comparisons, !, && and ||,
/// and the pure tests.
bool isBoolean(const clang::Expr *E);

/// Looks through parentheses, casts, __builtin_expect and the value of a
/// statement expression.
const clang::Expr *strip(const clang::Expr *E);

} // namespace dmacheck

#endif
