// SPDX-License-Identifier: GPL-2.0-only

#include "ast/PathExplorer.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

using namespace clang;
using namespace dmacheck;

/// Paths times facts; beyond this a function is left alone rather than guessed.
static constexpr unsigned MaxVisits = 20000;

const Expr *PathExplorer::conditionOf(const CFGBlock &B) {
  // Of "a || b" the last condition of the block is b, which is what is left to
  // decide there.
  if (const Expr *Last = B.getLastCondition())
    return Last;
  return dyn_cast_or_null<Expr>(B.getTerminatorCondition(/*StripParens=*/true));
}

/// True for a declaration or an assignment of a truth value: "x = a || b" is
/// worth following both ways.
static bool splitsOnTruth(const Stmt *S, const Expr *&Truth) {
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    if (!D->isSingleDecl())
      return false;
    const auto *V = dyn_cast<VarDecl>(D->getSingleDecl());
    Truth = V && V->hasInit() ? V->getInit() : nullptr;
  } else if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    Truth = B->getOpcode() == BO_Assign ? B->getRHS() : nullptr;
  } else {
    return false;
  }
  return Truth && isBoolean(Truth);
}

void PathExplorer::branch(const CFGBlock &B, PathState State,
                          std::vector<Work> &Todo) {
  auto Push = [&](const CFGBlock *To, PathState S) {
    if (To)
      Todo.push_back({To, 0, std::move(S)});
  };
  const Stmt *Terminator = B.getTerminatorStmt();
  if (B.succ_size() == 1 || !Terminator) {
    for (const CFGBlock *To : B.succs())
      Push(To, State);
    return;
  }
  if (isa<SwitchStmt>(Terminator) || B.succ_size() != 2) {
    for (const CFGBlock *To : B.succs()) {
      PathState S = State;
      S.Trail = std::make_shared<Decision>(
          Decision{&B, To, nullptr, true, std::move(S.Trail)});
      Push(To, std::move(S));
    }
    return;
  }
  const Expr *Condition = conditionOf(B);
  const CFGBlock *To[2] = {*B.succ_begin(), *(B.succ_begin() + 1)};
  for (bool Truth : {true, false}) {
    const CFGBlock *Next = To[Truth ? 0 : 1];
    if (!Next)
      continue;
    PathState S = State;
    if (Condition && !S.Known.assume(Condition, Truth))
      continue;
    S.Trail = std::make_shared<Decision>(
        Decision{&B, Next, Condition, Truth, std::move(S.Trail)});
    Push(Next, std::move(S));
  }
}

void PathExplorer::runBlock(Work W, PathVisitor &Visitor,
                            std::vector<Work> &Todo) {
  const CFGBlock &B = *W.Block;
  W.State.Block = &B;
  for (size_t I = W.Element; I < B.size(); ++I) {
    CFGElement Element = B[I];
    if (Visitor.element(Element, W.State) == PathVisitor::Next::Stop)
      return;
    auto AsStmt = Element.getAs<CFGStmt>();
    if (!AsStmt)
      continue;
    const Stmt *S = AsStmt->getStmt();
    const Expr *Truth = nullptr;
    if (splitsOnTruth(S, Truth) && !W.State.Known.eval(Truth).known()) {
      PathState No = W.State;
      if (No.Known.assume(Truth, false)) {
        No.Known.execute(S);
        Todo.push_back({&B, I + 1, std::move(No)});
      }
      if (!W.State.Known.assume(Truth, true))
        return;
    }
    W.State.Known.execute(S);
    if (const auto *Return = dyn_cast<ReturnStmt>(S))
      W.State.Return = Return;
  }
  if (&B == &Fn.cfg()->getExit()) {
    Visitor.end(W.State);
    return;
  }
  if (!B.hasNoReturnElement())
    branch(B, std::move(W.State), Todo);
}

bool PathExplorer::run(PathVisitor &Visitor) {
  const CFG *Graph = Fn.cfg();
  if (!Graph)
    return true;
  std::vector<Work> Todo{{&Graph->getEntry(), 0, PathState{Facts(TU, Fn)}}};
  llvm::StringSet<> Seen;
  for (unsigned Visits = 0; !Todo.empty(); ++Visits) {
    if (Visits > MaxVisits)
      return false;
    Work W = std::move(Todo.back());
    Todo.pop_back();
    std::string Key =
        std::to_string(W.Block->getBlockID()) + "/" +
        std::to_string(W.Element) + (W.State.Marked ? "+" : "-") +
        (W.State.Return ? std::to_string(W.State.Return->getID(TU.context()))
                        : "") +
        W.State.Known.fingerprint();
    if (Seen.insert(Key).second)
      runBlock(std::move(W), Visitor, Todo);
  }
  return true;
}

std::vector<bool>
dmacheck::blocksReaching(const CFG &Graph,
                         llvm::function_ref<bool(const CFGBlock &)> IsGoal) {
  std::vector<bool> Reaches(Graph.getNumBlockIDs(), false);
  std::deque<const CFGBlock *> Todo;
  for (const CFGBlock *B : Graph)
    if (IsGoal(*B)) {
      Reaches[B->getBlockID()] = true;
      Todo.push_back(B);
    }
  while (!Todo.empty()) {
    const CFGBlock *B = Todo.front();
    Todo.pop_front();
    for (const CFGBlock *Pred : B->preds())
      if (Pred && !Reaches[Pred->getBlockID()]) {
        Reaches[Pred->getBlockID()] = true;
        Todo.push_back(Pred);
      }
  }
  return Reaches;
}
