// SPDX-License-Identifier: GPL-2.0-only

#include "patch/TreeDiff.h"
#include "git/ChangedPaths.h"
#include "git/GitError.h"
#include "patch/HunkSection.h"

using namespace llvm;

namespace kseries {

using DiffHandle = kgit::Handle<git_diff, git_diff_free>;
using PatchHandle = kgit::Handle<git_patch, git_patch_free>;

static constexpr size_t IdDigits = 12;
// Git's default for renames (diffcore.h).
static constexpr uint16_t RenameThreshold = 50;

/// The paths that differ are known cheaply; libgit2 is to look at no others.
static Expected<DiffHandle> diffPaths(const kgit::Repository &Repo,
                                      const kgit::Tree &Old,
                                      const kgit::Tree &New,
                                      ArrayRef<kgit::ChangedPath> Changed) {
  std::vector<char *> Paths;
  for (const kgit::ChangedPath &Path : Changed)
    Paths.push_back(const_cast<char *>(Path.Path.c_str()));
  git_diff_options Options;
  git_diff_options_init(&Options, GIT_DIFF_OPTIONS_VERSION);
  Options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_INDENT_HEURISTIC;
  Options.pathspec = {Paths.data(), Paths.size()};
  git_diff *Raw = nullptr;
  if (git_diff_tree_to_tree(&Raw, Repo.raw(), Old.raw(), New.raw(), &Options))
    return kgit::lastError("cannot compare trees");
  DiffHandle Diff(Raw);
  git_diff_find_options Find;
  git_diff_find_options_init(&Find, GIT_DIFF_FIND_OPTIONS_VERSION);
  Find.flags = GIT_DIFF_FIND_RENAMES;
  Find.rename_threshold = RenameThreshold;
  if (git_diff_find_similar(Raw, &Find))
    return kgit::lastError("cannot look for renames");
  return Diff;
}

namespace {

class FileDiffer {
public:
  FileDiffer(const kgit::Repository &Repo, const git_diff_delta &Delta)
      : Repo(Repo), Delta(Delta) {}

  Expected<FileDiff> diff(git_patch *Raw);

private:
  Expected<std::string> content(const git_diff_file &Side) const;
  FileDiff describe() const;
  Error fillBinary(FileDiff &Into) const;
  Error fillHunks(git_patch *Raw, FileDiff &Into) const;
  Error fillHunk(git_patch *Raw, size_t Index, Hunk &Into) const;

