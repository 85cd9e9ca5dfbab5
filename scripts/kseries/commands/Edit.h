// SPDX-License-Identifier: GPL-2.0-only
//
// The commands that work on the patches of a queue. All of them change files,
// references and worktrees together; when patches conflict they change
// nothing, print the patch, the file and the hunk, and give 1.

#ifndef KSERIES_COMMANDS_EDIT_H
#define KSERIES_COMMANDS_EDIT_H

#include "commands/Commands.h"

namespace kseries {

struct RefreshOptions {
  std::string Queue;
  /// The patch to change; empty for the top one.
  std::string PatchFile;
  /// Where to look for changes; empty for the worktree that has the queue's
  /// branch checked out.
  std::string Directory;
  /// A file with the new message: subject, blank line, body. Empty to keep it.
  std::string MessageFile;
};

/// Folds into a patch what was edited in a worktree and not committed.
llvm::Expected<int> refreshPatch(const Workspace &Where,
                                 const RefreshOptions &Options, Streams To);

struct NewOptions {
  std::string Queue;
  std::string PatchFile;
  /// Empty for one made of the file's name.
  std::string Subject;
  /// The patch below the new one; empty for the top one.
  std::string After;
};

/// Adds a patch without changes.
llvm::Expected<int> newPatch(const Workspace &Where, const NewOptions &Options,
                             Streams To);

/// Removes patches.
llvm::Expected<int> dropPatches(const Workspace &Where, llvm::StringRef Queue,
                                llvm::ArrayRef<std::string> PatchFiles,
                                Streams To);

struct ReorderOptions {
  std::string Queue;
  /// All patches, or those that move together when Before or After is set.
  std::vector<std::string> PatchFiles;
  std::string Before;
  std::string After;
};

llvm::Expected<int> reorderPatches(const Workspace &Where,
                                   const ReorderOptions &Options, Streams To);

struct SplitOptions {
  std::string Queue;
  std::string PatchFile;
  /// FILE, DIRECTORY or FILE:HUNKS, see SplitParts.h.
  std::vector<std::string> Parts;
  /// The new patch file.
  std::string Into;
  /// Only list the parts.
  bool List = false;
};

/// Moves some files or hunks of a patch into a new patch right below it.
llvm::Expected<int> splitPatch(const Workspace &Where,
                               const SplitOptions &Options, Streams To);

} // namespace kseries

#endif // KSERIES_COMMANDS_EDIT_H
