// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Commands.h"
#include "commands/QueueStack.h"
#include "patch/PatchError.h"
#include "queue/AppliedQueue.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace llvm;

namespace kseries {

namespace {

/// A queue that applies, and what the repository has of it now.
struct Plan {
  AppliedQueue Old;
  const QueueCommits *New;
};

class Applier {
public:
  Applier(const Workspace &Where, QueueStack &Stack, bool Force)
      : Where(Where), Stack(Stack), Force(Force) {}

  /// Plans \p Queue and those below it.
  Error plan(StringRef Queue);
  /// Refuses what would take the user's work away.
  Error checkSafe(const AppliedQueue &Old, const QueueCommits &New);
  /// Writes objects and references of every plan.
  Error run();
  void report(raw_ostream &OS) const;

private:
  const Workspace &Where;
  QueueStack &Stack;
  bool Force;
  std::vector<Plan> Plans;
};

Error Applier::plan(StringRef Queue) {
  Expected<const QueueCommits *> Top = Stack.commit(Queue);
  if (!Top)
    return Top.takeError();
  Expected<std::vector<std::string>> Chain = Where.chain(Queue);
  if (!Chain)
    return Chain.takeError();
  std::vector<Plan> Added;
  for (const std::string &Name : *Chain) {
    if (any_of(Plans, [&](const Plan &P) { return P.Old.Queue == Name; }))
      continue;
    Expected<AppliedQueue> Old = readApplied(Stack.repository(), Name);
    if (!Old)
      return Old.takeError();
    Expected<const QueueCommits *> New = Stack.commit(Name);
    if (!New)
      return New.takeError();
    if (!Force)
      if (Error E = checkSafe(*Old, **New))
        return E;
    Added.push_back({std::move(*Old), *New});
  }
  for (Plan &P : Added)
    Plans.push_back(std::move(P));
  return Error::success();
}

Error Applier::checkSafe(const AppliedQueue &Old, const QueueCommits &New) {
  if (!Old.Branch || *Old.Branch == New.tip())
    return Error::success();
  if (Old.branchMoved())
    return inputError("branch series/" + Old.Queue +
                      " was changed by hand: run 'kseries export " + Old.Queue +
                      "' to keep that, or apply --force to lose it");
  // Under a worktree, moving the branch would make its files look edited.
  Expected<bool> CheckedOut =
      Stack.repository().isCheckedOut(branchRef(Old.Queue));
  if (!CheckedOut)
    return CheckedOut.takeError();
  if (*CheckedOut)
    return inputError("branch series/" + Old.Queue +
                      " is checked out in a worktree: switch that to another "
                      "branch, or apply --force and reset it afterwards");
  return Error::success();
}

Error Applier::run() {
  bool Unchanged =
      all_of(Plans, [](const Plan &P) { return P.Old.equals(*P.New); });
  if (Unchanged)
    return Error::success();
  Expected<kgit::RefTransaction> Transaction =
      kgit::RefTransaction::begin(Stack.repository());
  if (!Transaction)
    return Transaction.takeError();
  for (const Plan &P : Plans)
    if (!P.Old.equals(*P.New))
      if (Error E = recordApplied(*Transaction, P.Old, *P.New))
        return E;
  // Every reference is locked by now: what can fail for want of one has.
  if (Error E = Stack.repository().flushWrites())
    return E;
  return Transaction->commit();
}

void Applier::report(raw_ostream &OS) const {
  for (const Plan &P : Plans) {
    size_t Count = P.New->Patches.size();
    OS << P.Old.Queue << ": " << Count << (Count == 1 ? " patch" : " patches")
       << (P.Old.equals(*P.New) ? " already" : "") << " applied, series/"
       << P.Old.Queue << " is at " << P.New->tip().str(12) << '\n';
  }
}

} // namespace

Expected<int> applyQueues(const Workspace &Where, ArrayRef<std::string> Queues,
                          bool Force, Streams To) {
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  Applier Apply(Where, *Stack, Force);
  Error Failures = Error::success();
  // A queue that fails does so again for each one that stands on it.
  std::set<std::string> Said;
  for (const std::string &Queue : Queues)
    if (Error E = Apply.plan(Queue)) {
      std::string Message = toString(std::move(E));
      if (Said.insert(Message).second)
        Failures = joinErrors(std::move(Failures), inputError(Message));
    }
  if (Error E = Apply.run())
    return joinErrors(std::move(Failures), std::move(E));
  Apply.report(To.Out);
  if (Failures)
    return std::move(Failures);
  return 0;
}

} // namespace kseries
