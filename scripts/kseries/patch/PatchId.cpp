// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PatchId.h"
#include "patch/LineReader.h"
#include "patch/PatchPrinter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA1.h"

#include <array>

using namespace llvm;

namespace kseries {

using Digest = std::array<uint8_t, 20>;

static void hashWithoutBlanks(SHA1 &Hash, StringRef Line) {
  std::string Kept;
  for (char Byte : Line)
    if (!isSpace(Byte))
      Kept += Byte;
  Hash.update(Kept);
}

/// Git hashes each file on its own and adds the digests as numbers, least
/// significant byte first, so that the order of the files does not matter.
static void add(Digest &Sum, const Digest &Term) {
  unsigned Carry = 0;
  for (size_t I = 0; I < Sum.size(); ++I) {
    Carry += Sum[I] + Term[I];
    Sum[I] = static_cast<uint8_t>(Carry);
    Carry >>= 8;
  }
}

static Digest fileDigest(const FileDiff &File) {
  SHA1 Hash;
  // A binary change counts by the ids of its two sides.
  FileDiff TextOnly = File;
  TextOnly.Forward.reset();
  TextOnly.Reverse.reset();
  std::string Text = printDiffs(TextOnly);
  LineReader Lines(Text);
  bool InHunks = false;
  while (!Lines.atEnd()) {
    StringRef Line = Lines.next();
    if (Line.starts_with("@@ -"))
      InHunks = true;
    bool Skipped = (InHunks && Line.starts_with("@@ -")) ||
                   (!InHunks && Line.starts_with("index ")) ||
                   Line.starts_with("\\ ");
    if (!Skipped)
      hashWithoutBlanks(Hash, Line);
  }
  if (File.Forward) {
    Hash.update(File.OldId);
    Hash.update(File.NewId);
  }
  return Hash.final();
}

std::string patchId(ArrayRef<FileDiff> Files) {
  Digest Sum{};
  for (const FileDiff &File : Files)
    add(Sum, fileDigest(File));
  return toHex(Sum, /*LowerCase=*/true);
}

} // namespace kseries
