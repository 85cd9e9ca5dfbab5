// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PatchId.h"
#include "patch/LineReader.h"
#include "patch/PatchPrinter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA1.h"

#include <array>
#include <tuple>

using namespace llvm;

namespace kseries {

namespace {

/// Reads diffs line by line with the states of git's builtin/patch-id.c. An id
/// is worth something only when it is git's to the last quirk: the line that
/// starts a file behind a binary one does not count there, for one.
class PatchIdReader {
public:
  std::string read(StringRef Diffs);

private:
  enum class Next { Hash, Skip };

  Next headerLine(StringRef Line);
  Next bodyLine(StringRef Line);
  void startHunk(StringRef Line);
  void hash(StringRef Line);
  void finishFile();

  using Digest = std::array<uint8_t, 20>;

  SHA1 Hash;
  Digest Sum{};
  std::string OldId, NewId;
  bool InHeader = true;
  bool InBinary = false;
  /// Lines that the current hunk still has on either side.
  unsigned Before = 0, After = 0;
};

void PatchIdReader::hash(StringRef Line) {
  std::string Kept;
  for (char Byte : Line)
    if (!isSpace(Byte))
      Kept += Byte;
  Hash.update(Kept);
}

/// Each file is hashed on its own and the digests are added as numbers, least
/// significant byte first, so that the order of the files does not matter.
void PatchIdReader::finishFile() {
  Digest Term = Hash.final();
  Hash.init();
  unsigned Carry = 0;
  for (size_t I = 0; I < Sum.size(); ++I) {
    Carry += Sum[I] + Term[I];
    Sum[I] = static_cast<uint8_t>(Carry);
    Carry >>= 8;
  }
}

PatchIdReader::Next PatchIdReader::headerLine(StringRef Line) {
  if (Line.starts_with("GIT binary patch")) {
    // A binary change counts by the ids of its two sides.
    InHeader = false;
    InBinary = true;
    Hash.update(OldId);
    Hash.update(NewId);
    finishFile();
    return Next::Skip;
  }
  if (Line.consume_front("index ")) {
    std::tie(OldId, NewId) =
        std::pair<std::string, std::string>(Line.split(' ').first.split(".."));
    return Next::Skip;
  }
  if (Line.starts_with("--- ")) {
    InHeader = false;
    Before = After = 1; // this line and the one with +++
  }
  return Next::Hash;
}

void PatchIdReader::startHunk(StringRef Line) {
  auto Count = [&](char Sign) {
    StringRef Range = Line.drop_front(Line.find(Sign) + 1);
    unsigned Start = 0, Lines = 1;
    Range.consumeInteger(10, Start);
    if (Range.consume_front(","))
      Range.consumeInteger(10, Lines);
    return Lines;
  };
  Before = Count('-');
  After = Count('+');
}

PatchIdReader::Next PatchIdReader::bodyLine(StringRef Line) {
  if (InBinary) {
    if (Line.starts_with("diff ")) {
      InBinary = false;
      InHeader = true;
    }
    return Next::Skip;
  }
  if (Before || After)
    return Next::Hash;
  if (Line.starts_with("@@ -")) {
    startHunk(Line);
    return Next::Skip;
  }
  finishFile();
  InHeader = true;
  return Next::Hash;
}

std::string PatchIdReader::read(StringRef Diffs) {
  for (LineReader Lines(Diffs); !Lines.atEnd(); Lines.skip()) {
    StringRef Line = Lines.peek();
    if (Line.starts_with("\\ "))
      continue; // "No newline at end of file"
    if ((InHeader ? headerLine(Line) : bodyLine(Line)) == Next::Skip)
      continue;
    if (!InHeader && !Line.empty()) {
      Before -= Line[0] == '-' || Line[0] == ' ';
      After -= Line[0] == '+' || Line[0] == ' ';
    }
    hash(Line);
  }
  finishFile();
  return toHex(Sum, /*LowerCase=*/true);
}

} // namespace

std::string patchId(ArrayRef<FileDiff> Files) {
  return PatchIdReader().read(printDiffs(Files));
}

} // namespace kseries
