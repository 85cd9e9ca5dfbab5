// SPDX-License-Identifier: GPL-2.0-only

#include "ast/TranslationUnit.h"
#include "ast/Assignments.h"
#include "ast/Loops.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace dmacheck;

namespace {
class CallCollector : public RecursiveASTVisitor<CallCollector> {
public:
  explicit CallCollector(std::vector<const CallExpr *> &Out) : Out(Out) {}
  bool VisitCallExpr(CallExpr *Call) {
    Out.push_back(Call);
    return true;
  }

private:
  std::vector<const CallExpr *> &Out;
};
} // namespace

Function::Function(const FunctionDecl &Decl, ASTContext &Ctx)
    : Decl(Decl), Ctx(Ctx) {}

Function::~Function() = default;

const CFG *Function::cfg() const {
  if (!GraphTried) {
    GraphTried = true;
    CFG::BuildOptions Options;
    Options.setAllAlwaysAdd();
    Options.AddImplicitDtors = true; // cleanup attributes
    Options.PruneTriviallyFalseEdges = true;
    Graph = CFG::buildCFG(&Decl, Decl.getBody(), &Ctx, Options);
  }
  return Graph.get();
}

const PathBuilder &Function::paths() const {
  if (!Builder) {
    Aliases = std::make_unique<AliasMap>(aliasesIn(Decl));
    Builder = std::make_unique<PathBuilder>(*Aliases);
  }
  return *Builder;
}

bool Function::isAlias(const VarDecl *V) const {
  paths();
  return Aliases->contains(V->getCanonicalDecl());
}

bool Function::mentions(llvm::ArrayRef<llvm::StringLiteral> Words) const {
  const SourceManager &SM = Ctx.getSourceManager();
  auto [File, Begin] = SM.getDecomposedExpansionLoc(body()->getBeginLoc());
  auto [EndFile, End] = SM.getDecomposedExpansionLoc(body()->getEndLoc());
  llvm::StringRef Text = SM.getBufferData(File);
  if (File == EndFile && Begin < End)
    Text = Text.slice(Begin, End);
  return llvm::any_of(
      Words, [&](llvm::StringRef Word) { return Text.contains(Word); });
}

const std::vector<const CallExpr *> &Function::calls() const {
  if (!Calls) {
    Calls = std::make_unique<std::vector<const CallExpr *>>();
    CallCollector(*Calls).TraverseStmt(Decl.getBody());
  }
  return *Calls;
}

const LoopNest &Function::loops() const {
  if (!Nest)
    Nest = std::make_unique<LoopNest>(*this);
  return *Nest;
}

const Assignments &Function::assignments() const {
  if (!Assigned)
    Assigned = std::make_unique<Assignments>(body());
  return *Assigned;
}

TranslationUnit::TranslationUnit(ASTContext &Ctx) : Ctx(Ctx) {
  for (Decl *D : Ctx.getTranslationUnitDecl()->decls()) {
    auto *F = dyn_cast<FunctionDecl>(D);
    if (!F || !F->isThisDeclarationADefinition() || !F->getBody() ||
        F->hasSkippedBody())
      continue;
    Functions.push_back(std::make_unique<Function>(*F, Ctx));
    ByDecl[F->getCanonicalDecl()] = Functions.back().get();
  }
}

const Function *TranslationUnit::definition(const FunctionDecl *Decl) const {
  return Decl ? ByDecl.lookup(Decl->getCanonicalDecl()) : nullptr;
}
