// SPDX-License-Identifier: GPL-2.0-only
//
// What a patch did to one tree, done to another: a 3-way merge in memory of
// the files that the patch touches. The result is that of `git rebase` with
// merge.directoryRenames=false and diff-algorithm=myers, file for file and
// conflict for conflict; the rest of the trees is looked at only when a touched
// file may have been renamed on the other side. Merge drivers that a tree's
// .gitattributes ask for are not run. One difference is meant: where one side
// renames a file to a name that the other side gave to the very same content,
// git (2.39) takes one of two changes and drops the other without a word; here
// that is a conflict.

#ifndef KSERIES_MERGE_TREEMERGE_H
#define KSERIES_MERGE_TREEMERGE_H

#include "git/TreeEdit.h"
#include "merge/FileMerge.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kseries {

enum class ConflictKind {
  /// Both changed the same lines, or a binary file.
  Content,
  /// Both added a file of that name.
  AddAdd,
  /// The patch changes what the new base has not any more.
  GoneInOurs,
  /// The patch removes what the new base has changed.
  GoneInTheirs,
  /// Both renamed one file, to different names.
  RenameRename,
  /// One renamed what the other removed.
  RenameDelete,
  /// Renamed to a name that the other side has given to another file.
  RenameAdd,
  /// A symbolic link or a submodule on one side, or changed on both.
  Type,
  /// A file on one side, a directory of its name on the other.
  Directory,
};

/// "Ours" is the new base with the patches already moved, "theirs" the patch.
struct Conflict {
  ConflictKind Kind;
  /// Where the result belongs, and is looked for once it is resolved.
  std::string Path;
  /// Where the versions are, when that is somewhere else.
  std::string BasePath;
  std::string TheirsPath;
  std::optional<kgit::TreeEntry> Base;
  std::optional<kgit::TreeEntry> Ours;
  std::optional<kgit::TreeEntry> Theirs;
  /// What to start from, with conflict markers where there are lines to choose
  /// from; nothing when there is no file to start from.
  std::optional<std::string> Text;

  /// Whether a file at Path can settle it.
  bool canResolve() const {
    auto IsModule = [](const std::optional<kgit::TreeEntry> &Entry) {
      return Entry && Entry->isSubmodule();
    };
    return Kind != ConflictKind::Directory && !IsModule(Ours) &&
           !IsModule(Theirs);
  }
};

struct TreeMergeResult {
  /// Valid without conflicts.
  kgit::Oid Tree;
  std::vector<Conflict> Conflicts;
  /// What was done to ours, the files that merged beside a conflict included.
  kgit::TreeEdits Edits;
};

/// What is to be at a conflict's path: a file or, inside, none. Nothing when it
/// is not known.
using Resolver = llvm::function_ref<llvm::Expected<
    std::optional<std::optional<kgit::TreeEntry>>>(const Conflict &)>;

llvm::Expected<TreeMergeResult>
mergeTrees(const kgit::Repository &Repo, const kgit::Oid &Base,
           const kgit::Oid &Ours, const kgit::Oid &Theirs,
           const MergeLabels &Labels, Resolver Resolve);

} // namespace kseries

#endif // KSERIES_MERGE_TREEMERGE_H
