// SPDX-License-Identifier: GPL-2.0-only

#include "rebase/ResolveDirectory.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "queue/DurableFile.h"
#include "queue/TextFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

using namespace llvm;

namespace kseries {

static constexpr StringLiteral Prefix = "resolve-";
// What a rebase of all queues is called.
static constexpr StringLiteral AllQueues = "all";
static constexpr StringLiteral FirstLine = "kseries-rebase 1";

static StringRef stem(StringRef Queue) {
  return Queue.empty() ? StringRef(AllQueues) : Queue;
}

ResolveDirectory::ResolveDirectory(const Workspace &Where, StringRef Queue)
    : Path((Where.worktreesDirectory() + "/" + Prefix + stem(Queue)).str()),
      Making(Where.worktreesDirectory() + "/" +
             Workspace::unfinishedName((Prefix + stem(Queue)).str())) {}

bool ResolveDirectory::exists() const { return sys::fs::is_directory(Path); }

Expected<std::vector<std::string>>
ResolveDirectory::list(const Workspace &Where) {
  std::vector<std::string> Found;
  std::error_code Code;
  for (sys::fs::directory_iterator It(Where.worktreesDirectory(), Code), End;
       It != End && !Code; It.increment(Code)) {
    StringRef Name = sys::path::filename(It->path());
    if (Name.consume_front(Prefix))
      Found.push_back(Name == AllQueues ? "" : Name.str());
  }
  if (Code && Code != std::errc::no_such_file_or_directory)
    return inputError(Where.worktreesDirectory() +
                      ": cannot list: " + Code.message());
  std::sort(Found.begin(), Found.end());
  return Found;
}

static Error writeFile(const Twine &Path, StringRef Text, bool Executable) {
  std::string Name = Path.str();
  if (std::error_code Code =
          sys::fs::create_directories(sys::path::parent_path(Name)))
    return inputError(Name + ": cannot create: " + Code.message());
  return writeDurably(Name, Text, Executable ? 0777 : 0666);
}

static Error writeVersion(const kgit::Repository &Repo, const Twine &Path,
                          const std::optional<kgit::TreeEntry> &Entry) {
  if (!Entry || Entry->isSubmodule())
    return Error::success();
  Expected<kgit::Blob> Content = Repo.blob(Entry->Id);
  if (!Content)
    return Content.takeError();
  return writeFile(Path, Content->content(),
                   Entry->Mode == GIT_FILEMODE_BLOB_EXECUTABLE);
}

static std::string printState(const WaitingRebase &State) {
  std::string Out = (FirstLine + "\nonto " + State.Onto + "\nstopped " +
                     State.Queue + " " + State.PatchFile + "\n")
                        .str();
  for (const std::string &Queue : State.Queues)
    Out += "queue " + Queue + "\n";
  if (State.DropUpstream)
    Out += "drop-upstream\n";
  for (const std::string &Key : State.Conflicts)
    Out += "conflict " + Key + "\n";
  return Out;
}

Error ResolveDirectory::fill(const kgit::Repository &Repo,
                             const WaitingRebase &State,
                             const StoppedAt &Stopped, StringRef Into) const {
  // What merged beside the conflicts, so that the patch can be seen whole.
  for (const auto &[File, Entry] : Stopped.Merged)
    if (Error E = writeVersion(Repo, Into + "/" + File, Entry))
      return E;
  for (const Conflict &Met : Stopped.Conflicts) {
    const auto &Start = Met.Ours ? Met.Ours : Met.Theirs;
    bool Executable = Start && Start->Mode == GIT_FILEMODE_BLOB_EXECUTABLE;
    if (Met.Text)
      if (Error E = writeFile(Into + "/" + Met.Path, *Met.Text, Executable))
        return E;
    std::pair<StringRef, const std::optional<kgit::TreeEntry> *> Versions[] = {
        {"base", &Met.Base}, {"ours", &Met.Ours}, {"theirs", &Met.Theirs}};
    for (auto [Name, Entry] : Versions)
      if (Error E = writeVersion(
              Repo, Into + "/.kseries/" + Name + "/" + Met.Path, *Entry))
        return E;
  }
  for (const auto &[Queue, Made] : State.Resolved)
    if (!Made.empty())
      if (Error E = writeFile(Into + "/.kseries/resolutions/" + Queue,
                              Made.text(), false))
        return E;
  return writeFile(Into + "/.kseries/rebase", printState(State), false);
}

Error ResolveDirectory::write(const kgit::Repository &Repo,
                              const WaitingRebase &State,
                              const StoppedAt &Stopped) const {
  sys::fs::remove_directories(Making);
  Error Failed = fill(Repo, State, Stopped, Making);
  if (!Failed) {
    // With something there the two change places, and what was goes.
    unsigned How = exists() ? RENAME_EXCHANGE : 0;
    if (::renameat2(AT_FDCWD, Making.c_str(), AT_FDCWD, Path.c_str(), How))
      Failed = inputError(Path + ": cannot create: " + std::strerror(errno));
  }
  sys::fs::remove_directories(Making);
  return Failed;
}

Expected<WaitingRebase> ResolveDirectory::read() const {
  std::string Name = Path + "/.kseries/rebase";
  Expected<std::string> Text = readTextFile(Name);
  if (!Text)
    return Text.takeError();
  WaitingRebase State;
  LineReader Lines(*Text);
  if (Lines.next() != FirstLine)
    return inputError(Name + ": damaged: remove " + Path);
  for (; !Lines.atEnd(); Lines.skip()) {
    auto [Key, Value] = Lines.peek().split(' ');
    if (Key == "onto")
      State.Onto = Value.str();
    else if (Key == "queue")
      State.Queues.push_back(Value.str());
    else if (Key == "drop-upstream")
      State.DropUpstream = true;
    else if (Key == "conflict")
      State.Conflicts.push_back(Value.str());
    else if (Key == "stopped")
      std::tie(State.Queue, State.PatchFile) =
          std::pair<std::string, std::string>(Value.split(' '));
    else
      return inputError(Name + ":" + Twine(Lines.lineNumber()) +
                        ": damaged: remove " + Path);
  }
  std::error_code Code;
  std::string Made = Path + "/.kseries/resolutions";
  for (sys::fs::directory_iterator It(Made, Code), End; It != End && !Code;
       It.increment(Code)) {
    Expected<std::string> Resolved = readTextFile(It->path());
    if (!Resolved)
      return Resolved.takeError();
    Expected<Resolutions> Parsed = Resolutions::parse(*Resolved, It->path());
    if (!Parsed)
      return Parsed.takeError();
    State.Resolved.insert_or_assign(sys::path::filename(It->path()).str(),
                                    std::move(*Parsed));
  }
  return State;
}

Expected<std::optional<std::optional<kgit::TreeEntry>>>
ResolveDirectory::result(const kgit::Repository &Repo,
                         const Conflict &Of) const {
  using Answer = std::optional<std::optional<kgit::TreeEntry>>;
  std::string Name = Path + "/" + Of.Path;
  struct ::stat Status;
  if (::lstat(Name.c_str(), &Status))
    return Answer(std::optional<kgit::TreeEntry>());
  if (!S_ISREG(Status.st_mode))
    return inputError(Name + ": not a file");
  Expected<std::string> Text = readTextFile(Name);
  if (!Text)
    return Text.takeError();
  if (hasConflictMarkers(*Text))
    return Answer();
  Expected<kgit::Oid> Id = Repo.writeBlob(*Text);
  if (!Id)
    return Id.takeError();
  const auto &Start = Of.Ours ? Of.Ours : Of.Theirs;
  uint32_t Mode = Status.st_mode & S_IXUSR
                      ? uint32_t(GIT_FILEMODE_BLOB_EXECUTABLE)
                      : uint32_t(GIT_FILEMODE_BLOB);
  // A symbolic link is edited as a file that holds its target.
  if (Start && Start->isSymlink())
    Mode = GIT_FILEMODE_LINK;
  return Answer(kgit::TreeEntry{*Id, Mode});
}

} // namespace kseries
