// SPDX-License-Identifier: GPL-2.0-only
//
// A git repository. Open one Repository a thread: handles and the object
// cache behind them are not shared.

#ifndef KSERIES_GIT_REPOSITORY_H
#define KSERIES_GIT_REPOSITORY_H

#include "git/Objects.h"

#include "llvm/ADT/ArrayRef.h"

namespace kgit {

struct ObjectStage;

struct Ref {
  /// The full name: "refs/heads/series/system-heap".
  std::string Name;
  Oid Target;
};

struct CommitSpec {
  Oid TreeId;
  std::vector<Oid> Parents;
  Signature Author;
  Signature Committer;
  std::string Message;
};

class Repository {
public:
  /// Opens a bare repository, a .git directory or a worktree. Does not look
  /// in parent directories.
  static llvm::Expected<Repository> open(llvm::StringRef Path);

  /// The directory that holds "objects" and "refs".
  std::string path() const { return git_repository_commondir(Raw.get()); }
  git_repository *raw() const { return Raw.get(); }

  /// The commit that a revision ("base-7.2", "HEAD~3", an abbreviated id)
  /// names, tags peeled.
  llvm::Expected<Commit> commit(llvm::StringRef Revision) const;
  /// The same, nothing when the repository has no such revision.
  llvm::Expected<std::optional<Commit>>
  findCommit(llvm::StringRef Revision) const;

  llvm::Expected<Commit> commit(const Oid &Id) const;
  llvm::Expected<Tree> tree(const Oid &Id) const;
  llvm::Expected<Blob> blob(const Oid &Id) const;
  /// In bytes; does not unpack the content.
  llvm::Expected<uint64_t> blobSize(const Oid &Id) const;
  /// The file at \p Path in \p From.
  llvm::Expected<Blob> blobAt(const Commit &From, llvm::StringRef Path) const;

  /// References whose full name starts with \p Prefix, sorted by name.
  llvm::Expected<std::vector<Ref>> refs(llvm::StringRef Prefix) const;
  /// What the reference \p Name points at, nothing when there is none.
  llvm::Expected<std::optional<Oid>> refTarget(llvm::StringRef Name) const;

  /// Whether some worktree of the repository has the branch \p Name
  /// ("refs/heads/...") checked out.
  llvm::Expected<bool> isCheckedOut(llvm::StringRef Name) const;

  llvm::Expected<Oid> writeBlob(llvm::StringRef Content) const;
  /// Writes a commit; no reference moves.
  llvm::Expected<Oid> createCommit(const CommitSpec &Spec) const;

  /// From now on objects are kept in memory: they can be read through this
  /// handle but reach the disk only with flushWrites().
  llvm::Error holdWrites();
  /// Stores what was held back, in the order in which it was written.
  llvm::Error flushWrites();

private:
  explicit Repository(git_repository *Raw) : Raw(Raw) {}

  Handle<git_repository, git_repository_free> Raw;
  /// Owned by the object database once attached.
  ObjectStage *Stage = nullptr;
};

} // namespace kgit

#endif // KSERIES_GIT_REPOSITORY_H
