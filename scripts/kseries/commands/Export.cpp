// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Applier.h"
#include "commands/BranchMatch.h"
#include "commands/Commands.h"
#include "git/Identity.h"
#include "patch/PatchError.h"
#include "patch/PatchParser.h"
#include "patch/PatchPrinter.h"
#include "patch/TreeApply.h"
#include "patch/TreeDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;

namespace kseries {

namespace {

/// A patch file to write.
struct Rewrite {
  std::string PatchFile;
  std::string Text;
};

class Exporter {
public:
  Exporter(kgit::Repository &Repo, const Queue &Files, AppliedQueue Applied,
           kgit::Signature Self)
      : Repo(Repo), Files(Files), Applied(std::move(Applied)),
        Self(std::move(Self)) {}

  /// Finds out what has to be written; fails before anything is.
  Error plan();
  Error write(Transaction &Change) const;
  void report(raw_ostream &OS) const;

  bool changesNothing() const {
    return Rewrites.empty() && Dropped.empty() && !SeriesChanged;
  }

private:
  Error planCommit(const BranchCommit &At);
  Error planDropped(ArrayRef<BranchCommit> Branch);
  void planSeries(ArrayRef<BranchCommit> Branch);

  Expected<bool> says(const Patch &File, StringRef Path,
                      const kgit::Commit &Commit,
                      const std::optional<kgit::Commit> &Recorded) const;
  Expected<Patch> makePatch(const kgit::Commit &Commit,
                            const std::optional<kgit::Commit> &Recorded,
                            const QueuePatch *Old) const;
  Error addRewrite(const BranchCommit &At, const kgit::Commit &Commit,
                   const std::optional<kgit::Commit> &Recorded,
                   const QueuePatch *Old);
  Expected<std::optional<kgit::Commit>> recorded(StringRef PatchFile) const;
  bool isSelf(const kgit::Signature &Author) const {
    return Author.samePerson(Self) || Author.samePerson(placeholderIdentity());
  }

