// SPDX-License-Identifier: GPL-2.0-only

#include "rebase/ConflictReport.h"
#include "patch/HunkApply.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "patch/TreeDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kseries {

// What is longer is cut in the report; all of it is in the resolve directory.
static constexpr size_t LinesShown = 20;

namespace {

struct Clash {
  /// From 1, in the file of the new base.
  unsigned Line;
  std::vector<StringRef> Ours, Theirs;
};

/// The places between conflict markers. \p Text is ours but for them.
std::vector<Clash> findClashes(StringRef Text, const MergeLabels &Labels) {
  std::vector<Clash> Found;
  enum { Outside, InOurs, InTheirs } At = Outside;
  unsigned Line = 1;
  for (LineReader Lines(Text); !Lines.atEnd(); Lines.skip()) {
    StringRef This = Lines.peek();
    if (At == Outside && This == "<<<<<<< " + Labels.Ours) {
      At = InOurs;
      Found.push_back({Line, {}, {}});
    } else if (At == InOurs && This == "=======") {
      At = InTheirs;
    } else if (At == InTheirs && This == ">>>>>>> " + Labels.Theirs) {
      At = Outside;
    } else if (At == InTheirs) {
      Found.back().Theirs.push_back(This);
    } else {
      if (At == InOurs)
        Found.back().Ours.push_back(This);
      ++Line;
    }
  }
  return Found;
}

class Reporter {
public:
  Reporter(const kgit::Repository &Repo, const MoveRequest &Request,
           const StoppedAt &Stopped, StringRef OldName, raw_ostream &OS)
      : Repo(Repo), Request(Request), Stopped(Stopped), OldName(OldName),
        OS(OS), Labels{Request.NewName, Stopped.Patch->Entry.Name} {}

  Error report(const Conflict &Met);

private:
  Error reportHunks(const Conflict &Met);
  void place(unsigned Line);
  void side(StringRef Name, ArrayRef<StringRef> Lines);
  Expected<std::string> text(const std::optional<kgit::TreeEntry> &At) const;
  Expected<std::string> culprit(const Conflict &Met) const;
  std::string sentence(const Conflict &Met) const;

