// SPDX-License-Identifier: GPL-2.0-only
//
// One parsed file as the checks see it: its function definitions, each with
// control-flow graph, aliases, loops and assignments made once, on demand.

#ifndef DMACHECK_AST_TRANSLATIONUNIT_H
#define DMACHECK_AST_TRANSLATIONUNIT_H

#include "ast/AccessPath.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <vector>

namespace dmacheck {

class LoopNest;
struct Assignments;

/// A function definition.
class Function {
public:
  Function(const clang::FunctionDecl &Decl, clang::ASTContext &Ctx);
  ~Function();

  const clang::FunctionDecl &decl() const { return Decl; }
  const clang::Stmt *body() const { return Decl.getBody(); }
  clang::ASTContext &context() const { return Ctx; }
  /// Every sub-expression is an element of its own, in order of evaluation;
  /// cleanup attributes are elements too. Null if clang cannot build it.
  const clang::CFG *cfg() const;
  const PathBuilder &paths() const;
  /// True if the variable is another name for what its initialiser points to.
  bool isAlias(const clang::VarDecl *V) const;
  /// True if the body's source text holds one of the words. Much cheaper than
  /// a look at the body.
  bool mentions(llvm::ArrayRef<llvm::StringLiteral> Words) const;
  /// All calls in the body, in source order.
  const std::vector<const clang::CallExpr *> &calls() const;
  /// Needs ast/Loops.h.
  const LoopNest &loops() const;
  /// Those of the whole body. Needs ast/Assignments.h.
  const Assignments &assignments() const;

private:
  const clang::FunctionDecl &Decl;
  clang::ASTContext &Ctx;
  mutable std::unique_ptr<clang::CFG> Graph;
  mutable bool GraphTried = false;
  mutable std::unique_ptr<AliasMap> Aliases;
  mutable std::unique_ptr<PathBuilder> Builder;
  mutable std::unique_ptr<std::vector<const clang::CallExpr *>> Calls;
  mutable std::unique_ptr<LoopNest> Nest;
  mutable std::unique_ptr<Assignments> Assigned;
};

class TranslationUnit {
public:
  explicit TranslationUnit(clang::ASTContext &Ctx);

  clang::ASTContext &context() const { return Ctx; }
  const clang::SourceManager &sources() const { return Ctx.getSourceManager(); }
  /// Definitions with a body that was parsed, in source order.
  const std::vector<std::unique_ptr<Function>> &functions() const {
    return Functions;
  }
  /// The definition in this translation unit, or null.
  const Function *definition(const clang::FunctionDecl *Decl) const;

private:
  clang::ASTContext &Ctx;
  std::vector<std::unique_ptr<Function>> Functions;
  llvm::DenseMap<const clang::FunctionDecl *, const Function *> ByDecl;
};

} // namespace dmacheck

#endif
