// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Edit.h"
#include "commands/QueueEdit.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

/// The patches by their place now, in the order that was asked for.
static Expected<std::vector<size_t>> newOrder(const QueueEdit &Edit,
                                              const ReorderOptions &Options) {
  std::vector<size_t> Named;
  for (const std::string &PatchFile : Options.PatchFiles) {
    Expected<size_t> At = Edit.indexOf(PatchFile);
    if (!At)
      return At.takeError();
    if (is_contained(Named, *At))
      return inputError("reorder: " + PatchFile + " is named twice");
    Named.push_back(*At);
  }
  size_t Count = Edit.steps().size();
  StringRef Place = Options.Before.empty() ? Options.After : Options.Before;
  if (Place.empty()) {
    if (Named.size() != Count)
      return inputError("reorder: " + Edit.files().Directory + "/series has " +
                        Twine(Count) + " patches and " + Twine(Named.size()) +
                        " are named: name all, or say --before or --after");
    return Named;
  }
  Expected<size_t> At = Edit.indexOf(Place);
  if (!At)
    return At.takeError();
  if (is_contained(Named, *At))
    return inputError("reorder: " + Place + " cannot move beside itself");
  std::vector<size_t> Order;
  for (size_t I = 0; I < Count; ++I) {
    if (is_contained(Named, I))
      continue;
    if (I == *At && !Options.Before.empty())
      Order.insert(Order.end(), Named.begin(), Named.end());
    Order.push_back(I);
    if (I == *At && Options.Before.empty())
      Order.insert(Order.end(), Named.begin(), Named.end());
  }
  return Order;
}

static Error reorder(const Workspace &Where, Transaction &Change,
                     const ReorderOptions &Options, raw_ostream &OS) {
  Expected<QueueEdit> Edit = QueueEdit::open(Where, Change, Options.Queue);
  if (!Edit)
    return Edit.takeError();
  Expected<std::vector<size_t>> Order = newOrder(*Edit, Options);
  if (!Order)
    return Order.takeError();
  std::vector<EditStep> Old = Edit->steps(), Steps;
  for (size_t At : *Order)
    Steps.push_back(Old[At]);
  if (is_sorted(*Order)) {
    OS << Options.Queue << ": in that order already\n";
    return Error::success();
  }
  if (Error E = Edit->plan(Steps))
    return E;
  if (Error E = Edit->commit(nullptr))
    return E;
  Edit->report(OS);
  return Error::success();
}

Expected<int> reorderPatches(const Workspace &Where,
                             const ReorderOptions &Options, Streams To) {
  if (Options.PatchFiles.empty())
    return inputError("reorder takes a queue and its patches");
  if (!Options.Before.empty() && !Options.After.empty())
    return inputError("reorder: --before and --after exclude each other");
  Expected<Transaction> Change = Transaction::begin(Where, "reorder", To.Err);
  if (!Change)
    return Change.takeError();
  return editResult(reorder(Where, *Change, Options, To.Out), To);
}

} // namespace kseries
