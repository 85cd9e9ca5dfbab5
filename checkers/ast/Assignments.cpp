// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Assignments.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace dmacheck;

namespace {
class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(Assignments &Out) : Out(Out) {}

  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->getOpcode() == BO_Assign)
      Out.All.push_back({B->getLHS(), B->getRHS()});
    return true;
  }
  bool VisitCompoundAssignOperator(CompoundAssignOperator *C) {
    Out.Steps.push_back(C);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->hasInit())
      Out.Inits.push_back({V, V->getInit()});
    return true;
  }

private:
  Assignments &Out;
};
} // namespace

Assignments::Assignments(const Stmt *S) {
  Collector(*this).TraverseStmt(const_cast<Stmt *>(S));
}
