// SPDX-License-Identifier: GPL-2.0-only
//
// A rebase of one queue or several, worked out in memory and then made part of
// a transaction.

#ifndef KSERIES_COMMANDS_REBASEPLAN_H
#define KSERIES_COMMANDS_REBASEPLAN_H

#include "commands/QueueStack.h"
#include "queue/Transaction.h"
#include "rebase/ResolveDirectory.h"

#include "llvm/ADT/STLExtras.h"

#include <list>
#include <set>

namespace kseries {

class RebasePlan {
public:
  RebasePlan(const Workspace &Where, QueueStack &Stack,
             const WaitingRebase &Asked)
      : Where(Where), Stack(Stack), Repo(Stack.repository()), Asked(Asked) {}

  /// Moves every queue in memory, until one stops.
  llvm::Error plan();
  const QueueMove *stopped() const {
    return Moves.empty() || !Moves.back().Stopped ? nullptr : &Moves.back();
  }
  bool hasUpstream() const {
    return llvm::any_of(Moves,
                        [](const QueueMove &M) { return !M.Upstream.empty(); });
  }

  llvm::Error reportStopped(llvm::raw_ostream &OS);
  void reportUpstream(llvm::raw_ostream &OS) const;
  /// Has \p Change write files and move references.
  llvm::Error record(Transaction &Change);
  void report(llvm::raw_ostream &OS) const;

private:
  llvm::Error findTarget();
  llvm::Error findQueues();
  llvm::Expected<bool> standsOnMoved(llvm::StringRef Queue) const;
  llvm::Error planQueue(const std::string &Name);
  llvm::Expected<Resolutions> knownResolutions(llvm::StringRef Queue) const;
  llvm::Error recordFiles(Transaction &Change, const QueueMove &Move);
  llvm::Error recordResolutions(Transaction &Change, const QueueMove &Move);
  llvm::Error recordRefs(Transaction &Change);
  void note(const std::string &Path, llvm::StringRef What) {
    Changes += Path + ": " + What.str() + "\n";
  }

  const Workspace &Where;
  QueueStack &Stack;
  kgit::Repository &Repo;
  const WaitingRebase &Asked;
  /// Where the queues go.
  kgit::Oid Target;
  kgit::Oid TargetTree;
  /// Those whose base file changes.
  std::set<std::string> Roots;
  /// All that move, each after those below it.
  std::vector<std::string> Queues;
  std::vector<QueueMove> Moves;
  /// By the commit of the old base.
  std::map<kgit::Oid, BaseHistory> Histories;
  std::list<Resolutions> Known;
  std::vector<MoveRequest> Requests;
  /// What was changed, a line each.
  std::string Changes;
};

} // namespace kseries

#endif // KSERIES_COMMANDS_REBASEPLAN_H
