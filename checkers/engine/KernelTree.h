// SPDX-License-Identifier: GPL-2.0-only
//
// A kernel tree on disk. Never written to.

#ifndef DMACHECK_ENGINE_KERNELTREE_H
#define DMACHECK_ENGINE_KERNELTREE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace dmacheck {

class KernelTree {
public:
  /// Fails with one line if Dir is not the top of a kernel tree.
  static llvm::Expected<KernelTree> open(llvm::StringRef Dir);

  const std::string &root() const { return Root; }
  /// "7.2.12", from the top-level Makefile.
  const std::string &version() const { return Version; }
  /// True if the tree was configured or built in place: kbuild then refuses to
  /// build it elsewhere.
  bool isConfiguredInPlace() const;

  /// Path relative to the tree, or nothing for a file outside it.
  std::optional<std::string> relative(llvm::StringRef Path) const;
  std::string absolute(llvm::StringRef Relative) const;

private:
  std::string Root, Version;
};

/// A scan for the files worth parsing.
struct Candidates {
  std::vector<std::string> Files; ///< relative to the tree, sorted
  unsigned Scanned = 0;           ///< .c files looked at
  /// Files and folders that could not be read, with the reason.
  std::vector<std::pair<std::string, std::string>> Unreadable;
};

/// The .c files below Paths (relative to the tree; none: the whole tree) that
/// hold one of the words. Fails on a path that is not there.
llvm::Expected<Candidates>
findCandidates(const KernelTree &Tree, const std::vector<std::string> &Paths,
               const std::vector<llvm::StringRef> &Words);

/// True if the text holds one of the words.
bool holdsAny(llvm::StringRef Text, const std::vector<llvm::StringRef> &Words);

} // namespace dmacheck

#endif
