// SPDX-License-Identifier: GPL-2.0-only

#include "report/Baseline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>
#include <tuple>

using namespace llvm;
using namespace dmacheck;

Error dmacheck::writeBaseline(const RunSummary &Run, StringRef Path) {
  std::vector<const Finding *> Known;
  for (const Finding &F : Run.Findings)
    if (F.Suppressed.empty() && F.From != Origin::Fixed &&
        F.Against != Baseline::Absent)
      Known.push_back(&F);
  llvm::sort(Known, [](const Finding *A, const Finding *B) {
    return std::tie(A->File, A->Function, A->Check, A->Fingerprint) <
           std::tie(B->File, B->Function, B->Check, B->Fingerprint);
  });
  json::Array Findings;
  for (const Finding *F : Known)
    Findings.push_back(json::Object{{"fingerprint", F->Fingerprint},
                                    {"check", F->Check},
                                    {"file", json::fixUTF8(F->File)},
                                    {"function", F->Function},
                                    {"message", json::fixUTF8(F->Message)}});
  return writeToOutput(Path, [&](raw_ostream &OS) {
    OS << formatv("{0:2}\n",
                  json::Value(json::Object{{"findings", std::move(Findings)}}));
    return Error::success();
  });
}

static Error notABaseline(StringRef Path, const Twine &Why) {
  return createStringError(inconvertibleErrorCode(),
                           Path + ": not a baseline: " + Why +
                               "; --write-baseline makes one");
}

static Expected<std::vector<Finding>> readBaseline(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError(Text.getError(),
                             Path + ": " + Text.getError().message());
  auto Value = json::parse((*Text)->getBuffer());
  if (!Value)
    return notABaseline(Path, toString(Value.takeError()));
  const json::Object *All = Value->getAsObject();
  const json::Array *Findings = All ? All->getArray("findings") : nullptr;
  if (!Findings)
    return notABaseline(Path, "no list of findings in it");
  std::vector<Finding> Known;
  for (const json::Value &Each : *Findings) {
    json::Path::Root Root("finding");
    json::ObjectMapper Map(Each, Root);
    Finding F;
    if (!Map || !Map.map("fingerprint", F.Fingerprint) ||
        !Map.map("check", F.Check) || !Map.map("file", F.File) ||
        !Map.map("function", F.Function) || !Map.map("message", F.Message))
      return notABaseline(Path, toString(Root.getError()));
    Known.push_back(std::move(F));
  }
  return std::move(Known);
}

Error dmacheck::compareWithBaseline(RunSummary &Run, StringRef Path) {
  auto Known = readBaseline(Path);
  if (!Known)
    return Known.takeError();
  std::set<std::string> InBaseline, Found;
  for (const Finding &F : *Known)
    InBaseline.insert(F.Fingerprint);
  for (Finding &F : Run.Findings) {
    F.Against =
        InBaseline.count(F.Fingerprint) ? Baseline::Unchanged : Baseline::New;
    Found.insert(F.Fingerprint);
  }
  for (Finding &F : *Known)
    if (!Found.count(F.Fingerprint) && is_contained(Run.Checked, F.File)) {
      F.Against = Baseline::Absent;
      Run.Findings.push_back(std::move(F));
    }
  return Error::success();
}
