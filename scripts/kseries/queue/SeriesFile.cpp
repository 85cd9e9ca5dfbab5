// SPDX-License-Identifier: GPL-2.0-only

#include "queue/SeriesFile.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "patch/PathName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace kseries {

static Error fail(StringRef Path, unsigned Line, const Twine &Message) {
  return make_error<PatchError>(Path.str(), Line, Message.str());
}

/// What quilt allows behind a name: "-pN" and "-pab"; "-R" would have the
/// patch taken back.
static Error parseOptions(ArrayRef<StringRef> Words, StringRef Path,
                          SeriesEntry &Entry) {
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Option = Words[I];
    if (!Option.consume_front("-p"))
      return fail(Path, Entry.Line,
                  "option " + quoteForMessage(Words[I]) + " is not supported");
    if (Option.empty() && I + 1 < Words.size())
      Option = Words[++I];
    if (Option == "ab")
      continue; // names like a/file and b/file: one directory to strip
    if (Option.getAsInteger(10, Entry.Strip))
      return fail(Path, Entry.Line, "-p without a number");
  }
  return Error::success();
}

Expected<SeriesFile> SeriesFile::parse(StringRef Text, StringRef Path) {
  SeriesFile File;
  StringMap<unsigned> Seen;
  std::string Block;
  for (LineReader Lines(Text); !Lines.atEnd(); Lines.skip()) {
    Block += Lines.peekRaw();
    StringRef Line = Lines.peek();
    if (Line.ends_with("\r"))
      return fail(Path, Lines.lineNumber(),
                  "line ends in CR LF: convert the file to LF");
    // A "#" inside a word belongs to the name.
    if (size_t Comment = Line.find(" #"); Comment != StringRef::npos)
      Line = Line.take_front(Comment);
    Line = Line.trim();
    if (Line.empty() || Line.starts_with("#"))
      continue;
    SmallVector<StringRef, 3> Words;
    Line.split(Words, ' ', -1, false);
    SeriesEntry Entry;
    Entry.Name = Words.front().str();
    Entry.Line = Lines.lineNumber();
    if (Error E = parseOptions(ArrayRef(Words).drop_front(), Path, Entry))
      return E;
    if (std::optional<std::string> Reason = unsafePathReason(Entry.Name))
      return fail(Path, Entry.Line,
                  "patch name " + quoteForMessage(Entry.Name) + " " + *Reason);
    auto [First, IsNew] = Seen.try_emplace(Entry.Name, Entry.Line);
    if (!IsNew)
      return fail(Path, Entry.Line,
                  Entry.Name + " is listed twice, first in line " +
                      Twine(First->second));
    File.Entries.push_back(std::move(Entry));
    File.Blocks.push_back(std::move(Block));
    Block.clear();
  }
  File.Tail = std::move(Block);
  return File;
}

/// An entry's block with the options gone from its line.
static std::string withoutOptions(const std::string &Block,
                                  const std::string &Name) {
  size_t AfterName = Block.rfind(Name) + Name.size();
  size_t Comment = Block.find(" #", AfterName);
  return Block.substr(0, AfterName) +
         (Comment == std::string::npos ? "\n" : Block.substr(Comment));
}

std::string SeriesFile::withPatches(ArrayRef<std::string> Names,
                                    const std::set<std::string> &Normal) const {
  std::string Text;
  // Where an entry goes, what was said above it is kept for the next one.
  std::string Orphaned;
  size_t NextOld = 0;
  auto KeepComments = [&](size_t End) {
    for (; NextOld < End; ++NextOld) {
      if (is_contained(Names, Entries[NextOld].Name))
        continue;
      StringRef Block = Blocks[NextOld];
      Block.consume_back("\n");
      size_t Line = Block.rfind('\n');
      if (Line != StringRef::npos)
        Orphaned += Block.take_front(Line + 1);
    }
  };
  for (const std::string &Name : Names) {
    auto Old = find_if(
        Entries, [&](const SeriesEntry &Entry) { return Entry.Name == Name; });
    if (Old == Entries.end()) {
      Text += Name + "\n";
      continue;
    }
    auto Index = static_cast<size_t>(Old - Entries.begin());
    KeepComments(Index);
    Text += Orphaned + (Entries[Index].Strip != 1 && Normal.count(Name)
                            ? withoutOptions(Blocks[Index], Name)
                            : Blocks[Index]);
    Orphaned.clear();
    if (!StringRef(Text).ends_with("\n"))
      Text += "\n";
  }
  KeepComments(Entries.size());
  return Text + Orphaned + Tail;
}

} // namespace kseries
