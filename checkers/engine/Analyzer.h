// SPDX-License-Identifier: GPL-2.0-only
//
// Many files: flags, cache, parse, on all processors.

#ifndef DMACHECK_ENGINE_ANALYZER_H
#define DMACHECK_ENGINE_ANALYZER_H

#include "engine/ParseFile.h"
#include "engine/ResultCache.h"
#include <map>

namespace dmacheck {

/// What is known of a set of files in one state of the tree.
struct Analysis {
  /// By file; a file with no finding is there with none.
  std::map<std::string, std::vector<Finding>> ByFile;
  std::map<std::string, std::vector<std::string>> Dependencies;
  std::vector<Unparsed> NotParsed;
  std::map<std::string, unsigned> FlagsFrom; ///< source of flags -> files

  unsigned parsed() const { return ByFile.size(); }
  /// All findings, each once even if it stands in a header of many files,
  /// sorted by place.
  std::vector<Finding> findings() const;
};

class Analyzer {
public:
  Analyzer(const KernelTree &Tree, const CheckSet &Checks,
           std::vector<std::unique_ptr<FlagSource>> Sources, ResultCache &Cache,
           unsigned Jobs, bool Progress)
      : Tree(Tree), Checks(Checks), Sources(std::move(Sources)), Cache(Cache),
        Jobs(Jobs), Progress(Progress) {}

  /// Fails with one line if no flags can be had at all.
  llvm::Expected<Analysis> run(const std::vector<std::string> &Files,
                               const Overlay *Changed);

  const KernelTree &tree() const { return Tree; }
  const CheckSet &checks() const { return Checks; }

private:
  llvm::Expected<std::map<std::string, CompileFlags>>
  collectFlags(const std::vector<std::string> &Files,
               std::vector<Unparsed> &Without);

  const KernelTree &Tree;
  const CheckSet &Checks;
  std::vector<std::unique_ptr<FlagSource>> Sources;
  ResultCache &Cache;
  unsigned Jobs;
  bool Progress;
};

} // namespace dmacheck

#endif
