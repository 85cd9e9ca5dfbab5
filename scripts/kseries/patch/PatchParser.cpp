// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PatchParser.h"
#include "patch/DiffParser.h"
#include "patch/MailHeader.h"
#include "patch/PatchError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kseries {

std::string Patch::commitMessage() const {
  return Body.empty() ? Subject + "\n" : Subject + "\n\n" + Body + "\n";
}

bool endsMessage(StringRef Line) {
  if (startsDiff(Line))
    return true;
  return Line.consume_front("---") && Line.trim().empty();
}

/// \p Text without blank lines at either end.
static StringRef trimBlankLines(StringRef Text) {
  Text = Text.rtrim(" \t\r\n");
  while (true) {
    auto [Line, Rest] = Text.split('\n');
    if (Text.empty() || !Line.trim().empty())
      return Text;
    Text = Rest;
  }
}

void setMessage(Patch &Into, StringRef CommitMessage) {
  LineReader Lines(trimBlankLines(CommitMessage));
  SmallVector<StringRef, 2> Paragraph;
  while (!Lines.atEnd() && !Lines.peek().trim().empty())
    Paragraph.push_back(Lines.next().trim());
  Into.Subject = join(Paragraph, " ");
  Into.Body = trimBlankLines(Lines.remaining()).str();
}

static bool isHeaderLine(StringRef Line) {
  size_t Colon = Line.find(':');
  if (Colon == StringRef::npos || !Colon)
    return false;
  return all_of(Line.take_front(Colon),
                [](char C) { return isAlnum(C) || C == '-'; });
}

/// A diffstat as git format-patch puts it above the diff.
static bool isDiffstatLine(StringRef Line) {
  if (!Line.starts_with(" "))
    return false;
  StringRef Text = Line.trim();
  if (Text.starts_with("create mode ") || Text.starts_with("delete mode ") ||
      Text.starts_with("mode change ") || Text.starts_with("rename ") ||
      Text.starts_with("copy ") || Text.starts_with("rewrite "))
    return true;
  if (Text.contains(" changed") &&
      (Text.contains(" file changed") || Text.contains(" files changed")))
    return true;
  StringRef Counts = Text.rsplit('|').second.trim();
  return Text.contains(" | ") &&
         (Counts.starts_with("Bin") || (!Counts.empty() && isDigit(Counts[0])));
}

namespace {

class PatchParser {
public:
  PatchParser(StringRef Text, StringRef PatchFile, unsigned Strip)
      : Text(Text), Lines(Text), PatchFile(PatchFile), Strip(Strip) {}

  Expected<Patch> parse();

private:
  Error fail(unsigned Line, const Twine &Message) const {
    return make_error<PatchError>(PatchFile.str(), Line, Message.str());
  }

  Error parseHeaders();
  Error setHeader(StringRef Name, StringRef Value, unsigned Line);
  Error takeInBodyFrom(unsigned Line);
  std::string takeMessage();
  void parseNotes();
  /// Takes the mark of an empty patch off the notes.
  bool takeNoChanges();
  std::string cleanSubject(StringRef Subject) const;

