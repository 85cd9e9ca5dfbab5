// SPDX-License-Identifier: GPL-2.0-only

#include "commands/SplitParts.h"
#include "patch/HunkApply.h"
#include "patch/PatchError.h"
#include "patch/PathName.h"
#include "patch/TreeDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace kseries {

Expected<SplitParts> SplitParts::of(const kgit::Repository &Repo,
                                    const kgit::Oid &Before,
                                    const kgit::Oid &After, StringRef Name) {
  SplitParts Made(Repo, Before, After, Name);
  Expected<std::vector<kgit::ChangedPath>> Paths =
      kgit::changedPaths(Repo, Before, After);
  if (!Paths)
    return Paths.takeError();
  Made.Paths = std::move(*Paths);
  // Not those of the patch file, which may have been found at other lines.
  Expected<std::vector<FileDiff>> Diffs = diffTrees(Repo, Before, After);
  if (!Diffs)
    return Diffs.takeError();
  Made.Diffs = std::move(*Diffs);
  return std::move(Made);
}

const FileDiff *SplitParts::diffOf(StringRef Path) const {
  auto Found =
      find_if(Diffs, [&](const FileDiff &D) { return D.NewPath == Path; });
  return Found == Diffs.end() ? nullptr : &*Found;
}

/// Why no hunk of a file can be taken alone; empty when one can.
static std::string wholeBecause(const FileDiff &File) {
  if (File.Change == FileChange::Rename)
    return "renamed from " + quotePath(File.OldPath);
  if (File.Change == FileChange::Copy)
    return "copied from " + quotePath(File.OldPath);
  if (File.Forward)
    return "binary";
  if (!File.Hunks.empty())
    return "";
  if (File.Change == FileChange::Modify)
    return "nothing but its mode";
  return File.Change == FileChange::Add ? "added, empty" : "deleted, empty";
}

static std::string headOf(const Hunk &Of) {
  auto Range = [](unsigned Start, unsigned Count) {
    return std::to_string(Start) +
           (Count == 1 ? "" : "," + std::to_string(Count));
  };
  return "@@ -" + Range(Of.OldStart, Of.OldCount) + " +" +
         Range(Of.NewStart, Of.NewCount) + " @@" +
         (Of.Section.empty() ? "" : " " + Of.Section);
}

void SplitParts::list(raw_ostream &OS) const {
  for (const FileDiff &File : Diffs) {
    std::string Path = quotePath(File.NewPath);
    std::string Whole = wholeBecause(File);
    if (!Whole.empty()) {
      OS << Path << "  (" << Whole << ")\n";
      continue;
    }
    for (size_t I = 0; I < File.Hunks.size(); ++I)
      OS << Path << ':' << I + 1 << "  " << headOf(File.Hunks[I]) << '\n';
  }
}

/// Whether \p Word names files, alone or by a directory above them.
bool SplitParts::takeFiles(StringRef Word, kgit::TreeEdits &Edits) const {
  bool Any = false;
  for (const kgit::ChangedPath &File : Paths) {
    StringRef Rest = File.Path;
    if (!Rest.consume_front(Word.rtrim('/')) ||
        (!Rest.empty() && !Rest.starts_with("/")))
      continue;
    Edits[File.Path] = File.New;
    Any = true;
  }
  return Any;
}

/// Adds the numbers of "2" or "1,3-4"; false when it is something else.
static bool parseNumbers(StringRef Text, unsigned Count,
                         std::set<unsigned> &Into, unsigned &TooHigh) {
  SmallVector<StringRef, 4> Ranges;
  Text.split(Ranges, ',');
  for (StringRef Range : Ranges) {
    auto [From, To] = Range.split('-');
    unsigned First = 0, Last = 0;
    if (From.getAsInteger(10, First) || First == 0)
      return false;
    Last = First;
    if (Range.contains('-') && (To.getAsInteger(10, Last) || Last < First))
      return false;
    if (Last > Count)
      TooHigh = std::max(First, Count + 1);
    for (unsigned I = First; I <= std::min(Last, Count); ++I)
      Into.insert(I);
  }
  return true;
}

Error SplitParts::takeHunks(StringRef Word, Hunks &Into) const {
  auto [Path, Numbers] = Word.rsplit(':');
  const FileDiff *File = diffOf(Path);
  if (!File)
    return inputError("split: " + Name + " does not change " +
                      quoteForMessage(Numbers.empty() ? Word : Path));
  std::string Whole = wholeBecause(*File);
  if (!Whole.empty())
    return inputError("split: " + quoteForMessage(Path) + " in " + Name +
                      " has no hunks (" + Whole + "): name it alone");
  unsigned Count = static_cast<unsigned>(File->Hunks.size()), TooHigh = 0;
  if (!parseNumbers(Numbers, Count, Into[Path.str()], TooHigh))
    return inputError("split: " + quoteForMessage(Word) +
                      ": hunks are numbers from 1, as in FILE:2 or "
                      "FILE:1,3-4");
  if (TooHigh)
    return inputError("split: no hunk " + Twine(TooHigh) + " in " +
                      quoteForMessage(Path) + ": " + Name + " has " +
                      Twine(Count) + " there: --list shows them");
  return Error::success();
}

/// A file with some of its hunks, at the lines where these are without the
/// others. Its mode stays.
Expected<kgit::TreeEntry>
SplitParts::withHunks(const kgit::ChangedPath &File,
                      const std::set<unsigned> &Wanted) const {
  std::vector<Hunk> Taken;
  unsigned Removed = 0, Added = 0;
  const FileDiff &Diff = *diffOf(File.Path);
  for (unsigned Number : Wanted) {
    Hunk Copy = Diff.Hunks[Number - 1];
    Copy.NewStart = Copy.OldStart + Added - Removed;
    Added += Copy.NewCount;
    Removed += Copy.OldCount;
    Taken.push_back(std::move(Copy));
  }
  Expected<kgit::Blob> Old = Repo.blob(File.Old->Id);
  if (!Old)
    return Old.takeError();
  auto Made = applyHunks(Old->content(), Taken);
  if (auto *Failure = std::get_if<HunkFailure>(&Made))
    return inputError("split: hunk " + Twine(Failure->Hunk) + " of those of " +
                      quoteForMessage(File.Path) +
                      " does not apply alone: " + Failure->Reason);
  Expected<kgit::Oid> Id = Repo.writeBlob(std::get<std::string>(Made));
  if (!Id)
    return Id.takeError();
  return kgit::TreeEntry{*Id, File.Old->Mode};
}

Expected<kgit::Oid> SplitParts::take(ArrayRef<std::string> Words) const {
  kgit::TreeEdits Edits;
  Hunks Wanted;
  for (const std::string &Word : Words)
    if (!takeFiles(Word, Edits))
      if (Error E = takeHunks(Word, Wanted))
        return std::move(E);
  for (const kgit::ChangedPath &File : Paths) {
    auto Numbers = Wanted.find(File.Path);
    if (Numbers == Wanted.end() || Edits.count(File.Path))
      continue;
    // One that comes or goes does so in a single hunk.
    if (!File.Old || !File.New) {
      Edits[File.Path] = File.New;
      continue;
    }
    Expected<kgit::TreeEntry> Made = withHunks(File, Numbers->second);
    if (!Made)
      return Made.takeError();
    Edits[File.Path] = *Made;
  }
  Expected<kgit::Oid> Tree = kgit::editTree(Repo, Before, Edits);
  if (Tree && *Tree == After)
    return inputError("split: that is all of " + Name +
                      ": nothing would be left of it");
  return Tree;
}

} // namespace kseries
