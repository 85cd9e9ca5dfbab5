// SPDX-License-Identifier: GPL-2.0-only
//
// Where the queues and the kernel repository are, and what stands on what.

#ifndef KSERIES_QUEUE_WORKSPACE_H
#define KSERIES_QUEUE_WORKSPACE_H

#include "git/Repository.h"
#include "queue/PendingFiles.h"

namespace kseries {

class Workspace {
public:
  /// An empty argument means the default: the nearest "series" directory
  /// here or above, and "build/linux.git" beside it. \p OtherBase, unless
  /// empty, is the revision that takes the place of those that base files name.
  static llvm::Expected<Workspace> find(llvm::StringRef SeriesDirectory,
                                        llvm::StringRef GitDirectory,
                                        llvm::StringRef OtherBase = "");

  /// The same place as it will be with \p Pending, which must outlive it.
  Workspace with(const PendingFiles &Pending) const {
    Workspace Changed = *this;
    Changed.Pending = &Pending;
    return Changed;
  }

  const std::string &seriesDirectory() const { return Series; }
  const std::string &gitDirectory() const { return Git; }
  /// The files of the queues, those of with() included.
  const PendingFiles &files() const { return *Pending; }
  /// SERIES-DIRECTORY/QUEUE/FILE.
  std::string pathOf(llvm::StringRef Queue, llvm::StringRef File) const {
    return (Series + "/" + Queue + "/" + File).str();
  }

  /// Where trees are unpacked: build/worktrees beside the queues.
  std::string worktreesDirectory() const;
  /// What a directory there is called until all of it is written. One that is
  /// found by a later command was left by one that was killed.
  static std::string unfinishedName(llvm::StringRef Name) {
    return ("." + Name + ".kseries-new").str();
  }
  /// The paths of those that are there.
  std::vector<std::string> unfinishedDirectories() const;

  /// Every directory with a series file: a queue after those that it stands
  /// on, and by name.
  llvm::Expected<std::vector<std::string>> queueNames() const;
  bool hasQueue(llvm::StringRef Name) const;

  /// The queue or the revision on which the queue stands.
  llvm::Expected<std::string> baseName(llvm::StringRef Queue) const;

  /// The queues below \p Queue and itself, the lowest first. A cycle is an
  /// error that shows it.
  llvm::Expected<std::vector<std::string>> chain(llvm::StringRef Queue) const;

  /// The commit on which the lowest queue of a chain stands.
  llvm::Expected<kgit::Oid> baseCommit(const kgit::Repository &Repo,
                                       llvm::StringRef LowestQueue) const;

private:
  Workspace(std::string Series, std::string Git, std::string OtherBase)
      : Series(std::move(Series)), Git(std::move(Git)),
        OtherBase(std::move(OtherBase)) {}

  std::string Series;
  std::string Git;
  std::string OtherBase;
  const PendingFiles *Pending = &PendingFiles::none();
};

} // namespace kseries

#endif // KSERIES_QUEUE_WORKSPACE_H
