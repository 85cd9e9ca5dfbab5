// SPDX-License-Identifier: GPL-2.0-only
//
// How alike two files are, by git's measure (diffcore-delta.c): a rename that
// git merge sees must be seen here, and no other. libgit2 has a measure of its
// own.

#ifndef KSERIES_MERGE_SIMILARITY_H
#define KSERIES_MERGE_SIMILARITY_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace kseries {

/// The lines of a file as hashes with the bytes that each accounts for. Lines
/// longer than 64 bytes count in pieces.
class Fingerprint {
public:
  explicit Fingerprint(llvm::StringRef Text);

  uint64_t size() const { return Size; }
  /// Bytes of \p From that are in \p To as well.
  static uint64_t copied(const Fingerprint &From, const Fingerprint &To);

private:
  struct Span {
    uint32_t Hash;
    uint32_t Bytes;
  };

  uint64_t Size;
  /// Sorted, each hash once.
  std::vector<Span> Spans;
};

/// Scores go from 0 to this.
constexpr unsigned FullScore = 60000;

/// Whether files of these sizes can reach \p Least at all.
bool sizesAllow(uint64_t A, uint64_t B, unsigned Least);

/// 0 when the sizes alone rule \p Least out.
unsigned similarity(const Fingerprint &From, const Fingerprint &To,
                    unsigned Least);

/// Whether git takes the file for binary: a zero byte near its beginning.
bool isBinary(llvm::StringRef Text);

} // namespace kseries

#endif // KSERIES_MERGE_SIMILARITY_H