  const kgit::Repository &Repo;
  const git_diff_delta &Delta;
};

Expected<std::string> FileDiffer::content(const git_diff_file &Side) const {
  if (git_oid_is_zero(&Side.id))
    return std::string();
  Expected<kgit::Blob> Found = Repo.blob(kgit::Oid(Side.id));
  if (!Found)
    return Found.takeError();
  return Found->content().str();
}

FileDiff FileDiffer::describe() const {
  FileDiff File;
  File.OldPath = Delta.old_file.path;
  File.NewPath = Delta.new_file.path;
  File.OldMode = Delta.old_file.mode;
  File.NewMode = Delta.new_file.mode;
  File.Similarity = Delta.similarity;
  switch (Delta.status) {
  case GIT_DELTA_ADDED:
    File.Change = FileChange::Add;
    File.OldMode = 0;
    break;
  case GIT_DELTA_DELETED:
    File.Change = FileChange::Delete;
    File.NewMode = 0;
    break;
  case GIT_DELTA_RENAMED:
    File.Change = FileChange::Rename;
    break;
  default:
    break;
  }
  // Without a change of content git prints no index line, except for a file
  // that came or went.
  if (!git_oid_equal(&Delta.old_file.id, &Delta.new_file.id)) {
    File.OldId = kgit::Oid(Delta.old_file.id).str(IdDigits);
    File.NewId = kgit::Oid(Delta.new_file.id).str(IdDigits);
  }
  return File;
}

Error FileDiffer::fillBinary(FileDiff &Into) const {
  Into.OldId = kgit::Oid(Delta.old_file.id).str();
  Into.NewId = kgit::Oid(Delta.new_file.id).str();
  Expected<std::string> Old = content(Delta.old_file);
  if (!Old)
    return Old.takeError();
  Expected<std::string> New = content(Delta.new_file);
  if (!New)
    return New.takeError();
  Into.Forward = BinaryData{false, std::move(*New)};
  Into.Reverse = BinaryData{false, std::move(*Old)};
  return Error::success();
}

Error FileDiffer::fillHunk(git_patch *Raw, size_t Index, Hunk &Into) const {
  const git_diff_hunk *Found = nullptr;
  size_t Count = 0;
  if (git_patch_get_hunk(&Found, &Count, Raw, Index))
    return kgit::lastError("cannot read a hunk");
  Into.OldStart = Found->old_start;
  Into.OldCount = Found->old_lines;
  Into.NewStart = Found->new_start;
  Into.NewCount = Found->new_lines;
  for (size_t I = 0; I < Count; ++I) {
    const git_diff_line *Line = nullptr;
    if (git_patch_get_line_in_hunk(&Line, Raw, Index, I))
      return kgit::lastError("cannot read a line of a hunk");
    // The other origins say "no newline at end of file", which the text of
    // the line before already shows.
    if (Line->origin == ' ' || Line->origin == '+' || Line->origin == '-')
      Into.Lines.push_back(
          {Line->origin, std::string(Line->content, Line->content_len)});
  }
  return Error::success();
}

Error FileDiffer::fillHunks(git_patch *Raw, FileDiff &Into) const {
  Expected<std::string> Old = content(Delta.old_file);
  if (!Old)
    return Old.takeError();
  SectionFinder Sections(Into.OldPath, *Old);
  for (size_t I = 0; I < git_patch_num_hunks(Raw); ++I) {
    Hunk Filled;
    if (Error E = fillHunk(Raw, I, Filled))
      return E;
    Filled.Section = Sections.sectionAt(Filled.OldStart);
    Into.Hunks.push_back(std::move(Filled));
  }
  return Error::success();
}

Expected<FileDiff> FileDiffer::diff(git_patch *Raw) {
  FileDiff File = describe();
  if (!(Delta.flags & GIT_DIFF_FLAG_BINARY)) {
    if (Error E = fillHunks(Raw, File))
      return E;
  } else if (!File.OldId.empty()) {
    if (Error E = fillBinary(File))
      return E;
  }
  return File;
}

} // namespace

Expected<std::vector<FileDiff>> diffTrees(const kgit::Repository &Repo,
                                          const kgit::Oid &OldTree,
                                          const kgit::Oid &NewTree) {
  auto Changed = kgit::changedPaths(Repo, OldTree, NewTree);
  if (!Changed)
    return Changed.takeError();
  std::vector<FileDiff> Files;
  if (Changed->empty())
    return Files;
  Expected<kgit::Tree> Old = Repo.tree(OldTree);
  if (!Old)
    return Old.takeError();
  Expected<kgit::Tree> New = Repo.tree(NewTree);
  if (!New)
    return New.takeError();
  Expected<DiffHandle> Diff = diffPaths(Repo, *Old, *New, *Changed);
  if (!Diff)
    return Diff.takeError();
  for (size_t I = 0; I < git_diff_num_deltas(Diff->get()); ++I) {
    git_patch *Raw = nullptr;
    if (git_patch_from_diff(&Raw, Diff->get(), I))
      return kgit::lastError("cannot compare a file");
    PatchHandle Patch(Raw);
    auto Made = FileDiffer(Repo, *git_patch_get_delta(Raw)).diff(Raw);
    if (!Made)
      return Made.takeError();
    Files.push_back(std::move(*Made));
  }
  return Files;
}

} // namespace kseries
