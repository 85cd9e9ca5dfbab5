// SPDX-License-Identifier: GPL-2.0-only

#include "git/GitError.h"

#include "llvm/Support/raw_ostream.h"

#include <git2.h>

#include <algorithm>

using namespace llvm;

namespace kgit {

char GitError::ID = 0;

void GitError::log(raw_ostream &OS) const { OS << Message; }

std::error_code GitError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Error makeError(const Twine &What) {
  std::string Line = What.str();
  std::replace(Line.begin(), Line.end(), '\n', ' ');
  return make_error<GitError>(std::move(Line));
}

Error lastError(const Twine &What) {
  const git_error *Last = git_error_last();
  if (!Last || !Last->message)
    return makeError(What);
  return makeError(What + ": " + Last->message);
}

} // namespace kgit
