// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Kconfig.h"
#include "engine/JoinedLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>

using namespace llvm;
using namespace dmacheck;

namespace {

struct Conditional {
  std::string Value, If;
};

/// One "config" block; a symbol can have several.
struct Definition {
  std::string Depends;
  bool Prompt = false;
  std::string PromptIf;
  std::vector<Conditional> Defaults, Selects;
};

struct Symbol {
  std::string Name;
  bool IsText = false; ///< int, hex or string
  bool IsString = false;
  std::vector<Definition> Definitions;
  int Choice = -1;
};

struct Choice {
  std::vector<Conditional> Defaults;
  std::vector<size_t> Members;
};

std::string both(StringRef A, StringRef B) {
  if (A.empty() || B.empty())
    return (A.empty() ? B : A).str();
  return ("(" + A + ") && (" + B + ")").str();
}

/// Up to 64 bits: an address of the kernel's is one too.
bool isNumber(StringRef Text) {
  unsigned long long Unsigned;
  long long Signed;
  return !Text.getAsInteger(0, Unsigned) || !Text.getAsInteger(0, Signed);
}

/// Splits "VALUE if CONDITION".
Conditional conditional(StringRef Text) {
  size_t At = Text.find(" if ");
  if (At == StringRef::npos)
    return {Text.trim().str(), ""};
  return {Text.substr(0, At).trim().str(), Text.substr(At + 4).trim().str()};
}

class Reader {
public:
  Reader(const KernelTree &Tree, StringRef Arch) : Tree(Tree), Arch(Arch) {}
  std::vector<Symbol> Symbols;
  std::vector<Choice> Choices;

  void file(const std::string &Path);

private:
  void line(StringRef Line);
  void property(StringRef Word, StringRef Rest);
  Symbol &symbol(StringRef Name);
  std::string surrounding() const {
    std::string All;
    for (const std::string &Each : Blocks)
      All = both(All, Each);
    return All;
  }
  Definition *current() {
    return Current < 0 ? nullptr : &Symbols[Current].Definitions.back();
  }

  const KernelTree &Tree;
  StringRef Arch;
  std::map<std::string, size_t> Index;
  StringSet<> Read;
  std::vector<std::string> Blocks; ///< conditions of if, menu and choice
  int Current = -1;                ///< symbol that properties belong to
  int InChoice = -1;
  bool ForBlock = false; ///< "depends on" is the menu's or the choice's
  bool InHelp = false;
  size_t HelpIndent = 0;
};

Symbol &Reader::symbol(StringRef Name) {
  auto [It, New] = Index.try_emplace(Name.str(), Symbols.size());
  if (New) {
    Symbols.emplace_back();
    Symbols.back().Name = Name.str();
  }
  return Symbols[It->second];
}

void Reader::file(const std::string &Path) {
  if (!Read.insert(Path).second)
    return;
  auto Text = MemoryBuffer::getFile(Tree.absolute(Path));
  if (!Text)
    return;
  forEachJoinedLine((*Text)->getBuffer(), [&](StringRef Line) { line(Line); });
  InHelp = false;
}

void Reader::line(StringRef Line) {
  StringRef Text = Line.trim();
  size_t Indent = 0;
  for (char C : Line.take_while([](char C) { return C == ' ' || C == '\t'; }))
    Indent = C == '\t' ? (Indent / 8 + 1) * 8 : Indent + 1;
  if (InHelp) {
    if (Text.empty())
      return;
    if (HelpIndent == 0)
      HelpIndent = Indent;
    if (Indent >= HelpIndent && HelpIndent > 0)
      return;
    InHelp = false;
  }
  // A comment ends a line, but not inside quotes.
  char Quote = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Quote ? Text[I] == Quote : Text[I] == '"' || Text[I] == '\'')
      Quote = Quote ? 0 : Text[I];
    else if (!Quote && Text[I] == '#') {
      Text = Text.substr(0, I).rtrim();
      break;
    }
  }
  if (Text.empty())
    return;
  size_t End = Text.find_first_of(" \t\"");
  StringRef Word = Text.substr(0, End);
  StringRef Rest = End == StringRef::npos ? "" : Text.substr(End).trim();
  if (Word == "help" || Word == "---help---") {
    InHelp = true;
    HelpIndent = 0;
  } else if (Word == "config" || Word == "menuconfig") {
    Symbol &S = symbol(Rest);
    Current = &S - Symbols.data();
    S.Definitions.push_back({surrounding(), false, "", {}, {}});
    if (InChoice >= 0) {
      S.Choice = InChoice;
      Choices[InChoice].Members.push_back(Current);
    }
    ForBlock = false;
  } else if (Word == "source" || Word == "rsource" || Word == "osource") {
    std::string Path = Rest.trim("\"").str();
    for (StringRef Name : {"$(SRCARCH)", "$SRCARCH"})
      if (size_t At = Path.find(Name); At != std::string::npos)
        Path.replace(At, Name.size(), Arch.str());
    Current = -1;
    file(Path);
  } else if (Word == "if" || Word == "menu" || Word == "choice") {
    Blocks.push_back(Word == "if" ? Rest.str() : "");
    Current = -1;
    ForBlock = Word != "if";
    if (Word == "choice") {
      InChoice = Choices.size();
      Choices.emplace_back();
    }
  } else if (Word == "endif" || Word == "endmenu" || Word == "endchoice") {
    if (!Blocks.empty())
      Blocks.pop_back();
    Current = -1;
    ForBlock = false;
    if (Word == "endchoice")
      InChoice = -1;
  } else if (Word == "comment" || Word == "mainmenu") {
    Current = -1;
    ForBlock = false;
  } else {
    property(Word, Rest);
  }
}

