// SPDX-License-Identifier: GPL-2.0-only
//
// Commits, trees and blobs as owning handles. A handle must not outlive the
// Repository that gave it.

#ifndef KSERIES_GIT_OBJECTS_H
#define KSERIES_GIT_OBJECTS_H

#include "git/Oid.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <git2.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kgit {

template <auto Free> struct FreeWith {
  template <typename T> void operator()(T *Pointer) const { Free(Pointer); }
};
template <typename T, auto Free>
using Handle = std::unique_ptr<T, FreeWith<Free>>;

/// Who and when. \c Seconds counts from the epoch, \c OffsetMinutes is the
/// distance from UTC.
struct Signature {
  std::string Name;
  std::string Email;
  int64_t Seconds = 0;
  int OffsetMinutes = 0;

  bool samePerson(const Signature &Other) const {
    return Name == Other.Name && Email == Other.Email;
  }
};

/// An entry of a tree. \c Mode is git's: 0100644, 0100755, 0120000 (symbolic
/// link), 0040000 (tree), 0160000 (submodule).
struct TreeEntry {
  Oid Id;
  uint32_t Mode = 0;

  bool isTree() const { return Mode == GIT_FILEMODE_TREE; }
  bool isSymlink() const { return Mode == GIT_FILEMODE_LINK; }
  bool isSubmodule() const { return Mode == GIT_FILEMODE_COMMIT; }
  bool isFile() const {
    return Mode == GIT_FILEMODE_BLOB || Mode == GIT_FILEMODE_BLOB_EXECUTABLE;
  }
  friend bool operator==(const TreeEntry &A, const TreeEntry &B) {
    return A.Mode == B.Mode && A.Id == B.Id;
  }
};

class Blob {
public:
  explicit Blob(git_blob *Raw) : Raw(Raw) {}

  Oid id() const { return Oid(*git_blob_id(Raw.get())); }
  /// Valid as long as this handle.
  llvm::StringRef content() const;

private:
  Handle<git_blob, git_blob_free> Raw;
};

class Tree {
public:
  /// What a visitor of walk() wants next.
  enum class Visit { Continue, SkipDirectory, Stop };
  using Visitor =
      llvm::function_ref<Visit(llvm::StringRef Path, const TreeEntry &Entry)>;

  explicit Tree(git_tree *Raw) : Raw(Raw) {}

  Oid id() const { return Oid(*git_tree_id(Raw.get())); }
  git_tree *raw() const { return Raw.get(); }

  /// What is at \p Path ("a/b/c"), nothing when there is no such entry.
  llvm::Expected<std::optional<TreeEntry>> find(llvm::StringRef Path) const;

  /// Visits every entry below this tree, a directory before what is in it,
  /// with its path from here.
  llvm::Error walk(Visitor Visit) const;

private:
  Handle<git_tree, git_tree_free> Raw;
};

class Commit {
public:
  explicit Commit(git_commit *Raw) : Raw(Raw) {}

  Oid id() const { return Oid(*git_commit_id(Raw.get())); }
  Oid treeId() const { return Oid(*git_commit_tree_id(Raw.get())); }
  std::vector<Oid> parents() const;
  /// The whole message, subject line included.
  llvm::StringRef message() const { return git_commit_message(Raw.get()); }
  Signature author() const;
  Signature committer() const;
  llvm::Expected<Tree> tree() const;

private:
  Handle<git_commit, git_commit_free> Raw;
};

} // namespace kgit

#endif // KSERIES_GIT_OBJECTS_H
