// SPDX-License-Identifier: GPL-2.0-only
//
// The files of a worktree that a transaction replaces or removes. The new ones
// wait in a directory of the worktree, which is on its file system, so that
// what is left after the commit point is to rename and to remove; all of that
// can be done again from anywhere in the middle.

#ifndef KSERIES_QUEUE_WORKTREEFILES_H
#define KSERIES_QUEUE_WORKTREEFILES_H

#include "git/Repository.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace kseries {

/// A file as it lies on the disk: line ends and filters are done.
struct DiskFile {
  enum class Kind { Regular, Executable, Link };
  Kind Is = Kind::Regular;
  /// Of a link: where it leads.
  std::string Content;
};

/// The file or link at \p Path itself; nothing when neither is there.
llvm::Expected<std::optional<DiskFile>> readDiskFile(const std::string &Path);
/// Its content's id as of a blob.
llvm::Expected<std::optional<kgit::Oid>> diskId(const std::string &Path);

struct WorktreeFile {
  /// Below the worktree.
  std::string Path;
  std::optional<kgit::Oid> Old;
  std::optional<kgit::Oid> New;
};

struct WorktreeFiles {
  /// Absolute.
  std::string Directory;
  std::vector<WorktreeFile> Files;

  /// Fails when there is something where the new ones are to wait.
  llvm::Error checkRoom() const;
  /// Fails when one is not what it was.
  llvm::Error checkUnchanged() const;
  /// Writes the new ones, in the order of Files, where they wait.
  llvm::Error stage(llvm::ArrayRef<std::optional<DiskFile>> New) const;
  /// Takes stage() back, whatever part of it was done.
  llvm::Error unstage() const;
  /// Does what is left. The text of a file that was edited meanwhile is kept
  /// as FILE.orig and named on \p Err.
  llvm::Error finish(llvm::raw_ostream &Err) const;

private:
  llvm::Error removeGone(const WorktreeFile &File,
                         llvm::raw_ostream &Err) const;
  llvm::Error putInPlace(size_t Number, llvm::raw_ostream &Err) const;
  std::string waitingDirectory() const;
  std::string waiting(size_t Number) const;
  std::string whole(const WorktreeFile &File) const;
};

/// Renames what is at \p Path to Path.orig and says so.
llvm::Error keepEdited(const std::string &Path, llvm::raw_ostream &Err);

} // namespace kseries

#endif // KSERIES_QUEUE_WORKTREEFILES_H
