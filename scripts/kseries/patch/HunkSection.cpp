// SPDX-License-Identifier: GPL-2.0-only

#include "patch/HunkSection.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace kseries {

// Git keeps this many bytes of the line (xdiff's func_line).
static constexpr size_t LongestSection = 80;

static bool startsWord(StringRef Line) {
  return !Line.empty() && (isAlpha(Line[0]) || Line[0] == '_');
}

static std::string plainRule(StringRef Line) {
  bool Matches = startsWord(Line) || Line.starts_with("$");
  return Matches ? Line.str() : "";
}

/// Git's "cpp": anything that starts a word in the first column, labels and
/// access specifiers excepted.
static std::string cppRule(StringRef Line) {
  StringRef Label = Line.ltrim(" \t");
  if (startsWord(Label)) {
    StringRef Rest =
        Label.drop_while([](char C) { return isAlnum(C) || C == '_'; });
    if (Rest.consume_front(":")) {
      Rest = Rest.ltrim();
      if (Rest.empty() || Rest.starts_with("//") || Rest.starts_with("/*"))
        return "";
    }
  }
  StringRef Start = Line;
  if (Start.consume_front("::"))
    Start = Start.ltrim();
  return startsWord(Start) ? Line.str() : "";
}

static std::string deviceTreeRule(StringRef Line) {
  static const Regex Node("^[ \t]*((/[ \t]*\\{|&?[a-zA-Z_]).*)");
  SmallVector<StringRef, 3> Groups;
  if (Line.contains(';') || Line.contains('=') || !Node.match(Line, &Groups))
    return "";
  return Groups[1].str();
}

static std::string rustRule(StringRef Line) {
  static const Regex Item(
      "^[\t ]*((pub(\\([^)]+\\))?[\t ]+)?"
      "((async|const|unsafe|extern([\t ]+\"[^\"]+\"))[\t ]+)?"
      "(struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t]+[^;]*)$");
  SmallVector<StringRef, 8> Groups;
  return Item.match(Line, &Groups) ? Groups[1].str() : "";
}

SectionFinder::Rule SectionFinder::ruleFor(StringRef Path) {
  if (Path.ends_with(".c") || Path.ends_with(".h"))
    return cppRule;
  if (Path.ends_with(".dts") || Path.ends_with(".dtsi") ||
      Path.ends_with(".dtso"))
    return deviceTreeRule;
  if (Path.ends_with(".rs"))
    return rustRule;
  return plainRule;
}

SectionFinder::SectionFinder(StringRef Path, StringRef Text)
    : Match(ruleFor(Path)) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Lines.push_back(Line);
    Text = Rest;
  }
}

std::string SectionFinder::sectionAt(unsigned Line) const {
  for (size_t I = std::min<size_t>(Line ? Line - 1 : 0, Lines.size()); I > 0;
       --I) {
    std::string Found = Match(Lines[I - 1]);
    if (!Found.empty())
      return StringRef(Found).take_front(LongestSection).rtrim().str();
  }
  return "";
}

} // namespace kseries
