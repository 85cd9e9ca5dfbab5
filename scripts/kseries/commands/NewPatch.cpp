// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Edit.h"
#include "commands/PatchName.h"
#include "commands/QueueEdit.h"
#include "patch/PatchError.h"
#include "patch/PatchParser.h"
#include "patch/PatchPrinter.h"
#include "patch/PathName.h"

using namespace llvm;

namespace kseries {

Error checkPatchName(StringRef Name, StringRef QueueDirectory,
                     const PendingFiles &Files) {
  int Valid = 0;
  git_reference_name_is_valid(&Valid, ("refs/patches/q/" + Name).str().c_str());
  bool Plain = Name.ends_with(".patch") && Name.size() > 6 &&
               !Name.contains('/') &&
               Name.find_first_of(" #\t\r\n\"") == StringRef::npos &&
               !Name.starts_with("-");
  if (!Valid || !Plain || unsafePathReason(Name))
    return inputError("patch name " + quoteForMessage(Name) +
                      ": take one word that ends in .patch");
  if (Files.exists((QueueDirectory + "/" + Name).str()))
    return inputError(QueueDirectory + "/" + Name +
                      ": there already: take another name");
  return Error::success();
}

static Expected<Patch> emptyPatch(const NewOptions &Options, StringRef Path) {
  Patch Made;
  setMessage(Made, Options.Subject.empty()
                       ? StringRef(Options.PatchFile).drop_back(6)
                       : StringRef(Options.Subject));
  Expected<Patch> Read = parsePatch(printPatch(Made), Path);
  if (!Read || Read->commitMessage() != Made.commitMessage()) {
    if (!Read)
      consumeError(Read.takeError());
    return inputError("--message: " + quoteForMessage(Options.Subject) +
                      " cannot be the subject of a patch");
  }
  return Made;
}

/// A queue that was just begun lists no patch, and nothing can be applied.
static Error beginQueue(const Workspace &Where, Transaction &Change,
                        const Patch &First, const SeriesFile &Series,
                        const NewOptions &Options, raw_ostream &OS) {
  std::string Path = Where.pathOf(Options.Queue, Options.PatchFile);
  if (Error E = Change.write(Path, printPatch(First)))
    return E;
  if (Error E = Change.write(Where.pathOf(Options.Queue, "series"),
                             Series.withPatches({Options.PatchFile})))
    return E;
  Workspace Pending = Where.with(Change.files());
  Expected<QueueStack> Stack = QueueStack::open(Pending);
  if (!Stack)
    return Stack.takeError();
  if (Error E = Stack->commit(Options.Queue).takeError())
    return E;
  if (Error E = Change.commit(Stack->repository()))
    return E;
  OS << Path << ": new\n";
  return Error::success();
}

static Error insertPatch(const Workspace &Where, Transaction &Change,
                         const Patch &Made, const NewOptions &Options,
                         raw_ostream &OS) {
  Expected<QueueEdit> Edit = QueueEdit::open(Where, Change, Options.Queue);
  if (!Edit)
    return Edit.takeError();
  std::vector<EditStep> Steps = Edit->steps();
  size_t Below = Steps.size() - 1;
  if (!Options.After.empty()) {
    Expected<size_t> Found = Edit->indexOf(Options.After);
    if (!Found)
      return Found.takeError();
    Below = *Found;
  }
  kgit::Oid Tree = Steps[Below].After;
  Steps.insert(Steps.begin() + Below + 1,
               {Options.PatchFile, nullptr, Made, true, Tree, Tree});
  if (Error E = Edit->plan(Steps))
    return E;
  if (Error E = Edit->commit(nullptr))
    return E;
  Edit->report(OS);
  return Error::success();
}

Expected<int> newPatch(const Workspace &Where, const NewOptions &Options,
                       Streams To) {
  if (!Where.hasQueue(Options.Queue))
    return inputError("no queue '" + Options.Queue + "' in " +
                      Where.seriesDirectory());
  Expected<Transaction> Change = Transaction::begin(Where, "new", To.Err);
  if (!Change)
    return Change.takeError();
  std::string Directory = Where.seriesDirectory() + "/" + Options.Queue;
  if (Error E = checkPatchName(Options.PatchFile, Directory, Where.files()))
    return std::move(E);
  Expected<Patch> Made =
      emptyPatch(Options, Directory + "/" + Options.PatchFile);
  if (!Made)
    return Made.takeError();
  std::string SeriesPath = Directory + "/series";
  Expected<std::string> Text = Where.files().read(SeriesPath);
  if (!Text)
    return Text.takeError();
  Expected<SeriesFile> Series = SeriesFile::parse(*Text, SeriesPath);
  if (!Series)
    return Series.takeError();
  if (!Series->entries().empty())
    return editResult(insertPatch(Where, *Change, *Made, Options, To.Out), To);
  if (!Options.After.empty())
    return inputError("no patch '" + Options.After + "' in " + SeriesPath);
  return editResult(beginQueue(Where, *Change, *Made, *Series, Options, To.Out),
                    To);
}

} // namespace kseries
