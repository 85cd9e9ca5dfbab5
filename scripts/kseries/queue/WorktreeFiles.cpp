// SPDX-License-Identifier: GPL-2.0-only

#include "queue/WorktreeFiles.h"
#include "patch/PatchError.h"
#include "queue/DurableFile.h"
#include "queue/TextFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace kseries {

static Error fail(const std::string &Path, StringRef What, int Number) {
  return inputError(Path + ": cannot " + What + ": " + std::strerror(Number));
}

static Expected<std::string> readLink(const std::string &Path, size_t Size) {
  // One more than it had: longer means that it was replaced meanwhile.
  std::string Target(Size + 1, '\0');
  ssize_t Length = ::readlink(Path.c_str(), Target.data(), Target.size());
  if (Length < 0)
    return fail(Path, "read", errno);
  Target.resize(static_cast<size_t>(Length));
  return Target;
}

Expected<std::optional<DiskFile>> readDiskFile(const std::string &Path) {
  struct ::stat Status;
  if (::lstat(Path.c_str(), &Status)) {
    if (errno == ENOENT || errno == ENOTDIR)
      return std::nullopt;
    return fail(Path, "read", errno);
  }
  bool IsLink = S_ISLNK(Status.st_mode);
  if (!IsLink && !S_ISREG(Status.st_mode))
    return std::nullopt;
  Expected<std::string> Content =
      IsLink ? readLink(Path, static_cast<size_t>(Status.st_size))
             : readTextFile(Path);
  if (!Content)
    return Content.takeError();
  DiskFile::Kind Is = IsLink                     ? DiskFile::Kind::Link
                      : Status.st_mode & S_IXUSR ? DiskFile::Kind::Executable
                                                 : DiskFile::Kind::Regular;
  return DiskFile{Is, std::move(*Content)};
}

Expected<std::optional<kgit::Oid>> diskId(const std::string &Path) {
  Expected<std::optional<DiskFile>> File = readDiskFile(Path);
  if (!File)
    return File.takeError();
  if (!*File)
    return std::nullopt;
  Expected<kgit::Oid> Id = kgit::Oid::ofBlob((*File)->Content);
  if (!Id)
    return Id.takeError();
  return *Id;
}

Error keepEdited(const std::string &Path, raw_ostream &Err) {
  std::string Kept = Path + ".orig";
  if (Error E = renameFile(Path, Kept))
    return E;
  Err << "kseries: " << Path
      << ": edited while a change of it was under way: your text is kept as "
      << Kept << '\n';
  return Error::success();
}

std::string WorktreeFiles::waitingDirectory() const {
  return Directory + "/.kseries-new";
}

std::string WorktreeFiles::waiting(size_t Number) const {
  return waitingDirectory() + "/" + std::to_string(Number);
}

std::string WorktreeFiles::whole(const WorktreeFile &File) const {
  return Directory + "/" + File.Path;
}

Error WorktreeFiles::checkRoom() const {
  if (!sys::fs::exists(waitingDirectory()))
    return Error::success();
  return inputError(waitingDirectory() + ": in the way of kseries: remove it");
}

Error WorktreeFiles::checkUnchanged() const {
  for (const WorktreeFile &File : Files) {
    Expected<std::optional<kgit::Oid>> Now = diskId(whole(File));
    if (!Now)
      return Now.takeError();
    if (*Now != File.Old)
      return inputError(whole(File) +
                        ": edited meanwhile, nothing was changed: try again");
  }
  return Error::success();
}

Error WorktreeFiles::stage(ArrayRef<std::optional<DiskFile>> New) const {
  if (::mkdir(waitingDirectory().c_str(), 0777))
    return fail(waitingDirectory(), "create", errno);
  for (size_t I = 0; I < New.size(); ++I) {
    if (!New[I])
      continue;
    const DiskFile &File = *New[I];
    if (File.Is == DiskFile::Kind::Link) {
      if (::symlink(File.Content.c_str(), waiting(I).c_str()))
        return fail(waiting(I), "create", errno);
      continue;
    }
    unsigned Mode = File.Is == DiskFile::Kind::Executable ? 0777 : 0666;
    if (Error E = writeDurably(waiting(I), File.Content, Mode))
      return E;
  }
  return syncDirectory(waitingDirectory());
}

Error WorktreeFiles::unstage() const {
  if (std::error_code Code = sys::fs::remove_directories(
          waitingDirectory(), /*IgnoreErrors=*/false))
    return inputError(waitingDirectory() +
                      ": cannot remove: " + Code.message());
  return Error::success();
}

/// Keeps what is neither the old file nor the new one. Gives whether anything
/// is left at \p Path.
static Expected<bool> keepOthers(const WorktreeFile &File,
                                 const std::string &Path, raw_ostream &Err) {
  Expected<std::optional<kgit::Oid>> Now = diskId(Path);
  if (!Now)
    return Now.takeError();
  if (!*Now || *Now == File.Old || *Now == File.New)
    return Now->has_value();
  if (Error E = keepEdited(Path, Err))
    return std::move(E);
  return false;
}

/// Removes a file that goes, and the directories that it leaves empty.
Error WorktreeFiles::removeGone(const WorktreeFile &File,
                                raw_ostream &Err) const {
  std::string Path = whole(File);
  Expected<bool> IsThere = keepOthers(File, Path, Err);
  if (!IsThere)
    return IsThere.takeError();
  if (*IsThere)
    if (Error E = removeFile(Path))
      return E;
  // One that is gone went when this was done before.
  StringRef Parent = sys::path::parent_path(Path);
  while (Parent.size() > Directory.size() &&
         (!::rmdir(Parent.str().c_str()) || errno == ENOENT))
    Parent = sys::path::parent_path(Parent);
  return Error::success();
}

/// Moves a file to its place, unless that was done before.
Error WorktreeFiles::putInPlace(size_t Number, raw_ostream &Err) const {
  struct ::stat Status;
  if (::lstat(waiting(Number).c_str(), &Status))
    return Error::success();
  std::string Path = whole(Files[Number]);
  if (Error E = keepOthers(Files[Number], Path, Err).takeError())
    return E;
  StringRef Parent = sys::path::parent_path(Path);
  if (std::error_code Code = sys::fs::create_directories(Parent))
    return inputError(Parent + ": cannot create: " + Code.message());
  return renameFile(waiting(Number), Path);
}

Error WorktreeFiles::finish(raw_ostream &Err) const {
  // A worktree that was removed since has nothing to finish.
  if (!sys::fs::is_directory(Directory))
    return Error::success();
  // What goes makes room for a directory of its name, or the other way round.
  for (const WorktreeFile &File : Files)
    if (!File.New)
      if (Error E = removeGone(File, Err))
        return E;
  std::set<std::string> Touched;
  for (size_t I = 0; I < Files.size(); ++I) {
    if (Files[I].New)
      if (Error E = putInPlace(I, Err))
        return E;
    Touched.insert(sys::path::parent_path(whole(Files[I])).str());
  }
  for (const std::string &Path : Touched)
    if (sys::fs::is_directory(Path))
      if (Error E = syncDirectory(Path))
        return E;
  return unstage();
}

} // namespace kseries
