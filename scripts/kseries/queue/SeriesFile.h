// SPDX-License-Identifier: GPL-2.0-only
//
// A quilt series file: one patch a line, "#" starts a comment, "-pN" may
// follow the name. What is not changed keeps its bytes.

#ifndef KSERIES_QUEUE_SERIESFILE_H
#define KSERIES_QUEUE_SERIESFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace kseries {

struct SeriesEntry {
  /// Relative to the directory of the series file.
  std::string Name;
  /// How many leading directories the patch's paths have to lose.
  unsigned Strip = 1;
  /// From 1.
  unsigned Line = 0;
};

class SeriesFile {
public:
  /// \p Path names the file in errors. A patch listed twice, an option that
  /// cannot be honoured and a name outside the queue are errors.
  static llvm::Expected<SeriesFile> parse(llvm::StringRef Text,
                                          llvm::StringRef Path);

  llvm::ArrayRef<SeriesEntry> entries() const { return Entries; }

  /// The text with \p Names as its patches: lines that stay keep their bytes
  /// and the comments above them. A patch among \p Normal has -p1 from now on.
  std::string withPatches(llvm::ArrayRef<std::string> Names,
                          const std::set<std::string> &Normal = {}) const;

private:
  std::vector<SeriesEntry> Entries;
  /// For each entry its line, with the comments and blank lines above it.
  std::vector<std::string> Blocks;
  /// Comments below the last entry.
  std::string Tail;
};

} // namespace kseries

#endif // KSERIES_QUEUE_SERIESFILE_H
