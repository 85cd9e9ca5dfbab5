// SPDX-License-Identifier: GPL-2.0-only
//
// Queues on top of each other, each read and committed once however many stand
// on it. Nothing reaches the disk.

#ifndef KSERIES_COMMANDS_QUEUESTACK_H
#define KSERIES_COMMANDS_QUEUESTACK_H

#include "queue/QueueCommits.h"
#include "queue/Workspace.h"

#include <map>

namespace kseries {

class QueueStack {
public:
  /// Opens the repository and holds back what is written to it.
  static llvm::Expected<QueueStack> open(const Workspace &Where);

  kgit::Repository &repository() { return Repo; }

  llvm::Expected<const Queue *> load(llvm::StringRef Name);
  /// Commits the queue and those below it.
  llvm::Expected<const QueueCommits *> commit(llvm::StringRef Name);

private:
  QueueStack(const Workspace &Where, kgit::Repository Repo,
             kgit::Signature Committer)
      : Where(Where), Repo(std::move(Repo)), Committer(std::move(Committer)) {}

  const Workspace &Where;
  kgit::Repository Repo;
  kgit::Signature Committer;
  std::map<std::string, Queue, std::less<>> Loaded;
  std::map<std::string, QueueCommits, std::less<>> Committed;
};

} // namespace kseries

#endif // KSERIES_COMMANDS_QUEUESTACK_H
