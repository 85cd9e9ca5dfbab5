// SPDX-License-Identifier: GPL-2.0-only
//
// A change of queues: files, references, commits and worktrees together or not
// at all.
// Killed at any point, or out of disk space, the old state is there or the new
// one; where a kill has left something to do, the next command does it first.
//
// A command that changes a queue goes like this:
//
//   auto Change = Transaction::begin(Where, "refresh", To.Err);   // the lock
//   Workspace Pending = Where.with(Change->files());
//   auto Stack = QueueStack::open(Pending);
//   ... read queues through Pending and Stack, as usual ...
//   Change->write(Directory + "/some.patch", Text);
//   Change->write(Directory + "/series", Series.withPatches(Names));
//   Change->remove(Directory + "/other.patch");
//   ... Stack->commit(Name) now makes the commits of the new files ...
//   recordApplied(*Change, Old, **Stack->commit(Name));           // references
//   Change->commit(Stack->repository());
//
// Until commit() nothing but unreferenced memory changes; without it nothing
// does. A queue must be loaded (QueueStack caches) after its files are written.
// Start the transaction before reading: what is read then is the old state that
// commit() insists on finding again. One that only reads takes settle().
//
// Open one a process at a time: a second one would wait for the first. A
// function that is a step of several commands takes a Transaction & instead.

#ifndef KSERIES_QUEUE_TRANSACTION_H
#define KSERIES_QUEUE_TRANSACTION_H

#include "queue/Journal.h"
#include "queue/PendingFiles.h"
#include "queue/QueueLock.h"
#include "queue/Workspace.h"

#include <memory>

namespace kseries {

class Transaction {
public:
  /// Takes the lock, waiting a while for another process, and first undoes or
  /// finishes what an interrupted one has left, which it says on \p Err.
  /// \p Command is for the reflog: "refresh".
  static llvm::Expected<Transaction> begin(const Workspace &Where,
                                           llvm::StringRef Command,
                                           llvm::raw_ostream &Err);

  /// \p Path is SERIES-DIRECTORY/QUEUE/FILE; directories are made as needed.
  /// A file that already has this text is not touched.
  llvm::Error write(llvm::StringRef Path, std::string Text);
  /// Removing what is not there changes nothing.
  llvm::Error remove(llvm::StringRef Path);
  /// Removes a directory outside the queues (of a finished conflict, say) with
  /// all that is in it.
  void discard(llvm::StringRef Directory);

  /// Replaces or removes a file of the worktree at \p Directory, which was
  /// \p Old when it was read.
  void checkout(const std::string &Directory, llvm::StringRef Path,
                const std::optional<kgit::Oid> &Old,
                std::optional<DiskFile> New);

  /// A directory, empty at first, for what is made on the way. It goes with the
  /// transaction, or before the next one after a kill.
  llvm::Expected<std::string> scratch();

  /// Moves a reference from \p Old, as the caller has read it, to \p New;
  /// nothing stands for no reference.
  void setRef(llvm::StringRef Name, const std::optional<kgit::Oid> &Old,
              const std::optional<kgit::Oid> &New);

  /// The queues as they will be.
  const PendingFiles &files() const { return *Pending; }
  bool changesNothing() const;

  /// Stores the objects that \p Objects holds back, then makes every change.
  /// On an error everything is as before, unless it says otherwise. A file or
  /// reference that is not as it was first seen is an error: somebody works
  /// with an editor or git.
  llvm::Error commit(kgit::Repository &Objects);
  /// The same where no object is made.
  llvm::Error commit() { return commit(Repo); }

private:
  Transaction(QueueLock Lock, kgit::Repository Repo, std::string Command,
              llvm::raw_ostream &Err)
      : Lock(std::move(Lock)), Repo(std::move(Repo)),
        Command(std::move(Command)), Err(Err),
        Pending(std::make_unique<PendingFiles>()) {}

  /// The directory that scratch() has made.
  struct Scratch {
    ~Scratch();
    std::string Path;
  };
  struct Checkout {
    WorktreeFiles Files;
    std::vector<std::optional<DiskFile>> New;
  };

  llvm::Error noteOld(llvm::StringRef Path);
  llvm::Expected<Journal> plan() const;
  llvm::Error writeWaiting(const Journal &Plan) const;
  /// \p Moved is set once one of them may have moved.
  llvm::Error moveRefs(const Journal &Plan, bool &Moved) const;

  QueueLock Lock;
  kgit::Repository Repo;
  std::string Command;
  llvm::raw_ostream &Err;
  /// Of its own, so that its address outlives a move.
  std::unique_ptr<PendingFiles> Pending;
  /// What files were when they were first written or removed.
  std::map<std::string, std::optional<kgit::Oid>, std::less<>> OldFiles;
  std::map<std::string, JournalRef> Refs;
  std::vector<std::string> Discards;
  /// By the worktree.
  std::map<std::string, Checkout> Checkouts;
  std::unique_ptr<Scratch> Made;
};

/// For a command that only reads: recovers as Transaction::begin() does, then
/// keeps writers out for as long as the lock lives. Without a repository there
/// is nothing to recover.
llvm::Expected<QueueLock> settle(const Workspace &Where,
                                 llvm::raw_ostream &Err);

} // namespace kseries

#endif // KSERIES_QUEUE_TRANSACTION_H
