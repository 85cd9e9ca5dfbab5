// SPDX-License-Identifier: GPL-2.0-only

#include "cli/Run.h"
#include "engine/Analyzer.h"
#include "engine/Origins.h"
#include "engine/QueueHistory.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace dmacheck;

namespace {

/// The best source of flags first.
Expected<std::vector<std::unique_ptr<FlagSource>>>
flagSources(const KernelTree &Tree, const Options &Asked) {
  std::vector<std::unique_ptr<FlagSource>> Sources;
  ConfigOptions Private;
  Private.BuildDir = Asked.BuildDir;
  Private.Quiet = !sys::Process::StandardErrIsDisplayed();
  if (!Asked.Arch.empty())
    Private.Archs = {Asked.Arch};
  if (!Asked.ConfigTarget.empty())
    Private.Target = Asked.ConfigTarget;
  if (Asked.NoKbuild) {
    Sources.push_back(madeUpFlags(Tree, Private));
    return std::move(Sources);
  }
  std::vector<std::string> Built;
  if (!Asked.ObjectDir.empty())
    Built.push_back(Asked.ObjectDir);
  // Who names an architecture or a target asks for another configuration than
  // the one that the tree has.
  if (Asked.Arch.empty() && Asked.ConfigTarget.empty())
    Built.push_back(Tree.root());
  for (const std::string &Dir : Built) {
    auto Database = compilationDatabase(Tree, Dir);
    if (!Database)
      return Database.takeError();
    if (*Database)
      Sources.push_back(std::move(*Database));
    if (auto Cmd = cmdFiles(Dir))
      Sources.push_back(std::move(Cmd));
    SmallString<256> Config(Dir);
    sys::path::append(Config, ".config");
    if (std::string Arch = archOfConfig(Config);
        !Arch.empty() && Private.ConfigFile.empty()) {
      Private.ConfigFile = Config.str().str();
      Private.Archs = {Arch};
    }
  }
  // A tree that is configured but not built, or built in part.
  if (Sources.empty() || !Private.ConfigFile.empty())
    Sources.push_back(privateConfiguration(Tree, Private));
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

} // namespace

Expected<RunSummary> dmacheck::run(const Options &Asked) {
  auto Tree = KernelTree::open(Asked.Tree);
  if (!Tree)
    return Tree.takeError();
  auto Checks = selectChecks(Asked.Checks);
  if (!Checks)
    return Checks.takeError();
  auto Sources = flagSources(*Tree, Asked);
  if (!Sources)
    return Sources.takeError();
  auto Found = findCandidates(*Tree, Asked.Paths, Checks->Words);
  if (!Found)
    return Found.takeError();

  SmallString<256> Results;
  if (Asked.Cache)
    sys::path::append(Results, Asked.BuildDir, "results");
  ResultCache Cache(Results.str().str(), Asked.Program, *Checks);
  Analyzer A(*Tree, *Checks, std::move(*Sources), Cache, Asked.Jobs,
             sys::Process::StandardErrIsDisplayed());
  auto Base = A.run(Found->Files, nullptr);
  if (!Base)
    return Base.takeError();

  RunSummary Run;
  Run.Scanned = Found->Scanned;
  Run.Candidates = Found->Files.size();
  Run.Parsed = Base->parsed();
  Run.FlagsFrom = Base->FlagsFrom;
  for (const auto &[File, _] : Base->ByFile)
    Run.Checked.push_back(File);
  Run.NotParsed = Base->NotParsed;
  for (const auto &[File, Why] : Found->Unreadable)
    Run.NotParsed.push_back({File, Why});
  std::vector<Finding> InBase = Base->findings();
  if (Asked.Queues.empty()) {
    Run.Findings = std::move(InBase);
    return std::move(Run);
  }
  std::vector<Finding> Changed;
  for (const std::string &Name : Asked.Queues) {
    auto Queue = readQueue(*Tree, Asked.GitDir, Name);
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
