// SPDX-License-Identifier: GPL-2.0-only
//
// One file through clang and all checks, in one parse.

#ifndef DMACHECK_ENGINE_PARSEFILE_H
#define DMACHECK_ENGINE_PARSEFILE_H

#include "Finding.h"
#include "checks/Check.h"
#include "engine/Flags.h"
#include "engine/KernelTree.h"
#include "llvm/ADT/StringMap.h"

namespace dmacheck {

/// Contents that stand in for files of the tree: absolute path -> text.
using Overlay = llvm::StringMap<std::string>;

struct ParseJob {
  std::string File; ///< relative to the tree
  CompileFlags Flags;
  /// Not owned; null: the tree as it is on disk.
  const Overlay *Changed = nullptr;
};

struct ParseResult {
  std::vector<Finding> Findings;
  /// Every file that was read, absolute.
  std::vector<std::string> Dependencies;
  /// The first error, empty if clang understood the file.
  std::string Error;
};

struct CheckSet {
  std::vector<std::unique_ptr<Check>> Checks;
  std::vector<std::string> Names;
  /// What the checks look for, all of them together.
  std::vector<llvm::StringRef> Words;
  /// The user's own rows of the API table, which decide the findings too.
  llvm::StringRef Table;
};
/// The checks of those names; all if Names is empty. Fails on an unknown name.
llvm::Expected<CheckSet> selectChecks(const std::vector<std::string> &Names);

/// Never throws, never ends the process: a crash inside clang is an Error too.
/// Safe to call from several threads.
ParseResult parseFile(const KernelTree &Tree, const CheckSet &Checks,
                      const ParseJob &Job);

} // namespace dmacheck

#endif
