// SPDX-License-Identifier: GPL-2.0-only
//
// dmacheck: ties the engine, the checks and the reports together.

#include "checks/Check.h"
#include "engine/Analyzer.h"
#include "engine/Origins.h"
#include "engine/QueueHistory.h"
#include "report/Report.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace dmacheck;

namespace {

enum ExitCode { Clean = 0, HasFindings = 1, CouldNotRun = 2 };
enum class Format { Text, Json };

cl::OptionCategory Category("dmacheck options");

cl::opt<std::string>
    TreeDir("tree",
            cl::desc("top of the kernel tree to check (default: this folder)"),
            cl::value_desc("DIR"), cl::init("."), cl::cat(Category));
cl::list<std::string>
    QueueNames("queue",
               cl::desc("patch queue to follow, as kseries applied it"),
               cl::value_desc("NAME"), cl::cat(Category));
cl::opt<std::string>
    GitDir("git-dir",
           cl::desc("repository that holds the queues (default: linux.git in "
                    "the build folder)"),
           cl::value_desc("DIR"), cl::cat(Category));
cl::opt<std::string>
    BuildDir("build-dir", cl::desc("where configurations and results are kept"),
             cl::value_desc("DIR"), cl::cat(Category));
cl::opt<std::string>
    ObjectDir("objtree",
              cl::desc("where the tree was built (its O=), for flags"),
              cl::value_desc("DIR"), cl::cat(Category));
cl::opt<std::string> Arch("arch",
                          cl::desc("architecture of a private configuration, "
                                   "as kbuild's ARCH= (default: x86_64)"),
                          cl::value_desc("ARCH"), cl::init("x86_64"),
                          cl::cat(Category));
cl::opt<std::string>
    ConfigTarget("kconfig",
                 cl::desc("kbuild target that makes a private configuration "
                          "(default: allmodconfig)"),
                 cl::value_desc("TARGET"), cl::init("allmodconfig"),
                 cl::cat(Category));
cl::list<std::string> CheckNames("check", cl::desc("run only this check"),
                                 cl::value_desc("NAME"), cl::cat(Category));
cl::opt<Format> OutputFormat(
    "format", cl::desc("output:"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text",
                          "as a compiler prints (default)"),
               clEnumValN(Format::Json, "json", "one finding a line")),
    cl::cat(Category));
cl::opt<std::string>
    ReportFile("report",
               cl::desc("write the whole report to this file as JSON too"),
               cl::value_desc("FILE"), cl::cat(Category));
cl::opt<unsigned>
    Jobs("j", cl::desc("files to parse at once (default: one a processor)"),
         cl::value_desc("N"), cl::init(0), cl::cat(Category));
cl::opt<bool> NoCache("no-cache", cl::desc("parse everything anew"),
                      cl::cat(Category));
cl::opt<bool> ListChecks("list-checks", cl::desc("name the checks and stop"),
                         cl::cat(Category));
cl::opt<std::string> Explain("explain",
                             cl::desc("print the page of a check and stop"),
                             cl::value_desc("CHECK"), cl::cat(Category));
cl::list<std::string> Paths(cl::Positional, cl::desc("PATH..."),
                            cl::cat(Category));

std::string below(StringRef Dir, StringRef Name) {
  SmallString<256> P(Dir);
  sys::path::append(P, Name);
  return P.str().str();
}

/// The workspace's build/ if the program stands in its bin/, else the user's
/// cache folder.
std::string defaultBuildDir(StringRef Program) {
  StringRef Above = sys::path::parent_path(sys::path::parent_path(Program));
  if (sys::path::filename(Above) == "build")
    return Above.str();
  SmallString<256> Cache;
  if (!sys::path::cache_directory(Cache))
    Cache = "/tmp";
  sys::path::append(Cache, "dmacheck");
  return Cache.str().str();
}

int fail(Error E) {
  errs() << "dmacheck: " << toString(std::move(E)) << "\n";
  return CouldNotRun;
}

int explain(StringRef Name) {
  for (const CheckInfo &Info : allChecks())
    if (Info.Name == Name) {
      outs() << Info.Page;
      return Clean;
    }
  return fail(createStringError(inconvertibleErrorCode(),
                                "%s: no such check; --list-checks names them",
                                Name.str().c_str()));
}

/// The best source of flags first.
Expected<std::vector<std::unique_ptr<FlagSource>>>
flagSources(const KernelTree &Tree, StringRef Build) {
  std::vector<std::unique_ptr<FlagSource>> Sources;
  std::vector<std::string> Built = {Tree.root()};
  if (!ObjectDir.empty())
    Built.insert(Built.begin(), ObjectDir);
  for (const std::string &Dir : Built) {
    auto Database = compilationDatabase(Tree, Dir);
    if (!Database)
      return Database.takeError();
    if (*Database)
      Sources.push_back(std::move(*Database));
    if (auto Cmd = cmdFiles(Dir))
      Sources.push_back(std::move(Cmd));
  }
  if (Sources.empty())
    Sources.push_back(privateConfiguration(
        Tree, {Build.str(), Arch, ConfigTarget,
               /*Quiet=*/!sys::Process::StandardErrIsDisplayed()}));
  return std::move(Sources);
}

