// SPDX-License-Identifier: GPL-2.0-only
//
// A finding: plain data, the only thing that engine, reports and tests share.

#ifndef DMACHECK_FINDING_H
#define DMACHECK_FINDING_H

#include <string>
#include <vector>

namespace dmacheck {

/// One step of the path that leads to a finding.
struct PathNote {
  std::string File; ///< relative to the tree
  unsigned Line = 0;
  std::string Note;
};

/// How a finding relates to a patch queue.
enum class Origin {
  None,        ///< no queue was asked for
  PreExisting, ///< in the base, and still there at the end of the queue
  Introduced,  ///< made by `Patch`
  Fixed,       ///< in the base, gone with `Patch`
};

/// How a finding relates to a baseline file.
enum class Baseline {
  None,      ///< no baseline was asked for
  New,       ///< not in it
  Unchanged, ///< in it
  Absent,    ///< only in it: no longer found
};

/// One defect at one place of one tree.
struct Finding {
  std::string Check;
  std::string File; ///< relative to the tree
  unsigned Line = 0;
  unsigned Column = 0;
  std::string Function;
  std::string Message;
  /// 16 hex digits over check, file, function and normalised expressions.
  /// Holds no line number, so that it survives edits elsewhere in the file.
  std::string Fingerprint;
  Origin From = Origin::None;
  std::string Patch; ///< patch file name, for Introduced and Fixed
  std::string Queue; ///< queue of Patch
  Baseline Against = Baseline::None;
  /// Why a comment in the source says that this is no defect; empty if none
  /// does.
  std::string Suppressed;
  std::string FlagsFrom;
  std::vector<PathNote> Path;
};

/// A candidate that clang could not parse, with its first error.
struct Unparsed {
  std::string File;
  std::string Error;
};

} // namespace dmacheck

#endif
