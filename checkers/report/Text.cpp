// SPDX-License-Identifier: GPL-2.0-only

#include "report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace dmacheck;

void dmacheck::printFinding(const Finding &F, raw_ostream &OS) {
  WithColor(OS, raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << F.File << ":" << F.Line << ":" << F.Column << ": ";
  WithColor(OS, HighlightColor::Warning) << "warning: ";
  OS << F.Message << " [" << F.Check << "]\n";
  OS << "    ";
  if (!F.Function.empty())
    OS << "in " << F.Function << "(), ";
  OS << "flags: " << F.FlagsFrom << "\n";
  for (const PathNote &N : F.Path)
    OS << "    " << N.File << ":" << N.Line << ": " << N.Note << "\n";
}

/// What a reader has to see: not what a comment suppresses or a baseline knows.
static bool isShown(const Finding &F) {
  return F.Suppressed.empty() && F.Against != Baseline::Unchanged &&
         F.Against != Baseline::Absent;
}

bool dmacheck::counts(const Finding &F) {
  return isShown(F) && (F.From == Origin::None || F.From == Origin::Introduced);
}

static std::string plural(size_t N, StringRef One) {
  return std::to_string(N) + " " + One.str() + (N == 1 ? "" : "s");
}

/// A heading and the findings that Belongs picks; nothing if it picks none.
static void printGroup(const std::vector<Finding> &All, const Twine &Heading,
                       function_ref<bool(const Finding &)> Belongs,
                       raw_ostream &OS) {
  auto Listed = [&](const Finding &F) { return isShown(F) && Belongs(F); };
  size_t N = count_if(All, Listed);
  if (N == 0)
    return;
  WithColor(OS, raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << Heading << ": " << plural(N, "finding") << "\n\n";
  for (const Finding &F : All)
    if (Listed(F)) {
      printFinding(F, OS);
      OS << "\n";
    }
}

static void printByOrigin(const RunSummary &Run, raw_ostream &OS) {
  std::vector<std::pair<std::string, std::string>> Patches;
  for (const Finding &F : Run.Findings)
    if (!F.Patch.empty() && !is_contained(Patches, std::pair(F.Queue, F.Patch)))
      Patches.push_back({F.Queue, F.Patch});
  for (auto [Kind, Verb] : {std::pair(Origin::Introduced, "Introduced by "),
                            std::pair(Origin::Fixed, "Fixed by ")})
    for (const auto &[Queue, Patch] : Patches)
      printGroup(
          Run.Findings, Verb + Queue + "/" + Patch,
          [&](const Finding &F) {
            return F.From == Kind && F.Queue == Queue && F.Patch == Patch;
          },
          OS);
  printGroup(
      Run.Findings, "In the base, and not fixed by any queue",
      [](const Finding &F) { return F.From == Origin::PreExisting; }, OS);
}

static void printFlags(const RunSummary &Run, raw_ostream &OS) {
  for (const auto &[From, Files] : Run.FlagsFrom)
    OS << "Flags of " << plural(Files, "file") << ": " << From << "\n";
}

static void printTotals(const RunSummary &Run, raw_ostream &OS) {
  auto Count = [&](Origin O) {
    return count_if(Run.Findings, [&](const Finding &F) {
      return isShown(F) && F.From == O;
    });
  };
  if (Run.Queues.empty())
    OS << plural(Count(Origin::None), "finding");
  else
    OS << Count(Origin::Fixed) << " fixed, " << Count(Origin::Introduced)
       << " introduced, " << Count(Origin::PreExisting) << " pre-existing";
  OS << "; " << plural(Run.Candidates, "candidate file") << " of "
     << Run.Scanned << ", " << Run.Parsed << " parsed, " << Run.NotParsed.size()
     << " not parsed";
  auto AlsoNamed = [&](StringRef What, function_ref<bool(const Finding &)> Is) {
    if (size_t N = count_if(Run.Findings, Is))
      OS << "; " << N << " " << What;
  };
  AlsoNamed("suppressed in the source",
            [](const Finding &F) { return !F.Suppressed.empty(); });
  AlsoNamed("known to the baseline", [](const Finding &F) {
    return F.Suppressed.empty() && F.Against == Baseline::Unchanged;
  });
  AlsoNamed("of the baseline gone",
            [](const Finding &F) { return F.Against == Baseline::Absent; });
  OS << "\n";
}

void dmacheck::printText(const RunSummary &Run, raw_ostream &OS) {
  if (Run.Queues.empty()) {
    for (const Finding &F : Run.Findings)
      if (isShown(F))
        printFinding(F, OS);
  } else {
    printByOrigin(Run, OS);
  }
  if (!Run.NotParsed.empty()) {
    OS << "Not parsed:\n";
    for (const Unparsed &U : Run.NotParsed)
      OS << "    " << U.File << ": " << U.Error << "\n";
  }
  printFlags(Run, OS);
  printTotals(Run, OS);
}