  StringRef Text;
  LineReader Lines;
  StringRef PatchFile;
  unsigned Strip;
  Patch Result;
  bool IsMail = false;
};

/// "[PATCH v2 1/3]" is for the mail and not for the commit. Other brackets
/// are part of the subject, as a tree's own convention may have it.
std::string PatchParser::cleanSubject(StringRef Subject) const {
  Subject = Subject.trim();
  while (Subject.starts_with("[")) {
    auto [Tag, Rest] = Subject.drop_front().split(']');
    if (!Tag.contains("PATCH") && !Tag.starts_with("RFC"))
      break;
    Subject = Rest.trim();
  }
  return Subject.str();
}

Error PatchParser::setHeader(StringRef Name, StringRef Value, unsigned Line) {
  if (Name.equals_insensitive("From")) {
    Result.From = parsePerson(Value);
    if (!Result.From)
      return fail(Line, "From: is not 'Name <address>'");
  } else if (Name.equals_insensitive("Subject")) {
    Result.Subject = cleanSubject(decodeWords(Value));
  } else if (Name.equals_insensitive("Date")) {
    Result.Date = parseDate(Value);
    if (!Result.Date)
      return fail(Line, "Date: is not a date as mails have it");
  } else if (Name.equals_insensitive("Content-Transfer-Encoding")) {
    if (!Value.equals_insensitive("8bit") && !Value.equals_insensitive("7bit"))
      return fail(Line, "the mail is encoded in " + Value +
                            ": save it decoded, as git mailinfo does");
  }
  return Error::success();
}

Error PatchParser::parseHeaders() {
  if (Lines.peek().starts_with("From ")) {
    IsMail = true;
    Lines.skip();
  }
  bool Ours =
      isHeaderLine(Lines.peek()) && (Lines.peek().starts_with("From:") ||
                                     Lines.peek().starts_with("Subject:") ||
                                     Lines.peek().starts_with("Date:"));
  if (!IsMail && !Ours)
    return Error::success(); // quilt: free text
  while (!Lines.atEnd() && !Lines.peek().empty()) {
    unsigned Number = Lines.lineNumber();
    StringRef Line = Lines.next();
    if (Line.ends_with("\r"))
      return fail(Number, "line ends in CR LF: convert the patch to LF");
    if (!isHeaderLine(Line))
      return fail(Number, "neither a header line nor the blank line that ends "
                          "the headers");
    auto [Name, First] = Line.split(':');
    std::string Value = First.trim().str();
    while (Lines.peek().starts_with(" ") || Lines.peek().starts_with("\t"))
      Value += " " + Lines.next().trim().str();
    if (Error E = setHeader(Name, Value, Number))
      return E;
  }
  if (Result.Subject.empty())
    return fail(1, "no Subject: line among the headers");
  return Error::success();
}

/// A From: on top of a body is the author, for us as for git am.
Error PatchParser::takeInBodyFrom(unsigned Line) {
  for (;;) {
    auto [First, Rest] = StringRef(Result.Body).split('\n');
    bool Alone = Rest.empty() || Rest.starts_with("\n");
    if (!First.consume_front("From: ") || !Alone)
      return Error::success();
    if (Error E = setHeader("From", First, Line))
      return E;
    Result.Body = trimBlankLines(Rest.str()).str();
  }
}

/// The lines up to the diff or "---".
std::string PatchParser::takeMessage() {
  std::string Message;
  while (!Lines.atEnd() && !endsMessage(Lines.peek()))
    Message += Lines.next().str() + "\n";
  return Message;
}

void PatchParser::parseNotes() {
  StringRef Line = Lines.peek();
  if (!Line.consume_front("---") || !Line.trim().empty())
    return;
  Lines.skip();
  std::string Notes;
  while (!Lines.atEnd() && !startsDiff(Lines.peek())) {
    StringRef Note = Lines.next();
    if (!isDiffstatLine(Note))
      Notes += Note.str() + "\n";
  }
  Result.Notes = trimBlankLines(Notes).str();
}

bool PatchParser::takeNoChanges() {
  StringRef Notes = Result.Notes;
  if (!Notes.consume_back(NoChanges) ||
      (!Notes.empty() && !Notes.ends_with("\n")))
    return false;
  Result.Notes = trimBlankLines(Notes).str();
  return true;
}

Expected<Patch> PatchParser::parse() {
  if (Text.empty())
    return fail(0, "the patch is empty");
  if (Text.split('\n').first.ends_with("\r"))
    return fail(1, "line ends in CR LF: convert the patch to LF");
  if (!Text.ends_with("\n"))
    return fail(Text.count('\n') + 1,
                "the patch ends inside a line: it was cut off");
  if (Error E = parseHeaders())
    return E;
  while (!Lines.atEnd() && Lines.peek().trim().empty())
    Lines.skip();
  unsigned MessageLine = Lines.lineNumber();
  if (Result.Subject.empty()) {
    setMessage(Result, takeMessage());
    Result.Subject = cleanSubject(Result.Subject);
    if (Result.Subject.empty())
      Result.Subject = sys::path::stem(PatchFile).str();
  } else {
    Result.Body = trimBlankLines(takeMessage()).str();
  }
  if (Error E = takeInBodyFrom(MessageLine))
    return E;
  parseNotes();
  unsigned DiffLine = Lines.lineNumber();
  Expected<std::vector<FileDiff>> Files = parseDiffs(Lines, PatchFile, Strip);
  if (!Files)
    return Files.takeError();
  if (Files->empty() && !takeNoChanges())
    return fail(DiffLine, "no diff in the patch: it was cut off");
  Result.Files = std::move(*Files);
  return std::move(Result);
}

} // namespace

Expected<Patch> parsePatch(StringRef Text, StringRef PatchFile,
                           unsigned Strip) {
  return PatchParser(Text, PatchFile, Strip).parse();
}

} // namespace kseries
