// SPDX-License-Identifier: GPL-2.0-only
//
// A queue made of other patches, or of the same in another order: each change
// is merged in memory onto those below it, then the queue's files, its branch,
// the queues that stand on it and the worktrees follow.

#ifndef KSERIES_COMMANDS_QUEUEEDIT_H
#define KSERIES_COMMANDS_QUEUEEDIT_H

#include "commands/Commands.h"
#include "commands/QueueStack.h"
#include "commands/Worktree.h"
#include "queue/AppliedQueue.h"
#include "rebase/QueueMove.h"

#include <memory>
#include <set>

namespace kseries {

/// Why the patches cannot be had that way: nothing was changed. It is what the
/// command found, and no failure to run.
class EditConflict : public llvm::ErrorInfo<EditConflict> {
public:
  static char ID;
  explicit EditConflict(std::string Message) : Message(std::move(Message)) {}

  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string Message;
};

/// One patch of the queue to be.
struct EditStep {
  std::string Name;
  /// The patch as it is now, null for a new one.
  const QueuePatch *Origin = nullptr;
  /// Its message; the diffs are made of the trees.
  Patch Message;
  /// Keep the text of the file when it makes the same change.
  bool KeepText = true;
  /// The change: what it makes of which tree.
  kgit::Oid Before;
  kgit::Oid After;
};

class QueueEdit {
public:
  /// Opens a queue that has patches and whose branch was not changed by hand.
  static llvm::Expected<QueueEdit>
  open(const Workspace &Where, Transaction &Change, llvm::StringRef Name);

  const Queue &files() const { return *Files; }
  kgit::Repository &repository() const { return Stack->repository(); }
  const AppliedQueue &applied() const { return Applied; }
  /// The queue as it is.
  std::vector<EditStep> steps() const { return Present; }
  const kgit::Oid &topTree() const { return Present.back().After; }
  /// The place of a patch in the series.
  llvm::Expected<size_t> indexOf(llvm::StringRef PatchFile) const;

  /// Does to \p Ours what leads from \p Base to \p Theirs, with the conflicts
  /// resolved that the queue has an answer to. \p PatchFile names that change
  /// in the others; it is \p Content when it was read.
  llvm::Expected<kgit::Oid> merge(const kgit::Oid &Base, const kgit::Oid &Ours,
                                  const kgit::Oid &Theirs,
                                  llvm::StringRef PatchFile,
                                  const Patch *Content);

  /// Plans the queue to be of \p Steps and the queues above.
  llvm::Error plan(llvm::ArrayRef<EditStep> Steps);
  /// The tree that the planned queue makes.
  const kgit::Oid &plannedTree() const { return Planned; }
  /// Writes files, moves references and worktrees. \p Taken is the worktree
  /// that has the planned tree already.
  llvm::Error commit(const WorktreeChanges *Taken);
  /// A line for each file and branch that changed.
  void report(llvm::raw_ostream &OS) const { OS << Changes; }

private:
  QueueEdit(const Workspace &Where, Transaction &Change)
      : Where(Where), Change(Change) {}

  /// A worktree to follow its branch.
  struct Follower {
    std::string Directory;
    kgit::Oid Old;
    kgit::Oid New;
  };

  llvm::Expected<bool> says(const Patch &Content, const kgit::Oid &Tree,
                            const kgit::Oid &Made) const;
  llvm::Error planText(const EditStep &Step, const kgit::Oid &Made);
  llvm::Error planSeries(llvm::ArrayRef<EditStep> Steps);
  llvm::Error planQueuesAbove();
  llvm::Error planQueueAbove(const std::string &Name);
  llvm::Error recordQueue(QueueStack &New, const std::string &Name,
                          const WorktreeChanges *Taken,
                          std::vector<Follower> &Followers);
  llvm::Error write(const std::string &Path, std::string Text);
  void noteResolved(llvm::StringRef PatchFile, const Conflict &Met);

  const Workspace &Where;
  Transaction &Change;
  std::unique_ptr<QueueStack> Stack;
  const Queue *Files = nullptr;
  const QueueCommits *Old = nullptr;
  AppliedQueue Applied;
  Resolutions Known;
  std::vector<EditStep> Present;
  kgit::Oid BaseTree;
  kgit::Oid Planned;
  /// Patch files with new text.
  std::set<std::string> Rewritten;
  /// What each queue that moves will make; this one first.
  std::vector<std::pair<std::string, kgit::Oid>> Trees;
  std::string Changes;
};

/// The exit code of a command that ended with \p Result: a conflict is told on
/// \p To.Out and gives 1.
llvm::Expected<int> editResult(llvm::Error Result, Streams To);

} // namespace kseries

#endif // KSERIES_COMMANDS_QUEUEEDIT_H
