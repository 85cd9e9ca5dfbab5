// SPDX-License-Identifier: GPL-2.0-only

#include "queue/Journal.h"
#include "git/RefTransaction.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "patch/PathName.h"
#include "queue/DurableFile.h"
#include "queue/QueueLock.h"
#include "queue/RecordLine.h"
#include "queue/TextFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <set>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace kseries {

static constexpr StringLiteral FirstLine = "kseries-journal 1";

static std::string preparedPath(const kgit::Repository &Repo) {
  return QueueLock::stateDirectory(Repo.path()) + "/prepared";
}

static std::string committedPath(const kgit::Repository &Repo) {
  return QueueLock::stateDirectory(Repo.path()) + "/committed";
}

std::string JournalFile::waiting() const {
  return (sys::path::parent_path(Path) + "/." + sys::path::filename(Path) +
          ".kseries-new")
      .str();
}

Expected<std::optional<kgit::Oid>> fileId(StringRef Path) {
  if (!sys::fs::exists(Path))
    return std::nullopt;
  Expected<std::string> Text = readTextFile(Path);
  if (!Text)
    return Text.takeError();
  Expected<kgit::Oid> Id = kgit::Oid::ofBlob(*Text);
  if (!Id)
    return Id.takeError();
  return *Id;
}

/// Names are always between quotes: a line must not end inside one.
static std::string printName(StringRef Name) {
  std::string Quoted = quotePath(Name);
  return StringRef(Quoted).starts_with("\"") ? Quoted : "\"" + Quoted + "\"";
}

static std::string printJournal(const Journal &ToPrint) {
  std::string Out = (FirstLine + "\n").str();
  for (const JournalFile &File : ToPrint.Files)
    Out += "file " + printId(File.Old) + " " + printId(File.New) + " " +
           printName(File.Path) + "\n";
  for (const std::string &Path : ToPrint.Directories)
    Out += "directory " + printName(Path) + "\n";
  for (const JournalRef &Ref : ToPrint.Refs)
    Out += "ref " + printId(Ref.Old) + " " + printId(Ref.New) + " " +
           printName(Ref.Name) + "\n";
  for (const WorktreeFiles &Worktree : ToPrint.Worktrees) {
    Out += "worktree " + printName(Worktree.Directory) + "\n";
    for (const WorktreeFile &File : Worktree.Files)
      Out += "checkout " + printId(File.Old) + " " + printId(File.New) + " " +
             printName(File.Path) + "\n";
  }
  for (const std::string &Path : ToPrint.Discards)
    Out += "discard " + printName(Path) + "\n";
  return Out + "end\n";
}

namespace {

class JournalParser {
public:
  JournalParser(StringRef Text, StringRef Path) : Lines(Text), Path(Path) {}

  Expected<Journal> parse();

private:
  Error fail() const {
    return inputError(Path + ":" + Twine(Lines.lineNumber()) +
                      ": damaged: look at what it names, set that right by "
                      "hand and remove it");
  }
  Error parseLine(StringRef Line, Journal &Into);

  LineReader Lines;
  StringRef Path;
};

Error JournalParser::parseLine(StringRef Line, Journal &Into) {
  StringRef Kind = takeField(Line);
  std::optional<kgit::Oid> Old, New;
  bool HasIds = Kind == "file" || Kind == "ref" || Kind == "checkout";
  if (HasIds && (!takeId(Line, Old) || !takeId(Line, New)))
    return fail();
  std::optional<std::string> Name = readName(Line);
  if (!Name || !Line.starts_with("\""))
    return fail();
  if (Kind == "file")
    Into.Files.push_back({*Name, Old, New});
  else if (Kind == "ref")
    Into.Refs.push_back({*Name, Old, New});
  else if (Kind == "directory")
    Into.Directories.push_back(*Name);
  else if (Kind == "worktree")
    Into.Worktrees.push_back({*Name, {}});
  else if (Kind == "checkout" && !Into.Worktrees.empty())
    Into.Worktrees.back().Files.push_back({*Name, Old, New});
  else if (Kind == "discard")
    Into.Discards.push_back(*Name);
  else
    return fail();
  return Error::success();
}

Expected<Journal> JournalParser::parse() {
  Journal Read;
  if (Lines.peek() != FirstLine)
    return fail();
  for (Lines.skip(); Lines.peek() != "end"; Lines.skip()) {
    if (Lines.atEnd())
      return fail();
    if (Error E = parseLine(Lines.peek(), Read))
      return E;
  }
  return Read;
}

} // namespace