/// Gives the findings of the base their origin: fixed, or still there.
void mergeOrigins(std::vector<Finding> &InBase, std::vector<Finding> FromQueues,
                  std::vector<Finding> &Out) {
  for (Finding &F : FromQueues)
    Out.push_back(std::move(F));
  for (Finding &F : InBase) {
    bool Fixed = any_of(Out, [&](const Finding &O) {
      return O.From == Origin::Fixed && O.Fingerprint == F.Fingerprint;
    });
    if (Fixed)
      continue;
    F.From = Origin::PreExisting;
    Out.push_back(std::move(F));
  }
}

Expected<RunSummary> run(StringRef Program) {
  auto Tree = KernelTree::open(TreeDir);
  if (!Tree)
    return Tree.takeError();
  auto Checks = selectChecks(CheckNames);
  if (!Checks)
    return Checks.takeError();
  SmallString<256> Build(BuildDir.empty() ? defaultBuildDir(Program)
                                          : BuildDir.getValue());
  sys::fs::make_absolute(Build); // make runs elsewhere
  auto Sources = flagSources(*Tree, Build);
  if (!Sources)
    return Sources.takeError();
  auto Found = findCandidates(*Tree, Paths, Checks->Words);
  if (!Found)
    return Found.takeError();

  ResultCache Cache(NoCache ? "" : below(Build, "results"), Program, *Checks);
  Analyzer A(*Tree, *Checks, std::move(*Sources), Cache, Jobs,
             sys::Process::StandardErrIsDisplayed());
  auto Base = A.run(Found->Files, nullptr);
  if (!Base)
    return Base.takeError();

  RunSummary Run;
  Run.Scanned = Found->Scanned;
  Run.Candidates = Found->Files.size();
  Run.Parsed = Base->parsed();
  Run.NotParsed = Base->NotParsed;
  for (const auto &[File, Why] : Found->Unreadable)
    Run.NotParsed.push_back({File, Why});
  std::vector<Finding> InBase = Base->findings();
  if (QueueNames.empty()) {
    Run.Findings = std::move(InBase);
    return std::move(Run);
  }
  std::vector<Finding> Changed;
  for (const std::string &Name : QueueNames) {
    auto Queue = readQueue(
        *Tree, GitDir.empty() ? below(Build, "linux.git") : GitDir.getValue(),
        Name);
    if (!Queue)
      return Queue.takeError();
    auto Followed = followQueue(A, *Base, *Queue);
    if (!Followed)
      return Followed.takeError();
    append_range(Changed, std::move(Followed->Changed));
    append_range(Run.NotParsed, std::move(Followed->NotParsed));
    Run.Queues.push_back(Name);
  }
  mergeOrigins(InBase, std::move(Changed), Run.Findings);
  return std::move(Run);
}

} // namespace

int main(int Argc, const char **Argv) {
  InitLLVM Init(Argc, Argv);
  // Clang parses the inline assembly of every architecture.
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmParsers();
  cl::HideUnrelatedOptions(Category);
  if (!cl::ParseCommandLineOptions(
          Argc, Argv,
          "Finds misuse of the DMA mapping API in a kernel tree.\n\n"
          "Exit status: 0 nothing found, 1 findings (with --queue: introduced "
          "ones), 2 could not run.\n",
          &errs()))
    return CouldNotRun;
  if (ListChecks) {
    for (const CheckInfo &Info : allChecks())
      outs() << Info.Name << ": " << Info.summary() << "\n";
    return Clean;
  }
  if (!Explain.empty())
    return explain(Explain);
  auto Run = run(sys::fs::getMainExecutable(
      Argv[0], reinterpret_cast<void *>(&defaultBuildDir)));
  if (!Run)
    return fail(Run.takeError());
  if (OutputFormat == Format::Json)
    printJsonLines(*Run, outs());
  else
    printText(*Run, outs());
  if (!ReportFile.empty())
    if (Error E = writeReport(*Run, ReportFile))
      return fail(std::move(E));
  if (Run->Candidates > 0 && Run->Parsed == 0)
    return fail(createStringError(inconvertibleErrorCode(),
                                  "none of the %u candidate files could be "
                                  "parsed; the reasons are above",
                                  Run->Candidates));
  bool Bad = Run->Queues.empty() ? !Run->Findings.empty()
                                 : any_of(Run->Findings, [](const Finding &F) {
                                     return F.From == Origin::Introduced;
                                   });
  return Bad ? HasFindings : Clean;
}
