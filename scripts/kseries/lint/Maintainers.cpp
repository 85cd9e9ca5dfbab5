// SPDX-License-Identifier: GPL-2.0-only

#include "lint/Maintainers.h"
#include "patch/LineReader.h"

#include "llvm/Support/GlobPattern.h"

using namespace llvm;

namespace kseries {

static bool matches(StringRef Pattern, StringRef Path) {
  if (Pattern.find_first_of("*?[") == StringRef::npos)
    return Pattern.ends_with("/")
               ? Path.starts_with(Pattern)
               : Path == Pattern || Path.starts_with((Pattern + "/").str());
  if (!Pattern.ends_with("/") && Pattern.count('/') != Path.count('/'))
    return false;
  std::string Whole = (Pattern + (Pattern.ends_with("/") ? "*" : "")).str();
  Expected<GlobPattern> Glob = GlobPattern::create(Whole);
  if (!Glob) {
    consumeError(Glob.takeError());
    return false;
  }
  return Glob->match(Path);
}

std::vector<StringRef> entriesFor(StringRef Maintainers, StringRef Path) {
  std::vector<StringRef> Titles;
  StringRef Title;
  bool Included = false, Excluded = false;
  auto Finish = [&] {
    if (Included && !Excluded)
      Titles.push_back(Title);
    Included = Excluded = false;
  };
  for (LineReader Lines(Maintainers); !Lines.atEnd(); Lines.skip()) {
    StringRef Line = Lines.peek();
    bool IsField = Line.size() > 2 && Line[1] == ':';
    if (Line.consume_front("F:"))
      Included |= matches(Line.trim(), Path);
    else if (Line.consume_front("X:"))
      Excluded |= matches(Line.trim(), Path);
    else if (!IsField && !Line.trim().empty()) {
      Finish();
      Title = Line.trim();
    }
  }
  Finish();
  return Titles;
}

} // namespace kseries
