// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Worktree.h"
#include "git/ChangedPaths.h"
#include "patch/PatchError.h"
#include "process/GitProgram.h"
#include "queue/AppliedQueue.h"
#include "queue/TextFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

using namespace llvm;

namespace kseries {

Expected<std::vector<std::string>> findWorktrees(const Workspace &Where,
                                                 StringRef Queue) {
  Expected<std::string> List =
      runGit({"--git-dir=" + Where.gitDirectory(), "worktree", "list",
              "--porcelain", "-z"});
  if (!List)
    return List.takeError();
  std::vector<std::string> Found;
  SmallVector<StringRef, 16> Fields;
  StringRef(*List).split(Fields, '\0');
  std::string Directory;
  for (StringRef Field : Fields) {
    if (Field.consume_front("worktree "))
      Directory = Field.str();
    else if (Field.consume_front("branch ") && Field == branchRef(Queue) &&
             sys::fs::is_directory(Directory))
      Found.push_back(Directory);
  }
  return Found;
}

/// The new copy has the old one's time: git takes an entry for checked that is
/// older than its index.
static Error copyWithTime(const std::string &From, const std::string &To) {
  struct ::stat Status;
  if (::stat(From.c_str(), &Status))
    return inputError(From + ": cannot read: " + std::strerror(errno));
  Expected<std::string> Text = readTextFile(From);
  if (!Text)
    return Text.takeError();
  if (Error E = replaceTextFile(To, *Text))
    return E;
  struct ::timespec Times[] = {Status.st_atim, Status.st_mtim};
  if (::utimensat(AT_FDCWD, To.c_str(), Times, 0))
    return inputError(To + ": cannot set its time: " + std::strerror(errno));
  return Error::success();
}

Expected<WorktreeIndex> WorktreeIndex::copy(StringRef Directory,
                                            Transaction &Change) {
  WorktreeIndex Made;
  Made.Directory = Directory.str();
  Expected<std::string> Path =
      runGit({"-C", Made.Directory, "rev-parse", "--path-format=absolute",
              "--git-path", "index"});
  if (!Path)
    return Path.takeError();
  Made.Index = StringRef(*Path).rtrim('\n').str();
  Expected<std::string> Scratch = Change.scratch();
  if (!Scratch)
    return Scratch.takeError();
  Expected<kgit::Oid> Name = kgit::Oid::ofBlob(Directory);
  if (!Name)
    return Name.takeError();
  Made.Copy = *Scratch + "/index-" + Name->str();
  if (Error E = copyWithTime(Made.Index, Made.Copy))
    return std::move(E);
  Expected<std::optional<kgit::Oid>> Before = fileId(Made.Copy);
  if (!Before)
    return Before.takeError();
  Made.Before = *Before;
  // What was only touched is not taken for edited. git fails over files that
  // were edited, which is for the caller to judge.
  if (Expected<std::string> Refreshed =
          Made.git({"update-index", "-q", "--refresh", "--unmerged"});
      !Refreshed)
    consumeError(Refreshed.takeError());
  return Made;
}

Expected<std::string> WorktreeIndex::git(std::vector<std::string> Words) const {
  Words.insert(Words.begin(), {"-C", Directory});
  return runGit(Words, Copy);
}

Error WorktreeIndex::install(Transaction &Change) const {
  Expected<std::string> Text = readTextFile(Copy);
  if (!Text)
    return Text.takeError();
  if (Error E = Change.write(Index, std::move(*Text)))
    return E;
  // The transaction insists on what is there from here on.
  Expected<std::optional<kgit::Oid>> Now = fileId(Index);
  if (!Now)
    return Now.takeError();
  if (*Now != Before)
    return inputError(Directory + ": the index was changed meanwhile, nothing "
                                  "was changed: try again");
  return Error::success();
}

namespace {

class WorktreeMover {
public:
  WorktreeMover(Transaction &Change, const kgit::Repository &Repo,
                WorktreeIndex Index)
      : Change(Change), Repo(Repo), Index(std::move(Index)) {}

  Error move(const kgit::Oid &Old, const kgit::Oid &New);

private:
  Error findFiles(const kgit::Oid &Old, const kgit::Oid &New);
  Expected<std::string> fill() const;
  Error dropSkipped(std::vector<std::string> &Paths) const;

  /// How many names one command line takes.
  static constexpr size_t AtOnce = 500;

