// SPDX-License-Identifier: GPL-2.0-only
//
// A patch in memory: its message and what it does to each file. Every form
// that git format-patch and quilt write is read into this, and one form is
// written (see PatchPrinter.h).

#ifndef KSERIES_PATCH_PATCH_H
#define KSERIES_PATCH_PATCH_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kseries {

struct HunkLine {
  /// ' ', '-' or '+'.
  char Kind;
  /// With its newline; without one only for a last line that has none.
  std::string Text;
};

struct Hunk {
  unsigned OldStart = 0;
  unsigned OldCount = 0;
  unsigned NewStart = 0;
  unsigned NewCount = 0;
  /// The text after the second "@@", without the space before it.
  std::string Section;
  std::vector<HunkLine> Lines;
  /// Where the hunk starts in the patch file, from 1; 0 when made in memory.
  unsigned PatchLine = 0;
};

/// One side of a "GIT binary patch", inflated.
struct BinaryData {
  /// The data are a delta against the other side, else the whole content.
  bool IsDelta = false;
  std::string Data;
};

enum class FileChange { Modify, Add, Delete, Rename, Copy };

struct FileDiff {
  FileChange Change = FileChange::Modify;
  /// Both are set and equal except for a rename or a copy.
  std::string OldPath;
  std::string NewPath;
  /// Git's file modes, 0 where the patch does not say.
  uint32_t OldMode = 0;
  uint32_t NewMode = 0;
  /// As in the index line, possibly abbreviated; empty without such a line.
  std::string OldId;
  std::string NewId;
  /// Percent, for a rename or a copy.
  unsigned Similarity = 0;
  std::vector<Hunk> Hunks;
  /// From old to new. The way back is kept for a faithful copy only.
  std::optional<BinaryData> Forward;
  std::optional<BinaryData> Reverse;
  unsigned PatchLine = 0;
};

struct Person {
  std::string Name;
  std::string Email;

  friend bool operator==(const Person &, const Person &) = default;
};

/// Seconds from the epoch and minutes from UTC.
struct PatchDate {
  int64_t Seconds = 0;
  int OffsetMinutes = 0;
};

struct Patch {
  /// Who wrote it, when that is not the sender.
  std::optional<Person> From;
  std::optional<PatchDate> Date;
  std::string Subject;
  /// Everything below the subject, tags included, no newline at either end.
  std::string Body;
  /// What stands between "---" and the diff, a diffstat left out.
  std::string Notes;
  std::vector<FileDiff> Files;

  /// A patch that was begun and changes nothing yet.
  bool isEmpty() const { return Files.empty(); }

  /// What the patch says as a commit.
  std::string commitMessage() const;
};

/// The line that a patch without changes has in place of diffs.
inline constexpr llvm::StringLiteral NoChanges = "(no changes yet)";

} // namespace kseries

#endif // KSERIES_PATCH_PATCH_H
