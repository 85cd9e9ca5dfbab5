// SPDX-License-Identifier: GPL-2.0-only

#include "queue/Transaction.h"
#include "git/RefTransaction.h"
#include "patch/PatchError.h"
#include "queue/DurableFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;

namespace kseries {

static Error recoverAll(const Workspace &Where, const kgit::Repository &Repo,
                        raw_ostream &Err) {
  for (const std::string &Path : Where.unfinishedDirectories())
    if (std::error_code Code =
            sys::fs::remove_directories(Path, /*IgnoreErrors=*/false))
      return inputError(Path + ": cannot remove: " + Code.message());
  return recover(Repo, Err);
}

Expected<Transaction> Transaction::begin(const Workspace &Where,
                                         StringRef Command, raw_ostream &Err) {
  Expected<kgit::Repository> Repo =
      kgit::Repository::open(Where.gitDirectory());
  if (!Repo)
    return Repo.takeError();
  Expected<QueueLock> Lock = QueueLock::exclusive(Repo->path());
  if (!Lock)
    return Lock.takeError();
  if (Error E = recoverAll(Where, *Repo, Err))
    return E;
  return Transaction(std::move(*Lock), std::move(*Repo), Command.str(), Err);
}

Expected<QueueLock> settle(const Workspace &Where, raw_ostream &Err) {
  Expected<kgit::Repository> Repo =
      kgit::Repository::open(Where.gitDirectory());
  if (!Repo) {
    consumeError(Repo.takeError());
    return QueueLock::shared(Where.gitDirectory());
  }
  Expected<QueueLock> Lock = QueueLock::shared(Repo->path());
  if (!Lock || (!needsRecovery(*Repo) && Where.unfinishedDirectories().empty()))
    return Lock;
  {
    QueueLock LetGo = std::move(*Lock);
  }
  {
    Expected<QueueLock> Alone = QueueLock::exclusive(Repo->path());
    if (!Alone)
      return Alone.takeError();
    if (Error E = recoverAll(Where, *Repo, Err))
      return E;
  }
  return QueueLock::shared(Repo->path());
}

Error Transaction::noteOld(StringRef Path) {
  if (OldFiles.find(Path) != OldFiles.end())
    return Error::success();
  Expected<std::optional<kgit::Oid>> Old = fileId(Path);
  if (!Old)
    return Old.takeError();
  OldFiles.emplace(Path.str(), *Old);
  return Error::success();
}

Error Transaction::write(StringRef Path, std::string Text) {
  if (Error E = noteOld(Path))
    return E;
  Pending->write(Path, std::move(Text));
  return Error::success();
}

Error Transaction::remove(StringRef Path) {
  if (Error E = noteOld(Path))
    return E;
  Pending->remove(Path);
  return Error::success();
}

void Transaction::discard(StringRef Directory) {
  Discards.push_back(Directory.str());
}

void Transaction::checkout(const std::string &Directory, StringRef Path,
                           const std::optional<kgit::Oid> &Old,
                           std::optional<DiskFile> New) {
  Checkout &Into = Checkouts[Directory];
  Into.Files.Directory = Directory;
  Into.Files.Files.push_back({Path.str(), Old, {}});
  Into.New.push_back(std::move(New));
}

Transaction::Scratch::~Scratch() { sys::fs::remove_directories(Path); }

Expected<std::string> Transaction::scratch() {
  if (Made)
    return Made->Path;
  std::string Path = QueueLock::scratchDirectory(Repo.path());
  if (std::error_code Code = sys::fs::create_directory(Path))
    return inputError(Path + ": cannot create: " + Code.message());
  Made = std::make_unique<Scratch>(Path);
  return Path;
}

void Transaction::setRef(StringRef Name, const std::optional<kgit::Oid> &Old,
                         const std::optional<kgit::Oid> &New) {
  // Of several moves the first knows where the reference is now.
  auto [Entry, IsNew] = Refs.try_emplace(Name.str());
  if (IsNew)
    Entry->second = {Name.str(), Old, New};
  else
    Entry->second.New = New;
}

static std::string absolute(StringRef Path) {
  SmallString<256> Whole(Path);
  if (sys::fs::make_absolute(Whole))
    return Path.str();
  sys::path::remove_dots(Whole);
  return Whole.str().str();
}

/// The directories that are missing above \p Path, the highest first.
static void addMissing(StringRef Path, std::vector<std::string> &To) {
  StringRef Parent = sys::path::parent_path(Path);
  if (Parent.empty() || sys::fs::exists(Parent) || is_contained(To, Parent))
    return;
  addMissing(Parent, To);
  To.push_back(Parent.str());
}

Expected<Journal> Transaction::plan() const {
  Journal Plan;
  for (const auto &[Path, Text] : Pending->changes()) {
    JournalFile File{absolute(Path), OldFiles.find(Path)->second, {}};
    if (Text) {
      Expected<kgit::Oid> New = kgit::Oid::ofBlob(*Text);
      if (!New)
        return New.takeError();
      File.New = *New;
    }
    if (File.Old == File.New)
      continue;
    if (File.New)
      addMissing(File.Path, Plan.Directories);
    Plan.Files.push_back(std::move(File));
  }
  for (const auto &[Name, Ref] : Refs)
    if (Ref.Old != Ref.New)
      Plan.Refs.push_back(Ref);
  for (const auto &[Directory, Change] : Checkouts) {
    WorktreeFiles Files = Change.Files;
    for (size_t I = 0; I < Files.Files.size(); ++I) {
      if (!Change.New[I])
        continue;
      Expected<kgit::Oid> New = kgit::Oid::ofBlob(Change.New[I]->Content);
      if (!New)
        return New.takeError();
      Files.Files[I].New = *New;
    }
    Plan.Worktrees.push_back(std::move(Files));
  }
  for (const std::string &Path : Discards)
    if (sys::fs::exists(Path))
      Plan.Discards.push_back(absolute(Path));
  return Plan;
}

static bool isEmpty(const Journal &Plan) {
  return Plan.Files.empty() && Plan.Refs.empty() && Plan.Worktrees.empty() &&
         Plan.Discards.empty();
}

bool Transaction::changesNothing() const {
  Expected<Journal> Plan = plan();
  if (Plan)
    return isEmpty(*Plan);
  consumeError(Plan.takeError());
  return false;
}

Error Transaction::writeWaiting(const Journal &Plan) const {
  for (const std::string &Path : Plan.Directories) {
    if (std::error_code Code = sys::fs::create_directory(Path))
      return inputError(Path + ": cannot create: " + Code.message());
    if (Error E = syncDirectory(sys::path::parent_path(Path)))
      return E;
  }
  std::map<std::string, const std::string *> Texts;
  for (const auto &[Path, Text] : Pending->changes())
    if (Text)
      Texts[absolute(Path)] = &*Text;
  std::set<std::string> Touched;
  for (const JournalFile &File : Plan.Files) {
    if (!File.New)
      continue;
    // The permissions of a file are its owner's choice.
    ErrorOr<sys::fs::perms> Old = sys::fs::getPermissions(File.Path);
    if (Error E = writeDurably(File.waiting(), *Texts[File.Path]))
      return E;
    if (Old)
      if (std::error_code Code = sys::fs::setPermissions(File.waiting(), *Old))
        return inputError(File.waiting() +
                          ": cannot set permissions: " + Code.message());
    Touched.insert(sys::path::parent_path(File.Path).str());
  }
  for (const std::string &Path : Touched)
    if (Error E = syncDirectory(Path))
      return E;
  for (const WorktreeFiles &Worktree : Plan.Worktrees)
    if (Error E =
            Worktree.stage(Checkouts.find(Worktree.Directory)->second.New))
      return E;
  return Error::success();
}

static Error checkFiles(const Journal &Plan) {
  for (const JournalFile &File : Plan.Files) {
    Expected<std::optional<kgit::Oid>> Now = fileId(File.Path);
    if (!Now)
      return Now.takeError();
    if (*Now != File.Old)
      return inputError(File.Path +
                        ": edited meanwhile, nothing was changed: try again");
  }
  for (const WorktreeFiles &Worktree : Plan.Worktrees)
    if (Error E = Worktree.checkUnchanged())
      return E;
  return Error::success();
}

Error Transaction::moveRefs(const Journal &Plan, bool &Moved) const {
  if (Plan.Refs.empty())
    return Error::success();
  Expected<kgit::RefTransaction> Moves = kgit::RefTransaction::begin(Repo);
  if (!Moves)
    return Moves.takeError();
  for (const JournalRef &Ref : Plan.Refs)
    if (Error E = Ref.New ? Moves->set(Ref.Name, *Ref.New, "kseries " + Command)
                          : Moves->remove(Ref.Name))
      return E;
  // All are locked: what they say now they say until the end.
  for (const JournalRef &Ref : Plan.Refs) {
    Expected<std::optional<kgit::Oid>> Now = Repo.refTarget(Ref.Name);
    if (!Now)
      return Now.takeError();
    if (*Now != Ref.Old)
      return inputError(Ref.Name +
                        ": moved meanwhile, nothing was changed: try again");
  }
  Moved = true;
  return Moves->commit();
}

Error Transaction::commit(kgit::Repository &Objects) {
  Expected<Journal> Plan = plan();
  if (!Plan)
    return Plan.takeError();
  if (isEmpty(*Plan))
    return Error::success();
  if (Error E = checkFiles(*Plan))
    return E;
  for (const WorktreeFiles &Worktree : Plan->Worktrees)
    if (Error E = Worktree.checkRoom())
      return E;
  // Commits that nothing names yet disturb nobody.
  if (Error E = Objects.flushWrites())
    return E;
  if (Error E = Plan->prepare(Repo))
    return E;
  bool RefsMoved = false;
  auto Attempt = [&]() -> Error {
    if (Error E = writeWaiting(*Plan))
      return E;
    if (Error E = moveRefs(*Plan, RefsMoved))
      return E;
    if (Error E = checkFiles(*Plan))
      return E;
    return Journal::commit(Repo);
  };
  if (Error E = Attempt()) {
    // Where they are otherwise than expected, somebody else put them there.
    if (!RefsMoved)
      Plan->Refs.clear();
    if (Error Undo = Plan->undo(Repo, Journal::Locks::Keep)) {
      consumeError(std::move(E));
      return inputError(toString(std::move(Undo)) +
                        "; the next kseries command takes up from here");
    }
    return E;
  }
  if (Error E = Plan->finish(Repo, Err))
    return inputError(toString(std::move(E)) +
                      "; the next kseries command takes up from here");
  return Error::success();
}

} // namespace kseries
