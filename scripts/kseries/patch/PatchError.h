// SPDX-License-Identifier: GPL-2.0-only
//
// What is wrong with a patch, in one line: the patch file, where in it, and
// which file and hunk of the tree it concerns.

#ifndef KSERIES_PATCH_PATCHERROR_H
#define KSERIES_PATCH_PATCHERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kseries {

class PatchError : public llvm::ErrorInfo<PatchError> {
public:
  static char ID;

  PatchError(std::string PatchFile, unsigned Line, std::string Message)
      : PatchFile(std::move(PatchFile)), Line(Line),
        Message(std::move(Message)) {}

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

  std::string PatchFile;
  /// From 1; 0 when no line is to blame.
  unsigned Line;
  std::string Message;
  /// The file of the tree, empty when the patch file itself is malformed.
  std::string Path;
  /// From 1; 0 when the file as a whole is concerned.
  unsigned Hunk = 0;
};

/// An error with a message only.
llvm::Error inputError(const llvm::Twine &Message);

/// \p Text fit for a one-line message: shortened, control bytes escaped.
std::string quoteForMessage(llvm::StringRef Text);

} // namespace kseries

#endif // KSERIES_PATCH_PATCHERROR_H
