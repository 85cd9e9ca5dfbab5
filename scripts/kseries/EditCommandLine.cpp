// SPDX-License-Identifier: GPL-2.0-only

#include "EditCommandLine.h"
#include "commands/Edit.h"
#include "commands/RangeDiff.h"

using namespace llvm;

namespace kseries {

static cl::SubCommand
    RefreshCommand("refresh",
                   "fold what was edited in a worktree into a patch");
static cl::SubCommand NewCommand("new", "begin a patch");
static cl::SubCommand DropCommand("drop", "remove patches");
static cl::SubCommand ReorderCommand("reorder", "put patches in another order");

static RefreshOptions Refresh;
static cl::opt<std::string, true>
    RefreshQueue(cl::Positional, cl::Required, cl::location(Refresh.Queue),
                 cl::desc("queue"), cl::cat(Options), cl::sub(RefreshCommand));
static cl::opt<std::string, true> RefreshPatch(cl::Positional,
                                               cl::location(Refresh.PatchFile),
                                               cl::desc("[patch]"),
                                               cl::cat(Options),
                                               cl::sub(RefreshCommand));
static cl::opt<std::string, true>
    RefreshDirectory("worktree", cl::location(Refresh.Directory),
                     cl::desc("the one to take from, of several that have the "
                              "queue's branch checked out"),
                     cl::value_desc("dir"), cl::cat(Options),
                     cl::sub(RefreshCommand));
static cl::opt<std::string, true>
    RefreshMessage("message", cl::location(Refresh.MessageFile),
                   cl::desc("replace the message by that of a file: subject, "
                            "blank line, body"),
                   cl::value_desc("file"), cl::cat(Options),
                   cl::sub(RefreshCommand));
static cl::alias RefreshShort("m", cl::aliasopt(RefreshMessage),
                              cl::desc("--message"), cl::cat(Options));

static NewOptions New;
static cl::opt<std::string, true> NewQueue(cl::Positional, cl::Required,
                                           cl::location(New.Queue),
                                           cl::desc("queue"), cl::cat(Options),
                                           cl::sub(NewCommand));
static cl::opt<std::string, true>
    NewPatchFile(cl::Positional, cl::Required, cl::location(New.PatchFile),
                 cl::desc("patch"), cl::cat(Options), cl::sub(NewCommand));
static cl::opt<std::string, true>
    NewSubject("message", cl::location(New.Subject),
               cl::desc("its subject (default: the file's name)"),
               cl::value_desc("subject"), cl::cat(Options),
               cl::sub(NewCommand));
static cl::alias NewShort("m", cl::aliasopt(NewSubject), cl::desc("--message"),
                          cl::cat(Options));
static cl::opt<std::string, true>
    NewAfter("after", cl::location(New.After),
             cl::desc("put it right above this patch (default: on top)"),
             cl::value_desc("patch"), cl::cat(Options), cl::sub(NewCommand));

static cl::opt<std::string> DropQueue(cl::Positional, cl::Required,
                                      cl::desc("queue"), cl::cat(Options),
                                      cl::sub(DropCommand));
static cl::list<std::string> DropPatches(cl::Positional, cl::OneOrMore,
                                         cl::desc("patch..."), cl::cat(Options),
                                         cl::sub(DropCommand));

static ReorderOptions Reorder;
static cl::opt<std::string, true>
    ReorderQueue(cl::Positional, cl::Required, cl::location(Reorder.Queue),
                 cl::desc("queue"), cl::cat(Options), cl::sub(ReorderCommand));
static cl::list<std::string, std::vector<std::string>>
    ReorderPatches(cl::Positional, cl::OneOrMore,
                   cl::location(Reorder.PatchFiles), cl::desc("patch..."),
                   cl::cat(Options), cl::sub(ReorderCommand));
static cl::opt<std::string, true>
    ReorderBefore("before", cl::location(Reorder.Before),
                  cl::desc("put the patches right below this one"),
                  cl::value_desc("patch"), cl::cat(Options),
                  cl::sub(ReorderCommand));
static cl::opt<std::string, true>
    ReorderAfter("after", cl::location(Reorder.After),
                 cl::desc("put the patches right above this one"),
                 cl::value_desc("patch"), cl::cat(Options),
                 cl::sub(ReorderCommand));

static cl::SubCommand SplitCommand("split", "make two patches of one");

static SplitOptions Split;
static cl::opt<std::string, true>
    SplitQueue(cl::Positional, cl::Required, cl::location(Split.Queue),
               cl::desc("queue"), cl::cat(Options), cl::sub(SplitCommand));
static cl::opt<std::string, true>
    SplitPatchFile(cl::Positional, cl::Required, cl::location(Split.PatchFile),
                   cl::desc("patch"), cl::cat(Options), cl::sub(SplitCommand));
static cl::list<std::string, std::vector<std::string>>
    SplitPartNames(cl::Positional, cl::location(Split.Parts),
                   cl::desc("[file|directory|file:hunks...]"), cl::cat(Options),
                   cl::sub(SplitCommand));
static cl::opt<std::string, true>
    SplitInto("into", cl::location(Split.Into),
              cl::desc("the new patch, right below the old one, of the files "
                       "and hunks (file:2 or file:1,3-4) that are named"),
              cl::value_desc("patch"), cl::cat(Options), cl::sub(SplitCommand));
static cl::opt<bool, true>
    SplitList("list", cl::location(Split.List),
              cl::desc("list the files and the numbers of their hunks"),
              cl::cat(Options), cl::sub(SplitCommand));

static cl::SubCommand
    RangeDiffCommand("range-diff", "compare two states of a series, patch by "
                                   "patch");
static cl::SubCommand DiffCommand("diff", "compare versions of a queue");

static cl::opt<std::string> RangeDiffOld(cl::Positional, cl::Required,
                                         cl::desc("old"), cl::cat(Options),
                                         cl::sub(RangeDiffCommand));
static cl::opt<std::string>
    RangeDiffNew(cl::Positional, cl::Required,
                 cl::desc("new: queues, QUEUE@vN for a version that was sent, "
                          "or revisions A..B"),
                 cl::cat(Options), cl::sub(RangeDiffCommand));
static cl::opt<std::string> DiffQueue(cl::Positional, cl::Required,
                                      cl::desc("queue"), cl::cat(Options),
                                      cl::sub(DiffCommand));
static cl::opt<std::string>
    DiffVersions(cl::Positional, cl::Required,
                 cl::desc("v1..v2, or v1.. for one against the queue"),
                 cl::cat(Options), cl::sub(DiffCommand));
static cl::opt<StatusFormat> DiffFormat(
    "format", cl::desc("how to print"), cl::init(StatusFormat::Text),
    cl::values(clEnumValN(StatusFormat::Text, "text", "for people (default)"),
               clEnumValN(StatusFormat::Json, "json", "for programs")),
    cl::cat(Options), cl::sub(RangeDiffCommand), cl::sub(DiffCommand));

std::vector<cl::SubCommand *> editCommands() {
  return {&RefreshCommand, &NewCommand,       &DropCommand, &ReorderCommand,
          &SplitCommand,   &RangeDiffCommand, &DiffCommand};
}

std::optional<Expected<int>> runEditCommand(const Workspace &Where,
                                            Streams To) {
  if (RefreshCommand)
    return refreshPatch(Where, Refresh, To);
  if (NewCommand)
    return newPatch(Where, New, To);
  if (DropCommand)
    return dropPatches(Where, DropQueue, DropPatches, To);
  if (ReorderCommand)
    return reorderPatches(Where, Reorder, To);
  if (SplitCommand)
    return splitPatch(Where, Split, To);
  if (RangeDiffCommand)
    return rangeDiff(Where, RangeDiffOld, RangeDiffNew, DiffFormat, To);
  if (DiffCommand)
    return diffVersions(Where, DiffQueue, DiffVersions, DiffFormat, To);
  return std::nullopt;
}

} // namespace kseries