  Transaction &Change;
  const kgit::Repository &Repo;
  WorktreeIndex Index;
  std::map<std::string, std::optional<kgit::Oid>> Before;
  std::vector<std::string> Written, Gone;
};

/// What moves, and what of it is on the disk.
Error WorktreeMover::findFiles(const kgit::Oid &Old, const kgit::Oid &New) {
  Expected<kgit::Commit> From = Repo.commit(Old);
  if (!From)
    return From.takeError();
  Expected<kgit::Commit> To = Repo.commit(New);
  if (!To)
    return To.takeError();
  auto Paths = kgit::changedPaths(Repo, *From, *To);
  if (!Paths)
    return Paths.takeError();
  for (const kgit::ChangedPath &Path : *Paths) {
    // A submodule is a repository of its own.
    if ((Path.Old && Path.Old->isSubmodule()) ||
        (Path.New && Path.New->isSubmodule()))
      continue;
    (Path.New ? Written : Gone).push_back(Path.Path);
    Expected<std::optional<kgit::Oid>> Id =
        diskId(Index.directory() + "/" + Path.Path);
    if (!Id)
      return Id.takeError();
    Before[Path.Path] = *Id;
  }
  return Error::success();
}

/// Files that a sparse worktree leaves out stay out.
Error WorktreeMover::dropSkipped(std::vector<std::string> &Paths) const {
  std::vector<std::string> Words = {"ls-files", "-z", "-t", "--"};
  for (const std::string &Path : Paths)
    Words.push_back(":(top,literal)" + Path);
  Expected<std::string> List = Index.git(std::move(Words));
  if (!List)
    return List.takeError();
  SmallVector<StringRef, 16> Lines;
  StringRef(*List).split(Lines, '\0');
  erase_if(Paths, [&](const std::string &Path) {
    return is_contained(Lines, "S " + Path);
  });
  return Error::success();
}

/// The new files as git writes them, below the directory that this gives.
Expected<std::string> WorktreeMover::fill() const {
  Expected<std::string> Scratch = Change.scratch();
  if (!Scratch)
    return Scratch.takeError();
  std::string Into = *Scratch + "/files/";
  sys::fs::remove_directories(Into);
  for (size_t At = 0; At < Written.size(); At += AtOnce) {
    size_t End = std::min(At + AtOnce, Written.size());
    std::vector<std::string> Paths(Written.begin() + At, Written.begin() + End);
    if (Error E = dropSkipped(Paths))
      return std::move(E);
    if (Paths.empty())
      continue;
    std::vector<std::string> Words = {"checkout-index", "--prefix=" + Into,
                                      "--"};
    Words.insert(Words.end(), Paths.begin(), Paths.end());
    if (Expected<std::string> Done = Index.git(std::move(Words)); !Done)
      return Done.takeError();
  }
  return Into;
}

Error WorktreeMover::move(const kgit::Oid &Old, const kgit::Oid &New) {
  if (Error E = findFiles(Old, New))
    return E;
  // git knows what must not be touched; the first run only asks.
  for (bool Asks : {true, false}) {
    std::vector<std::string> Words = {"read-tree", "-m"};
    if (Asks)
      Words.insert(Words.end(), {"-u", "-n"});
    Words.insert(Words.end(), {Old.str(), New.str()});
    if (Expected<std::string> Done = Index.git(std::move(Words)); !Done)
      return inputError(Index.directory() + ": " + toString(Done.takeError()));
  }
  Expected<std::string> From = fill();
  if (!From)
    return From.takeError();
  for (const std::string &Path : Written) {
    Expected<std::optional<DiskFile>> File = readDiskFile(*From + Path);
    if (!File)
      return File.takeError();
    if (*File)
      Change.checkout(Index.directory(), Path, Before[Path], std::move(*File));
  }
  for (const std::string &Path : Gone)
    if (Before[Path])
      Change.checkout(Index.directory(), Path, Before[Path], std::nullopt);
  return Index.install(Change);
}

} // namespace

Error planWorktreeMove(Transaction &Change, const kgit::Repository &Repo,
                       StringRef Directory, const kgit::Oid &Old,
                       const kgit::Oid &New) {
  Expected<WorktreeIndex> Index = WorktreeIndex::copy(Directory, Change);
  if (!Index)
    return Index.takeError();
  return WorktreeMover(Change, Repo, std::move(*Index)).move(Old, New);
}

Expected<WorktreeChanges> WorktreeChanges::take(StringRef Directory,
                                                Transaction &Change) {
  Expected<WorktreeIndex> Index = WorktreeIndex::copy(Directory, Change);
  if (!Index)
    return Index.takeError();
  Expected<std::string> Unmerged = Index->git({"ls-files", "-u", "-z"});
  if (!Unmerged)
    return Unmerged.takeError();
  if (!Unmerged->empty())
    return inputError(Directory + ": files with conflicts: settle them and "
                                  "'git add' them first");
  Expected<std::string> Added = Index->git({"add", "-u", ":/"});
  if (!Added)
    return Added.takeError();
  Expected<std::string> Tree = Index->git({"write-tree"});
  if (!Tree)
    return Tree.takeError();
  Expected<kgit::Oid> Id = kgit::Oid::parse(StringRef(*Tree).rtrim('\n'));
  if (!Id)
    return Id.takeError();
  return WorktreeChanges(std::move(*Index), *Id);
}

} // namespace kseries
