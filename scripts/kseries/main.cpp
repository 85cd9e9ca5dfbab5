// SPDX-License-Identifier: GPL-2.0-only
//
// kseries: patch queues as commits, mails and files.

#include "EditCommandLine.h"
#include "commands/Commands.h"
#include "commands/Rebase.h"
#include "patch/PatchError.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace kseries;

cl::OptionCategory Options("kseries options");

static cl::SubCommand ApplyCommand("apply", "commit queues to branches");
static cl::SubCommand MboxCommand("mbox", "print a queue as mails for git am");
static cl::SubCommand ExportCommand("export",
                                    "bring a changed branch back into patches");
static cl::SubCommand RebaseCommand("rebase", "move queues to another base");
static cl::SubCommand StatusCommand("status", "say how the queues stand");
static cl::SubCommand LintCommand("lint",
                                  "check a queue by the kernel's rules");
static cl::SubCommand
    TrailersCommand("trailers", "collect tags for a queue from saved mails");

static cl::opt<std::string>
    SeriesDirectory("series-dir",
                    cl::desc("where the queues are (default: the "
                             "nearest 'series' here or above)"),
                    cl::value_desc("dir"), cl::cat(Options),
                    cl::sub(cl::SubCommand::getAll()));
static cl::opt<std::string>
    GitDirectory("git-dir",
                 cl::desc("the kernel repository (default: "
                          "build/linux.git beside the queues)"),
                 cl::value_desc("dir"), cl::cat(Options),
                 cl::sub(cl::SubCommand::getAll()));
static cl::opt<std::string>
    OtherBase("base",
              cl::desc("stand the queues on this revision, whatever their base "
                       "files name"),
              cl::value_desc("revision"), cl::cat(Options),
              cl::sub(cl::SubCommand::getAll()));

static cl::list<std::string> ApplyNames(cl::Positional, cl::desc("[queue...]"),
                                        cl::cat(Options),
                                        cl::sub(ApplyCommand));
static cl::opt<bool> ApplyAll("all", cl::desc("apply every queue"),
                              cl::cat(Options), cl::sub(ApplyCommand));
static cl::opt<bool> ApplyForce(
    "force",
    cl::desc("overwrite branches that were changed by hand or are checked out"),
    cl::cat(Options), cl::sub(ApplyCommand));

static cl::opt<std::string> MboxName(cl::Positional, cl::Required,
                                     cl::desc("queue"), cl::cat(Options),
                                     cl::sub(MboxCommand));
static cl::opt<std::string> ExportName(cl::Positional, cl::Required,
                                       cl::desc("queue"), cl::cat(Options),
                                       cl::sub(ExportCommand));

static RebaseOptions Rebase;
static cl::list<std::string, std::vector<std::string>>
    RebaseNames(cl::Positional, cl::location(Rebase.Queues),
                cl::desc("[queue]"), cl::cat(Options), cl::sub(RebaseCommand));
static cl::opt<std::string, true>
    RebaseOnto("onto", cl::location(Rebase.Onto),
               cl::desc("the base to be: a revision or a queue"),
               cl::value_desc("base"), cl::cat(Options),
               cl::sub(RebaseCommand));
static cl::opt<bool, true>
    RebaseAll("all", cl::location(Rebase.All),
              cl::desc("move every queue that stands on a revision"),
              cl::cat(Options), cl::sub(RebaseCommand));
static cl::opt<bool, true>
    RebaseResolve("resolve", cl::location(Rebase.Resolve),
                  cl::desc("open a conflict below build/worktrees"),
                  cl::cat(Options), cl::sub(RebaseCommand));
static cl::opt<bool, true>
    RebaseContinue("continue", cl::location(Rebase.Continue),
                   cl::desc("go on with what was made of a conflict"),
                   cl::cat(Options), cl::sub(RebaseCommand));
static cl::opt<bool, true> RebaseAbort("abort", cl::location(Rebase.Abort),
                                       cl::desc("close a conflict"),
                                       cl::cat(Options),
                                       cl::sub(RebaseCommand));
static cl::opt<bool, true>
    RebaseDrop("drop-upstream", cl::location(Rebase.DropUpstream),
               cl::desc("drop the patches that the new base has"),
               cl::cat(Options), cl::sub(RebaseCommand));

static cl::list<std::string> StatusNames(cl::Positional, cl::desc("[queue...]"),
                                         cl::cat(Options),
                                         cl::sub(StatusCommand));
static cl::opt<StatusFormat> Format(
    "format", cl::desc("how to print"), cl::init(StatusFormat::Text),
    cl::values(clEnumValN(StatusFormat::Text, "text", "a table (default)"),
               clEnumValN(StatusFormat::Json, "json", "for programs")),
    cl::cat(Options), cl::sub(StatusCommand), cl::sub(LintCommand));

