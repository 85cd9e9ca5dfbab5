// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Edit.h"
#include "commands/QueueEdit.h"
#include "patch/PatchError.h"
#include "patch/PatchParser.h"
#include "queue/TextFile.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace kseries {

namespace {

class Refresher {
public:
  Refresher(const Workspace &Where, Transaction &Change,
            const RefreshOptions &Options, QueueEdit &Edit, raw_ostream &OS)
      : Where(Where), Change(Change), Options(Options), Edit(Edit), OS(OS) {}

  Error run();

private:
  Error checkInSync() const;
  Expected<std::string> findDirectory() const;
  Error readMessage(EditStep &Into) const;

  const Workspace &Where;
  Transaction &Change;
  const RefreshOptions &Options;
  QueueEdit &Edit;
  raw_ostream &OS;
};

/// What was edited stands on the patches as the queue has them.
Error Refresher::checkInSync() const {
  const std::string &Name = Options.Queue;
  if (!Edit.applied().Branch)
    return inputError("queue " + Name + " is not applied: run 'kseries apply " +
                      Name + "' and check out series/" + Name);
  Expected<kgit::Commit> Tip = Edit.repository().commit(*Edit.applied().Branch);
  if (!Tip)
    return Tip.takeError();
  if (Tip->treeId() != Edit.topTree())
    return inputError(Edit.files().Directory +
                      ": edited since it was applied: take that back, or "
                      "commit the worktree and run apply --force");
  return Error::success();
}

Expected<std::string> Refresher::findDirectory() const {
  Expected<std::vector<std::string>> Found =
      findWorktrees(Where, Options.Queue);
  if (!Found)
    return Found.takeError();
  std::string Branch = "series/" + Options.Queue;
  if (!Options.Directory.empty()) {
    for (const std::string &Directory : *Found)
      if (sys::fs::equivalent(Directory, Options.Directory))
        return Directory;
    return inputError("--worktree: " + Options.Directory +
                      " is no worktree that has " + Branch + " checked out");
  }
  if (Found->empty())
    return inputError("no worktree has " + Branch +
                      " checked out: 'git --git-dir=" + Where.gitDirectory() +
                      " worktree add DIR " + Branch + "' makes one");
  if (Found->size() > 1)
    return inputError("several worktrees have " + Branch +
                      " checked out: name one with --worktree");
  return Found->front();
}

Error Refresher::readMessage(EditStep &Into) const {
  if (Options.MessageFile.empty())
    return Error::success();
  Expected<std::string> Text = readTextFile(Options.MessageFile);
  if (!Text)
    return Text.takeError();
  std::string Old = Into.Message.commitMessage();
  setMessage(Into.Message, *Text);
  if (Into.Message.Subject.empty())
    return inputError(Options.MessageFile + ": no message in it");
  Into.KeepText = Into.Message.commitMessage() == Old;
  return Error::success();
}

Error Refresher::run() {
  std::vector<EditStep> Steps = Edit.steps();
  size_t At = Steps.size() - 1;
  if (!Options.PatchFile.empty()) {
    Expected<size_t> Found = Edit.indexOf(Options.PatchFile);
    if (!Found)
      return Found.takeError();
    At = *Found;
  }
  EditStep &Changed = Steps[At];
  if (Error E = readMessage(Changed))
    return E;
  if (Error E = checkInSync())
    return E;
  Expected<std::string> Directory = findDirectory();
  if (!Directory)
    return Directory.takeError();
  Expected<WorktreeChanges> Taken = WorktreeChanges::take(*Directory, Change);
  if (!Taken)
    return Taken.takeError();
  if (Taken->tree() == Edit.topTree() && Changed.KeepText) {
    OS << Options.Queue << ": nothing to take from " << *Directory << '\n';
    if (Error E = Taken->settle(Change))
      return E;
    return Change.commit(Edit.repository());
  }
  Expected<kgit::Oid> After =
      Edit.merge(Edit.topTree(), Changed.After, Taken->tree(),
                 *Directory + " for " + Changed.Name, nullptr);
  if (!After)
    return After.takeError();
  Changed.After = *After;
  if (Error E = Edit.plan(Steps))
    return E;
  if (!(Edit.plannedTree() == Taken->tree()))
    return make_error<EditConflict>(
        Edit.files().Directory + "/" + Changed.Name +
        ": the patches above it would not give the files of " + *Directory +
        " again: refresh a higher one: nothing was changed");
  if (Error E = Edit.commit(&*Taken))
    return E;
  Edit.report(OS);
  return Error::success();
}

} // namespace

Expected<int> refreshPatch(const Workspace &Where,
                           const RefreshOptions &Options, Streams To) {
  Expected<Transaction> Change = Transaction::begin(Where, "refresh", To.Err);
  if (!Change)
    return Change.takeError();
  Expected<QueueEdit> Edit = QueueEdit::open(Where, *Change, Options.Queue);
  if (!Edit)
    return Edit.takeError();
  return editResult(Refresher(Where, *Change, Options, *Edit, To.Out).run(),
                    To);
}

} // namespace kseries
