// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Edit.h"
#include "commands/PatchName.h"
#include "commands/QueueEdit.h"
#include "git/ChangedPaths.h"
#include "git/TreeEdit.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

/// Whether \p Path is one of \p Wanted, or below one that names a directory.
static bool isAmong(StringRef Path, ArrayRef<std::string> Wanted,
                    std::vector<bool> &Met) {
  bool Any = false;
  for (size_t I = 0; I < Wanted.size(); ++I) {
    StringRef Rest = Path;
    StringRef Name = StringRef(Wanted[I]).rtrim('/');
    if (!Rest.consume_front(Name) || (!Rest.empty() && !Rest.starts_with("/")))
      continue;
    Met[I] = true;
    Any = true;
  }
  return Any;
}

/// What the patch's tree below becomes with the named files changed alone.
static Expected<kgit::Oid> treeBetween(const QueueEdit &Edit,
                                       const EditStep &Step,
                                       const SplitOptions &Options) {
  Expected<std::vector<kgit::ChangedPath>> Changed =
      kgit::changedPaths(Edit.repository(), Step.Before, Step.After);
  if (!Changed)
    return Changed.takeError();
  kgit::TreeEdits Edits;
  std::vector<bool> Met(Options.Files.size());
  for (const kgit::ChangedPath &Path : *Changed)
    if (isAmong(Path.Path, Options.Files, Met))
      Edits[Path.Path] = Path.New;
  for (size_t I = 0; I < Met.size(); ++I)
    if (!Met[I])
      return inputError("split: " + Step.Origin->Path + " does not change " +
                        quoteForMessage(Options.Files[I]));
  if (Edits.size() == Changed->size())
    return inputError("split: that is all of " + Step.Origin->Path +
                      ": nothing would be left of it");
  return kgit::editTree(Edit.repository(), Step.Before, Edits);
}

static Error split(const Workspace &Where, Transaction &Change,
                   const SplitOptions &Options, raw_ostream &OS) {
  Expected<QueueEdit> Edit = QueueEdit::open(Where, Change, Options.Queue);
  if (!Edit)
    return Edit.takeError();
  Expected<size_t> At = Edit->indexOf(Options.PatchFile);
  if (!At)
    return At.takeError();
  if (Error E =
          checkPatchName(Options.Into, Edit->files().Directory, Where.files()))
    return E;
  std::vector<EditStep> Steps = Edit->steps();
  EditStep &Rest = Steps[*At];
  Expected<kgit::Oid> Between = treeBetween(*Edit, Rest, Options);
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
  if (Options.Files.empty())
    return inputError("split needs --files: what goes into the new patch");
  Expected<Transaction> Change = Transaction::begin(Where, "split", To.Err);
  if (!Change)
    return Change.takeError();
  return editResult(split(Where, *Change, Options, To.Out), To);
}

} // namespace kseries
