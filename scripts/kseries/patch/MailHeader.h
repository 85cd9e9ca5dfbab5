// SPDX-License-Identifier: GPL-2.0-only
//
// Header lines of mails: persons, dates, and the encoded words of RFC 2047.

#ifndef KSERIES_PATCH_MAILHEADER_H
#define KSERIES_PATCH_MAILHEADER_H

#include "patch/Patch.h"

#include "llvm/ADT/StringRef.h"

namespace kseries {

bool isAscii(llvm::StringRef Text);

/// Encoded words (UTF-8, latin-1; Q and B) turned into UTF-8. Words in other
/// character sets are left as they are.
std::string decodeWords(llvm::StringRef Text);

/// "Name <address>", the name possibly quoted or encoded. Nothing without an
/// address between angle brackets.
std::optional<Person> parsePerson(llvm::StringRef Text);

/// "Name <address>" in UTF-8, the name quoted where RFC 5322 asks for it.
std::string printPerson(const Person &Who);

/// "Mon, 14 Sep 2026 14:22:58 -0700".
std::optional<PatchDate> parseDate(llvm::StringRef Text);
std::string printDate(const PatchDate &Date);

/// "Name: value" and a newline, encoded and folded to 78 columns as needed.
std::string printHeader(llvm::StringRef Name, llvm::StringRef Value);
/// The same for a person: the address is never encoded.
std::string printPersonHeader(llvm::StringRef Name, const Person &Who);

} // namespace kseries

#endif // KSERIES_PATCH_MAILHEADER_H
