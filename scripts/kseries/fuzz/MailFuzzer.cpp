// SPDX-License-Identifier: GPL-2.0-only
//
// Any text as the value of a mail header: as a person, a date, a subject.
// What was understood must survive being printed.

#include "patch/MailHeader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace kseries;

static std::string unfold(StringRef Header) {
  std::string Out;
  for (char Byte : Header.rtrim('\n'))
    if (Byte != '\n')
      Out += Byte;
  return Out;
}

static void checkPerson(StringRef Text) {
  std::optional<Person> Who = parsePerson(Text);
  if (!Who)
    return;
  std::optional<Person> Again = parsePerson(printPerson(*Who));
  if (!Again || *Again != *Who)
    report_fatal_error(Twine("person '") + printPerson(*Who) +
                       "' is another one when read again");
}

static void checkDate(StringRef Text) {
  std::optional<PatchDate> Date = parseDate(Text);
  if (!Date)
    return;
  std::optional<PatchDate> Again = parseDate(printDate(*Date));
  if (!Again || Again->Seconds != Date->Seconds ||
      Again->OffsetMinutes != Date->OffsetMinutes)
    report_fatal_error(Twine("date '") + printDate(*Date) +
                       "' is another one when read again");
}

static void checkSubject(StringRef Text) {
  const auto *Bytes = reinterpret_cast<const UTF8 *>(Text.data());
  bool IsUtf8 = isLegalUTF8String(&Bytes, Bytes + Text.size());
  // Control characters and words that look encoded cannot be told from ours.
  if (!IsUtf8 || Text.contains("=?") || any_of(Text, [](char Byte) {
        return (Byte & 0x80) == 0 && !isPrint(Byte);
      }))
    return;
  if (decodeWords(unfold(printHeader("Subject", Text))) !=
      ("Subject: " + Text).str())
    report_fatal_error(Twine("subject '") + Text +
                       "' does not come back from '" +
                       printHeader("Subject", Text) + "'");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text(reinterpret_cast<const char *>(Data), Size);
  decodeWords(Text);
  checkPerson(Text);
  checkDate(Text);
  checkSubject(Text);
  return 0;
}