static cl::opt<std::string> LintName(cl::Positional, cl::Required,
                                     cl::desc("queue"), cl::cat(Options),
                                     cl::sub(LintCommand));
static cl::opt<std::string>
    LintTree("tree",
             cl::desc("folder of the base, for checkpatch and dmacheck "
                      "(default: build/worktrees/BASE)"),
             cl::value_desc("dir"), cl::cat(Options), cl::sub(LintCommand));
static cl::opt<bool> LintNoBuild("no-build",
                                 cl::desc("do not compile the patches"),
                                 cl::cat(Options), cl::sub(LintCommand));
static cl::list<std::string>
    LintSkip("skip", cl::CommaSeparated,
             cl::desc("rules to leave out, as findings name them"),
             cl::value_desc("rule,..."), cl::cat(Options),
             cl::sub(LintCommand));

static cl::opt<std::string> TrailersName(cl::Positional, cl::Required,
                                         cl::desc("queue"), cl::cat(Options),
                                         cl::sub(TrailersCommand));
static cl::opt<std::string>
    TrailersFrom("from", cl::Required,
                 cl::desc("an mbox, a Maildir, a folder of mails, or one mail"),
                 cl::value_desc("mails"), cl::cat(Options),
                 cl::sub(TrailersCommand));

static Expected<int> applyCommand(const Workspace &Where, Streams To) {
  if (ApplyAll == !ApplyNames.empty())
    return inputError("apply takes queues or --all");
  if (!ApplyAll)
    return applyQueues(Where, ApplyNames, ApplyForce, To);
  Expected<std::vector<std::string>> Names = Where.queueNames();
  if (!Names)
    return Names.takeError();
  return applyQueues(Where, *Names, ApplyForce, To);
}

static Expected<int> lintCommand(const Workspace &Where, Streams To) {
  LintOptions How;
  How.Json = Format == StatusFormat::Json;
  How.Tree = LintTree;
  How.Skipped.assign(LintSkip.begin(), LintSkip.end());
  if (LintNoBuild)
    How.Skipped.push_back("build");
  return lintQueue(Where, LintName, How, To);
}

static Expected<int> rebaseCommand(const Workspace &Where, Streams To) {
  if (!OtherBase.empty())
    return inputError("rebase goes from the base that the queue names: --base "
                      "has no place there");
  return rebaseQueues(Where, Rebase, To);
}

static Expected<int> runCommand(Streams To) {
  Expected<Workspace> Where =
      Workspace::find(SeriesDirectory, GitDirectory, OtherBase);
  if (!Where)
    return Where.takeError();
  if (ApplyCommand)
    return applyCommand(*Where, To);
  if (MboxCommand)
    return printMails(*Where, MboxName, To);
  if (ExportCommand)
    return exportQueue(*Where, ExportName, To);
  if (RebaseCommand)
    return rebaseCommand(*Where, To);
  if (StatusCommand)
    return printStatus(*Where, StatusNames, Format, To);
  if (LintCommand)
    return lintCommand(*Where, To);
  if (TrailersCommand)
    return collectTrailers(*Where, TrailersName, TrailersFrom, To);
  if (std::optional<Expected<int>> Code = runEditCommand(*Where, To))
    return std::move(*Code);
  return inputError("no command: see 'kseries --help'");
}

static void printVersion(raw_ostream &OS) {
  OS << "kseries (libgit2 " LIBGIT2_VERSION ", LLVM " LLVM_VERSION_STRING ")\n";
}

/// What was printed may still be on its way to a full disk.
static bool wroteEverything() {
  outs().flush();
  if (!outs().has_error())
    return true;
  errs() << "kseries: cannot write the output: " << outs().error().message()
         << '\n';
  outs().clear_error();
  return false;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::SetVersionPrinter(printVersion);
  // libLLVM brings options of its own.
  for (cl::SubCommand *Command :
       {&ApplyCommand, &MboxCommand, &ExportCommand, &RebaseCommand,
        &StatusCommand, &LintCommand, &TrailersCommand,
        &cl::SubCommand::getTopLevel()})
    cl::HideUnrelatedOptions(Options, *Command);
  for (cl::SubCommand *Command : editCommands())
    cl::HideUnrelatedOptions(Options, *Command);
  if (!cl::ParseCommandLineOptions(Argc, Argv, "patch queues\n", &errs()))
    return 2;
  Expected<int> Code = runCommand({outs(), errs()});
  bool Written = wroteEverything();
  if (Code)
    return Written ? *Code : 2;
  handleAllErrors(Code.takeError(), [](const ErrorInfoBase &Failure) {
    errs() << "kseries: " << Failure.message() << '\n';
  });
  return 2;
}