  const kgit::Repository &Repo;
  const MoveRequest &Request;
  const StoppedAt &Stopped;
  StringRef OldName;
  raw_ostream &OS;
  MergeLabels Labels;
};

Expected<std::string>
Reporter::text(const std::optional<kgit::TreeEntry> &At) const {
  if (!At || At->isSubmodule())
    return std::string();
  Expected<kgit::Blob> Content = Repo.blob(At->Id);
  if (!Content)
    return Content.takeError();
  return Content->content().str();
}

std::string Reporter::sentence(const Conflict &Met) const {
  std::string Path = quoteForMessage(Met.Path);
  std::string Old = quoteForMessage(Met.BasePath);
  std::string Theirs = quoteForMessage(Met.TheirsPath);
  const std::string &New = Request.NewName;
  switch (Met.Kind) {
  case ConflictKind::Content:
    return Path + " is changed both by the patch and in " + New;
  case ConflictKind::AddAdd:
    return Path + " is added both by the patch and in " + New;
  case ConflictKind::GoneInOurs:
    return Path + " is changed by the patch, and is not in " + New;
  case ConflictKind::GoneInTheirs:
    return Path + " is removed by the patch, and was changed in " + New;
  case ConflictKind::RenameRename:
    return Old + " is renamed to " + Theirs + " by the patch, and to " + Path +
           " in " + New;
  case ConflictKind::RenameDelete:
    return Met.Ours ? Old + " is removed by the patch, and was renamed to " +
                          Path + " in " + New
                    : Old + " is renamed to " + Path +
                          " by the patch, and is not in " + New;
  case ConflictKind::RenameAdd:
    return "the patch and " + New + " both have another file for the name " +
           Path;
  case ConflictKind::Type:
    return Path + " is not the same kind of file in the patch and in " + New;
  case ConflictKind::Directory:
    return Path + " is a file on one side and a directory on the other";
  }
  return Path;
}

void Reporter::place(unsigned Line) {
  OS << Stopped.Patch->Path;
  if (Line)
    OS << ':' << Line;
  OS << ": ";
}

void Reporter::side(StringRef Name, ArrayRef<StringRef> Lines) {
  OS << "    " << Name << (Lines.empty() ? " has nothing there\n" : ":\n");
  for (StringRef Line : Lines.take_front(LinesShown))
    OS << "      " << Line << '\n';
  if (Lines.size() > LinesShown)
    OS << "      (" << Lines.size() - LinesShown << " more lines)\n";
}

/// Which upstream change the patch met: the first version of the file that
/// does not take it.
Expected<std::string> Reporter::culprit(const Conflict &Met) const {
  std::string Whole =
      Request.NewName + ", which has no history since " + OldName.str();
  Expected<bool> IsKnown = Request.History.isKnown();
  if (!IsKnown)
    return IsKnown.takeError();
  if (!*IsKnown)
    return Whole;
  Expected<std::vector<FileVersion>> Versions =
      Request.History.versions(Met.Path);
  if (!Versions)
    return Versions.takeError();
  if (Versions->empty() && Met.BasePath != Met.Path) {
    Versions = Request.History.versions(Met.BasePath);
    if (!Versions)
      return Versions.takeError();
  }
  if (Versions->empty())
    return Request.NewName + " (no commit since " + OldName.str() +
           " changed the file)";
  Expected<std::string> Base = text(Met.Base);
  if (!Base)
    return Base.takeError();
  Expected<std::string> Theirs = text(Met.Theirs);
  if (!Theirs)
    return Theirs.takeError();
  kgit::Oid Blamed = Versions->back().Commit;
  for (const FileVersion &Version : *Versions) {
    Expected<std::string> Then = text(Version.Entry);
    if (!Then)
      return Then.takeError();
    Expected<MergedText> Merged = mergeText(*Base, *Then, *Theirs, Labels);
    if (!Merged)
      return Merged.takeError();
    bool Gone = !Version.Entry && Met.Kind != ConflictKind::Content;
    if (Gone || (Version.Entry && !Merged->Clean)) {
      Blamed = Version.Commit;
      break;
    }
  }
  Expected<std::string> Described = describeCommit(Repo, Blamed);
  if (!Described)
    return Described.takeError();
  return "commit " + *Described;
}

/// Tries the hunks one by one: those that do not merge alone are to blame.
Error Reporter::reportHunks(const Conflict &Met) {
  auto Files = diffTrees(Repo, Stopped.Base, Stopped.Theirs);
  if (!Files)
    return Files.takeError();
  auto File = find_if(*Files, [&](const FileDiff &F) {
    return F.NewPath == Met.TheirsPath || F.OldPath == Met.BasePath;
  });
  if (File == Files->end())
    return Error::success();
  // The patch file's own numbers, when it has the same hunks.
  const auto &Written = Stopped.Patch->Parsed.Files;
  auto InFile = find_if(Written, [&](const FileDiff &F) {
    return F.NewPath == File->NewPath && F.Hunks.size() == File->Hunks.size();
  });
  Expected<std::string> Base = text(Met.Base);
  if (!Base)
    return Base.takeError();
  Expected<std::string> Ours = text(Met.Ours);
  if (!Ours)
    return Ours.takeError();
  for (size_t I = 0; I < File->Hunks.size(); ++I) {
    Hunk Alone = File->Hunks[I];
    Alone.NewStart = Alone.OldStart;
    auto Changed = applyHunks(*Base, Alone);
    auto *Theirs = std::get_if<std::string>(&Changed);
    if (!Theirs)
      continue;
    Expected<MergedText> Merged = mergeText(*Base, *Ours, *Theirs, Labels);
    if (!Merged)
      return Merged.takeError();
    if (Merged->Clean)
      continue;
    for (const Clash &At : findClashes(Merged->Text, Labels)) {
      OS << "  ";
      place(InFile == Written.end() ? 0 : InFile->Hunks[I].PatchLine);
      OS << "hunk " << I + 1 << " of " << File->Hunks.size() << " meets line "
         << At.Line << " of " << quoteForMessage(Met.Path) << '\n';
      side(Labels.Ours, At.Ours);
      side("the patch", At.Theirs);
    }
  }
  return Error::success();
}

Error Reporter::report(const Conflict &Met) {
  place(0);
  OS << sentence(Met) << '\n';
  bool HasLines = Met.Kind == ConflictKind::Content && Met.Text &&
                  hasConflictMarkers(*Met.Text);
  if (HasLines)
    if (Error E = reportHunks(Met))
      return E;
  Expected<std::string> By = culprit(Met);
  if (!By)
    return By.takeError();
  OS << "  changed by " << *By << '\n';
  return Error::success();
}

} // namespace

Error reportConflicts(const kgit::Repository &Repo, const MoveRequest &Request,
                      const StoppedAt &Stopped, StringRef OldName,
                      raw_ostream &OS) {
  Reporter Report(Repo, Request, Stopped, OldName, OS);
  for (const Conflict &Met : Stopped.Conflicts)
    if (Error E = Report.report(Met))
      return E;
  return Error::success();
}

} // namespace kseries
