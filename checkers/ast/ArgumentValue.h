// SPDX-License-Identifier: GPL-2.0-only
//
// What an argument can be, and whether two arguments of one function are
// certain to differ. "Not known" is the usual answer.

#ifndef DMACHECK_AST_ARGUMENTVALUE_H
#define DMACHECK_AST_ARGUMENTVALUE_H

#include "ast/TranslationUnit.h"
#include <map>
#include <optional>
#include <set>
#include <string>

namespace dmacheck {

/// Every constant that E can be: one, or several if conditions decide. None if
/// it can be anything else. Looks through local variables.
std::set<int64_t> possibleConstants(const TranslationUnit &TU,
                                    const Function &Fn, const clang::Expr *E);

/// A sum: constant + factor * term + ... Terms are named so that equal names
/// are equal values all through the function.
struct LinearSum {
  std::map<std::string, int64_t> Terms;
  int64_t Constant = 0;
};
/// Nothing if a part of E changes in the function.
std::optional<LinearSum> linearSum(const TranslationUnit &TU,
                                   const Function &Fn, const clang::Expr *E);

/// True if one of the two is the other one plus something: n and n + 4, or n
/// and n + header. Sums that only look different do not differ.
bool certainlyDiffer(const LinearSum &A, const LinearSum &B);

/// True if E is read as it stands in memory although its type has a byte order
/// of its own, as __le16 has.
bool isInForeignByteOrder(const clang::Expr *E);

/// True if control can go from A to B, both expressions of Fn.
bool canReach(const Function &Fn, const clang::Expr *A, const clang::Expr *B);

/// True if control can go from A to the end of Fn and not come by Avoided.
bool canLeave(const Function &Fn, const clang::Expr *A,
              const clang::Expr *Avoided);

} // namespace dmacheck

#endif
