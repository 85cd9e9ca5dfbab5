// SPDX-License-Identifier: GPL-2.0-only

#include "lint/PatchText.h"
#include "patch/LineReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

using namespace llvm;

namespace kseries {

unsigned subjectLine(const QueuePatch &Of) {
  for (LineReader Lines(Of.Text); !Lines.atEnd(); Lines.skip()) {
    if (Lines.peek().empty())
      break;
    if (Lines.peek().starts_with_insensitive("subject:"))
      return Lines.lineNumber();
  }
  return 1; // quilt's form: the first line of the text
}

std::vector<NumberedLine> bodyLines(const QueuePatch &Of) {
  std::vector<NumberedLine> Body;
  StringRef Text = Of.Text;
  // The parser takes the body out of the text as it is.
  size_t Start = Text.find(Of.Parsed.Body, Text.find("\n\n"));
  if (Of.Parsed.Body.empty() || Start == StringRef::npos)
    return Body;
  auto Above = static_cast<unsigned>(Text.take_front(Start).count('\n'));
  LineReader Lines(Text.substr(Start, Of.Parsed.Body.size()));
  for (; !Lines.atEnd(); Lines.skip())
    Body.push_back({Above + Lines.lineNumber(), Lines.peek()});
  return Body;
}

bool isTagLine(StringRef Line) {
  static constexpr std::array<StringRef, 8> Keys = {
      "fixes",   "link",       "closes",    "cc",
      "buglink", "message-id", "change-id", "base-commit"};
  auto [Key, Value] = Line.split(':');
  if (Key.size() == Line.size() || Value.trim().empty() ||
      !all_of(Key, [](char C) { return isAlpha(C) || C == '-'; }))
    return false;
  return Key.ends_with_insensitive("-by") ||
         is_contained(Keys, StringRef(Key.lower()));
}

std::vector<TagLine> tagLines(const QueuePatch &Of) {
  std::vector<TagLine> Tags;
  for (const NumberedLine &Line : bodyLines(Of))
    if (isTagLine(Line.Text))
      Tags.push_back({Line.Number, Line.Text.split(':').first,
                      Line.Text.split(':').second.trim()});
  return Tags;
}

static std::vector<NumberedLine> linesOfKind(const FileDiff &File, char Kind) {
  std::vector<NumberedLine> Lines;
  for (const Hunk &In : File.Hunks)
    for (size_t I = 0; I < In.Lines.size(); ++I)
      if (In.Lines[I].Kind == Kind)
        Lines.push_back({In.PatchLine + 1 + static_cast<unsigned>(I),
                         StringRef(In.Lines[I].Text).rtrim('\n')});
  return Lines;
}

std::vector<NumberedLine> addedLines(const FileDiff &File) {
  return linesOfKind(File, '+');
}

std::vector<NumberedLine> removedLines(const FileDiff &File) {
  return linesOfKind(File, '-');
}

} // namespace kseries
