// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PatchError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kseries {

char PatchError::ID = 0;

void PatchError::log(raw_ostream &OS) const {
  OS << PatchFile;
  if (Line)
    OS << ':' << Line;
  OS << ": " << Message;
}

std::error_code PatchError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Error inputError(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

std::string quoteForMessage(StringRef Text) {
  constexpr size_t Longest = 60;
  std::string Quoted = "'";
  for (char Byte : Text.rtrim("\r\n").take_front(Longest)) {
    if (Byte == '\t')
      Quoted += ' ';
    else if (static_cast<unsigned char>(Byte) < 0x20 || Byte == 0x7f)
      Quoted += "\\x" + utohexstr(static_cast<unsigned char>(Byte), true, 2);
    else
      Quoted += Byte;
  }
  if (Text.size() > Longest)
    Quoted += "...";
  return Quoted + "'";
}

} // namespace kseries
