// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Applier.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

Error checkBranchIsFree(const kgit::Repository &Repo, const AppliedQueue &Old,
                        const QueueCommits &New) {
  if (!Old.Branch || *Old.Branch == New.tip())
    return Error::success();
  if (Old.branchMoved())
    return inputError("branch series/" + Old.Queue +
                      " was changed by hand: run 'kseries export " + Old.Queue +
                      "' to keep that, or apply --force to lose it");
  // Under a worktree, moving the branch would make its files look edited.
  Expected<bool> CheckedOut = Repo.isCheckedOut(branchRef(Old.Queue));
  if (!CheckedOut)
    return CheckedOut.takeError();
  if (*CheckedOut)
    return inputError("branch series/" + Old.Queue +
                      " is checked out in a worktree: switch that to another "
                      "branch, or apply --force and reset it afterwards");
  return Error::success();
}

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
      if (Error E = checkBranchIsFree(Stack.repository(), *Old, **New))
        return E;
    Added.push_back({std::move(*Old), *New});
  }
  for (Plan &P : Added)
    Plans.push_back(std::move(P));
  return Error::success();
}

Error Applier::record(Transaction &Change) const {
  for (const Plan &P : Plans)
    if (Error E = recordApplied(Change, P.Old, *P.New))
      return E;
  return Error::success();
}

void Applier::report(raw_ostream &OS) const {
  for (const Plan &P : Plans) {
    size_t Count = P.New->Patches.size();
    OS << P.Old.Queue << ": " << Count << (Count == 1 ? " patch" : " patches")
       << (P.Old.equals(*P.New) ? " already" : "") << " applied, series/"
       << P.Old.Queue << " is at " << P.New->tip().str(12) << '\n';
  }
}

} // namespace kseries
