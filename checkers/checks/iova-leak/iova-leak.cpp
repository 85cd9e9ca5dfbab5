// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/Ownership.h"
#include "ast/PathExplorer.h"
#include "ast/SourceText.h"
#include "ast/Summary.h"
#include "checks/Check.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace clang;
using namespace dmacheck;

namespace {

/// Follows every path from one allocation to where it ends well (freed, or
/// handed on) or badly.
class LeakVisitor : public PathVisitor {
public:
  struct Leak {
    std::shared_ptr<const Decision> Trail, MarkedAt;
    const ReturnStmt *Return;
  };

  LeakVisitor(const Function &Fn, const StateUses &Uses, const CallExpr *Alloc,
              AccessPath State)
      : Fn(Fn), Uses(Uses), Alloc(Alloc), State(std::move(State)),
        Own(isOwnMemory(this->State, Fn)) {
    for (const CallExpr *Call : Fn.calls())
      Frees |= Uses.byCall(Fn, Call, this->State) == StateUse::Releases;
  }

  std::vector<Leak> Leaks;
  const AccessPath &state() const { return State; }

  Next element(const CFGElement &E, PathState &S) override {
    if (auto Cleanup = E.getAs<CFGCleanupFunction>()) {
      bool Ends = S.Marked && Cleanup->getVarDecl() == State.base() &&
                  Uses.byCleanup(Cleanup->getFunctionDecl()) != StateUse::Keeps;
      return Ends ? endsWell(S) : Next::Continue;
    }
    auto AsStmt = E.getAs<CFGStmt>();
    if (!AsStmt)
      return Next::Continue;
    const Stmt *St = AsStmt->getStmt();
    if (St == Alloc)
      return allocated(S);
    if (!S.Marked)
      return Next::Continue;
    if (const auto *Call = dyn_cast<CallExpr>(St))
      return Uses.byCall(Fn, Call, State) != StateUse::Keeps ? endsWell(S)
                                                             : Next::Continue;
    return Uses.isHandedOnBy(Fn, St, State) ? endsWell(S) : Next::Continue;
  }

  void end(const PathState &S) override {
    if (!S.Marked)
      return;
    if (isHandedOn(S))
      endsWell(S);
    else
      Leaks.push_back({S.Trail, S.MarkedAt, S.Return});
  }

  /// The decision that dooms the path: the newest from which another way can
  /// end well and this one cannot. Null if no way ends well.
  const Decision *decider(const Leak &L) const {
    std::vector<bool> Good = blocksReaching(
        *Fn.cfg(), [&](const CFGBlock &B) { return EndsWellIn.contains(&B); });
    const Decision *Fallback = nullptr;
    for (auto D = L.Trail; D && D != L.MarkedAt; D = D->Before)
      for (const CFGBlock *Other : D->Block->succs()) {
        if (!Other || Other == D->Taken)
          continue;
        bool OtherIsGood =
            GoodWays.contains({D->Block, Other}) || Good[Other->getBlockID()];
        if (!OtherIsGood)
          continue;
        if (!GoodWays.contains({D->Block, D->Taken}))
          return D.get();
        if (!Fallback)
          Fallback = D.get();
      }
    return Fallback;
  }

private:
  Next endsWell(const PathState &S) {
    if (!S.Block->empty() && S.Block != &Fn.cfg()->getExit())
      EndsWellIn.insert(S.Block);
    for (auto D = S.Trail; D && D != S.MarkedAt; D = D->Before)
      GoodWays.insert({D->Block, D->Taken});
    return Next::Stop;
  }

  Next allocated(PathState &S) {
    if (S.Marked)
      return Next::Stop; // another round: its own leak is seen on its own path
    S.mark();
    S.Known.setCall(Alloc, Value::nonZero());
    S.Known.setTest("dma_use_iova", State, Value::nonZero());
    // The state was written through this pointer: it is not NULL.
    const DmaCall *Row = DmaApi::get().find(Alloc);
    if (auto P = Fn.paths().lvalue(Row->state(Alloc)))
      S.Known.learn(*P, Value::nonZero());
    return Next::Continue;
  }

  /// The caller has the state now, and this return tells it so.
  bool isHandedOn(const PathState &S) const {
    const Expr *Value = S.Return ? S.Return->getRetValue() : nullptr;
    bool Mentioned = false;
    if (Value &&
        (Value->getType()->isPointerType() || Value->getType()->isRecordType()))
      forEachVariable(
          Value, [&](const VarDecl *V) { Mentioned |= V == State.base(); });
    if (Mentioned)
      return true;
    if (Own)
      return false;
    // Somebody else's memory: theirs to free, unless this function frees it
    // itself when it fails and did not on this path.
    if (!Frees || !Value)
      return true;
    dmacheck::Value V = S.Known.eval(Value);
    QualType T = Fn.decl().getReturnType();
    if (T->isPointerType()) {
      const auto *Call = dyn_cast<CallExpr>(strip(Value));
      bool Error = Call && calleeName(Call) == "ERR_PTR";
      return !Error && V.truth() != false;
    }
    if (T->isBooleanType())
      return V.truth() != false;
    if (auto C = V.asConstant())
      return *C >= 0;
    return V.truth() != true;
  }

