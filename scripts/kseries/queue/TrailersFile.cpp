// SPDX-License-Identifier: GPL-2.0-only

#include "queue/TrailersFile.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kseries {

static SmallVector<StringRef, 4> splitFields(StringRef Line) {
  SmallVector<StringRef, 4> Fields;
  while (!(Line = Line.trim()).empty()) {
    size_t End = std::min(Line.find("  "), Line.find('\t'));
    Fields.push_back(Line.take_front(End).rtrim());
    Line = Line.drop_front(std::min(End, Line.size()));
  }
  return Fields;
}

Expected<std::vector<Trailer>> parseTrailers(StringRef Text, StringRef Path) {
  std::vector<Trailer> Trailers;
  for (LineReader Lines(Text); !Lines.atEnd(); Lines.skip()) {
    StringRef Line = Lines.peek();
    if (Line.trim().empty() || Line.starts_with("#"))
      continue;
    auto Fields = splitFields(Line);
    bool Valid = Fields.size() == 4 && Fields[1].size() == 40 &&
                 all_of(Fields[1], isHexDigit) && Fields[2].contains(": ");
    if (!Valid)
      return make_error<PatchError>(
          Path.str(), Lines.lineNumber(),
          "not 'patch-file  patch-id  Tag: Name <address>  message-id' with "
          "two blanks between the fields");
    Trailers.push_back({Fields[0].str(), Fields[1].lower(), Fields[2].str(),
                        Fields[3].str(), Lines.lineNumber()});
  }
  return Trailers;
}

} // namespace kseries
