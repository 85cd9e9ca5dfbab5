// SPDX-License-Identifier: GPL-2.0-only
//
// What a transaction is about to do, on disk before the first thing is done.
// The name of the file tells how far it came:
//
//   kseries/prepared    new files are being written beside the old ones, then
//                       references move; found later, all of it is undone
//   kseries/committed   everything that can fail has been done; found later,
//                       the new files are moved into place
//
// The file has one line a change, fields parted by blanks, names quoted as git
// quotes them:
//
//   kseries-journal 1
//   file OLD-ID NEW-ID PATH      ids as of a blob, "-" for no file
//   directory PATH               made for a file
//   ref OLD-ID NEW-ID NAME
//   worktree PATH                whose files the next lines name
//   checkout OLD-ID NEW-ID PATH  one of them, PATH below the worktree
//   discard PATH                 a directory that goes with all that is in it
//   end

#ifndef KSERIES_QUEUE_JOURNAL_H
#define KSERIES_QUEUE_JOURNAL_H

#include "queue/WorktreeFiles.h"

namespace kseries {

struct JournalFile {
  /// Absolute.
  std::string Path;
  std::optional<kgit::Oid> Old;
  std::optional<kgit::Oid> New;

  /// Where the new text waits: beside the file, since only a name in the same
  /// directory is sure to be on the same file system.
  std::string waiting() const;
};

struct JournalRef {
  std::string Name;
  std::optional<kgit::Oid> Old;
  std::optional<kgit::Oid> New;
};

struct Journal {
  std::vector<JournalFile> Files;
  std::vector<std::string> Directories;
  std::vector<JournalRef> Refs;
  std::vector<WorktreeFiles> Worktrees;
  std::vector<std::string> Discards;

  /// Stores it as the state "prepared" of \p Repo.
  llvm::Error prepare(const kgit::Repository &Repo) const;
  /// The commit point: "prepared" becomes "committed".
  static llvm::Error commit(const kgit::Repository &Repo);

  enum class Locks { Keep, Break };
  /// Takes back what was done before the commit point and ends the journal. A
  /// branch that someone has moved since stays where it is. After a kill the
  /// lock files of references that it left are broken.
  llvm::Error undo(const kgit::Repository &Repo, Locks Found) const;
  /// Does what is left after the commit point and ends the journal. The text of
  /// a file that was edited meanwhile is kept as FILE.orig and named on \p Err.
  llvm::Error finish(const kgit::Repository &Repo,
                     llvm::raw_ostream &Err) const;
};

/// Undoes or finishes what an interrupted transaction has left in \p Repo, and
/// says so on \p Err. The caller holds the lock.
llvm::Error recover(const kgit::Repository &Repo, llvm::raw_ostream &Err);

/// Removes what was made on the way.
llvm::Error removeScratch(const kgit::Repository &Repo);

/// Whether there is something to recover.
bool needsRecovery(const kgit::Repository &Repo);

/// What is on the disk at \p Path, nothing when there is no file.
llvm::Expected<std::optional<kgit::Oid>> fileId(llvm::StringRef Path);

} // namespace kseries

#endif // KSERIES_QUEUE_JOURNAL_H
