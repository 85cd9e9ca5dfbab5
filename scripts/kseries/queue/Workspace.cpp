// SPDX-License-Identifier: GPL-2.0-only

#include "queue/Workspace.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>

using namespace llvm;

namespace kseries {

/// The nearest directory "series" in the current directory or above, relative
/// as long as it can be: messages name files by it.
static Expected<std::string> findSeriesDirectory() {
  SmallString<256> Absolute;
  if (std::error_code Code = sys::fs::current_path(Absolute))
    return inputError("no current directory: " + Code.message());
  std::string Up;
  for (StringRef At = Absolute; !At.empty(); At = sys::path::parent_path(At)) {
    if (sys::fs::is_directory(At + "/series"))
      return Up + "series";
    Up += "../";
  }
  return inputError("no directory 'series' here or above: run inside the "
                    "workspace or give --series-dir");
}

Expected<Workspace> Workspace::find(StringRef SeriesDirectory,
                                    StringRef GitDirectory,
                                    StringRef OtherBase) {
  std::string Series = SeriesDirectory.rtrim('/').str();
  if (SeriesDirectory.empty()) {
    Expected<std::string> Found = findSeriesDirectory();
    if (!Found)
      return Found.takeError();
    Series = *Found;
  } else if (!sys::fs::is_directory(Series)) {
    return inputError(Series + ": no such directory");
  }
  std::string Git = GitDirectory.str();
  if (Git.empty()) {
    SmallString<256> Path(sys::path::parent_path(Series));
    sys::path::append(Path, "build", "linux.git");
    Git = Path.str().str();
  }
  return Workspace(Series, Git, OtherBase.str());
}

std::string Workspace::worktreesDirectory() const {
  SmallString<256> Path(sys::path::parent_path(Series));
  sys::path::append(Path, "build", "worktrees");
  return Path.str().str();
}

std::vector<std::string> Workspace::unfinishedDirectories() const {
  std::vector<std::string> Found;
  std::error_code Code;
  for (sys::fs::directory_iterator It(worktreesDirectory(), Code), End;
       It != End && !Code; It.increment(Code)) {
    StringRef Name = sys::path::filename(It->path());
    if (Name.starts_with(".") && Name.ends_with(".kseries-new"))
      Found.push_back(It->path());
  }
  return Found;
}

bool Workspace::hasQueue(StringRef Name) const {
  return !Name.empty() && !Name.starts_with(".") && !Name.contains('/') &&
         Pending->exists(pathOf(Name, "series"));
}

Expected<std::vector<std::string>> Workspace::queueNames() const {
  std::vector<std::string> Names;
  std::error_code Code;
  for (sys::fs::directory_iterator It(Series, Code), End; It != End && !Code;
       It.increment(Code)) {
    StringRef Name = sys::path::filename(It->path());
    if (hasQueue(Name))
      Names.push_back(Name.str());
  }
  if (Code)
    return inputError(Series + ": cannot list: " + Code.message());
  std::sort(Names.begin(), Names.end());
  // Cycles have no depth; whoever follows them says so.
  std::map<std::string, size_t> Depth;
  for (const std::string &Name : Names) {
    Expected<std::vector<std::string>> Below = chain(Name);
    Depth[Name] = Below ? Below->size() : 0;
    if (!Below)
      consumeError(Below.takeError());
  }
  std::stable_sort(Names.begin(), Names.end(),
                   [&](const std::string &A, const std::string &B) {
                     return Depth[A] < Depth[B];
                   });
  return Names;
}

Expected<std::string> Workspace::baseName(StringRef Queue) const {
  std::string Path = pathOf(Queue, "base");
  if (!Pending->exists(Path))
    return inputError(Path + ": missing: write there the revision or the queue "
                             "on which this queue stands");
  Expected<std::string> Text = Pending->read(Path);
  if (!Text)
    return Text.takeError();
  StringRef Base = StringRef(*Text).trim();
  if (Base.empty() || Base.find_first_of(" \t\r\n") != StringRef::npos)
    return inputError(Path + ": not one line with a revision or a queue");
  return OtherBase.empty() || hasQueue(Base) ? Base.str() : OtherBase;
}

Expected<std::vector<std::string>> Workspace::chain(StringRef Queue) const {
  if (!hasQueue(Queue))
    return inputError("no queue '" + Queue + "' in " + Series);
  std::vector<std::string> Chain = {Queue.str()};
  while (true) {
    Expected<std::string> Base = baseName(Chain.back());
    if (!Base)
      return Base.takeError();
    if (!hasQueue(*Base))
      break;
    bool Cycle = is_contained(Chain, *Base);
    Chain.push_back(*Base);
    if (Cycle)
      return inputError(Series + "/" + Queue +
                        "/base: the queues stand on each "
                        "other: " +
                        join(Chain, " -> "));
  }
  std::reverse(Chain.begin(), Chain.end());
  return Chain;
}

Expected<kgit::Oid> Workspace::baseCommit(const kgit::Repository &Repo,
                                          StringRef LowestQueue) const {
  Expected<std::string> Base = baseName(LowestQueue);
  if (!Base)
    return Base.takeError();
  Expected<std::optional<kgit::Commit>> Found = Repo.findCommit(*Base);
  if (!Found)
    return Found.takeError();
  if (!*Found && *Base == OtherBase)
    return inputError("--base: '" + *Base + "' is not a revision of " + Git);
  if (!*Found)
    return inputError(Series + "/" + LowestQueue + "/base: '" + *Base +
                      "' is neither a queue nor a revision of " + Git);
  return (*Found)->id();
}

} // namespace kseries
