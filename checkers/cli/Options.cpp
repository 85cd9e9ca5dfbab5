// SPDX-License-Identifier: GPL-2.0-only

#include "cli/Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck;

namespace {

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
cl::opt<std::string>
    Arch("arch",
         cl::desc("check as for this architecture, in a private configuration "
                  "(default: as the tree is built, else x86_64, and arm64 for "
                  "what x86_64 leaves out)"),
         cl::value_desc("ARCH"), cl::cat(Category));
cl::opt<std::string>
    ConfigTarget("kconfig",
                 cl::desc("check in a private configuration that this kbuild "
                          "target makes (default: as the tree is configured, "
                          "else allmodconfig)"),
                 cl::value_desc("TARGET"), cl::cat(Category));
cl::opt<bool>
    NoKbuild("no-kbuild",
             cl::desc("run nothing that the tree contains: make flags up from "
                      "its files (default: unless it is built, the tree's own "
                      "kbuild configures a copy, which runs its Makefiles)"),
             cl::cat(Category));
cl::list<std::string> CheckNames("check", cl::desc("run only this check"),
                                 cl::value_desc("NAME"), cl::cat(Category));
cl::opt<std::string>
    ApiFile("api",
            cl::desc("know the calls of this file too: rows of the form of "
                     "checkers/ast/dma-api.yaml"),
            cl::value_desc("FILE"), cl::cat(Category));
cl::opt<Format> OutputFormat(
    "format", cl::desc("output:"), cl::init(Format::Text),
    cl::values(clEnumValN(Format::Text, "text",
                          "as a compiler prints (default)"),
               clEnumValN(Format::Json, "json", "one finding a line"),
               clEnumValN(Format::Sarif, "sarif", "SARIF 2.1.0"),
               clEnumValN(Format::Html, "html", "one page for a browser")),
    cl::cat(Category));
cl::opt<std::string>
    ReportFile("report",
               cl::desc("write the whole report to this file as JSON too"),
               cl::value_desc("FILE"), cl::cat(Category));
cl::opt<std::string>
    BaselineFile("baseline",
                 cl::desc("pass over the findings that this file holds"),
                 cl::value_desc("FILE"), cl::cat(Category));
cl::opt<std::string>
    WriteBaseline("write-baseline",
                  cl::desc("write all findings to this file, and end well"),
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
// Never parsed here: cli/KbuildHook.h. Named for --help.
cl::opt<bool>
    Kbuild("kbuild",
           cl::desc("be kbuild's checker, as sparse is: make C=2 "
                    "CHECK=\"dmacheck --kbuild [--check=NAME] [--api=FILE] "
                    "[--werror]\"; exit status 0 also with findings "
                    "unless --werror is given"),
           cl::cat(Category));
cl::list<std::string> Paths(cl::Positional, cl::desc("PATH..."),
                            cl::cat(Category));

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

} // namespace

std::optional<Options> dmacheck::parseOptions(int Argc, const char **Argv) {
  cl::HideUnrelatedOptions(Category);
  if (!cl::ParseCommandLineOptions(
          Argc, Argv,
          "Finds misuse of the DMA mapping API in a kernel tree.\n\n"
          "Exit status: 0 nothing found, 1 findings (with --queue: introduced "
          "ones), 2 could not run.\n",
          &errs()))
    return std::nullopt;
  Options Said;
  Said.Program = sys::fs::getMainExecutable(
      Argv[0], reinterpret_cast<void *>(&defaultBuildDir));
  SmallString<256> Build(BuildDir.empty() ? defaultBuildDir(Said.Program)
                                          : BuildDir.getValue());
  sys::fs::make_absolute(Build); // make runs elsewhere
  Said.BuildDir = Build.str().str();
  SmallString<256> Git(GitDir.getValue());
  if (Git.empty())
    sys::path::append(Git, Build, "linux.git");
  Said.GitDir = Git.str().str();
  Said.Tree = TreeDir;
  Said.Paths.assign(Paths.begin(), Paths.end());
  Said.Queues.assign(QueueNames.begin(), QueueNames.end());
  Said.ObjectDir = ObjectDir;
  Said.Arch = Arch;
  Said.ConfigTarget = ConfigTarget;
  Said.NoKbuild = NoKbuild;
  Said.Checks.assign(CheckNames.begin(), CheckNames.end());
  Said.ApiFile = ApiFile;
  Said.Output = OutputFormat;
  Said.ReportFile = ReportFile;
  Said.BaselineFile = BaselineFile;
  Said.WriteBaseline = WriteBaseline;
  Said.Jobs = Jobs;
  Said.Cache = !NoCache;
  Said.ListChecks = ListChecks;
  Said.Explain = Explain;
  return Said;
}
