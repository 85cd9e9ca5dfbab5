// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PathName.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kseries {

// The escapes of git's quote.c besides the octal ones.
static constexpr StringRef EscapeLetters = "abtnvfr\"\\";
static constexpr StringRef EscapedBytes = "\a\b\t\n\v\f\r\"\\";

std::optional<std::string> takeQuotedPath(StringRef &Text) {
  if (!Text.consume_front("\""))
    return std::nullopt;
  std::string Path;
  while (!Text.empty()) {
    char Byte = Text.front();
    Text = Text.drop_front();
    if (Byte == '"')
      return Path;
    if (Byte != '\\') {
      Path += Byte;
      continue;
    }
    if (Text.empty())
      return std::nullopt;
    size_t Letter = EscapeLetters.find(Text.front());
    if (Letter != StringRef::npos) {
      Path += EscapedBytes[Letter];
      Text = Text.drop_front();
      continue;
    }
    unsigned Value;
    if (Text.size() < 3 || Text.take_front(3).getAsInteger(8, Value) ||
        Value == 0 || Value > 0xff)
      return std::nullopt;
    Path += static_cast<char>(Value);
    Text = Text.drop_front(3);
  }
  return std::nullopt;
}

std::string quotePath(StringRef Path) {
  std::string Quoted;
  bool Needed = false;
  for (char Byte : Path) {
    auto Value = static_cast<unsigned char>(Byte);
    size_t Letter = EscapedBytes.find(Byte);
    if (Letter != StringRef::npos) {
      Quoted += '\\';
      Quoted += EscapeLetters[Letter];
      Needed = true;
    } else if (Value < 0x20 || Value >= 0x7f) {
      Quoted += '\\';
      Quoted += static_cast<char>('0' + (Value >> 6));
      Quoted += static_cast<char>('0' + ((Value >> 3) & 7));
      Quoted += static_cast<char>('0' + (Value & 7));
      Needed = true;
    } else {
      Quoted += Byte;
    }
  }
  return Needed ? "\"" + Quoted + "\"" : Quoted;
}

std::optional<std::string> unsafePathReason(StringRef Path) {
  if (Path.empty())
    return "is empty";
  if (Path.starts_with("/"))
    return "is absolute";
  if (Path.contains('\0'))
    return "holds a zero byte";
  SmallVector<StringRef, 8> Components;
  Path.split(Components, '/');
  for (StringRef Component : Components) {
    if (Component == "..")
      return "climbs out of the tree";
    if (Component.empty() || Component == ".")
      return "is not a plain path";
    // "git~1" is what Windows calls .git, and both are case-blind there and on
    // other systems the tree may be checked out on.
    if (Component.equals_insensitive(".git") ||
        Component.equals_insensitive("git~1"))
      return "leads into a git directory";
  }
  return std::nullopt;
}

} // namespace kseries
