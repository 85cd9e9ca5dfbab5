// SPDX-License-Identifier: GPL-2.0-only

#include "queue/TextFile.h"
#include "patch/PatchError.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kseries {

Expected<std::string> readTextFile(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return inputError(Path + ": cannot read: " + Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

Error replaceTextFile(StringRef Path, StringRef Text) {
  Error E = writeToOutput(Path, [&](raw_ostream &OS) -> Error {
    OS << Text;
    return Error::success();
  });
  if (E)
    return inputError(Path + ": cannot write: " + toString(std::move(E)));
  return Error::success();
}

} // namespace kseries
