// SPDX-License-Identifier: GPL-2.0-only
//
// dmacheck: ties the engine, the checks and the reports together.

#include "ast/DmaApi.h"
#include "checks/Check.h"
#include "cli/KbuildHook.h"
#include "cli/Run.h"
#include "report/Baseline.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace dmacheck;

namespace {

enum ExitCode { Clean = 0, HasFindings = 1, CouldNotRun = 2 };

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

std::vector<Rule> rules() {
  std::vector<Rule> All;
  for (const CheckInfo &Info : allChecks())
    All.push_back({Info.Name.str(), Info.summary().str(), Info.Page.str()});
  return All;
}

void print(const RunSummary &Run, Format As) {
  switch (As) {
  case Format::Text:
    return printText(Run, outs());
  case Format::Json:
    return printJsonLines(Run, outs());
  case Format::Sarif:
    return printSarif(Run, rules(), outs());
  }
}

} // namespace

int main(int Argc, const char **Argv) {
  InitLLVM Init(Argc, Argv);
  // Clang parses the inline assembly of every architecture.
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmParsers();
  if (auto Status = runKbuildHook(ArrayRef(Argv + 1, Argv + Argc)))
    return *Status;
  auto Asked = parseOptions(Argc, Argv);
  if (!Asked)
    return CouldNotRun;
  if (Asked->ListChecks) {
    for (const CheckInfo &Info : allChecks())
      outs() << Info.Name << ": " << Info.summary() << "\n";
    return Clean;
  }
  if (!Asked->Explain.empty())
    return explain(Asked->Explain);
  if (!Asked->ApiFile.empty())
    if (Error E = DmaApi::addFile(Asked->ApiFile))
      return fail(std::move(E));
  auto Run = run(*Asked);
  if (!Run)
    return fail(Run.takeError());
  if (!Asked->BaselineFile.empty())
    if (Error E = compareWithBaseline(*Run, Asked->BaselineFile))
      return fail(std::move(E));
  print(*Run, Asked->Output);
  if (!Asked->ReportFile.empty())
    if (Error E = writeReport(*Run, Asked->ReportFile))
      return fail(std::move(E));
  if (Run->Candidates > 0 && Run->Parsed == 0)
    return fail(createStringError(inconvertibleErrorCode(),
                                  "none of the %u candidate files could be "
                                  "parsed; the reasons are above",
                                  Run->Candidates));
  if (!Asked->WriteBaseline.empty()) {
    if (Error E = writeBaseline(*Run, Asked->WriteBaseline))
      return fail(std::move(E));
    return Clean;
  }
  return any_of(Run->Findings, counts) ? HasFindings : Clean;
}
