// SPDX-License-Identifier: GPL-2.0-only

#include "git/Oid.h"
#include "git/GitError.h"

using namespace llvm;

namespace kgit {

Expected<Oid> Oid::parse(StringRef Hex) {
  git_oid Raw;
  if (Hex.size() != GIT_OID_HEXSZ ||
      git_oid_fromstrn(&Raw, Hex.data(), Hex.size()))
    return makeError("'" + Hex + "' is not an object id");
  return Oid(Raw);
}

Expected<Oid> Oid::ofBlob(StringRef Content) {
  git_oid Raw;
  if (git_odb_hash(&Raw, Content.data(), Content.size(), GIT_OBJECT_BLOB))
    return lastError("cannot hash a blob");
  return Oid(Raw);
}

std::string Oid::str(size_t Digits) const {
  char Hex[GIT_OID_HEXSZ + 1];
  git_oid_tostr(Hex, sizeof(Hex), &Raw);
  return std::string(Hex).substr(0, Digits);
}

} // namespace kgit
