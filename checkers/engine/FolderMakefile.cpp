// SPDX-License-Identifier: GPL-2.0-only

#include "engine/FolderMakefile.h"
#include "engine/JoinedLines.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace dmacheck;

namespace {

class Makefile {
public:
  Makefile(StringRef Folder) {
    Variables["src"] = Folder.empty() ? "." : Folder.str();
    Variables["obj"] = Variables["src"];
    Variables["srctree"] = Variables["objtree"] = ".";
  }

  /// Calls Each(Name, Value) for each assignment, Value expanded.
  void read(StringRef Text, function_ref<void(StringRef, StringRef)> Each) {
    forEachJoinedLine(
        Text, [&](StringRef Line) { assignment(Line.split('#').first, Each); });
  }

private:
  void assignment(StringRef Line,
                  function_ref<void(StringRef, StringRef)> Each) {
    size_t Equals = Line.find('=');
    if (Equals == StringRef::npos || Line.starts_with("\t"))
      return;
    StringRef Name = Line.substr(0, Equals);
    bool Append = Name.consume_back("+");
    while (Name.consume_back(":") || Name.consume_back("?"))
      ;
    Name = Name.trim();
    if (Name.empty() || Name.contains(' '))
      return;
    std::string Value = expand(Line.substr(Equals + 1).trim(), 0);
    Each(Name, Value);
    std::string &Known = Variables[Name];
    Known = Append ? Known + " " + Value : Value;
  }

  /// $(NAME) of what was assigned before; functions and the unknown become
  /// nothing.
  std::string expand(StringRef Text, unsigned Depth) {
    std::string Out;
    while (!Text.empty()) {
      size_t At = Text.find("$(");
      Out += Text.substr(0, At);
      if (At == StringRef::npos || Depth > 8)
        break;
      Text = Text.substr(At + 2);
      size_t Level = 1, I = 0;
      for (; I < Text.size(); ++I) {
        Level += Text[I] == '(';
        if (Text[I] == ')' && --Level == 0)
          break;
      }
      StringRef Name = Text.substr(0, I);
      Text = Text.substr(std::min(I + 1, Text.size()));
      if (auto It = Variables.find(Name); It != Variables.end())
        Out += It->second;
      else if (Name.consume_front("addprefix ")) {
        auto [Prefix, List] = Name.split(',');
        std::string Front = expand(Prefix.trim(), Depth + 1);
        std::string Words = expand(List, Depth + 1);
        for (StringRef Rest = StringRef(Words).trim(); !Rest.empty();) {
          auto [Word, More] = Rest.split(' ');
          Out += Front + Word.str() + " ";
          Rest = More.ltrim();
        }
      }
    }
    return Out;
  }

  StringMap<std::string> Variables;
};

bool isFor(StringRef Name, StringRef Object) {
  if (Name.starts_with("subdir-ccflags-"))
    return true;
  if (Object.empty())
    return false;
  return Name.starts_with("ccflags-") || Name == "EXTRA_CFLAGS" ||
         Name == "CFLAGS_" + Object.str();
}

} // namespace

std::vector<std::string>
dmacheck::makefileFlags(StringRef Text, StringRef Folder, StringRef Object) {
  std::vector<std::string> Out;
  BumpPtrAllocator Alloc;
  StringSaver Saver(Alloc);
  Makefile(Folder).read(Text, [&](StringRef Name, StringRef Value) {
    if (!isFor(Name, Object))
      return;
    SmallVector<const char *, 16> Words;
    cl::TokenizeGNUCommandLine(Value, Saver, Words);
    for (size_t I = 0; I < Words.size(); ++I) {
      StringRef Word = Words[I];
      bool TakesNext = Word == "-I" || Word == "-D" || Word == "-U" ||
                       Word == "-include" || Word == "-iquote";
      if (TakesNext && I + 1 < Words.size()) {
        Out.push_back(Word.str());
        Out.push_back(Words[++I]);
      } else if (Word.size() > 2 &&
                 (Word.starts_with("-I") || Word.starts_with("-D") ||
                  Word.starts_with("-U"))) {
        Out.push_back(Word.str());
      }
    }
  });
  return Out;
}
