// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Rebase.h"
#include "commands/RebasePlan.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

namespace {

/// Runs what was asked for, from the start or with what was resolved.
class Command {
public:
  Command(const Workspace &Where, Transaction &Change, Streams To)
      : Where(Where), Change(Change), To(To) {}

  Expected<int> start(const RebaseOptions &Options);
  Expected<int> continueFrom(const ResolveDirectory &Directory);

private:
  Expected<int> run(WaitingRebase State, const ResolveDirectory &Directory,
                    bool Resolve);
  Expected<int> open(RebasePlan &Run, QueueStack &Stack, WaitingRebase &State,
                     const ResolveDirectory &Directory);
  Expected<bool> takeResults(WaitingRebase &State,
                             const ResolveDirectory &Directory);

  const Workspace &Where;
  Transaction &Change;
  Streams To;
};

Expected<int> Command::start(const RebaseOptions &Options) {
  WaitingRebase State;
  State.Queues = Options.Queues;
  State.Onto = Options.Onto;
  State.DropUpstream = Options.DropUpstream;
  ResolveDirectory Directory(
      Where, Options.All ? StringRef() : StringRef(Options.Queues.front()));
  if (Options.Resolve && Directory.exists())
    return inputError(Directory.path() + " is there already: finish it with "
                                         "rebase --continue or --abort");
  return run(std::move(State), Directory, Options.Resolve);
}

Expected<int> Command::run(WaitingRebase State,
                           const ResolveDirectory &Directory, bool Resolve) {
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  RebasePlan Run(Where, *Stack, State);
  if (Error E = Run.plan())
    return E;
  if (Run.stopped()) {
    if (Error E = Run.reportStopped(To.Out))
      return E;
    if (Resolve)
      return open(Run, *Stack, State, Directory);
    To.Out << "nothing was changed: 'kseries rebase --resolve' opens the "
              "conflict\n";
    return 1;
  }
  if (Run.hasUpstream() && !State.DropUpstream) {
    Run.reportUpstream(To.Out);
    To.Out << "nothing was changed: 'kseries rebase --drop-upstream' drops "
              "what is upstream\n";
    return 1;
  }
  if (Resolve)
    Change.discard(Directory.path());
  if (Error E = Run.record(Change))
    return E;
  Run.report(To.Out);
  return 0;
}

Expected<int> Command::open(RebasePlan &Run, QueueStack &Stack,
                            WaitingRebase &State,
                            const ResolveDirectory &Directory) {
  const StoppedAt &At = *Run.stopped()->Stopped;
  State.Queue = Run.stopped()->Queue;
  State.PatchFile = At.Patch->Entry.Name;
  State.Conflicts.clear();
  for (const Conflict &Met : At.Conflicts) {
    if (!Met.canResolve())
      return inputError(At.Patch->Path + ": no file in place of " +
                        quoteForMessage(Met.Path) +
                        " can settle this conflict: change the patch");
    State.Conflicts.push_back(ConflictKey::of(Met).str());
  }
  if (Error E = Directory.write(Stack.repository(), State, At))
    return E;
  for (const Conflict &Met : At.Conflicts) {
    To.Out << Directory.path() << '/' << Met.Path << ": ";
    if (!Met.Text || !hasConflictMarkers(*Met.Text))
      To.Out << (Met.Ours ? State.Onto + "'s" : std::string("the patch's"))
             << " version: keep, change or remove it\n";
    else
      To.Out << "edit what stands between the conflict markers\n";
  }
  To.Out << "then 'kseries rebase --continue', or '--abort'\n";
  return 1;
}

/// Adds what the user has made of the conflicts; false when some are left.
Expected<bool> Command::takeResults(WaitingRebase &State,
                                    const ResolveDirectory &Directory) {
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  RebasePlan Run(Where, *Stack, State);
  if (Error E = Run.plan())
    return E;
  std::vector<std::string> Met;
  if (Run.stopped())
    for (const Conflict &C : Run.stopped()->Stopped->Conflicts)
      Met.push_back(ConflictKey::of(C).str());
  if (Met != State.Conflicts)
    return inputError(Directory.path() +
                      ": the queues or the base have changed since: start "
                      "again after rebase --abort");
  Resolutions &Into = State.Resolved[State.Queue];
  bool Left = false;
  for (const Conflict &C : Run.stopped()->Stopped->Conflicts) {
    auto Result = Directory.result(Stack->repository(), C);
    if (!Result)
      return Result.takeError();
    if (!*Result) {
      To.Out << Directory.path() << '/' << C.Path
             << ": conflict markers are left\n";
      Left = true;
      continue;
    }
    if (Error E = Into.add(Stack->repository(), C, **Result))
      return E;
  }
  return !Left;
}

Expected<int> Command::continueFrom(const ResolveDirectory &Directory) {
  Expected<WaitingRebase> State = Directory.read();
  if (!State)
    return State.takeError();
  Expected<bool> Complete = takeResults(*State, Directory);
  if (!Complete)
    return Complete.takeError();
  if (!*Complete)
    return 1;
  return run(std::move(*State), Directory, /*Resolve=*/true);
}

/// The directory that --continue and --abort mean.
Expected<ResolveDirectory> findDirectory(const Workspace &Where,
                                         const RebaseOptions &Options) {
  if (!Options.Queues.empty() || Options.All) {
    ResolveDirectory Named(Where, Options.All ? StringRef()
                                              : StringRef(Options.Queues[0]));
    if (!Named.exists())
      return inputError("no rebase waits in " + Named.path());
    return Named;
  }
  Expected<std::vector<std::string>> Waiting = ResolveDirectory::list(Where);
  if (!Waiting)
    return Waiting.takeError();
  if (Waiting->size() != 1)
    return inputError(
        Waiting->empty() ? "no rebase waits in " + Where.worktreesDirectory()
                         : "several rebases wait in " +
                               Where.worktreesDirectory() + ": name the queue");
  return ResolveDirectory(Where, Waiting->front());
}

Error checkOptions(const RebaseOptions &Options) {
  if (Options.Continue || Options.Abort) {
    if (Options.Continue == Options.Abort || !Options.Onto.empty() ||
        Options.Resolve || Options.DropUpstream)
      return inputError("rebase --continue and --abort stand alone, or with a "
                        "queue");
    return Error::success();
  }
  if (Options.All == !Options.Queues.empty())
    return inputError("rebase takes queues or --all");
  if (Options.Onto.empty())
    return inputError("rebase needs --onto: a revision or a queue");
  return Error::success();
}

} // namespace

Expected<int> rebaseQueues(const Workspace &Where, const RebaseOptions &Options,
                           Streams To) {
  if (Error E = checkOptions(Options))
    return E;
  Expected<Transaction> Change = Transaction::begin(Where, "rebase", To.Err);
  if (!Change)
    return Change.takeError();
  Command Run(Where, *Change, To);
  if (!Options.Continue && !Options.Abort)
    return Run.start(Options);
  Expected<ResolveDirectory> Directory = findDirectory(Where, Options);
  if (!Directory)
    return Directory.takeError();
  if (Options.Continue)
    return Run.continueFrom(*Directory);
  Change->discard(Directory->path());
  if (Error E = Change->commit())
    return E;
  To.Out << Directory->path() << ": removed, nothing else was changed\n";
  return 0;
}

} // namespace kseries
