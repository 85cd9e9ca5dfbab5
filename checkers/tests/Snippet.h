// SPDX-License-Identifier: GPL-2.0-only
//
// A piece of C as the checks see it, for tests of what they stand on.

#ifndef DMACHECK_TESTS_SNIPPET_H
#define DMACHECK_TESTS_SNIPPET_H

#include "ast/TranslationUnit.h"
#include "clang/Frontend/ASTUnit.h"
#include <memory>

namespace dmacheck::test {

class Snippet {
public:
  /// Code may include the kernel-like headers; a test fails if it does not
  /// compile.
  explicit Snippet(llvm::StringRef Code);

  const TranslationUnit &unit() const { return *TU; }
  const Function &function(llvm::StringRef Name) const;
  /// The variable or parameter of that name anywhere in the function.
  const clang::VarDecl *variable(const Function &Fn,
                                 llvm::StringRef Name) const;
  /// The N-th expression statement of the function's own block, from 0.
  const clang::Expr *expression(const Function &Fn, unsigned N) const;

private:
  std::unique_ptr<clang::ASTUnit> Unit;
  std::unique_ptr<TranslationUnit> TU;
};

} // namespace dmacheck::test

#endif
