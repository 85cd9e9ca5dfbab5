// SPDX-License-Identifier: GPL-2.0-only
//
// The one error that this layer returns: a single line that says what was
// wanted and what libgit2 said about it.

#ifndef KSERIES_GIT_GITERROR_H
#define KSERIES_GIT_GITERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kgit {

class GitError : public llvm::ErrorInfo<GitError> {
public:
  static char ID;

  explicit GitError(std::string Message) : Message(std::move(Message)) {}

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string Message;
};

/// An error of this layer's own making.
llvm::Error makeError(const llvm::Twine &What);

/// \p What followed by libgit2's last message, folded into one line.
llvm::Error lastError(const llvm::Twine &What);

} // namespace kgit

#endif // KSERIES_GIT_GITERROR_H