void Reader::property(StringRef Word, StringRef Rest) {
  if (Word == "depends") {
    Rest.consume_front("on");
    if (Definition *D = current())
      D->Depends = both(D->Depends, Rest.trim());
    else if (ForBlock && !Blocks.empty())
      Blocks.back() = both(Blocks.back(), Rest.trim());
    return;
  }
  if (ForBlock && InChoice >= 0 && Word == "default")
    Choices[InChoice].Defaults.push_back(conditional(Rest));
  Definition *D = current();
  if (!D)
    return;
  Symbol &S = Symbols[Current];
  if (Word == "def_bool" || Word == "def_tristate" || Word == "default")
    D->Defaults.push_back(conditional(Rest));
  else if (Word == "select")
    D->Selects.push_back(conditional(Rest));
  else if (Word == "int" || Word == "hex" || Word == "string")
    S.IsText = true, S.IsString = Word == "string";
  if (Word == "prompt" ||
      ((Word == "bool" || Word == "tristate" || Word == "int" ||
        Word == "hex" || Word == "string") &&
       !Rest.empty())) {
    D->Prompt = true;
    // The condition stands behind the closing quote.
    if (StringRef Tail = Rest.substr(Rest.rfind('"') + 1).trim();
        Tail.consume_front("if "))
      D->PromptIf = Tail.str();
  }
}

/// An expression of Kconfig's. "y" and "m" are true.
class Expression {
public:
  using Lookup = std::function<StringRef(StringRef)>;
  Expression(StringRef Text, const Lookup &Value) : Rest(Text), Value(Value) {}
  bool isTrue() { return Rest.trim().empty() || orTerm(); }

private:
  bool orTerm() {
    bool Result = andTerm();
    while (take("||"))
      Result |= andTerm();
    return Result;
  }
  bool andTerm() {
    bool Result = term();
    while (take("&&"))
      Result &= term();
    return Result;
  }
  bool term() {
    if (Rest.ltrim().starts_with("!") && !Rest.ltrim().starts_with("!=")) {
      take("!");
      return !term();
    }
    if (take("(")) {
      bool Result = orTerm();
      take(")");
      return Result;
    }
    std::string Left = operand();
    for (StringRef Op : {"!=", "<=", ">=", "=", "<", ">"})
      if (take(Op))
        return compare(Left, Op, operand());
    return Left == "y" || Left == "m";
  }
  static bool compare(StringRef A, StringRef Op, StringRef B) {
    long long X, Y;
    int Order = A.getAsInteger(0, X) || B.getAsInteger(0, Y) ? A.compare(B)
                : X < Y                                      ? -1
                                                             : X > Y;
    if (Op.starts_with("<"))
      return Order < 0 || (Op == "<=" && Order == 0);
    if (Op.starts_with(">"))
      return Order > 0 || (Op == ">=" && Order == 0);
    return (Order == 0) == (Op == "=");
  }
  std::string operand() {
    Rest = Rest.ltrim();
    if (Rest.starts_with("\"") || Rest.starts_with("'")) {
      size_t End = Rest.find(Rest.front(), 1);
      std::string Text = Rest.substr(1, End - 1).str();
      Rest = End == StringRef::npos ? "" : Rest.substr(End + 1);
      return StringRef(Text).starts_with("$(") ? "y" : Text;
    }
    if (Rest.starts_with("$(")) {
      size_t Depth = 0, I = 1;
      for (; I < Rest.size(); ++I) {
        Depth += Rest[I] == '(';
        if (Rest[I] == ')' && --Depth == 0)
          break;
      }
      Rest = Rest.substr(std::min(I + 1, Rest.size()));
      return "y";
    }
    StringRef Name =
        Rest.take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (Name.empty()) {
      Rest = ""; // not understood
      return "n";
    }
    Rest = Rest.substr(Name.size());
    // "64BIT" is a symbol.
    if (Name == "y" || Name == "m" || Name == "n" || isNumber(Name))
      return Name.str();
    return Value(Name).str();
  }
  bool take(StringRef Token) {
    StringRef Trimmed = Rest.ltrim();
    if (!Trimmed.consume_front(Token))
      return false;
    Rest = Trimmed;
    return true;
  }
  StringRef Rest;
  const Lookup &Value;
};

