// SPDX-License-Identifier: GPL-2.0-only

#include "patch/TreeApply.h"
#include "git/TreeEdit.h"
#include "patch/BinaryPatch.h"
#include "patch/HunkApply.h"
#include "patch/PatchError.h"

#include "llvm/ADT/StringSet.h"

using namespace llvm;
using kgit::TreeEntry;

namespace kseries {

namespace {

class TreePatcher {
public:
  TreePatcher(const kgit::Repository &Repo, const kgit::Tree &Base,
              const Patch &ToApply, StringRef PatchFile)
      : Repo(Repo), Base(Base), ToApply(ToApply), PatchFile(PatchFile) {
    for (const FileDiff &File : ToApply.Files)
      if (File.Change == FileChange::Rename ||
          File.Change == FileChange::Delete)
        Leaving.insert(File.OldPath);
  }

  Expected<kgit::Oid> apply();

private:
  Error fail(const FileDiff &File, const Twine &Message, unsigned Line = 0,
             unsigned Hunk = 0) const {
    auto Failure = std::make_unique<PatchError>(
        PatchFile.str(), Line ? Line : File.PatchLine, Message.str());
    Failure->Path = File.NewPath;
    Failure->Hunk = Hunk;
    return Error(std::move(Failure));
  }

  Error applyFile(const FileDiff &File);
  Error checkReachable(const FileDiff &File, StringRef Path) const;
  Error checkSource(const FileDiff &File,
                    const std::optional<TreeEntry> &Source) const;
  Error checkTarget(const FileDiff &File) const;
  Expected<std::optional<TreeEntry>> lookUp(StringRef Path) const;
  Expected<std::optional<TreeEntry>> readSource(const FileDiff &File) const;
  Expected<std::string> newContent(const FileDiff &File,
                                   const std::optional<TreeEntry> &Source);

