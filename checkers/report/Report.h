// SPDX-License-Identifier: GPL-2.0-only
//
// Findings for people and for programs. Knows nothing but the Finding struct.

#ifndef DMACHECK_REPORT_REPORT_H
#define DMACHECK_REPORT_REPORT_H

#include "Finding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>

namespace dmacheck {

/// What one check is about, for reports that explain themselves.
struct Rule {
  std::string Name;
  std::string Summary; ///< one line
  std::string Page;    ///< Markdown
};

/// Everything that one run has to say.
struct RunSummary {
  std::vector<Finding> Findings;
  unsigned Scanned = 0;    ///< source files looked at for candidates
  unsigned Candidates = 0; ///< files that could hold a finding
  unsigned Parsed = 0;
  std::vector<Unparsed> NotParsed;
  std::map<std::string, unsigned> FlagsFrom; ///< source of flags -> files
  std::vector<std::string> Checked;          ///< the files that were parsed
  std::vector<std::string> Queues;           ///< that were followed
};

/// As a compiler prints a warning, with its path below.
void printFinding(const Finding &F, llvm::raw_ostream &OS);

/// As a compiler prints: one line a finding, its path as notes below. With
/// queues: what they introduce and fix, then what the base has.
void printText(const RunSummary &Run, llvm::raw_ostream &OS);

/// True for what the run is about: not what a comment suppresses, not what the
/// baseline knows, and with queues only what they introduce.
bool counts(const Finding &F);

/// SARIF 2.1.0 (OASIS). Suppressed and known findings are there too, marked.
void printSarif(const RunSummary &Run, llvm::ArrayRef<Rule> Rules,
                llvm::raw_ostream &OS);

/// Line Line (from 1) of a file of the tree without its end; nothing if there
/// is none.
using SourceLine = llvm::function_ref<std::optional<std::string>(
    llvm::StringRef File, unsigned Line)>;

/// One HTML file that needs no network: findings by subsystem, the code that
/// each step of a path is about, and a box to filter by words.
void printHtml(const RunSummary &Run, llvm::ArrayRef<Rule> Rules,
               SourceLine LineOf, llvm::raw_ostream &OS);

/// One finding a line.
void printJsonLines(const RunSummary &Run, llvm::raw_ostream &OS);

/// {"scanned","candidates","parsed","flags":{source:files},
/// "unparsed":[{"file","error"}],"findings"}
llvm::Error writeReport(const RunSummary &Run, llvm::StringRef Path);

} // namespace dmacheck

#endif
