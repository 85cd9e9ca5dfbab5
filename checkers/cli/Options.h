// SPDX-License-Identifier: GPL-2.0-only
//
// The command line: what it can say, and what it said.

#ifndef DMACHECK_CLI_OPTIONS_H
#define DMACHECK_CLI_OPTIONS_H

#include "llvm/Support/CommandLine.h"
#include <optional>
#include <string>
#include <vector>

namespace dmacheck {

enum class Format { Text, Json, Sarif, Html };

struct Options {
  std::string Tree;                ///< top of the kernel tree
  std::vector<std::string> Paths;  ///< to check; none: the whole tree
  std::vector<std::string> Queues; ///< patch queues to follow
  std::string GitDir;              ///< repository of the queues
  std::string BuildDir;            ///< absolute
  std::string ObjectDir;           ///< the tree's O=, or empty
  std::string Arch;                ///< as kbuild's ARCH=, or empty
  std::string ConfigTarget;        ///< a kbuild configuration target, or empty
  bool NoKbuild = false;           ///< run nothing that the tree contains
  std::vector<std::string> Checks; ///< to run; none: all
  std::string ApiFile;             ///< rows of the user's own, or empty
  Format Output = Format::Text;
  std::string ReportFile;    ///< whole report as JSON, or empty
  std::string BaselineFile;  ///< of findings that are known, or empty
  std::string WriteBaseline; ///< a file to write, or empty
  unsigned Jobs = 0;         ///< 0: one a processor
  bool Cache = true;
  bool ListChecks = false;
  std::string Explain; ///< a check's name, or empty
  std::string Program; ///< this executable
};

/// Nothing if the command line is wrong; LLVM has said why on stderr.
std::optional<Options> parseOptions(int Argc, const char **Argv);

} // namespace dmacheck

#endif
