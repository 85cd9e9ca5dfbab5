// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/PathExplorer.h"
#include "ast/SourceText.h"
#include "ast/Summary.h"
#include "checks/Check.h"

using namespace clang;
using namespace dmacheck;

namespace {

struct Link {
  const CallExpr *Call;
  AccessPath State;
  int64_t Offset;
};

std::optional<Link> constantLink(const CallExpr *Call, const Function &Fn,
                                 const ASTContext &Ctx) {
  const DmaCall *Row = DmaApi::get().find(Call, DmaRole::IovaLink);
  if (!Row || !Row->offset(Call))
    return std::nullopt;
  Expr::EvalResult Offset;
  if (!Row->offset(Call)->EvaluateAsInt(Offset, Ctx))
    return std::nullopt;
  auto State = Fn.paths().pointee(Row->state(Call));
  if (!State)
    return std::nullopt;
  return Link{Call, *State, Offset.Val.getInt().getExtValue()};
}

/// Follows one link that succeeded to the next one at the same offset.
class SecondLink : public PathVisitor {
public:
  SecondLink(const TranslationUnit &TU, const Function &Fn, const Link &First)
      : TU(TU), Fn(Fn), Uses(TU), First(First) {}

  const CallExpr *Found = nullptr;

  Next element(const CFGElement &E, PathState &S) override {
    auto AsStmt = E.getAs<CFGStmt>();
    if (!AsStmt || Found)
      return Found ? Next::Stop : Next::Continue;
    const Stmt *St = AsStmt->getStmt();
    if (const auto *Call = dyn_cast<CallExpr>(St))
      return call(Call, S);
    if (S.Marked && isNewState(St))
      return Next::Stop;
    return Next::Continue;
  }
  void end(const PathState &) override {}

private:
  Next call(const CallExpr *Call, PathState &S) {
    if (auto L = constantLink(Call, Fn, TU.context());
        S.Marked && L && L->State == First.State && L->Offset == First.Offset) {
      Found = Call;
      return Next::Stop;
    }
    if (Call == First.Call) {
      S.mark();
      S.Known.setCall(Call, Value::constant(0)); // a failed link took no room
      return Next::Continue;
    }
    const DmaCall *Row = DmaApi::get().find(Call);
    bool Empties = Row && (Row->Role == DmaRole::IovaFree ||
                           Row->Role == DmaRole::IovaAlloc ||
                           Row->Role == DmaRole::IovaUnlink);
    if (S.Marked && Empties)
      if (auto State = Fn.paths().pointee(Row->state(Call));
          State && *State == First.State)
        return Next::Stop;
    // A function that frees the state, or may, has emptied it.
    if (S.Marked && !Row &&
        Uses.byCall(Fn, Call, First.State) != StateUse::Keeps)
      return Next::Stop;
    return Next::Continue;
  }

  /// Did this element make the state expression name another state?
  bool isNewState(const Stmt *St) const {
    std::optional<AccessPath> Written;
    if (const auto *B = dyn_cast<BinaryOperator>(St); B && B->isAssignmentOp())
      Written = Fn.paths().lvalue(B->getLHS());
    else if (const auto *U = dyn_cast<UnaryOperator>(St);
             U && U->isIncrementDecrementOp())
      Written = Fn.paths().lvalue(U->getSubExpr());
    else if (const auto *D = dyn_cast<DeclStmt>(St); D && D->isSingleDecl())
      if (const auto *V = dyn_cast<VarDecl>(D->getSingleDecl()))
        Written = AccessPath::ofVariable(V);
    return Written && First.State.changesWith(*Written);
  }

  const TranslationUnit &TU;
  const Function &Fn;
  StateUses Uses;
  const Link &First;
};

class IovaLinkFixedOffset : public Check {
public:
  llvm::ArrayRef<llvm::StringLiteral> identifiers() const override {
    static constexpr llvm::StringLiteral Words[] = {"dma_iova_link"};
    return Words;
  }

  void run(TranslationUnit &TU, const Reporter &Report) const override {
    for (const auto &Fn : TU.functions())
      for (const CallExpr *Call : Fn->calls())
        if (auto First = constantLink(Call, *Fn, TU.context()))
          follow(TU, *Fn, *First, Report);
  }

private:
  static void follow(TranslationUnit &TU, const Function &Fn, const Link &First,
                     const Reporter &Report) {
    SecondLink Visitor(TU, Fn, First);
    PathExplorer(TU, Fn).run(Visitor);
    if (!Visitor.Found)
      return;
    const DmaCall *Row = DmaApi::get().find(Visitor.Found, DmaRole::IovaLink);
    const SourceManager &SM = TU.sources();
    std::string State = First.State.objectText();
    std::string Offset = writtenText(Row->offset(Visitor.Found), SM);
    bool InLoop = Visitor.Found == First.Call;
    Defect D;
    D.Loc = Row->offset(Visitor.Found)->getBeginLoc();
    D.Function = &Fn.decl();
    D.Key = State + "@" + std::to_string(First.Offset);
    D.Message =
        "dma_iova_link() puts " +
        std::string(InLoop ? "every range of the loop" : "a second range") +
        " at offset " + Offset + " of " + State +
        "; each must start where the one before ended";
    if (InLoop) {
      D.Path.push_back({First.Call->getBeginLoc(),
                        "linked at offset " + Offset +
                            " and reached again with nothing unlinked"});
    } else {
      D.Path.push_back(
          {First.Call->getBeginLoc(), "first linked at offset " + Offset});
      D.Path.push_back(
          {Visitor.Found->getBeginLoc(), "linked again at offset " + Offset});
    }
    Report(std::move(D));
  }
};

} // namespace

DMACHECK_REGISTER("iova-link-fixed-offset", IovaLinkFixedOffset)