class Solver {
public:
  Solver(const Reader &From, const KconfigValues &Fixed)
      : From(From), Fixed(Fixed) {}

  KconfigValues solve() {
    for (const auto &[Name, Value] : Fixed)
      Values[Name] = Value;
    // A pass settles what stands behind what it depends on; cycles through "!"
    // may never settle, and are left as they are.
    for (int Pass = 0; Pass < 12; ++Pass)
      if (!pass())
        break;
    KconfigValues On;
    for (const auto &Item : Values)
      if (Item.second != "n" && !Item.second.empty())
        On[Item.first().str()] = Item.second;
    return On;
  }

private:
  bool holds(StringRef Text) { return Expression(Text, Lookup).isTrue(); }

  bool pass() {
    bool Changed = false;
    StringSet<> Selected;
    for (const Symbol &S : From.Symbols)
      if (Values.lookup(S.Name) == "y")
        for (const Definition &D : S.Definitions)
          for (const Conditional &C : D.Selects)
            if (holds(D.Depends) && holds(C.If))
              Selected.insert(C.Value);
    for (size_t I = 0; I < From.Symbols.size(); ++I) {
      const Symbol &S = From.Symbols[I];
      if (Fixed.count(S.Name))
        continue;
      std::string Now = S.IsText        ? textOf(S)
                        : S.Choice >= 0 ? (chosen(S, I) ? "y" : "n")
                        : Selected.contains(S.Name) || isOn(S) ? "y"
                                                               : "n";
      std::string &Was = Values[S.Name];
      Changed |= Was != Now;
      Was = std::move(Now);
    }
    return Changed;
  }

  bool isOn(const Symbol &S) {
    for (const Definition &D : S.Definitions) {
      if (!holds(D.Depends))
        continue;
      if (D.Prompt && holds(D.PromptIf))
        return true;
      for (const Conditional &C : D.Defaults)
        if (holds(C.If)) {
          if (holds(C.Value))
            return true;
          break;
        }
    }
    return false;
  }

  bool allowed(const Symbol &S) {
    return any_of(S.Definitions, [&](const Definition &D) {
      return holds(D.Depends) && (!D.Prompt || holds(D.PromptIf));
    });
  }

  bool chosen(const Symbol &S, size_t I) {
    const Choice &C = From.Choices[S.Choice];
    if (!allowed(S))
      return false;
    for (const Conditional &D : C.Defaults)
      if (holds(D.If))
        for (size_t M : C.Members)
          if (From.Symbols[M].Name == D.Value && allowed(From.Symbols[M]))
            return M == I;
    for (size_t M : C.Members)
      if (allowed(From.Symbols[M]))
        return M == I;
    return false;
  }

  std::string textOf(const Symbol &S) {
    for (const Definition &D : S.Definitions)
      if (holds(D.Depends))
        for (const Conditional &C : D.Defaults)
          if (holds(C.If)) {
            StringRef Value = StringRef(C.Value).trim("\"");
            if (S.IsString)
              return ("\"" + Value + "\"").str();
            // A number, or a symbol that has one.
            auto It = Values.find(Value);
            StringRef Number = It == Values.end() ? Value : It->second;
            if (isNumber(Number))
              return Number.str();
          }
    return S.IsString ? "\"\"" : "";
  }

  const Reader &From;
  const KconfigValues &Fixed;
  StringMap<std::string> Values;
  Expression::Lookup Lookup = [this](StringRef Name) -> StringRef {
    auto It = Values.find(Name);
    return It == Values.end() ? StringRef("n") : StringRef(It->second);
  };
};

} // namespace

KconfigValues dmacheck::allYes(const KernelTree &Tree, StringRef Arch,
                               const KconfigValues &Fixed) {
  Reader R(Tree, Arch);
  R.file("Kconfig");
  return Solver(R, Fixed).solve();
}
