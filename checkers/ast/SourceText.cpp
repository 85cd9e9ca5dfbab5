// SPDX-License-Identifier: GPL-2.0-only

#include "ast/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace dmacheck;

std::string dmacheck::normalisedText(const Expr *E) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  LangOptions C;
  C.C11 = true;
  PrintingPolicy Policy(C);
  E->IgnoreParenCasts()->printPretty(OS, nullptr, Policy);
  return Out;
}

std::string dmacheck::writtenText(const Stmt *S, const SourceManager &SM) {
  LangOptions C;
  CharSourceRange Range = SM.getExpansionRange(S->getSourceRange());
  // Both ends inside the argument of one macro: what was written there.
  CharSourceRange Inner = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(S->getSourceRange()), SM, C);
  llvm::StringRef Text =
      Lexer::getSourceText(Inner.isValid() ? Inner : Range, SM, C);
  std::string Out;
  bool Blank = false;
  for (char Ch : Text) {
    if (isspace(static_cast<unsigned char>(Ch))) {
      Blank = !Out.empty();
      continue;
    }
    if (Blank)
      Out += ' ';
    Blank = false;
    Out += Ch;
  }
  return Out;
}

namespace {
class VariableVisitor : public RecursiveASTVisitor<VariableVisitor> {
public:
  explicit VariableVisitor(llvm::function_ref<void(const VarDecl *)> Fn)
      : Fn(Fn) {}
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
      Fn(V->getCanonicalDecl());
    return true;
  }

private:
  llvm::function_ref<void(const VarDecl *)> Fn;
};
} // namespace

void dmacheck::forEachVariable(const Stmt *S,
                               llvm::function_ref<void(const VarDecl *)> Fn) {
  VariableVisitor(Fn).TraverseStmt(const_cast<Stmt *>(S));
}

llvm::StringRef dmacheck::calleeName(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  return F && F->getIdentifier() ? F->getName() : llvm::StringRef();
}

bool dmacheck::anyMacroAt(
    SourceLocation Loc, const SourceManager &SM,
    llvm::function_ref<bool(llvm::StringRef, SourceLocation)> Fn) {
  while (Loc.isMacroID()) {
    if (SM.isMacroArgExpansion(Loc)) {
      // The token was an argument: go on where the argument was written.
      Loc = SM.getImmediateSpellingLoc(Loc);
      continue;
    }
    llvm::StringRef Name = Lexer::getImmediateMacroName(Loc, SM, LangOptions());
    SourceLocation Call = SM.getImmediateExpansionRange(Loc).getBegin();
    if (Fn(Name, Call))
      return true;
    Loc = Call;
  }
  return false;
}

bool dmacheck::isFromMacro(SourceLocation Loc, llvm::StringRef Name,
                           const SourceManager &SM) {
  return anyMacroAt(
      Loc, SM, [&](llvm::StringRef N, SourceLocation) { return N == Name; });
}

const Expr *dmacheck::resultOf(const StmtExpr *S) {
  const CompoundStmt *Body = S->getSubStmt();
  return Body->body_empty() ? nullptr : dyn_cast<Expr>(Body->body_back());
}
