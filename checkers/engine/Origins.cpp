// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Origins.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace dmacheck;

/// The candidates among the touched files, and the files of Known that include
/// a touched header.
static std::vector<std::string>
filesToParse(const Analyzer &A, const Analysis &Known, const TreeState &State) {
  std::set<std::string> Out;
  std::set<std::string> Headers;
  for (const std::string &Path : State.Touched) {
    std::string Full = A.tree().absolute(Path);
    if (StringRef(Path).ends_with(".h"))
      Headers.insert(Full);
    if (!StringRef(Path).ends_with(".c"))
      continue;
    // A file that lost its last candidate word is parsed too: its findings
    // went.
    auto It = State.Changed.find(Full);
    bool Candidate =
        It != State.Changed.end() && holdsAny(It->second, A.checks().Words);
    if (Candidate || Known.ByFile.contains(Path))
      Out.insert(Path);
  }
  for (const auto &[File, Dependencies] : Known.Dependencies)
    if (any_of(Dependencies,
               [&](const std::string &D) { return Headers.contains(D); }))
      Out.insert(File);
  return {Out.begin(), Out.end()};
}

static void replaceIn(Analysis &Known, Analysis New,
                      const std::vector<std::string> &Files) {
  for (const std::string &File : Files) {
    Known.ByFile.erase(File);
    Known.Dependencies.erase(File);
  }
  for (auto &[File, Found] : New.ByFile)
    Known.ByFile[File] = std::move(Found);
  for (auto &[File, Dependencies] : New.Dependencies)
    Known.Dependencies[File] = std::move(Dependencies);
}

static bool sameFinding(const Finding &A, const Finding &B) {
  return A.Fingerprint == B.Fingerprint;
}
/// The same defect with its expressions rewritten.
static bool sameDefect(const Finding &A, const Finding &B) {
  return A.Check == B.Check && A.File == B.File && A.Function == B.Function;
}

/// Takes out of both lists what Same pairs up.
static void cancel(std::vector<Finding> &Before, std::vector<Finding> &After,
                   bool (*Same)(const Finding &, const Finding &)) {
  erase_if(Before, [&](const Finding &Old) {
    auto It =
        find_if(After, [&](const Finding &New) { return Same(Old, New); });
    if (It == After.end())
      return false;
    After.erase(It);
    return true;
  });
}

Expected<QueueFindings> dmacheck::followQueue(Analyzer &A,
                                              const Analysis &OnDisk,
                                              const QueueHistory &Queue) {
  QueueFindings Out;
  Analysis Known = OnDisk;
  std::map<std::string, Finding> Original;
  for (const Finding &F : OnDisk.findings())
    Original[F.Fingerprint] = F;
  // The queues below this one have been there already.
  TreeState Below = Queue.Base;
  for (const auto &Item : Below.Changed)
    Below.Touched.push_back(A.tree().relative(Item.first()).value());
  std::vector<const TreeState *> States = {&Below};
  for (const TreeState &Patch : Queue.Patches)
    States.push_back(&Patch);
  for (const TreeState *State : States) {
    std::vector<std::string> Files = filesToParse(A, Known, *State);
    auto New = A.run(Files, &State->Changed);
    if (!New)
      return New.takeError();
    std::vector<Finding> Before = Known.findings();
    for (Unparsed &U : New->NotParsed)
      Out.NotParsed.push_back(
          {U.File, (State->Patch.empty() ? "" : "with " + State->Patch + ": ") +
                       U.Error});
    replaceIn(Known, std::move(*New), Files);
    if (State == &Below)
      continue;
    std::vector<Finding> After = Known.findings();
    cancel(Before, After, sameFinding);
    cancel(Before, After, sameDefect);
    auto Take = [&](std::vector<Finding> &From, Origin O) {
      for (Finding &F : From) {
        // What the tree on disk has is shown where it stands there.
        if (auto It = Original.find(F.Fingerprint); It != Original.end())
          F = It->second;
        F.From = O;
        F.Queue = Queue.Name;
        F.Patch = State->Patch;
        Out.Changed.push_back(std::move(F));
      }
    };
    Take(Before, Origin::Fixed);
    Take(After, Origin::Introduced);
  }
  Out.Remaining = Known.findings().size();
  return std::move(Out);
}
