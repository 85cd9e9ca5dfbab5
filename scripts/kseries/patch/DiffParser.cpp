// SPDX-License-Identifier: GPL-2.0-only

#include "patch/DiffParser.h"
#include "patch/BinaryPatch.h"
#include "patch/PatchError.h"
#include "patch/PathName.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kseries {

static constexpr StringRef NoFile = "/dev/null";
static constexpr uint32_t RegularMode = 0100644;
static constexpr uint32_t SubmoduleMode = 0160000;

bool startsDiff(StringRef Line) {
  if (Line.starts_with("diff -") || Line.starts_with("Index: "))
    return true;
  return Line.starts_with("--- ") && Line.size() > 4 && !isSpace(Line[4]);
}

namespace {

class DiffParser {
public:
  DiffParser(LineReader &Lines, StringRef PatchFile, unsigned Strip)
      : Lines(Lines), PatchFile(PatchFile), Strip(Strip) {}

  Expected<std::vector<FileDiff>> parse();

private:
  Error fail(unsigned Line, const Twine &Message) const {
    return make_error<PatchError>(PatchFile.str(), Line, Message.str());
  }
  Error failHere(const Twine &Message) const {
    return fail(Lines.lineNumber(), Message);
  }

  Error parseGitDiff();
  Error parsePlainDiff();
  Error parseExtendedHeader(FileDiff &File, bool &Known);
  Error parseIndexLine(StringRef Rest, FileDiff &File);
  Error parseFileNames(FileDiff &File);
  Error parseHunks(FileDiff &File);
  Error parseHunk(FileDiff &File);
  Error parseHunkBody(Hunk &Into);
  Error parseBinary(FileDiff &File);
  Error parseMode(StringRef Text, uint32_t &Mode);
  Error finish(FileDiff File);

  Expected<std::string> headerName(StringRef Text) const;
  std::optional<std::string> stripped(StringRef Path) const;
  Expected<std::string> plainName(StringRef Text) const;
  void namesFromGitLine(StringRef Text, FileDiff &File) const;
  Error checkPath(StringRef Path, unsigned Line) const;