static Expected<Journal> readJournal(StringRef Path) {
  Expected<std::string> Text = readTextFile(Path);
  if (!Text)
    return Text.takeError();
  return JournalParser(*Text, Path).parse();
}

Error Journal::prepare(const kgit::Repository &Repo) const {
  std::string Path = preparedPath(Repo);
  if (Error E = writeDurably(Path + ".new", printJournal(*this)))
    return joinErrors(std::move(E), removeFile(Path + ".new"));
  if (Error E = renameFile(Path + ".new", Path))
    return E;
  return syncDirectory(sys::path::parent_path(Path));
}

Error Journal::commit(const kgit::Repository &Repo) {
  std::string Prepared = preparedPath(Repo), Committed = committedPath(Repo);
  if (Error E = renameFile(Prepared, Committed))
    return E;
  if (Error E = syncDirectory(QueueLock::stateDirectory(Repo.path())))
    return joinErrors(std::move(E), renameFile(Committed, Prepared));
  return Error::success();
}

static Error endJournal(const std::string &Path) {
  if (Error E = removeFile(Path))
    return E;
  return syncDirectory(sys::path::parent_path(Path));
}

/// A killed process leaves the lock files of libgit2. Those of references are
/// empty or hold what was to be written; git itself has one in that state for
/// no longer than it takes to write a line.
static Error removeRefLock(const kgit::Repository &Repo,
                           const JournalRef &Ref) {
  std::string Path = Repo.path() + Ref.Name + ".lock";
  if (!sys::fs::exists(Path))
    return Error::success();
  Expected<std::string> Text = readTextFile(Path);
  if (!Text)
    return Text.takeError();
  StringRef Held = StringRef(*Text).trim();
  bool Ours = Held.empty() ||
              (Ref.New && StringRef(Ref.New->str()).starts_with(Held)) ||
              (Ref.Old && StringRef(Ref.Old->str()).starts_with(Held));
  return Ours ? removeFile(Path) : Error::success();
}

/// Nobody needs longer than this to rewrite the list of packed references.
static constexpr std::chrono::seconds LongestPacking{2};

