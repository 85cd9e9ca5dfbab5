// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Suppression.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dmacheck;

/// The words of a comment line without what makes it one.
static StringRef wordsOf(StringRef Line) {
  Line = Line.trim();
  Line.consume_front("//");
  Line.consume_front("/*");
  Line.consume_back("*/");
  return Line.trim().ltrim('*').trim();
}

static bool isComment(StringRef Line) {
  Line = Line.trim();
  return Line.starts_with("//") || Line.starts_with("/*") ||
         Line.starts_with("*");
}

/// The comment above a line and the one at its end, as one line of words.
static std::string commentAt(ArrayRef<StringRef> Lines, unsigned Line) {
  size_t First = Line - 1;
  while (First > 0 && isComment(Lines[First - 1]))
    --First;
  std::string Words;
  for (size_t I = First; I < Line - 1; ++I)
    Words += (wordsOf(Lines[I]) + " ").str();
  StringRef Own = Lines[Line - 1];
  size_t At = std::min(Own.find("/*"), Own.find("//"));
  if (At != StringRef::npos)
    Words += wordsOf(Own.drop_front(At));
  return Words;
}

std::string dmacheck::suppressionReason(StringRef Text, unsigned Line,
                                        StringRef Check) {
  constexpr StringLiteral Marker("dmacheck: ignore ");
  if (!Text.contains(Marker))
    return "";
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  if (Line < 1 || Line > Lines.size())
    return "";
  std::string Words = commentAt(Lines, Line);
  for (StringRef Rest = Words; !Rest.empty();) {
    Rest = Rest.split(Marker).second;
    StringRef Mine = Rest.substr(0, Rest.find(Marker)).trim();
    if (Mine.consume_front(Check) && Mine.consume_front(":"))
      return Mine.trim().str();
  }
  return "";
}
