// SPDX-License-Identifier: GPL-2.0-only
//
// dmacheck: ties the engine, the checks and the reports together.

#include "ast/DmaApi.h"
#include "checks/Check.h"
#include "cli/KbuildHook.h"
#include "cli/Run.h"
#include "report/Baseline.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
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

/// Reads lines of the tree's files, each file once.
class Sources {
public:
  explicit Sources(StringRef Tree) : Tree(Tree) {}

  std::optional<std::string> line(StringRef File, unsigned Line) {
    auto [It, New] = Lines.try_emplace(File);
    if (New) {
      SmallString<256> Path(Tree);
      sys::path::append(Path, File);
      if (auto Text = MemoryBuffer::getFile(Path))
        for (StringRef Each : split((*Text)->getBuffer(), '\n'))
          It->second.push_back(Each.str());
    }
    if (Line < 1 || Line > It->second.size())
      return std::nullopt;
    return It->second[Line - 1];
  }

private:
  std::string Tree;
  StringMap<std::vector<std::string>> Lines;
};

void print(const RunSummary &Run, const Options &Asked) {
  switch (Asked.Output) {
  case Format::Text:
    return printText(Run, outs());
  case Format::Json:
    return printJsonLines(Run, outs());
  case Format::Sarif:
    return printSarif(Run, rules(), outs());
  case Format::Html: {
    Sources Files(Asked.Tree);
    return printHtml(
        Run, rules(),
        [&](StringRef File, unsigned Line) { return Files.line(File, Line); },
        outs());
  }
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
  print(*Run, *Asked);
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
