// SPDX-License-Identifier: GPL-2.0-only

#include "process/Program.h"
#include "patch/PatchError.h"
#include "queue/TextFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace kseries {

namespace {

/// Where an output stream goes: files, as pipes that nobody reads fill up.
class CapturedStream {
public:
  Error create() {
    SmallString<128> Made;
    if (std::error_code Code =
            sys::fs::createTemporaryFile("kseries", "out", Made))
      return inputError("no temporary file: " + Code.message());
    Path = Made.str().str();
    Remover.setFile(Path);
    return Error::success();
  }
  StringRef path() const { return Path; }

private:
  std::string Path;
  FileRemover Remover;
};

} // namespace

Expected<ProgramOutput> runProgram(StringRef Program,
                                   ArrayRef<std::string> Arguments,
                                   ErrorStream Errors) {
  std::string Path = Program.str();
  if (!Program.contains('/')) {
    ErrorOr<std::string> Found = sys::findProgramByName(Program);
    if (!Found)
      return inputError(Program + ": not found in PATH");
    Path = *Found;
  }
  CapturedStream Out, Err;
  for (CapturedStream *Stream : {&Out, &Err})
    if (Error E = Stream->create())
      return std::move(E);
  SmallVector<StringRef, 16> Words = {Path};
  Words.append(Arguments.begin(), Arguments.end());
  std::optional<StringRef> ErrorsTo = Err.path();
  if (Errors == ErrorStream::Show)
    ErrorsTo = std::nullopt;
  std::string Message;
  bool Failed = false;
  int Code = sys::ExecuteAndWait(
      Path, Words, /*Env=*/std::nullopt, {StringRef(""), Out.path(), ErrorsTo},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Message, &Failed);
  if (Failed || Code < 0)
    return inputError(Path + ": " +
                      (Message.empty() ? "did not run to its end" : Message));
  ProgramOutput Output;
  Output.Code = Code;
  for (auto [Stream, Into] :
       {std::pair(&Out, &Output.Out), std::pair(&Err, &Output.Err)}) {
    Expected<std::string> Text = readTextFile(Stream->path());
    if (!Text)
      return Text.takeError();
    *Into = std::move(*Text);
  }
  return Output;
}

std::string complaintOf(const ProgramOutput &Output) {
  StringRef Last = StringRef(Output.Err).rtrim();
  Last = Last.drop_front(Last.rfind('\n') + 1).trim();
  if (Last.empty())
    return "exit status " + std::to_string(Output.Code);
  return Last.str();
}

} // namespace kseries