  kgit::Repository &Repo;
  const Queue &Files;
  AppliedQueue Applied;
  kgit::Signature Self;
  std::vector<Rewrite> Rewrites;
  std::vector<std::string> Dropped;
  std::vector<std::string> NewOrder;
  bool SeriesChanged = false;
};

Expected<std::optional<kgit::Commit>>
Exporter::recorded(StringRef PatchFile) const {
  auto Found = Applied.Patches.find(PatchFile.str());
  if (Found == Applied.Patches.end())
    return std::nullopt;
  Expected<kgit::Commit> Commit = Repo.commit(Found->second);
  if (!Commit)
    return Commit.takeError();
  return std::move(*Commit);
}

/// The tree on which a commit of the branch stands.
Expected<kgit::Oid> parentTree(const kgit::Repository &Repo,
                               const kgit::Commit &Commit) {
  Expected<kgit::Commit> Parent = Repo.commit(Commit.parents().front());
  if (!Parent)
    return Parent.takeError();
  return Parent->treeId();
}

/// Whether the file says what the commit does: the same author and message,
/// and the same tree when applied to the commit's parent. Index lines, offsets
/// and the form of the file do not matter.
Expected<bool>
Exporter::says(const Patch &File, StringRef Path, const kgit::Commit &Commit,
               const std::optional<kgit::Commit> &Recorded) const {
  Patch Wanted;
  setMessage(Wanted, Commit.message());
  Patch Given;
  setMessage(Given, File.commitMessage());
  if (Wanted.Subject != Given.Subject || Wanted.Body != Given.Body)
    return false;
  kgit::Signature Author = Commit.author();
  bool SameAuthor =
      File.From ? *File.From == Person{Author.Name, Author.Email}
                : isSelf(Author) ||
                      (Recorded && Author.samePerson(Recorded->author()));
  if (!SameAuthor)
    return false;
  Expected<kgit::Oid> Parent = parentTree(Repo, Commit);
  if (!Parent)
    return Parent.takeError();
  Expected<kgit::Oid> Tree = applyPatch(Repo, *Parent, File, Path);
  if (!Tree) {
    Error Other = handleErrors(Tree.takeError(), [](const PatchError &) {});
    if (Other)
      return std::move(Other);
    return false;
  }
  return *Tree == Commit.treeId();
}

Expected<Patch> Exporter::makePatch(const kgit::Commit &Commit,
                                    const std::optional<kgit::Commit> &Recorded,
                                    const QueuePatch *Old) const {
  Patch Made;
  setMessage(Made, Commit.message());
  kgit::Signature Author = Commit.author();
  if (Recorded && Author.samePerson(Recorded->author()) && Old)
    Made.From = Old->Parsed.From;
  else if (!isSelf(Author) && !Author.samePerson(Commit.committer()))
    Made.From = Person{Author.Name, Author.Email};
  if (Old)
    Made.Notes = Old->Parsed.Notes;
  Expected<kgit::Oid> Parent = parentTree(Repo, Commit);
  if (!Parent)
    return Parent.takeError();
  Expected<std::vector<FileDiff>> Diffs =
      diffTrees(Repo, *Parent, Commit.treeId());
  if (!Diffs)
    return Diffs.takeError();
  if (Diffs->empty())
    return inputError("commit " + Commit.id().str(12) + " (" + Made.Subject +
                      ") changes no file: drop it from the branch");
  Made.Files = std::move(*Diffs);
  return Made;
}

Error Exporter::addRewrite(const BranchCommit &At, const kgit::Commit &Commit,
                           const std::optional<kgit::Commit> &Recorded,
                           const QueuePatch *Old) {
  Expected<Patch> Made = makePatch(Commit, Recorded, Old);
  if (!Made)
    return Made.takeError();
  std::string Text = printPatch(*Made);
  // What was printed is read back: a message with "---" in it, for one, would
  // be cut there by everyone who takes the patch.
  Expected<Patch> Read = parsePatch(Text, At.PatchFile);
  Expected<bool> Same = Read ? says(*Read, At.PatchFile, Commit, Recorded)
                             : Expected<bool>(Read.takeError());
  if (!Same)
    return Same.takeError();
  if (!*Same)
    return inputError("commit " + Commit.id().str(12) + " (" + Made->Subject +
                      ") cannot be written as a patch: its message holds a "
                      "line that ends a message, such as '---'");
  Rewrites.push_back({At.PatchFile, std::move(Text)});
  return Error::success();
}

Error Exporter::planCommit(const BranchCommit &At) {
  Expected<std::optional<kgit::Commit>> Recorded = recorded(At.PatchFile);
  if (!Recorded)
    return Recorded.takeError();
  if (*Recorded && (*Recorded)->id() == At.Commit)
    return Error::success();
  Expected<kgit::Commit> Commit = Repo.commit(At.Commit);
  if (!Commit)
    return Commit.takeError();
  const QueuePatch *Old = Files.find(At.PatchFile);
  if (!Old && !*Recorded)
    return addRewrite(At, *Commit, *Recorded, nullptr);
  if (Old) {
    Expected<bool> Same = says(Old->Parsed, Old->Path, *Commit, *Recorded);
    if (!Same)
      return Same.takeError();
    if (*Same)
      return Error::success();
    Expected<bool> Untouched =
        *Recorded ? says(Old->Parsed, Old->Path, **Recorded, *Recorded)
                  : Expected<bool>(false);
    if (!Untouched)
      return Untouched.takeError();
    if (*Untouched)
      return addRewrite(At, *Commit, *Recorded, Old);
  }
  return inputError(
      Files.Directory + "/" + At.PatchFile +
      ": changed both in the queue and on the branch, by commit " +
      At.Commit.str(12) + ": take one of them back");
}

/// What apply once put on the branch and is there no more. The file goes with
/// it unless someone has worked on it.
Error Exporter::planDropped(ArrayRef<BranchCommit> Branch) {
  for (const PatchCommit &Patch : Applied.Order) {
    bool OnBranch = any_of(Branch, [&](const BranchCommit &At) {
      return At.PatchFile == Patch.PatchFile;
    });
    const QueuePatch *Old = Files.find(Patch.PatchFile);
    if (OnBranch || !Old)
      continue;
    Expected<std::optional<kgit::Commit>> Recorded = recorded(Patch.PatchFile);
    if (!Recorded)
      return Recorded.takeError();
    Expected<bool> Untouched =
        says(Old->Parsed, Old->Path, **Recorded, *Recorded);
    if (!Untouched)
      return Untouched.takeError();
    if (!*Untouched)
      return inputError(Old->Path + ": changed in the queue but dropped from "
                                    "the branch: take one of them back");
    Dropped.push_back(Patch.PatchFile);
  }
  return Error::success();
}

/// The order of the branch; a patch that was never applied stays behind the
/// one that it stands behind now.
void Exporter::planSeries(ArrayRef<BranchCommit> Branch) {
  for (const BranchCommit &At : Branch) {
    bool RemovedByUser =
        Applied.Patches.count(At.PatchFile) && !Files.find(At.PatchFile);
    if (!RemovedByUser)
      NewOrder.push_back(At.PatchFile);
  }
  std::string Before;
  std::vector<std::string> OldOrder;
  for (const QueuePatch &Patch : Files.Patches) {
    const std::string &Name = Patch.Entry.Name;
    OldOrder.push_back(Name);
    if (!Applied.Patches.count(Name)) {
      auto Place = find(NewOrder, Before);
      NewOrder.insert(Place == NewOrder.end() ? NewOrder.begin() : Place + 1,
                      Name);
    }
    Before = Name;
  }
  // Diffs are written with one leading directory, whatever they had before.
  SeriesChanged =
      NewOrder != OldOrder || any_of(Rewrites, [&](const Rewrite &R) {
        const QueuePatch *Old = Files.find(R.PatchFile);
        return Old && Old->Entry.Strip != 1;
      });
}

Error Exporter::plan() {
  if (!Applied.Branch)
    return inputError("queue " + Files.Name +
                      " is not applied: there is no "
                      "branch series/" +
                      Files.Name);
  if (Applied.Order.empty())
    return inputError(
        "branch series/" + Files.Name +
        " was not made by "
        "kseries apply: nothing says which commit is which patch");
  std::set<std::string> Taken;
  for (const QueuePatch &Patch : Files.Patches)
    Taken.insert(Patch.Entry.Name);
  Expected<std::vector<BranchCommit>> Branch =
      matchBranch(Repo, Applied, std::move(Taken));
  if (!Branch)
    return Branch.takeError();
  for (const BranchCommit &At : *Branch)
    if (Error E = planCommit(At))
      return E;
  if (Error E = planDropped(*Branch))
    return E;
  planSeries(*Branch);
  if (NewOrder.empty())
    return inputError("no patch is left on branch series/" + Files.Name +
                      ": remove the queue by hand if that is meant");
  return Error::success();
}

Error Exporter::write(Transaction &Change) const {
  for (const Rewrite &File : Rewrites)
    if (Error E =
            Change.write(Files.Directory + "/" + File.PatchFile, File.Text))
      return E;
  std::set<std::string> Rewritten;
  for (const Rewrite &File : Rewrites)
    Rewritten.insert(File.PatchFile);
  if (SeriesChanged)
    if (Error E = Change.write(Files.Directory + "/series",
                               Files.Series.withPatches(NewOrder, Rewritten)))
      return E;
  for (const std::string &Name : Dropped)
    if (Error E = Change.remove(Files.Directory + "/" + Name))
      return E;
  return Error::success();
}

void Exporter::report(raw_ostream &OS) const {
  if (changesNothing())
    OS << Files.Name << ": nothing to export\n";
  for (const Rewrite &File : Rewrites)
    OS << Files.Directory << '/' << File.PatchFile
       << (Files.find(File.PatchFile) ? ": changed\n" : ": new\n");
  for (const std::string &Name : Dropped)
    OS << Files.Directory << '/' << Name << ": dropped\n";
  if (SeriesChanged)
    OS << Files.Directory << "/series: changed\n";
}

} // namespace

Expected<int> exportQueue(const Workspace &Where, StringRef Name, Streams To) {
  if (!Where.hasQueue(Name))
    return inputError("no queue '" + Name + "' in " + Where.seriesDirectory());
  Expected<Transaction> Change = Transaction::begin(Where, "export", To.Err);
  if (!Change)
    return Change.takeError();
  Workspace Pending = Where.with(Change->files());
  Expected<QueueStack> Stack = QueueStack::open(Pending);
  if (!Stack)
    return Stack.takeError();
  kgit::Repository &Repo = Stack->repository();
  Expected<Queue> Files = loadQueue(Where, Name);
  if (!Files)
    return Files.takeError();
  Expected<AppliedQueue> Applied = readApplied(Repo, Name);
  if (!Applied)
    return Applied.takeError();
  Expected<kgit::Signature> Self = committerFor(Where.seriesDirectory());
  if (!Self)
    return Self.takeError();
  Exporter Export(Repo, *Files, std::move(*Applied), std::move(*Self));
  if (Error E = Export.plan())
    return E;
  if (Error E = Export.write(*Change))
    return E;
  // Put the references on the commits that the files make, so that the next
  // export starts from there.
  Applier Apply(Pending, *Stack, /*Force=*/true);
  if (Error E = Apply.plan(Name))
    return E;
  if (Error E = Apply.record(*Change))
    return E;
  if (Error E = Change->commit(Repo))
    return E;
  Export.report(To.Out);
  Apply.report(To.Out);
  return 0;
}

} // namespace kseries
