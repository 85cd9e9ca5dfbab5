// SPDX-License-Identifier: GPL-2.0-only

#include "rebase/Resolutions.h"
#include "patch/DiffParser.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "patch/PatchPrinter.h"
#include "patch/PathName.h"
#include "patch/TreeApply.h"
#include "patch/TreeDiff.h"
#include "queue/RecordLine.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kseries {

static constexpr StringLiteral Keyword = "resolve ";
static constexpr StringLiteral Preface =
    "# Conflicts that were resolved by hand. kseries replays them when the "
    "same\n# versions of a file meet again.\n\n";

static std::optional<kgit::Oid>
idOf(const std::optional<kgit::TreeEntry> &Entry) {
  return Entry ? std::optional<kgit::Oid>(Entry->Id) : std::nullopt;
}

ConflictKey ConflictKey::of(const Conflict &Met) {
  return {idOf(Met.Base), idOf(Met.Ours), idOf(Met.Theirs)};
}

std::string ConflictKey::str() const {
  return printId(Base) + " " + printId(Ours) + " " + printId(Theirs);
}

Error Resolutions::parseEntry(StringRef Block, unsigned Line) {
  auto Fail = [&] {
    return make_error<PatchError>(Path, Line, "not a resolution: remove it");
  };
  Entry Read;
  Read.Text = Block.str();
  StringRef Head, Diff;
  std::tie(Head, Diff) = Block.split('\n');
  Head.consume_front(Keyword);
  ConflictKey Key;
  std::optional<kgit::Oid> Result;
  unsigned Mode = 0;
  if (!takeId(Head, Key.Base) || !takeId(Head, Key.Ours) ||
      !takeId(Head, Key.Theirs) || !takeId(Head, Result) ||
      takeField(Head).getAsInteger(8, Mode))
    return Fail();
  std::optional<std::string> Name = readName(Head);
  if (!Name)
    return Fail();
  Read.Path = *Name;
  if (unsafePathReason(Read.Path))
    return Fail();
  if (Result)
    Read.Result = kgit::TreeEntry{*Result, Mode};
  LineReader Lines(Diff);
  if (!Diff.empty()) {
    Expected<std::vector<FileDiff>> Files = parseDiffs(Lines, Path, 1);
    if (!Files) {
      consumeError(Files.takeError());
      return Fail();
    }
    Read.Diff = std::move(*Files);
  }
  Known.try_emplace(Key, std::move(Read));
  return Error::success();
}

Expected<Resolutions> Resolutions::parse(StringRef Text, StringRef Path) {
  Resolutions Read;
  Read.Path = Path.str();
  Read.Text = Text.str();
  std::string Block;
  unsigned First = 0;
  for (LineReader Lines(Text); !Lines.atEnd(); Lines.skip()) {
    bool Starts = Lines.peek().starts_with(Keyword);
    if (Starts && First)
      if (Error E = Read.parseEntry(Block, First))
        return E;
    if (Starts) {
      Block.clear();
      First = Lines.lineNumber();
    }
    if (First)
      Block += Lines.peekRaw();
    else if (!Lines.peek().trim().empty() && !Lines.peek().starts_with("#"))
      return make_error<PatchError>(Path.str(), Lines.lineNumber(),
                                    "neither a comment nor a resolution");
  }
  if (First)
    if (Error E = Read.parseEntry(Block, First))
      return E;
  return Read;
}

/// A tree with one file, or with none.
static Expected<kgit::Oid> treeOf(const kgit::Repository &Repo, StringRef Path,
                                  const std::optional<kgit::TreeEntry> &Entry) {
  Expected<kgit::Oid> Empty = kgit::emptyTree(Repo);
  if (!Empty || !Entry)
    return Empty;
  return kgit::editTree(Repo, *Empty, {{Path.str(), Entry}});
}

Expected<std::optional<std::optional<kgit::TreeEntry>>>
Resolutions::find(const kgit::Repository &Repo, const Conflict &Met) const {
  using Answer = std::optional<std::optional<kgit::TreeEntry>>;
  auto Found = Known.find(ConflictKey::of(Met));
  if (Found == Known.end())
    return Answer();
  const Entry &Is = Found->second;
  Expected<kgit::Oid> From = treeOf(Repo, Is.Path, Met.Ours);
  if (!From)
    return From.takeError();
  Patch Change;
  Change.Files = Is.Diff;
  Expected<kgit::Oid> To = applyPatch(Repo, *From, Change, Path);
  if (!To)
    return To.takeError();
  Expected<kgit::Tree> Made = Repo.tree(*To);
  if (!Made)
    return Made.takeError();
  Expected<std::optional<kgit::TreeEntry>> Result = Made->find(Is.Path);
  if (!Result)
    return Result.takeError();
  if (*Result != Is.Result)
    return inputError(Path + ": the resolution of " + quoteForMessage(Is.Path) +
                      " does not give what it says: remove it");
  return Answer(*Result);
}

Error Resolutions::add(const kgit::Repository &Repo, const Conflict &Met,
                       const std::optional<kgit::TreeEntry> &Result) {
  ConflictKey Key = ConflictKey::of(Met);
  if (Known.count(Key))
    return Error::success();
  Expected<kgit::Oid> From = treeOf(Repo, Met.Path, Met.Ours);
  if (!From)
    return From.takeError();
  Expected<kgit::Oid> To = treeOf(Repo, Met.Path, Result);
  if (!To)
    return To.takeError();
  Entry New{Met.Path, Result, {}, {}};
  Expected<std::vector<FileDiff>> Diff = diffTrees(Repo, *From, *To);
  if (!Diff)
    return Diff.takeError();
  New.Diff = std::move(*Diff);
  raw_string_ostream OS(New.Text);
  OS << Keyword << Key.str() << ' ' << printId(idOf(Result)) << ' '
     << format("%06o", Result ? Result->Mode : 0) << ' ' << quotePath(Met.Path)
     << '\n'
     << printDiffs(New.Diff);
  append(New);
  Known.try_emplace(Key, std::move(New));
  return Error::success();
}

void Resolutions::append(const Entry &New) {
  if (Text.empty())
    Text = Preface.str();
  Text += New.Text;
}

void Resolutions::merge(const Resolutions &Others) {
  for (const auto &[Key, Other] : Others.Known)
    if (Known.try_emplace(Key, Other).second)
      append(Other);
}

Expected<Resolutions> loadResolutions(const Workspace &Where, StringRef Queue) {
  std::string Path = Where.pathOf(Queue, "resolutions");
  if (!Where.files().exists(Path))
    return Resolutions();
  Expected<std::string> Text = Where.files().read(Path);
  if (!Text)
    return Text.takeError();
  return Resolutions::parse(*Text, Path);
}

} // namespace kseries
