// SPDX-License-Identifier: GPL-2.0-only
//
// An object id: a value, ordered and hashable.

#ifndef KSERIES_GIT_OID_H
#define KSERIES_GIT_OID_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <git2.h>

#include <string>

namespace kgit {

class Oid {
public:
  /// The id of no object (forty zeros).
  Oid() = default;
  explicit Oid(const git_oid &Raw) : Raw(Raw) {}

  /// Forty hexadecimal digits, no more and no fewer.
  static llvm::Expected<Oid> parse(llvm::StringRef Hex);

  /// The id that \p Content has, or would have, as a blob.
  static llvm::Expected<Oid> ofBlob(llvm::StringRef Content);

  /// The first \p Digits hexadecimal digits.
  std::string str(size_t Digits = GIT_OID_HEXSZ) const;

  bool isZero() const { return git_oid_is_zero(&Raw); }
  const git_oid *raw() const { return &Raw; }

  friend bool operator==(const Oid &A, const Oid &B) {
    return git_oid_equal(&A.Raw, &B.Raw);
  }
  friend bool operator<(const Oid &A, const Oid &B) {
    return git_oid_cmp(&A.Raw, &B.Raw) < 0;
  }

private:
  git_oid Raw{};
};

} // namespace kgit

#endif // KSERIES_GIT_OID_H