static Error removePackedLock(const kgit::Repository &Repo) {
  std::string Path = Repo.path() + "packed-refs.lock";
  auto GiveUp = std::chrono::steady_clock::now() + LongestPacking;
  while (sys::fs::exists(Path)) {
    if (std::chrono::steady_clock::now() > GiveUp)
      return removeFile(Path);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return Error::success();
}

/// Whether undoing has to touch the reference. Those of patches are kseries'
/// own; a branch is its user's as soon as it is at a third place.
static bool mustRestore(const JournalRef &Ref,
                        const std::optional<kgit::Oid> &Now) {
  if (Now == Ref.Old)
    return false;
  return Now == Ref.New || StringRef(Ref.Name).starts_with("refs/patches/");
}

static Error restoreRef(const kgit::Repository &Repo, const JournalRef &Ref) {
  Expected<std::optional<kgit::Oid>> Now = Repo.refTarget(Ref.Name);
  if (!Now)
    return Now.takeError();
  if (!mustRestore(Ref, *Now))
    return Error::success();
  // Each on its own: on a full disk the room that one gives back is what the
  // next one needs.
  Expected<kgit::RefTransaction> Back = kgit::RefTransaction::begin(Repo);
  if (!Back)
    return Back.takeError();
  if (Error E = Ref.Old ? Back->set(Ref.Name, *Ref.Old, "kseries: undone")
                        : Back->remove(Ref.Name))
    return E;
  return Back->commit();
}

static Error breakLocks(const kgit::Repository &Repo,
                        ArrayRef<JournalRef> Refs) {
  for (const JournalRef &Ref : Refs)
    if (Error E = removeRefLock(Repo, Ref))
      return E;
  bool Removes = any_of(Refs, [](const JournalRef &Ref) { return !Ref.New; });
  return Removes ? removePackedLock(Repo) : Error::success();
}

Error Journal::undo(const kgit::Repository &Repo, Locks Found) const {
  for (const JournalFile &File : Files)
    if (Error E = removeFile(File.waiting()))
      return E;
  for (const WorktreeFiles &Worktree : Worktrees)
    if (Error E = Worktree.unstage())
      return E;
  // One that others have put something into stays.
  for (const std::string &Path : reverse(Directories))
    ::rmdir(Path.c_str());
  if (Found == Locks::Break)
    if (Error E = breakLocks(Repo, Refs))
      return E;
  for (bool New : {true, false})
    for (const JournalRef &Ref : Refs)
      if (New == !Ref.Old)
        if (Error E = restoreRef(Repo, Ref))
          return E;
  return endJournal(preparedPath(Repo));
}

/// Moves one file to its new state, whatever part of that was done before.
static Error finishFile(const JournalFile &File, raw_ostream &Err) {
  bool Waits = File.New && sys::fs::exists(File.waiting());
  if (File.New && !Waits)
    return Error::success();
  Expected<std::optional<kgit::Oid>> Now = fileId(File.Path);
  if (!Now)
    return Now.takeError();
  if (*Now && *Now != File.Old && *Now != File.New)
    if (Error E = keepEdited(File.Path, Err))
      return E;
  return Waits ? renameFile(File.waiting(), File.Path) : removeFile(File.Path);
}

Error Journal::finish(const kgit::Repository &Repo, raw_ostream &Err) const {
  std::set<std::string> Touched;
  for (const JournalFile &File : Files) {
    if (Error E = finishFile(File, Err))
      return E;
    Touched.insert(sys::path::parent_path(File.Path).str());
  }
  for (const std::string &Path : Touched)
    if (sys::fs::is_directory(Path))
      if (Error E = syncDirectory(Path))
        return E;
  for (const WorktreeFiles &Worktree : Worktrees)
    if (Error E = Worktree.finish(Err))
      return E;
  for (const std::string &Path : Discards)
    if (std::error_code Code =
            sys::fs::remove_directories(Path, /*IgnoreErrors=*/false))
      return inputError(Path + ": cannot remove: " + Code.message());
  return endJournal(committedPath(Repo));
}

bool needsRecovery(const kgit::Repository &Repo) {
  return sys::fs::exists(preparedPath(Repo)) ||
         sys::fs::exists(committedPath(Repo)) ||
         sys::fs::exists(QueueLock::scratchDirectory(Repo.path()));
}

Error recover(const kgit::Repository &Repo, raw_ostream &Err) {
  std::string Prepared = preparedPath(Repo), Committed = committedPath(Repo);
  if (sys::fs::exists(Committed)) {
    Expected<Journal> Left = readJournal(Committed);
    if (!Left)
      return Left.takeError();
    if (Error E = Left->finish(Repo, Err))
      return E;
    Err << "kseries: finished what an interrupted command had begun\n";
  }
  if (sys::fs::exists(Prepared)) {
    Expected<Journal> Left = readJournal(Prepared);
    if (!Left)
      return Left.takeError();
    if (Error E = Left->undo(Repo, Journal::Locks::Break))
      return E;
    Err << "kseries: undid what an interrupted command had begun\n";
  }
  return removeScratch(Repo);
}

Error removeScratch(const kgit::Repository &Repo) {
  std::string Path = QueueLock::scratchDirectory(Repo.path());
  if (std::error_code Code =
          sys::fs::remove_directories(Path, /*IgnoreErrors=*/false))
    return inputError(Path + ": cannot remove: " + Code.message());
  return Error::success();
}

} // namespace kseries
