// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Edit.h"
#include "commands/QueueEdit.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

static Error drop(const Workspace &Where, Transaction &Change, StringRef Name,
                  ArrayRef<std::string> PatchFiles, raw_ostream &OS) {
  Expected<QueueEdit> Edit = QueueEdit::open(Where, Change, Name);
  if (!Edit)
    return Edit.takeError();
  for (const std::string &PatchFile : PatchFiles)
    if (Error E = Edit->indexOf(PatchFile).takeError())
      return E;
  std::vector<EditStep> Steps = Edit->steps();
  erase_if(Steps, [&](const EditStep &Step) {
    return is_contained(PatchFiles, Step.Name);
  });
  if (Steps.empty())
    return inputError("no patch would be left in " + Edit->files().Directory +
                      ": remove the queue by hand if that is meant");
  if (Error E = Edit->plan(Steps))
    return E;
  if (Error E = Edit->commit(nullptr))
    return E;
  Edit->report(OS);
  return Error::success();
}

Expected<int> dropPatches(const Workspace &Where, StringRef Queue,
                          ArrayRef<std::string> PatchFiles, Streams To) {
  if (PatchFiles.empty())
    return inputError("drop takes a queue and the patches to drop");
  Expected<Transaction> Change = Transaction::begin(Where, "drop", To.Err);
  if (!Change)
    return Change.takeError();
  return editResult(drop(Where, *Change, Queue, PatchFiles, To.Out), To);
}

} // namespace kseries
