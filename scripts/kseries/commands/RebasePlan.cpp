// SPDX-License-Identifier: GPL-2.0-only

#include "commands/RebasePlan.h"
#include "commands/Applier.h"
#include "patch/PatchError.h"
#include "rebase/ConflictReport.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

Error RebasePlan::findTarget() {
  if (Where.hasQueue(Asked.Onto)) {
    Expected<const QueueCommits *> Below = Stack.commit(Asked.Onto);
    if (!Below)
      return Below.takeError();
    Target = (*Below)->tip();
  } else {
    Expected<std::optional<kgit::Commit>> Found = Repo.findCommit(Asked.Onto);
    if (!Found)
      return Found.takeError();
    if (!*Found ||
        StringRef(Asked.Onto).find_first_of(" \t\n") != StringRef::npos)
      return inputError("--onto: '" + Asked.Onto +
                        "' is neither a queue nor a revision of " +
                        Where.gitDirectory());
    Target = (*Found)->id();
  }
  Expected<kgit::Commit> Commit = Repo.commit(Target);
  if (!Commit)
    return Commit.takeError();
  TargetTree = Commit->treeId();
  return Error::success();
}

Expected<bool> RebasePlan::standsOnMoved(StringRef Queue) const {
  if (Roots.count(Queue.str()))
    return true;
  Expected<std::vector<std::string>> Chain = Where.chain(Queue);
  if (!Chain)
    return Chain.takeError();
  return any_of(*Chain,
                [&](const std::string &Name) { return Roots.count(Name) > 0; });
}

Error RebasePlan::findQueues() {
  Expected<std::vector<std::string>> Names = Where.queueNames();
  if (!Names)
    return Names.takeError();
  for (const std::string &Name : Asked.Queues) {
    if (!Where.hasQueue(Name))
      return inputError("no queue '" + Name + "' in " +
                        Where.seriesDirectory());
    Roots.insert(Name);
  }
  if (Asked.Queues.empty())
    for (const std::string &Name : *Names) {
      Expected<std::string> Base = Where.baseName(Name);
      if (!Base)
        return Base.takeError();
      if (!Where.hasQueue(*Base))
        Roots.insert(Name);
    }
  for (const std::string &Name : *Names) {
    Expected<bool> Moves = standsOnMoved(Name);
    if (!Moves)
      return Moves.takeError();
    if (*Moves)
      Queues.push_back(Name);
  }
  if (Queues.empty())
    return inputError("no queue in " + Where.seriesDirectory());
  if (is_contained(Queues, Asked.Onto))
    return inputError("--onto: queue '" + Asked.Onto +
                      "' is among those that are to stand on it");
  return Error::success();
}

Expected<Resolutions> RebasePlan::knownResolutions(StringRef Queue) const {
  Expected<Resolutions> Read = loadResolutions(Where, Queue);
  if (!Read)
    return Read;
  auto Made = Asked.Resolved.find(Queue.str());
  if (Made != Asked.Resolved.end())
    Read->merge(Made->second);
  return Read;
}

Error RebasePlan::planQueue(const std::string &Name) {
  Expected<const Queue *> Files = Stack.load(Name);
  if (!Files)
    return Files.takeError();
  Expected<const QueueCommits *> Old = Stack.commit(Name);
  if (!Old)
    return Old.takeError();
  Expected<Resolutions> Read = knownResolutions(Name);
  if (!Read)
    return Read.takeError();
  Expected<std::vector<std::string>> Chain = Where.chain(Name);
  if (!Chain)
    return Chain.takeError();
  Expected<kgit::Oid> OldBase = Where.baseCommit(Repo, Chain->front());
  if (!OldBase)
    return OldBase.takeError();
  kgit::Oid NewTree = TargetTree;
  if (!Roots.count(Name)) {
    Expected<std::string> Below = Where.baseName(Name);
    if (!Below)
      return Below.takeError();
    NewTree = find_if(Moves, [&](const QueueMove &M) {
                return M.Queue == *Below;
              })->Tree;
  }
  const BaseHistory &History =
      Histories.try_emplace(*OldBase, Repo, *OldBase, Target).first->second;
  Known.push_back(std::move(*Read));
  Requests.push_back(
      {**Files, **Old, NewTree, Asked.Onto, History, Known.back()});
  Expected<QueueMove> Moved = moveQueue(Repo, Requests.back());
  if (!Moved)
    return Moved.takeError();
  if (Moved->Patches.empty() && !Moved->Stopped && Asked.DropUpstream)
    return inputError("every patch of queue " + Name + " is in " + Asked.Onto +
                      ": remove the queue by hand");
  Moves.push_back(std::move(*Moved));
  return Error::success();
}

Error RebasePlan::plan() {
  if (Error E = findTarget())
    return E;
  if (Error E = findQueues())
    return E;
  for (const std::string &Name : Queues) {
    if (Error E = planQueue(Name))
      return E;
    if (stopped())
      break;
  }
  return Error::success();
}

Error RebasePlan::reportStopped(raw_ostream &OS) {
  Expected<std::vector<std::string>> Chain = Where.chain(stopped()->Queue);
  if (!Chain)
    return Chain.takeError();
  Expected<std::string> OldName = Where.baseName(Chain->front());
  if (!OldName)
    return OldName.takeError();
  return reportConflicts(Repo, Requests.back(), *stopped()->Stopped, *OldName,
                         OS);
}

