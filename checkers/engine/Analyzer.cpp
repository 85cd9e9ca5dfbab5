// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Analyzer.h"
#include "engine/ClangCompat.h"
#include "engine/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <set>
#include <tuple>

using namespace llvm;
using namespace dmacheck;

std::vector<Finding> Analysis::findings() const {
  std::vector<Finding> Out;
  std::set<std::pair<std::string, unsigned>> Seen;
  for (const auto &[_, Found] : ByFile)
    for (const Finding &F : Found)
      if (Seen.insert({F.Fingerprint, F.Line}).second)
        Out.push_back(F);
  llvm::sort(Out, [](const Finding &A, const Finding &B) {
    return std::tie(A.File, A.Line, A.Column, A.Check) <
           std::tie(B.File, B.Line, B.Column, B.Check);
  });
  return Out;
}

Expected<std::map<std::string, CompileFlags>>
Analyzer::collectFlags(const std::vector<std::string> &Files,
                       std::vector<Unparsed> &Without) {
  std::map<std::string, CompileFlags> Flags;
  std::vector<std::string> Left = Files;
  std::map<std::string, std::string> Reasons;
  for (const auto &Source : Sources) {
    if (Error E = Source->prepare(Left))
      return std::move(E);
    std::vector<std::string> Next;
    for (const std::string &File : Left) {
      if (auto Found = Source->flagsFor(File)) {
        Flags[File] = std::move(*Found);
        continue;
      }
      Reasons[File] = Source->reasonFor(File);
      Next.push_back(File);
    }
    Left = std::move(Next);
  }
  for (const std::string &File : Left)
    Without.push_back({File, Reasons[File]});
  return std::move(Flags);
}

Expected<Analysis> Analyzer::run(const std::vector<std::string> &Files,
                                 const Overlay *Changed) {
  Analysis Result;
  auto Flags = collectFlags(Files, Result.NotParsed);
  if (!Flags)
    return Flags.takeError();
  for (const auto &[_, Each] : *Flags)
    ++Result.FlagsFrom[Each.From];
  CrashRecoveryContext::Enable();
  std::mutex Lock;
  ProgressLine Line(Progress, "checking", Flags->size());
  compat::ThreadPool Pool(hardware_concurrency(Jobs));
  for (auto &[File, Each] : *Flags)
    Pool.async([&, &File = File, &Each = Each] {
      ParseJob Job{File, std::move(Each), Changed};
      auto Known = Cache.find(Job, Tree);
      ParseResult R = Known ? std::move(*Known) : parseFile(Tree, Checks, Job);
      if (!Known)
        Cache.store(Job, Tree, R);
      std::lock_guard<std::mutex> Guard(Lock);
      Line.step();
      if (!R.Error.empty()) {
        Result.NotParsed.push_back({File, R.Error});
        return;
      }
      Result.ByFile[File] = std::move(R.Findings);
      Result.Dependencies[File] = std::move(R.Dependencies);
    });
  Pool.wait();
  llvm::sort(Result.NotParsed, [](const Unparsed &A, const Unparsed &B) {
    return A.File < B.File;
  });
  return std::move(Result);
}
