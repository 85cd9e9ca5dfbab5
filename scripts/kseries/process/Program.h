// SPDX-License-Identifier: GPL-2.0-only
//
// Other programs: git where only its own command will do, and the scripts and
// tools of the workspace.

#ifndef KSERIES_PROCESS_PROGRAM_H
#define KSERIES_PROCESS_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kseries {

struct ProgramOutput {
  /// What it exited with; never a signal, which is an error.
  int Code = 0;
  std::string Out;
  std::string Err;
};

enum class ErrorStream {
  Capture,
  /// What the program says there, progress for one, is for the user at once.
  Show
};

/// Runs \p Program, looked up in PATH unless it has a slash, in the current
/// directory with nothing on its standard input. An error when it cannot be
/// started or dies of a signal.
llvm::Expected<ProgramOutput>
runProgram(llvm::StringRef Program, llvm::ArrayRef<std::string> Arguments,
           ErrorStream Errors = ErrorStream::Capture);

/// The last line of \p Output's error stream that is not blank, for a message;
/// "exit status N" when there is none.
std::string complaintOf(const ProgramOutput &Output);

} // namespace kseries

#endif // KSERIES_PROCESS_PROGRAM_H