  LineReader &Lines;
  StringRef PatchFile;
  unsigned Strip;
  std::vector<FileDiff> Files;
};

Expected<std::vector<FileDiff>> DiffParser::parse() {
  while (!Lines.atEnd()) {
    StringRef Line = Lines.peek();
    Error E = Error::success();
    if (Line.starts_with("diff --git "))
      E = parseGitDiff();
    else if (startsDiff(Line) && Line.starts_with("--- "))
      E = parsePlainDiff();
    else if (Line == "-- " || Line == "--")
      break; // a mail signature: git's version follows
    else if (Line.starts_with("@@ -"))
      E = failHere("hunk without a file name above it");
    else
      Lines.skip(); // "Index:", "====", "diff -Nru", mailing list footers
    if (E)
      return E;
  }
  return std::move(Files);
}

std::optional<std::string> DiffParser::stripped(StringRef Path) const {
  for (unsigned I = 0; I < Strip; ++I) {
    size_t Slash = Path.find('/');
    if (Slash == StringRef::npos)
      return std::nullopt;
    Path = Path.drop_front(Slash + 1);
  }
  return Path.str();
}

/// A name in an extended header ("rename from NAME"): no prefix to strip.
Expected<std::string> DiffParser::headerName(StringRef Text) const {
  if (!Text.starts_with("\""))
    return Text.str();
  std::optional<std::string> Name = takeQuotedPath(Text);
  if (!Name || !Text.empty())
    return failHere("broken quoting of a file name");
  return *Name;
}

/// The name on a "---" or "+++" line, /dev/null kept as it is.
Expected<std::string> DiffParser::plainName(StringRef Text) const {
  std::string Name;
  if (Text.starts_with("\"")) {
    std::optional<std::string> Quoted = takeQuotedPath(Text);
    if (!Quoted)
      return failHere("broken quoting of a file name");
    Name = *Quoted;
  } else {
    Name = Text.split('\t').first.str(); // a time stamp may follow
  }
  if (Name == NoFile)
    return Name;
  if (StringRef(Name).starts_with("/"))
    return failHere("path " + quoteForMessage(Name) + " is absolute");
  std::optional<std::string> Short = stripped(Name);
  if (!Short)
    return failHere("path " + quoteForMessage(Name) + " has fewer than " +
                    Twine(Strip) + " leading directories to strip");
  return *Short;
}

/// The names on "diff --git" count only when no other line gives them: an
/// unquoted pair is told apart by both halves being equal.
void DiffParser::namesFromGitLine(StringRef Text, FileDiff &File) const {
  std::optional<std::string> Old, New;
  if (Text.starts_with("\"")) {
    Old = takeQuotedPath(Text);
    Text.consume_front(" ");
    New = Text.starts_with("\"") ? takeQuotedPath(Text) : Text.str();
  } else if (Text.ends_with("\"") && Text.contains(" \"")) {
    auto [First, Second] = Text.split(" \"");
    Old = First.str();
    StringRef Quoted = Text.drop_front(First.size() + 1);
    New = takeQuotedPath(Quoted);
  } else if (Text.size() % 2 && Text[Text.size() / 2] == ' ') {
    Old = Text.take_front(Text.size() / 2).str();
    New = Text.drop_front(Text.size() / 2 + 1).str();
  }
  if (Old && New)
    Old = stripped(*Old), New = stripped(*New);
  if (Old && New && *Old == *New)
    File.OldPath = File.NewPath = *Old;
}

Error DiffParser::checkPath(StringRef Path, unsigned Line) const {
  if (std::optional<std::string> Reason = unsafePathReason(Path))
    return fail(Line, "path " + quoteForMessage(Path) + " " + *Reason);
  return Error::success();
}

Error DiffParser::parseMode(StringRef Text, uint32_t &Mode) {
  if (Text.getAsInteger(8, Mode))
    return failHere(quoteForMessage(Text) + " is not a file mode");
  if (Mode == SubmoduleMode)
    return failHere("submodules are not supported");
  if (Mode != RegularMode && Mode != 0100755 && Mode != 0120000)
    return failHere("file mode " + quoteForMessage(Text) +
                    " is not one that git stores");
  return Error::success();
}

Error DiffParser::parseIndexLine(StringRef Rest, FileDiff &File) {
  auto [Ids, Mode] = Rest.split(' ');
  auto [Old, New] = Ids.split("..");
  auto IsHex = [](StringRef Id) {
    return Id.size() >= 4 && Id.size() <= 40 && all_of(Id, isHexDigit);
  };
  if (!IsHex(Old) || !IsHex(New))
    return failHere("malformed index line");
  File.OldId = Old.str();
  File.NewId = New.str();
  if (Mode.empty())
    return Error::success();
  if (Error E = parseMode(Mode, File.OldMode))
    return E;
  File.NewMode = File.OldMode;
  return Error::success();
}

Error DiffParser::parseExtendedHeader(FileDiff &File, bool &Known) {
  StringRef Line = Lines.peek();
  auto TakeName = [&](std::string &Into) -> Error {
    Expected<std::string> Name = headerName(Line);
    if (!Name)
      return Name.takeError();
    Into = *Name;
    return Error::success();
  };
  Known = true;
  if (Line.consume_front("index "))
    return parseIndexLine(Line, File);
  if (Line.consume_front("old mode "))
    return parseMode(Line, File.OldMode);
  if (Line.consume_front("new mode "))
    return parseMode(Line, File.NewMode);
  if (Line.consume_front("new file mode ")) {
    File.Change = FileChange::Add;
    return parseMode(Line, File.NewMode);
  }
  if (Line.consume_front("deleted file mode ")) {
    File.Change = FileChange::Delete;
    return parseMode(Line, File.OldMode);
  }
  if (Line.consume_front("rename from ")) {
    File.Change = FileChange::Rename;
    return TakeName(File.OldPath);
  }
  if (Line.consume_front("copy from ")) {
    File.Change = FileChange::Copy;
    return TakeName(File.OldPath);
  }
  if (Line.consume_front("rename to ") || Line.consume_front("copy to "))
    return TakeName(File.NewPath);
  if (Line.consume_front("similarity index ")) {
    if (Line.consumeInteger(10, File.Similarity) || File.Similarity > 100)
      return failHere("malformed similarity index");
    return Error::success();
  }
  Known = Line.starts_with("dissimilarity index ");
  return Error::success();
}

Error DiffParser::parseGitDiff() {
  FileDiff File;
  File.PatchLine = Lines.lineNumber();
  StringRef Line = Lines.peek();
  if (Line.ends_with("\r"))
    return failHere("line ends in CR LF: convert the patch to LF");
  namesFromGitLine(Line.drop_front(StringRef("diff --git ").size()), File);
  Lines.skip();

  while (!Lines.atEnd()) {
    if (Lines.peek().ends_with("\r"))
      return failHere("line ends in CR LF: convert the patch to LF");
    bool Known;
    if (Error E = parseExtendedHeader(File, Known))
      return E;
    if (!Known)
      break;
    Lines.skip();
  }

  if (Lines.peek() == "GIT binary patch") {
    if (Error E = parseBinary(File))
      return E;
  } else if (Lines.peek().starts_with("Binary files ")) {
    return failHere("binary change without its data: make the patch with "
                    "git diff --binary");
  } else if (startsDiff(Lines.peek()) && Lines.peek().starts_with("--- ")) {
    if (Error E = parseFileNames(File))
      return E;
    if (Error E = parseHunks(File))
      return E;
  } else {
    bool Empty =
        File.Change == FileChange::Modify &&
        (!File.OldMode || !File.NewMode || File.OldMode == File.NewMode);
    if (Empty)
      return fail(File.PatchLine,
                  "diff that changes nothing: the patch was cut off");
  }
  return finish(std::move(File));
}

Error DiffParser::parsePlainDiff() {
  FileDiff File;
  File.PatchLine = Lines.lineNumber();
  if (Error E = parseFileNames(File))
    return E;
  if (Error E = parseHunks(File))
    return E;
  return finish(std::move(File));
}

Error DiffParser::parseFileNames(FileDiff &File) {
  if (Lines.peek().ends_with("\r"))
    return failHere("line ends in CR LF: convert the patch to LF");
  Expected<std::string> Old = plainName(Lines.peek().drop_front(4));
  if (!Old)
    return Old.takeError();
  Lines.skip();
  StringRef Line = Lines.peek();
  if (!Line.consume_front("+++ "))
    return failHere("no +++ line after ---: the patch was cut off or damaged");
  if (Line.ends_with("\r"))
    return failHere("line ends in CR LF: convert the patch to LF");
  Expected<std::string> New = plainName(Line);
  if (!New)
    return New.takeError();
  Lines.skip();

  if (*Old == NoFile && *New == NoFile)
    return failHere("both names are /dev/null");
  if (*Old == NoFile && File.Change == FileChange::Modify)
    File.Change = FileChange::Add;
  if (*New == NoFile && File.Change == FileChange::Modify)
    File.Change = FileChange::Delete;
  // A rename's names come from its own header lines, which have no prefix.
  if (File.Change == FileChange::Rename || File.Change == FileChange::Copy)
    return Error::success();
  // Where the two differ ("a/f.orig", "b/f") the new one is what is meant.
  File.OldPath = File.NewPath = *New == NoFile ? *Old : *New;
  return Error::success();
}

Error DiffParser::parseHunks(FileDiff &File) {
  if (!Lines.peek().starts_with("@@ -"))
    return failHere("no hunk after the file names: the patch was cut off");
  while (Lines.peek().starts_with("@@ -")) {
    if (Error E = parseHunk(File))
      return E;
  }
  StringRef Line = Lines.peek();
  bool LongerThanSaid = !Line.empty() && StringRef(" +-\\").contains(Line[0]) &&
                        !startsDiff(Line) && Line != "-- " && Line != "--";
  if (LongerThanSaid)
    return failHere("hunk " + Twine(File.Hunks.size()) + " of " +
                    quoteForMessage(File.NewPath) +
                    " is longer than its @@ line says");
  return Error::success();
}

/// "N" or "N,M"; the count is 1 when it is not there.
bool takeRange(StringRef &Text, unsigned &Start, unsigned &Count) {
  // Beyond any text file, and far from where sums of these would wrap.
  constexpr unsigned Largest = 1u << 30;
  Count = 1;
  if (Text.consumeInteger(10, Start))
    return false;
  if (Text.consume_front(",") && Text.consumeInteger(10, Count))
    return false;
  return Start <= Largest && Count <= Largest;
}

Error DiffParser::parseHunk(FileDiff &File) {
  Hunk Parsed;
  Parsed.PatchLine = Lines.lineNumber();
  StringRef Line = Lines.peek();
  if (Line.ends_with("\r"))
    return failHere("line ends in CR LF: convert the patch to LF");
  if (!Line.consume_front("@@ -") ||
      !takeRange(Line, Parsed.OldStart, Parsed.OldCount) ||
      !Line.consume_front(" +") ||
      !takeRange(Line, Parsed.NewStart, Parsed.NewCount) ||
      !Line.consume_front(" @@"))
    return failHere("malformed @@ line");
  Line.consume_front(" ");
  Parsed.Section = Line.str();
  Lines.skip();
  if (Error E = parseHunkBody(Parsed))
    return E;
  if (none_of(Parsed.Lines, [](const HunkLine &L) { return L.Kind != ' '; }))
    return fail(Parsed.PatchLine, "hunk that changes nothing");
  File.Hunks.push_back(std::move(Parsed));
  return Error::success();
}

Error DiffParser::parseHunkBody(Hunk &Into) {
  unsigned OldLeft = Into.OldCount, NewLeft = Into.NewCount;
  auto IsMarker = [](StringRef Line) { return Line.starts_with("\\ "); };
  while (OldLeft || NewLeft || IsMarker(Lines.peek())) {
    if (Lines.atEnd())
      return failHere("the patch ends inside a hunk: it was cut off");
    StringRef Raw = Lines.peekRaw();
    if (IsMarker(Raw)) {
      if (Into.Lines.empty())
        return failHere("'\\ No newline' before any line of its hunk");
      StringRef Last = Into.Lines.back().Text;
      Last.consume_back("\n");
      Into.Lines.back().Text = Last.str();
      Lines.skip();
      continue;
    }
    if (!Raw.ends_with("\n"))
      return failHere("the patch ends inside a line: it was cut off");
    // Editors and mailers strip the blank from an empty context line.
    char Kind = Raw == "\n" ? ' ' : Raw[0];
    bool Old = Kind == ' ' || Kind == '-', New = Kind == ' ' || Kind == '+';
    if (!Old && !New)
      return failHere("line " + quoteForMessage(Raw) +
                      " inside a hunk is neither context, '+' nor '-'");
    if ((Old && !OldLeft) || (New && !NewLeft))
      return failHere("hunk has other lines than its @@ line says");
    OldLeft -= Old;
    NewLeft -= New;
    Into.Lines.push_back({Kind, (Raw == "\n" ? Raw : Raw.drop_front()).str()});
    Lines.skip();
  }
  return Error::success();
}

Error DiffParser::parseBinary(FileDiff &File) {
  if (File.OldId.size() != 40 || File.NewId.size() != 40)
    return failHere("binary change without full object ids in its index line");
  Lines.skip();
  auto Take = [&](std::optional<BinaryData> &Into) -> Error {
    Expected<std::optional<BinaryData>> Block = parseBinaryBlock(Lines);
    if (!Block)
      return failHere(toString(Block.takeError()));
    Into = std::move(*Block);
    return Error::success();
  };
  if (Error E = Take(File.Forward))
    return E;
  if (!File.Forward)
    return failHere("binary change without its data: the patch was cut off");
  return Take(File.Reverse);
}

Error DiffParser::finish(FileDiff File) {
  if (File.OldPath.empty() || File.NewPath.empty())
    return fail(File.PatchLine, "cannot tell which file the diff is for");
  bool Moves =
      File.Change == FileChange::Rename || File.Change == FileChange::Copy;
  if (!Moves && File.OldPath != File.NewPath)
    return fail(File.PatchLine, "two names, and neither a rename nor a copy");
  for (const std::string *Path : {&File.OldPath, &File.NewPath})
    if (Error E = checkPath(*Path, File.PatchLine))
      return E;
  if (File.Change == FileChange::Add) {
    File.OldMode = 0;
    File.NewMode = File.NewMode ? File.NewMode : RegularMode;
  }
  if (File.Change == FileChange::Delete)
    File.NewMode = 0;
  Files.push_back(std::move(File));
  return Error::success();
}

} // namespace

Expected<std::vector<FileDiff>>
parseDiffs(LineReader &Lines, StringRef PatchFile, unsigned Strip) {
  return DiffParser(Lines, PatchFile, Strip).parse();
}

} // namespace kseries
