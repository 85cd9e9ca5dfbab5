// SPDX-License-Identifier: GPL-2.0-only
//
// The directory in which a user resolves conflicts: the files that met, with
// ordinary conflict markers, at their places, and below .kseries the three
// versions of each and what the rebase was about. Nothing else of the tree is
// in it. It appears, changes and goes in one step.

#ifndef KSERIES_REBASE_RESOLVEDIRECTORY_H
#define KSERIES_REBASE_RESOLVEDIRECTORY_H

#include "queue/Workspace.h"
#include "rebase/QueueMove.h"

#include <map>

namespace kseries {

/// A rebase that waits for its user.
struct WaitingRebase {
  /// Empty for --all.
  std::vector<std::string> Queues;
  std::string Onto;
  bool DropUpstream = false;
  /// Where it stopped.
  std::string Queue;
  std::string PatchFile;
  /// The keys of the conflicts there.
  std::vector<std::string> Conflicts;
  /// What the user has resolved before, queue by queue.
  std::map<std::string, Resolutions> Resolved;
};

class ResolveDirectory {
public:
  /// For the rebase of \p Queue, or of all when that is empty.
  ResolveDirectory(const Workspace &Where, llvm::StringRef Queue);

  /// Those that are there, by the queue they were opened for.
  static llvm::Expected<std::vector<std::string>> list(const Workspace &Where);

  const std::string &path() const { return Path; }
  bool exists() const;

  /// Writes it anew, in place of what was there.
  llvm::Error write(const kgit::Repository &Repo, const WaitingRebase &State,
                    const StoppedAt &Stopped) const;
  llvm::Expected<WaitingRebase> read() const;

  /// What the user has made of a conflict; nothing inside when the file was
  /// removed. A file with conflict markers left in it is a finding: the
  /// outer one is nothing then.
  llvm::Expected<std::optional<std::optional<kgit::TreeEntry>>>
  result(const kgit::Repository &Repo, const Conflict &Of) const;

private:
  llvm::Error fill(const kgit::Repository &Repo, const WaitingRebase &State,
                   const StoppedAt &Stopped, llvm::StringRef Into) const;

  std::string Path;
  /// Where it is made before it takes its name.
  std::string Making;
};

} // namespace kseries

#endif // KSERIES_REBASE_RESOLVEDIRECTORY_H
