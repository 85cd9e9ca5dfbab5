// SPDX-License-Identifier: GPL-2.0-only

#include "FindingJson.h"
#include "report/Report.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dmacheck;

void dmacheck::printJsonLines(const RunSummary &Run, raw_ostream &OS) {
  for (const Finding &F : Run.Findings)
    OS << toJson(F) << "\n";
}

Error dmacheck::writeReport(const RunSummary &Run, StringRef Path) {
  json::Array NotParsed, Findings;
  for (const Unparsed &U : Run.NotParsed)
    NotParsed.push_back(json::Object{{"file", json::fixUTF8(U.File)},
                                     {"error", json::fixUTF8(U.Error)}});
  for (const Finding &F : Run.Findings)
    Findings.push_back(toJson(F));
  json::Object Flags;
  for (const auto &[From, Files] : Run.FlagsFrom)
    Flags[From] = Files;
  json::Object All{{"scanned", Run.Scanned},
                   {"candidates", Run.Candidates},
                   {"parsed", Run.Parsed},
                   {"flags", std::move(Flags)},
                   {"unparsed", std::move(NotParsed)},
                   {"findings", std::move(Findings)}};
  // Written aside and renamed: a reader never sees half a report.
  return writeToOutput(Path, [&](raw_ostream &OS) {
    OS << formatv("{0:2}\n", json::Value(std::move(All)));
    return Error::success();
  });
}
