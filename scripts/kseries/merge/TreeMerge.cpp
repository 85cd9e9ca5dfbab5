// SPDX-License-Identifier: GPL-2.0-only

#include "merge/TreeMerge.h"
#include "git/ChangedPaths.h"
#include "merge/Renames.h"

#include <set>

using namespace llvm;
using kgit::TreeEntry;

namespace kseries {

namespace {

using MaybeEntry = std::optional<TreeEntry>;

/// Files alone: a directory at a file's path counts as nothing there.
MaybeEntry fileOnly(MaybeEntry Entry) {
  return Entry && Entry->isTree() ? std::nullopt : Entry;
}

class TreeMerger {
public:
  TreeMerger(const kgit::Repository &Repo, const kgit::Tree &Base,
             const kgit::Tree &Ours, const kgit::Tree &Theirs,
             const MergeLabels &Labels, Resolver Resolve)
      : Repo(Repo), Base(Base), Ours(Ours), Theirs(Theirs), Labels(Labels),
        Resolve(Resolve) {}

  Expected<TreeMergeResult> merge();

private:
  struct Sides {
    MaybeEntry Base, Ours, Theirs;
  };

  Error takeWhatOneSideChanged();
  Error findRenamesOfTheirs();
  Error findRenamesOfOurs();
  Error mergeOpen(const std::string &Path, const Sides &At);
  Error mergeRenamedByTheirs(const std::string &Path, const Sides &At,
                             const std::string &To);
  Error mergeRenamedByOurs(const std::string &Path, const Sides &At,
                           const std::string &To);
  Error mergeRenamedByBoth(const std::string &Path, const Sides &At,
                           const std::string &OursTo,
                           const std::string &TheirsTo);
  /// Merges the three, whose result belongs at \p Into.Path.
  Error mergeEntries(Conflict Into);
  /// The same where one side has renamed it.
  Error mergeRenamed(Conflict Into);
  Error mergeFiles(Conflict &Into);
  Error addConflict(ConflictKind Kind, Conflict Of);
  Error checkDirectories();
  bool isRemoved(StringRef Path) const;
  Expected<bool> isEmptied(const std::string &Directory, const TreeEntry &At);
  Error dropWhatIsThere();

  Expected<MaybeEntry> oursAt(const std::string &Path) const {
    Expected<MaybeEntry> Found = Ours.find(Path);
    if (!Found)
      return Found.takeError();
    return fileOnly(*Found);
  }
  Expected<std::string> text(const MaybeEntry &Entry) const;