  const kgit::Repository &Repo;
  const kgit::Tree &Base;
  const Patch &ToApply;
  StringRef PatchFile;
  /// What the patch has done so far.
  kgit::TreeEdits Edits;
  /// Paths that a rename or a copy of this patch has filled.
  StringSet<> Arrived;
  /// Paths that this patch empties at one point or another.
  StringSet<> Leaving;
};

Expected<std::optional<TreeEntry>> TreePatcher::lookUp(StringRef Path) const {
  auto Edited = Edits.find(Path.str());
  if (Edited != Edits.end())
    return Edited->second;
  return Base.find(Path);
}

/// A rename takes the file as it was before the patch when its name has been
/// reused meanwhile: two renames may swap two files.
Expected<std::optional<TreeEntry>>
TreePatcher::readSource(const FileDiff &File) const {
  if (File.OldPath != File.NewPath && Arrived.contains(File.OldPath))
    return Base.find(File.OldPath);
  return lookUp(File.OldPath);
}

/// Git stores a symbolic link as a file: what lies "below" it is elsewhere.
Error TreePatcher::checkReachable(const FileDiff &File, StringRef Path) const {
  for (size_t Slash = Path.find('/'); Slash != StringRef::npos;
       Slash = Path.find('/', Slash + 1)) {
    StringRef Parent = Path.take_front(Slash);
    Expected<std::optional<TreeEntry>> Entry = lookUp(Parent);
    if (!Entry)
      return Entry.takeError();
    if (!*Entry)
      continue;
    if ((*Entry)->isSymlink())
      return fail(File, "path " + quoteForMessage(Path) +
                            " goes through the symbolic link " +
                            quoteForMessage(Parent));
    if (!(*Entry)->isTree())
      return fail(File, "path " + quoteForMessage(Path) + ": " +
                            quoteForMessage(Parent) + " is not a directory");
  }
  return Error::success();
}

Error TreePatcher::checkSource(const FileDiff &File,
                               const std::optional<TreeEntry> &Source) const {
  std::string Name = quoteForMessage(File.OldPath);
  if (!Source)
    return fail(File, Name + " does not exist in the tree");
  if (Source->isTree() || Source->isSubmodule())
    return fail(File, Name + " is not a file in the tree");
  if (!File.OldMode && File.Hunks.empty())
    return Error::success(); // a rename says nothing about the kind of file
  uint32_t Said = File.OldMode ? File.OldMode : uint32_t(GIT_FILEMODE_BLOB);
  if (Source->isSymlink() != (Said == GIT_FILEMODE_LINK))
    return fail(File, Name + (Source->isSymlink()
                                  ? " is a symbolic link in the tree"
                                  : " is not a symbolic link in the tree"));
  return Error::success();
}

Error TreePatcher::checkTarget(const FileDiff &File) const {
  Expected<std::optional<TreeEntry>> Present = lookUp(File.NewPath);
  if (!Present)
    return Present.takeError();
  if (*Present &&
      !(Leaving.contains(File.NewPath) && File.Change != FileChange::Add))
    return fail(File,
                quoteForMessage(File.NewPath) + " already exists in the tree");
  return Error::success();
}

Expected<std::string>
TreePatcher::newContent(const FileDiff &File,
                        const std::optional<TreeEntry> &Source) {
  std::string Old;
  if (Source) {
    Expected<kgit::Blob> Content = Repo.blob(Source->Id);
    if (!Content)
      return Content.takeError();
    Old = Content->content().str();
  }
  if (File.Forward) {
    if (Source && Source->Id.str() != File.OldId)
      return fail(File, "binary file " + quoteForMessage(File.OldPath) +
                            " is " + Source->Id.str(12) +
                            " in the tree, the patch is "
                            "for " +
                            StringRef(File.OldId).take_front(12));
    Expected<std::string> New = applyBinary(Old, *File.Forward);
    if (!New)
      return fail(File, toString(New.takeError()));
    return New;
  }
  auto Result = applyHunks(Old, File.Hunks);
  if (auto *Failure = std::get_if<HunkFailure>(&Result)) {
    const Hunk &Failed = File.Hunks[Failure->Hunk - 1];
    return fail(File,
                "hunk " + Twine(Failure->Hunk) + " of " +
                    Twine(File.Hunks.size()) + " does not apply to " +
                    quoteForMessage(File.OldPath) + ": " + Failure->Reason,
                Failed.PatchLine, Failure->Hunk);
  }
  return std::move(std::get<std::string>(Result));
}

Error TreePatcher::applyFile(const FileDiff &File) {
  for (const std::string *Path : {&File.OldPath, &File.NewPath})
    if (Error E = checkReachable(File, *Path))
      return E;
  std::optional<TreeEntry> Source;
  if (File.Change != FileChange::Add) {
    Expected<std::optional<TreeEntry>> Read = readSource(File);
    if (!Read)
      return Read.takeError();
    Source = *Read;
    if (Error E = checkSource(File, Source))
      return E;
  }
  if (File.Change != FileChange::Modify && File.Change != FileChange::Delete)
    if (Error E = checkTarget(File))
      return E;

  Expected<std::string> Content = newContent(File, Source);
  if (!Content)
    return Content.takeError();
  if (File.Change == FileChange::Delete) {
    if (!Content->empty())
      return fail(File, "the patch deletes " + quoteForMessage(File.OldPath) +
                            " but not all of its lines");
    Edits[File.OldPath] = std::nullopt;
    return Error::success();
  }

  Expected<kgit::Oid> Id = Repo.writeBlob(*Content);
  if (!Id)
    return Id.takeError();
  // The mode on an index line only repeats what the tree should have; a
  // changed one is what the patch is about.
  uint32_t Mode = Source ? Source->Mode : File.NewMode;
  if (File.NewMode != File.OldMode && File.NewMode)
    Mode = File.NewMode;
  if (File.Change == FileChange::Rename && !Arrived.contains(File.OldPath))
    Edits[File.OldPath] = std::nullopt;
  if (File.Change == FileChange::Rename || File.Change == FileChange::Copy)
    Arrived.insert(File.NewPath);
  Edits[File.NewPath] = TreeEntry{*Id, Mode};
  return Error::success();
}

Expected<kgit::Oid> TreePatcher::apply() {
  for (const FileDiff &File : ToApply.Files)
    if (Error E = applyFile(File))
      return E;
  // A file that this patch both makes and takes away again is in neither tree.
  for (auto It = Edits.begin(); It != Edits.end();) {
    if (!It->second) {
      Expected<std::optional<TreeEntry>> Present = Base.find(It->first);
      if (!Present)
        return Present.takeError();
      if (!*Present) {
        It = Edits.erase(It);
        continue;
      }
    }
    ++It;
  }
  Expected<kgit::Oid> Edited = kgit::editTree(Repo, Base.id(), Edits);
  if (!Edited)
    return make_error<PatchError>(PatchFile.str(), 0,
                                  toString(Edited.takeError()));
  return Edited;
}

} // namespace

Expected<kgit::Oid> applyPatch(const kgit::Repository &Repo,
                               const kgit::Oid &Tree, const Patch &ToApply,
                               StringRef PatchFile) {
  Expected<kgit::Tree> Base = Repo.tree(Tree);
  if (!Base)
    return Base.takeError();
  return TreePatcher(Repo, *Base, ToApply, PatchFile).apply();
}

} // namespace kseries
