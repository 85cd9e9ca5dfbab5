// SPDX-License-Identifier: GPL-2.0-only

#include "queue/RecordLine.h"
#include "patch/PathName.h"

using namespace llvm;

namespace kseries {

std::string printId(const std::optional<kgit::Oid> &Id) {
  return Id ? Id->str() : "-";
}

StringRef takeField(StringRef &Line) {
  StringRef Field;
  std::tie(Field, Line) = Line.split(' ');
  return Field;
}

bool takeId(StringRef &Line, std::optional<kgit::Oid> &Into) {
  StringRef Field = takeField(Line);
  if (Field == "-")
    return true;
  Expected<kgit::Oid> Id = kgit::Oid::parse(Field);
  if (!Id) {
    consumeError(Id.takeError());
    return false;
  }
  Into = *Id;
  return true;
}

std::optional<std::string> readName(StringRef Line) {
  if (!Line.starts_with("\""))
    return Line.str();
  std::optional<std::string> Name = takeQuotedPath(Line);
  return Line.empty() ? Name : std::nullopt;
}

} // namespace kseries