void RebasePlan::reportUpstream(raw_ostream &OS) const {
  for (const QueueMove &Move : Moves)
    for (const UpstreamPatch &Patch : Move.Upstream) {
      OS << Patch.Patch->Path << ": already in " << Asked.Onto;
      if (!Patch.Commit.empty())
        OS << " as commit " << Patch.Commit;
      OS << '\n';
    }
}

Error RebasePlan::recordFiles(Transaction &Change, const QueueMove &Move) {
  Expected<const Queue *> Files = Stack.load(Move.Queue);
  if (!Files)
    return Files.takeError();
  std::vector<std::string> Names;
  std::set<std::string> Rewritten;
  bool SeriesChanged = !Move.Upstream.empty();
  for (const MovedPatch &Patch : Move.Patches) {
    Names.push_back(Patch.Patch->Entry.Name);
    if (!Patch.Rewritten)
      continue;
    if (Error E = Change.write(Patch.Patch->Path, *Patch.Rewritten))
      return E;
    note(Patch.Patch->Path, "changed");
    Rewritten.insert(Patch.Patch->Entry.Name);
    SeriesChanged |= Patch.Patch->Entry.Strip != 1;
  }
  for (const UpstreamPatch &Patch : Move.Upstream) {
    if (Error E = Change.remove(Patch.Patch->Path))
      return E;
    note(Patch.Patch->Path,
         "dropped, it is in " + Asked.Onto +
             (Patch.Commit.empty() ? "" : " as commit " + Patch.Commit));
  }
  if (SeriesChanged)
    if (Error E = Change.write(Where.pathOf(Move.Queue, "series"),
                               (*Files)->Series.withPatches(Names, Rewritten)))
      return E;
  if (!Roots.count(Move.Queue))
    return Error::success();
  Expected<std::string> Base = Where.baseName(Move.Queue);
  if (!Base)
    return Base.takeError();
  if (*Base == Asked.Onto)
    return Error::success();
  note(Where.pathOf(Move.Queue, "base"), *Base + " -> " + Asked.Onto);
  return Change.write(Where.pathOf(Move.Queue, "base"), Asked.Onto + "\n");
}

/// Whether the way back meets the same three contents at the same place.
static bool worksBackwards(const Conflict &Met) {
  return Met.Kind == ConflictKind::Content && Met.BasePath == Met.Path &&
         Met.TheirsPath == Met.Path;
}

Error RebasePlan::recordResolutions(Transaction &Change,
                                    const QueueMove &Move) {
  auto Made = Asked.Resolved.find(Move.Queue);
  if (Made == Asked.Resolved.end())
    return Error::success();
  Expected<Resolutions> All = knownResolutions(Move.Queue);
  if (!All)
    return All.takeError();
  for (const Replayed &R : Move.Resolved) {
    if (!worksBackwards(R.Met) || !R.Result)
      continue;
    Conflict Back = R.Met;
    std::swap(Back.Base, Back.Ours);
    Back.Theirs = R.Result;
    if (Error E = All->add(Repo, Back, R.Met.Theirs))
      return E;
  }
  note(Where.pathOf(Move.Queue, "resolutions"), "changed");
  return Change.write(Where.pathOf(Move.Queue, "resolutions"), All->text());
}

Error RebasePlan::recordRefs(Transaction &Change) {
  Workspace Pending = Where.with(Change.files());
  Expected<QueueStack> NewStack = QueueStack::open(Pending);
  if (!NewStack)
    return NewStack.takeError();
  for (const QueueMove &Move : Moves) {
    Expected<const QueueCommits *> New = NewStack->commit(Move.Queue);
    if (!New)
      return New.takeError();
    Expected<kgit::Commit> Tip = NewStack->repository().commit((*New)->tip());
    if (!Tip)
      return Tip.takeError();
    if (Tip->treeId() != Move.Tree)
      return inputError("queue " + Move.Queue +
                        ": its files do not make the tree that was merged");
    Expected<AppliedQueue> Applied = readApplied(Repo, Move.Queue);
    if (!Applied)
      return Applied.takeError();
    if (!Applied->Branch)
      continue;
    if (Error E = checkBranchIsFree(Repo, *Applied, **New))
      return E;
    if (Error E = recordApplied(Change, *Applied, **New))
      return E;
    note("branch series/" + Move.Queue, "at " + (*New)->tip().str(12));
  }
  return Change.commit(NewStack->repository());
}

Error RebasePlan::record(Transaction &Change) {
  for (const QueueMove &Move : Moves) {
    if (Error E = recordFiles(Change, Move))
      return E;
    if (Error E = recordResolutions(Change, Move))
      return E;
  }
  return recordRefs(Change);
}

void RebasePlan::report(raw_ostream &OS) const {
  OS << Changes;
  for (const QueueMove &Move : Moves) {
    size_t Count = Move.Patches.size();
    OS << Move.Queue << ": " << Count << (Count == 1 ? " patch" : " patches")
       << " on " << Asked.Onto << '\n';
  }
}

} // namespace kseries
