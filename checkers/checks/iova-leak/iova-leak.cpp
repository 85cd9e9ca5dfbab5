// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/Ownership.h"
#include "ast/PathExplorer.h"
#include "ast/SourceText.h"
#include "ast/Summary.h"
#include "checks/Check.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace dmacheck;

namespace {

/// Members through which code that is not seen finds the object around them.
bool isIntrusive(QualType T) {
  const auto *Record = T->getAs<RecordType>();
  return Record && llvm::StringSwitch<bool>(Record->getDecl()->getName())
                       .Cases("list_head", "hlist_node", "rb_node", true)
                       .Cases("work_struct", "delayed_work", "timer_list", true)
                       .Cases("kref", "kobject", "device", "llist_node", true)
                       .Cases("callback_head", "rcu_work", "dma_fence", true)
                       .Default(false);
}

class LeakVisitor : public PathVisitor {
public:
  struct Leak {
    std::shared_ptr<const Decision> Decider; ///< null: no path frees it
    const ReturnStmt *Return;
  };

  LeakVisitor(const Function &Fn, Summaries &Summary, const CallExpr *Alloc,
              AccessPath State)
      : Fn(Fn), Summary(Summary), Alloc(Alloc), State(std::move(State)),
        Own(isOwnMemory(this->State, Fn)) {
    ReachesRelease = blocksReaching(*Fn.cfg(), [&](const CFGBlock &B) {
      return holds(B, [&](const CallExpr *Call) {
        return useBy(Call) == StateUse::Releases;
      });
    });
  }

  std::vector<Leak> Leaks;
  const AccessPath &state() const { return State; }

  Next element(const CFGElement &E, PathState &S) override {
    if (auto Cleanup = E.getAs<CFGCleanupFunction>())
      return S.Marked && Cleanup->getVarDecl() == State.base() ? Next::Stop
                                                               : Next::Continue;
    auto AsStmt = E.getAs<CFGStmt>();
    if (!AsStmt)
      return Next::Continue;
    const Stmt *St = AsStmt->getStmt();
    if (const auto *Call = dyn_cast<CallExpr>(St)) {
      if (Call == Alloc)
        return allocated(S);
      return S.Marked && useBy(Call) != StateUse::Keeps ? Next::Stop
                                                        : Next::Continue;
    }
    return S.Marked && handsOn(St) ? Next::Stop : Next::Continue;
  }

  void end(const ReturnStmt *Return, const PathState &S) override {
    if (!S.Marked || isHandedOn(Return, S))
      return;
    std::shared_ptr<const Decision> D = S.Trail;
    for (; D && D != S.MarkedAt; D = D->Before)
      for (const CFGBlock *Other : D->Block->succs())
        if (Other && Other != D->Taken && ReachesRelease[Other->getBlockID()]) {
          Leaks.push_back({D, Return});
          return;
        }
    Leaks.push_back({nullptr, Return});
  }

private:
  template <typename Pred> static bool holds(const CFGBlock &B, Pred Wanted) {
    for (const CFGElement &E : B)
      if (auto S = E.getAs<CFGStmt>())
        if (const auto *Call = dyn_cast<CallExpr>(S->getStmt()))
          if (Wanted(Call))
            return true;
    return false;
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

  /// What the call does with the state, through whichever argument gives it
  /// access.
  StateUse useBy(const CallExpr *Call) {
    const DmaCall *Row = DmaApi::get().find(Call);
    if (Row &&
        (Row->Role == DmaRole::FreeMemory || Row->Role == DmaRole::NoCapture))
      return StateUse::Keeps;
    StateUse Result = StateUse::Keeps;
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      const Expr *Arg = Call->getArg(I);
      if (!Arg->getType()->isPointerType())
        continue;
      auto P = Fn.paths().pointee(Arg);
      if (!P || P->base() != State.base())
        continue;
      StateUse Use = StateUse::Keeps;
      if (*P == State)
        Use = Summary.stateArgument(Call, I);
      else if (!Row && P->isPrefixOf(State))
        Use = StateUse::HandsOn;
      else if (!Row && isIntrusive(Arg->getType()->getPointeeType()))
        Use = StateUse::HandsOn;
      if (Use == StateUse::Releases)
        return Use;
      if (Use == StateUse::HandsOn)
        Result = Use;
    }
    return Result;
  }

  /// Does E's value give access to the state?
  bool carriesState(const Expr *E) const {
    E = strip(E);
    if (E->getType()->isPointerType()) {
      auto P = Fn.paths().pointee(E);
      return P && P->isPrefixOf(State);
    }
    if (E->getType()->isRecordType()) {
      auto P = Fn.paths().lvalue(E);
      return P && P->isPrefixOf(State);
    }
    return false;
  }

  bool handsOn(const Stmt *St) const {
    if (const auto *B = dyn_cast<BinaryOperator>(St);
        B && B->getOpcode() == BO_Assign) {
      if (auto Written = Fn.paths().lvalue(B->getLHS()))
        if (State.changesWith(*Written))
          return true; // the name is another state's from here on
      return carriesState(B->getRHS());
    }
    if (const auto *D = dyn_cast<DeclStmt>(St); D && D->isSingleDecl())
      if (const auto *V = dyn_cast<VarDecl>(D->getSingleDecl()))
        if (V->hasInit() && carriesState(V->getInit())) {
          // An alias is seen through; anything else may be kept.
          auto P = Fn.paths().pointee(V->getInit());
          return !P || P->base() == V;
        }
    return false;
  }

  /// The caller has the state now, and this return tells it so.
  bool isHandedOn(const ReturnStmt *Return, const PathState &S) const {
    const Expr *Value = Return ? Return->getRetValue() : nullptr;
    bool Mentioned = false;
    if (Value)
      forEachVariable(Value, [&](const VarDecl *V) {
        Mentioned |= V == State.base() && Value->getType()->isPointerType();
      });
    if (Mentioned)
      return true;
    if (Own)
      return false;
    // Somebody else's memory: theirs to free, unless this function frees it
    // itself when it fails and did not on this path.
    if (!ReachesRelease[Fn.cfg()->getEntry().getBlockID()] || !Value)
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
  Summaries &Summary;
  const CallExpr *Alloc;
  AccessPath State;
  bool Own;
  std::vector<bool> ReachesRelease;
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
    Summaries Summary(TU);
    for (const auto &Fn : TU.functions())
      for (const CallExpr *Call : Fn->calls()) {
        const DmaCall *Row = DmaApi::get().find(Call, DmaRole::IovaAlloc);
        if (!Row || !Fn->cfg())
          continue;
        if (auto State = Fn->paths().pointee(Row->state(Call))) {
          LeakVisitor Visitor(*Fn, Summary, Call, *State);
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
      if (L.Decider && L.Decider->Condition) {
        const Expr *C = L.Decider->Condition;
        std::string Text = writtenText(C, TU.sources());
        When = causeOf(*L.Decider, Fn);
        std::string Branch =
            "'" + Text + "' is " + (L.Decider->Truth ? "true" : "false");
        D.Loc = C->getBeginLoc();
        D.Key = State + "|" + normalisedText(C) +
                (L.Decider->Truth ? "|true" : "|false");
        D.Path.push_back(
            {C->getBeginLoc(), When.empty() ? Branch : When + ": " + Branch});
        if (When.empty())
          When = Branch;
      } else {
        D.Loc = L.Decider ? L.Decider->Block->getTerminatorStmt()->getBeginLoc()
                          : End;
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
