// SPDX-License-Identifier: GPL-2.0-only

#include "Snippet.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace clang;
using namespace dmacheck;
using namespace dmacheck::test;

Snippet::Snippet(llvm::StringRef Code)
    : Unit(tooling::buildASTFromCodeWithArgs(
          Code, {"-std=gnu11", "-w", "-I", DMACHECK_INCLUDE_DIR},
          "snippet.c")) {
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred())
    llvm::report_fatal_error("snippet does not compile");
  TU = std::make_unique<TranslationUnit>(Unit->getASTContext());
}

const Function &Snippet::function(llvm::StringRef Name) const {
  for (const auto &Fn : TU->functions())
    if (Fn->decl().getName() == Name)
      return *Fn;
  llvm::report_fatal_error("snippet has no such function");
}

const VarDecl *Snippet::variable(const Function &Fn,
                                 llvm::StringRef Name) const {
  class Finder : public RecursiveASTVisitor<Finder> {
  public:
    explicit Finder(llvm::StringRef Name) : Name(Name) {}
    llvm::StringRef Name;
    const VarDecl *Found = nullptr;
    bool VisitVarDecl(VarDecl *V) {
      if (V->getName() == Name)
        Found = V;
      return !Found;
    }
  } F(Name);
  F.TraverseDecl(const_cast<FunctionDecl *>(&Fn.decl()));
  if (!F.Found)
    llvm::report_fatal_error("snippet has no such variable");
  return F.Found;
}

const Expr *Snippet::expression(const Function &Fn, unsigned N) const {
  for (const Stmt *S : cast<CompoundStmt>(Fn.body())->body())
    if (const auto *E = dyn_cast<Expr>(S); E && N-- == 0)
      return E;
  llvm::report_fatal_error("snippet has not so many expressions");
}