  const kgit::Repository &Repo;
  const kgit::Tree &Base;
  const kgit::Tree &Ours;
  const kgit::Tree &Theirs;
  const MergeLabels &Labels;
  Resolver Resolve;
  std::vector<FileAt> GoneInTheirs, CameInTheirs;
  /// What each side has, for the paths where that is not settled yet.
  std::map<std::string, Sides> Open;
  std::map<std::string, std::string> OursRenames, TheirsRenames;
  /// New names that were dealt with where they came from.
  std::set<std::string> Done;
  TreeMergeResult Result;
};

Expected<std::string> TreeMerger::text(const MaybeEntry &Entry) const {
  if (!Entry || Entry->isSubmodule())
    return std::string();
  Expected<kgit::Blob> Content = Repo.blob(Entry->Id);
  if (!Content)
    return Content.takeError();
  return Content->content().str();
}

Error TreeMerger::takeWhatOneSideChanged() {
  auto Changed = kgit::changedPaths(Repo, Base.id(), Theirs.id());
  if (!Changed)
    return Changed.takeError();
  for (const kgit::ChangedPath &Path : *Changed) {
    Expected<MaybeEntry> Here = oursAt(Path.Path);
    if (!Here)
      return Here.takeError();
    if (Path.Old && !Path.New)
      GoneInTheirs.push_back({Path.Path, *Path.Old});
    if (!Path.Old && Path.New)
      CameInTheirs.push_back({Path.Path, *Path.New});
    if (*Here == Path.Old)
      Result.Edits[Path.Path] = Path.New;
    // Gone on both sides: each may have given it another name.
    else if (*Here != Path.New || !*Here)
      Open[Path.Path] = {Path.Old, *Here, Path.New};
  }
  return Error::success();
}

Error TreeMerger::findRenamesOfTheirs() {
  std::set<std::string> Wanted;
  for (const auto &[Path, At] : Open)
    if (At.Base && !At.Theirs)
      Wanted.insert(Path);
  if (Wanted.empty() || CameInTheirs.empty())
    return Error::success();
  auto Found = findRenames(Repo, GoneInTheirs, CameInTheirs, Wanted);
  if (!Found)
    return Found.takeError();
  TheirsRenames = std::move(*Found);
  return Error::success();
}

Error TreeMerger::findRenamesOfOurs() {
  std::set<std::string> Wanted;
  for (const auto &[Path, At] : Open)
    if (At.Base && !At.Ours)
      Wanted.insert(Path);
  if (Wanted.empty())
    return Error::success();
  auto Changed = kgit::changedPaths(Repo, Base.id(), Ours.id());
  if (!Changed)
    return Changed.takeError();
  std::vector<FileAt> Gone, Came;
  for (const kgit::ChangedPath &Path : *Changed) {
    if (Path.Old && !Path.New)
      Gone.push_back({Path.Path, *Path.Old});
    if (!Path.Old && Path.New)
      Came.push_back({Path.Path, *Path.New});
  }
  auto Found = findRenames(Repo, Gone, Came, Wanted);
  if (!Found)
    return Found.takeError();
  OursRenames = std::move(*Found);
  return Error::success();
}

Error TreeMerger::addConflict(ConflictKind Kind, Conflict Of) {
  Of.Kind = Kind;
  // Whatever was decided for the path on its own is void.
  Result.Edits.erase(Of.Path);
  if (Of.canResolve()) {
    auto Known = Resolve(Of);
    if (!Known)
      return Known.takeError();
    if (*Known) {
      Result.Edits[Of.Path] = **Known;
      return Error::success();
    }
  }
  if (!Of.Text) {
    const MaybeEntry &Start = Of.Ours ? Of.Ours : Of.Theirs;
    if (Start && !Start->isSubmodule()) {
      Expected<std::string> Text = text(Start);
      if (!Text)
        return Text.takeError();
      Of.Text = std::move(*Text);
    }
  }
  Result.Conflicts.push_back(std::move(Of));
  return Error::success();
}

Error TreeMerger::mergeFiles(Conflict &Into) {
  TreeEntry Merged;
  const TreeEntry &O = *Into.Ours, &T = *Into.Theirs;
  // The old version of another kind is no help.
  MaybeEntry B = Into.Base && Into.Base->isFile() ? Into.Base : std::nullopt;
  Merged.Mode = !B || O.Mode == T.Mode || O.Mode == B->Mode ? T.Mode : O.Mode;
  bool ModesClash =
      O.Mode != T.Mode && (!B || (O.Mode != B->Mode && T.Mode != B->Mode));
  bool Clean = true;
  if (O.Id == T.Id || (B && T.Id == B->Id)) {
    Merged.Id = O.Id;
  } else if (B && O.Id == B->Id) {
    Merged.Id = T.Id;
  } else {
    Expected<std::string> Texts[] = {text(B), text(O), text(T)};
    Error Failed = Error::success();
    for (Expected<std::string> &Text : Texts)
      if (!Text)
        Failed = joinErrors(std::move(Failed), Text.takeError());
    if (Failed)
      return Failed;
    Expected<MergedText> Text =
        mergeText(*Texts[0], *Texts[1], *Texts[2], Labels);
    if (!Text)
      return Text.takeError();
    Clean = Text->Clean;
    if (Clean) {
      Expected<kgit::Oid> Id = Repo.writeBlob(Text->Text);
      if (!Id)
        return Id.takeError();
      Merged.Id = *Id;
    } else {
      Into.Text = std::move(Text->Text);
    }
  }
  if (Clean && !ModesClash) {
    Result.Edits[Into.Path] = Merged;
    return Error::success();
  }
  return addConflict(B || Into.Base ? ConflictKind::Content
                                    : ConflictKind::AddAdd,
                     std::move(Into));
}

Error TreeMerger::mergeEntries(Conflict Into) {
  const MaybeEntry &B = Into.Base, &O = Into.Ours, &T = Into.Theirs;
  if (O == T || T == B) {
    Result.Edits[Into.Path] = O;
    return Error::success();
  }
  if (O == B) {
    Result.Edits[Into.Path] = T;
    return Error::success();
  }
  if (O->isFile() && T->isFile())
    return mergeFiles(Into);
  return addConflict(ConflictKind::Type, std::move(Into));
}

Error TreeMerger::mergeRenamed(Conflict Into) {
  // What has become a symbolic link is not the file that was renamed.
  if (Into.Ours->isFile() != Into.Theirs->isFile())
    return addConflict(ConflictKind::Type, std::move(Into));
  return mergeEntries(std::move(Into));
}

Error TreeMerger::mergeRenamedByTheirs(const std::string &Path, const Sides &At,
                                       const std::string &To) {
  Expected<MaybeEntry> New = Theirs.find(To);
  if (!New)
    return New.takeError();
  Done.insert(To);
  Result.Edits[Path] = std::nullopt;
  Conflict Into{
      ConflictKind::Content, To, Path, To, At.Base, At.Ours, *New, {}};
  if (!At.Ours)
    return addConflict(ConflictKind::RenameDelete, std::move(Into));
  Expected<MaybeEntry> There = oursAt(To);
  if (!There)
    return There.takeError();
  if (!*There)
    return mergeRenamed(std::move(Into));
  return addConflict(
      ConflictKind::RenameAdd,
      {ConflictKind::RenameAdd, To, To, To, {}, *There, *New, {}});
}

Error TreeMerger::mergeRenamedByOurs(const std::string &Path, const Sides &At,
                                     const std::string &To) {
  Expected<MaybeEntry> Here = oursAt(To);
  if (!Here)
    return Here.takeError();
  Done.insert(To);
  Conflict Into{
      ConflictKind::Content, To, Path, Path, At.Base, *Here, At.Theirs, {}};
  if (!At.Theirs)
    return addConflict(ConflictKind::RenameDelete, std::move(Into));
  Expected<MaybeEntry> Added = Theirs.find(To);
  if (!Added)
    return Added.takeError();
  if (!fileOnly(*Added))
    return mergeRenamed(std::move(Into));
  return addConflict(
      ConflictKind::RenameAdd,
      {ConflictKind::RenameAdd, To, To, To, {}, *Here, *Added, {}});
}

Error TreeMerger::mergeRenamedByBoth(const std::string &Path, const Sides &At,
                                     const std::string &OursTo,
                                     const std::string &TheirsTo) {
  Expected<MaybeEntry> Here = oursAt(OursTo);
  if (!Here)
    return Here.takeError();
  Expected<MaybeEntry> New = Theirs.find(TheirsTo);
  if (!New)
    return New.takeError();
  Done.insert(OursTo);
  Done.insert(TheirsTo);
  Conflict Into{
      ConflictKind::Content, OursTo, Path, TheirsTo, At.Base, *Here, *New, {}};
  if (OursTo == TheirsTo)
    return mergeEntries(std::move(Into));
  Result.Edits.erase(TheirsTo);
  return addConflict(ConflictKind::RenameRename, std::move(Into));
}

Error TreeMerger::mergeOpen(const std::string &Path, const Sides &At) {
  auto ByOurs = OursRenames.find(Path), ByTheirs = TheirsRenames.find(Path);
  bool OursDid = ByOurs != OursRenames.end();
  bool TheirsDid = ByTheirs != TheirsRenames.end();
  if (OursDid && TheirsDid)
    return mergeRenamedByBoth(Path, At, ByOurs->second, ByTheirs->second);
  if (TheirsDid)
    return mergeRenamedByTheirs(Path, At, ByTheirs->second);
  if (OursDid)
    return mergeRenamedByOurs(Path, At, ByOurs->second);
  if (!At.Ours && !At.Theirs)
    return Error::success();
  Conflict Into{
      ConflictKind::Content, Path, Path, Path, At.Base, At.Ours, At.Theirs, {}};
  if (At.Base && !At.Ours)
    return addConflict(ConflictKind::GoneInOurs, std::move(Into));
  if (At.Base && !At.Theirs)
    return addConflict(ConflictKind::GoneInTheirs, std::move(Into));
  return mergeEntries(std::move(Into));
}

bool TreeMerger::isRemoved(StringRef Path) const {
  auto Edit = Result.Edits.find(Path.str());
  return Edit != Result.Edits.end() && !Edit->second;
}

/// Whether no file is left of a directory of ours.
Expected<bool> TreeMerger::isEmptied(const std::string &Directory,
                                     const TreeEntry &At) {
  Expected<kgit::Tree> Inside = Repo.tree(At.Id);
  if (!Inside)
    return Inside.takeError();
  bool Emptied = true;
  Error E = Inside->walk([&](StringRef Path, const TreeEntry &Entry) {
    if (Entry.isTree() || isRemoved(Directory + "/" + Path.str()))
      return kgit::Tree::Visit::Continue;
    Emptied = false;
    return kgit::Tree::Visit::Stop;
  });
  if (E)
    return std::move(E);
  return Emptied;
}

/// A file where ours keeps a directory, or below what ours keeps as a file.
Error TreeMerger::checkDirectories() {
  std::vector<std::string> Clashing;
  for (const auto &[Path, Entry] : Result.Edits) {
    if (!Entry)
      continue;
    Expected<MaybeEntry> Here = Ours.find(Path);
    if (!Here)
      return Here.takeError();
    if (*Here && (*Here)->isTree()) {
      Expected<bool> Emptied = isEmptied(Path, **Here);
      if (!Emptied)
        return Emptied.takeError();
      if (!*Emptied)
        Clashing.push_back(Path);
      continue;
    }
    for (size_t Slash = Path.find('/'); Slash != std::string::npos;
         Slash = Path.find('/', Slash + 1)) {
      std::string Parent = Path.substr(0, Slash);
      Expected<MaybeEntry> Above = oursAt(Parent);
      if (!Above)
        return Above.takeError();
      if (*Above && !isRemoved(Parent)) {
        Clashing.push_back(Path);
        break;
      }
    }
  }
  for (const std::string &Path : Clashing) {
    MaybeEntry New = Result.Edits[Path];
    if (Error E = addConflict(
            ConflictKind::Directory,
            {ConflictKind::Directory, Path, Path, Path, {}, {}, New, {}}))
      return E;
  }
  return Error::success();
}

/// Leaves the edits that change something.
Error TreeMerger::dropWhatIsThere() {
  for (auto It = Result.Edits.begin(); It != Result.Edits.end();) {
    Expected<MaybeEntry> Here = oursAt(It->first);
    if (!Here)
      return Here.takeError();
    It = *Here == It->second ? Result.Edits.erase(It) : std::next(It);
  }
  return Error::success();
}

Expected<TreeMergeResult> TreeMerger::merge() {
  if (Error E = takeWhatOneSideChanged())
    return E;
  if (Error E = findRenamesOfTheirs())
    return E;
  if (Error E = findRenamesOfOurs())
    return E;
  for (const auto &[Path, At] : Open)
    if (At.Base)
      if (Error E = mergeOpen(Path, At))
        return E;
  for (const auto &[Path, At] : Open)
    if (!At.Base && !Done.count(Path))
      if (Error E = mergeOpen(Path, At))
        return E;
  if (Error E = checkDirectories())
    return E;
  if (Error E = dropWhatIsThere())
    return E;
  if (!Result.Conflicts.empty())
    return std::move(Result);
  Expected<kgit::Oid> Tree = kgit::editTree(Repo, Ours.id(), Result.Edits);
  if (!Tree)
    return Tree.takeError();
  Result.Tree = *Tree;
  return std::move(Result);
}

} // namespace

Expected<TreeMergeResult>
mergeTrees(const kgit::Repository &Repo, const kgit::Oid &Base,
           const kgit::Oid &Ours, const kgit::Oid &Theirs,
           const MergeLabels &Labels, Resolver Resolve) {
  Expected<kgit::Tree> OldTree = Repo.tree(Base);
  if (!OldTree)
    return OldTree.takeError();
  Expected<kgit::Tree> OurTree = Repo.tree(Ours);
  if (!OurTree)
    return OurTree.takeError();
  Expected<kgit::Tree> TheirTree = Repo.tree(Theirs);
  if (!TheirTree)
    return TheirTree.takeError();
  return TreeMerger(Repo, *OldTree, *OurTree, *TheirTree, Labels, Resolve)
      .merge();
}

} // namespace kseries
