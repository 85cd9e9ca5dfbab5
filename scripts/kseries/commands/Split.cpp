// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Edit.h"
#include "commands/PatchName.h"
#include "commands/QueueEdit.h"
#include "commands/SplitParts.h"
#include "patch/PatchError.h"

using namespace llvm;

namespace kseries {

static Error split(const Workspace &Where, Transaction &Change,
                   const SplitOptions &Options, raw_ostream &OS) {
  Expected<QueueEdit> Edit = QueueEdit::open(Where, Change, Options.Queue);
  if (!Edit)
    return Edit.takeError();
  Expected<size_t> At = Edit->indexOf(Options.PatchFile);
  if (!At)
    return At.takeError();
  std::vector<EditStep> Steps = Edit->steps();
  EditStep &Rest = Steps[*At];
  Expected<SplitParts> Parts = SplitParts::of(Edit->repository(), Rest.Before,
                                              Rest.After, Rest.Origin->Path);
  if (!Parts)
    return Parts.takeError();
  if (Options.List) {
    Parts->list(OS);
    return Error::success();
  }
  if (Error E =
          checkPatchName(Options.Into, Edit->files().Directory, Where.files()))
    return E;
  Expected<kgit::Oid> Between = Parts->take(Options.Parts);
  if (!Between)
    return Between.takeError();
  // The author is that of the whole; the tags others gave are not.
  Patch Message;
  Message.From = Rest.Message.From;
  Message.Date = Rest.Message.Date;
  Message.Subject = StringRef(Options.Into).drop_back(6).str();
  EditStep First{Options.Into, nullptr, Message, true, Rest.Before, *Between};
  Rest.Before = *Between;
  Steps.insert(Steps.begin() + *At, std::move(First));
  if (Error E = Edit->plan(Steps))
    return E;
  if (Error E = Edit->commit(nullptr))
    return E;
  Edit->report(OS);
  return Error::success();
}

Expected<int> splitPatch(const Workspace &Where, const SplitOptions &Options,
                         Streams To) {
  if (Options.List ? !Options.Parts.empty() || !Options.Into.empty()
                   : Options.Parts.empty() || Options.Into.empty())
    return inputError("split takes --into and what goes into the new patch "
                      "(FILE, DIRECTORY or FILE:HUNKS), or --list alone");
  Expected<Transaction> Change = Transaction::begin(Where, "split", To.Err);
  if (!Change)
    return Change.takeError();
  return editResult(split(Where, *Change, Options, To.Out), To);
}

} // namespace kseries
