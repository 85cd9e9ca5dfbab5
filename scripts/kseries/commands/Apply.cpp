// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Applier.h"
#include "commands/Commands.h"
#include "patch/PatchError.h"

#include <set>

using namespace llvm;

namespace kseries {

Expected<int> applyQueues(const Workspace &Where, ArrayRef<std::string> Queues,
                          bool Force, Streams To) {
  Expected<Transaction> Change = Transaction::begin(Where, "apply", To.Err);
  if (!Change)
    return Change.takeError();
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  Applier Apply(Where, *Stack, Force);
  Error Failures = Error::success();
  // A queue that fails does so again for each one that stands on it.
  std::set<std::string> Said;
  for (const std::string &Queue : Queues)
    if (Error E = Apply.plan(Queue)) {
      std::string Message = toString(std::move(E));
      if (Said.insert(Message).second)
        Failures = joinErrors(std::move(Failures), inputError(Message));
    }
  if (Error E = Apply.record(*Change))
    return joinErrors(std::move(Failures), std::move(E));
  if (Error E = Change->commit(Stack->repository()))
    return joinErrors(std::move(Failures), std::move(E));
  Apply.report(To.Out);
  if (Failures)
    return std::move(Failures);
  return 0;
}

} // namespace kseries