  const Function &Fn;
  const StateUses &Uses;
  const CallExpr *Alloc;
  AccessPath State;
  bool Own, Frees = false;
  std::set<const CFGBlock *> EndsWellIn;
  std::set<std::pair<const CFGBlock *, const CFGBlock *>> GoodWays;
};

/// "sg_alloc_table() fails", if the condition tests what a call returned.
std::string causeOf(const Decision &D, const Function &Fn) {
  const Expr *Tested = D.Condition ? strip(D.Condition) : nullptr;
  if (const auto *B = dyn_cast_or_null<BinaryOperator>(Tested))
    Tested = strip(B->getLHS());
  auto P = Tested ? Fn.paths().lvalue(Tested) : std::nullopt;
  if (!P)
    return "";
  for (const CFGElement &E : llvm::reverse(*D.Block))
    if (auto S = E.getAs<CFGStmt>())
      if (const auto *B = dyn_cast<BinaryOperator>(S->getStmt());
          B && B->getOpcode() == BO_Assign)
        if (auto Written = Fn.paths().lvalue(B->getLHS());
            Written && *Written == *P) {
          const auto *Call = dyn_cast<CallExpr>(strip(B->getRHS()));
          return Call && !calleeName(Call).empty()
                     ? (calleeName(Call) + "() fails").str()
                     : "";
        }
  return "";
}

class IovaLeak : public Check {
public:
  llvm::ArrayRef<llvm::StringLiteral> identifiers() const override {
    static constexpr llvm::StringLiteral Words[] = {"dma_iova_try_alloc"};
    return Words;
  }

  void run(TranslationUnit &TU, const Reporter &Report) const override {
    StateUses Uses(TU);
    for (const auto &Fn : TU.functions())
      for (const CallExpr *Call : Fn->calls()) {
        const DmaCall *Row = DmaApi::get().find(Call, DmaRole::IovaAlloc);
        if (!Row || !Fn->cfg())
          continue;
        if (auto State = Fn->paths().pointee(Row->state(Call))) {
          LeakVisitor Visitor(*Fn, Uses, Call, *State);
          PathExplorer(TU, *Fn).run(Visitor);
          report(TU, *Fn, Call, Visitor, Report);
        }
      }
  }

private:
  static void report(TranslationUnit &TU, const Function &Fn,
                     const CallExpr *Alloc, const LeakVisitor &Visitor,
                     const Reporter &Report) {
    llvm::StringSet<> Seen;
    std::string State = Visitor.state().objectText();
    for (const LeakVisitor::Leak &L : Visitor.Leaks) {
      Defect D;
      D.Function = &Fn.decl();
      std::string When;
      SourceLocation End =
          L.Return ? L.Return->getBeginLoc() : Fn.body()->getEndLoc();
      D.Path.push_back({Alloc->getBeginLoc(), "IOVA space allocated here"});
      const Decision *Decider = Visitor.decider(L);
      if (Decider && Decider->Condition) {
        const Expr *C = Decider->Condition;
        std::string Text = writtenText(C, TU.sources());
        When = causeOf(*Decider, Fn);
        std::string Branch =
            "'" + Text + "' is " + (Decider->Truth ? "true" : "false");
        D.Loc = C->getBeginLoc();
        D.Key = State + "|" + normalisedText(C) +
                (Decider->Truth ? "|true" : "|false");
        D.Path.push_back(
            {C->getBeginLoc(), When.empty() ? Branch : When + ": " + Branch});
        if (When.empty())
          When = Branch;
      } else {
        D.Loc =
            Decider ? Decider->Block->getTerminatorStmt()->getBeginLoc() : End;
        D.Key = State + "|return";
      }
      if (!Seen.insert(D.Key).second)
        continue;
      D.Path.push_back(
          {End, "returns; nothing on this path freed the IOVA space"});
      D.Message = "IOVA space of " + State + " leaks" +
                  (When.empty() ? "" : " when " + When) +
                  ": neither dma_iova_free() nor dma_iova_destroy() is reached";
      Report(std::move(D));
    }
  }
};

} // namespace

DMACHECK_REGISTER("iova-leak", IovaLeak)
