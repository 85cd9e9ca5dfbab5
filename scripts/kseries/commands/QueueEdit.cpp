// SPDX-License-Identifier: GPL-2.0-only

#include "commands/QueueEdit.h"
#include "patch/PatchError.h"
#include "patch/PatchParser.h"
#include "patch/PatchPrinter.h"
#include "patch/TreeApply.h"
#include "patch/TreeDiff.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

char EditConflict::ID = 0;

static Error conflict(const Twine &Message) {
  return make_error<EditConflict>((Message + ": nothing was changed").str());
}

static Expected<kgit::Oid> treeOf(const kgit::Repository &Repo,
                                  const kgit::Oid &Id) {
  Expected<kgit::Commit> Commit = Repo.commit(Id);
  if (!Commit)
    return Commit.takeError();
  return Commit->treeId();
}

static Error movedByHand(StringRef Queue) {
  return inputError("branch series/" + Queue +
                    " was changed by hand: run 'kseries export " + Queue +
                    "' to keep that, or apply --force to lose it");
}

Expected<QueueEdit> QueueEdit::open(const Workspace &Where, Transaction &Change,
                                    StringRef Name) {
  if (!Where.hasQueue(Name))
    return inputError("no queue '" + Name + "' in " + Where.seriesDirectory());
  QueueEdit Edit(Where, Change);
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  Edit.Stack = std::make_unique<QueueStack>(std::move(*Stack));
  Expected<const Queue *> Files = Edit.Stack->load(Name);
  if (!Files)
    return Files.takeError();
  Edit.Files = *Files;
  Expected<const QueueCommits *> Old = Edit.Stack->commit(Name);
  if (!Old)
    return Old.takeError();
  Edit.Old = *Old;
  Expected<Resolutions> Known = loadResolutions(Where, Name);
  if (!Known)
    return Known.takeError();
  Edit.Known = std::move(*Known);
  const kgit::Repository &Repo = Edit.Stack->repository();
  Expected<AppliedQueue> Applied = readApplied(Repo, Name);
  if (!Applied)
    return Applied.takeError();
  if (Applied->branchMoved() && *Applied->Branch != Edit.Old->tip())
    return movedByHand(Name);
  Edit.Applied = std::move(*Applied);
  Expected<kgit::Oid> Tree = treeOf(Repo, Edit.Old->Base);
  if (!Tree)
    return Tree.takeError();
  Edit.BaseTree = *Tree;
  kgit::Oid Before = *Tree;
  for (size_t I = 0; I < Edit.Files->Patches.size(); ++I) {
    const QueuePatch &Patch = Edit.Files->Patches[I];
    Expected<kgit::Oid> After = treeOf(Repo, Edit.Old->Patches[I].Commit);
    if (!After)
      return After.takeError();
    Edit.Present.push_back(
        {Patch.Entry.Name, &Patch, Patch.Parsed, true, Before, *After});
    Before = *After;
  }
  return std::move(Edit);
}

Expected<size_t> QueueEdit::indexOf(StringRef PatchFile) const {
  for (size_t I = 0; I < Present.size(); ++I)
    if (Present[I].Name == PatchFile)
      return I;
  return inputError("no patch '" + PatchFile + "' in " + Files->Directory +
                    "/series");
}

Expected<kgit::Oid> QueueEdit::merge(const kgit::Oid &Base,
                                     const kgit::Oid &Ours,
                                     const kgit::Oid &Theirs,
                                     StringRef PatchFile,
                                     const Patch *Content) {
  if (Base == Ours)
    return Theirs;
  if (Base == Theirs)
    return Ours;
  const kgit::Repository &Repo = repository();
  std::vector<Conflict> Resolved;
  auto Resolve = [&](const Conflict &Met)
      -> Expected<std::optional<std::optional<kgit::TreeEntry>>> {
    auto Answer = Known.find(Repo, Met);
    if (Answer && *Answer)
      Resolved.push_back(Met);
    return Answer;
  };
  Expected<TreeMergeResult> Merged =
      mergeTrees(Repo, Base, Ours, Theirs, {"below", PatchFile.str()}, Resolve);
  if (!Merged)
    return Merged.takeError();
  if (Merged->Conflicts.empty()) {
    for (const Conflict &Met : Resolved)
      noteResolved(PatchFile, Met);
    return Merged->Tree;
  }
  // The patch tried as it is knows the hunk.
  Patch Whole;
  if (!Content) {
    Expected<std::vector<FileDiff>> Diffs = diffTrees(Repo, Base, Theirs);
    if (!Diffs)
      return Diffs.takeError();
    Whole.Files = std::move(*Diffs);
    Content = &Whole;
  }
  Expected<kgit::Oid> Tried = applyPatch(Repo, Ours, *Content, PatchFile);
  if (!Tried)
    return conflict(toString(Tried.takeError()));
  return conflict(PatchFile + ": does not merge in " +
                  quoteForMessage(Merged->Conflicts.front().Path));
}

void QueueEdit::noteResolved(StringRef PatchFile, const Conflict &Met) {
  Changes += (PatchFile + ": conflict in " + quoteForMessage(Met.Path) +
              " resolved as before\n")
                 .str();
}

Expected<bool> QueueEdit::says(const Patch &Content, const kgit::Oid &Tree,
                               const kgit::Oid &Made) const {
  Expected<kgit::Oid> Given = applyPatch(repository(), Tree, Content, "");
  if (Given)
    return *Given == Made;
  if (Error Other = handleErrors(Given.takeError(), [](const PatchError &) {}))
    return std::move(Other);
  return false;
}

Error QueueEdit::write(const std::string &Path, std::string Text) {
  bool IsNew = !Where.files().exists(Path);
  if (!IsNew) {
    Expected<std::string> Present = Where.files().read(Path);
    if (!Present)
      return Present.takeError();
    if (*Present == Text)
      return Error::success();
  }
  Changes += Path + (IsNew ? ": new\n" : ": changed\n");
  return Change.write(Path, std::move(Text));
}

/// Writes the patch file that leads from the planned tree to \p Made, unless
/// the one that is there does.
Error QueueEdit::planText(const EditStep &Step, const kgit::Oid &Made) {
  if (Step.Origin && Step.KeepText) {
    Expected<bool> Same = says(Step.Origin->Parsed, Planned, Made);
    if (!Same)
      return Same.takeError();
    if (*Same)
      return Error::success();
  }
  std::string Path = Files->Directory + "/" + Step.Name;
  Patch Content = Step.Message;
  Expected<std::vector<FileDiff>> Diffs =
      diffTrees(repository(), Planned, Made);
  if (!Diffs)
    return Diffs.takeError();
  Content.Files = std::move(*Diffs);
  std::string Text = printPatch(Content);
  // Whoever takes the patch reads what was printed.
  Expected<Patch> Read = parsePatch(Text, Path);
  if (!Read)
    return Read.takeError();
  Expected<bool> Same = says(*Read, Planned, Made);
  if (!Same)
    return Same.takeError();
  if (!*Same || Read->commitMessage() != Content.commitMessage())
    return inputError(Path + ": cannot be written as a patch: its message "
                             "holds a line that ends a message, such as "
                             "'---'");
  Rewritten.insert(Step.Name);
  return write(Path, std::move(Text));
}

Error QueueEdit::planSeries(ArrayRef<EditStep> Steps) {
  std::vector<std::string> Names;
  for (const EditStep &Step : Steps)
    Names.push_back(Step.Name);
  for (const EditStep &Step : Present)
    if (!is_contained(Names, Step.Name)) {
      if (Error E = Change.remove(Step.Origin->Path))
        return E;
      Changes += Step.Origin->Path + ": dropped\n";
    }
  bool SameOrder = equal(Present, Names, [](const EditStep &A, StringRef B) {
    return A.Name == B;
  });
  // Diffs are written with one leading directory, whatever they had before.
  bool Restripped = any_of(Present, [&](const EditStep &Step) {
    return Step.Origin->Entry.Strip != 1 && Rewritten.count(Step.Name);
  });
  if (SameOrder && !Restripped)
    return Error::success();
  return write(Files->Directory + "/series",
               Files->Series.withPatches(Names, Rewritten));
}

Error QueueEdit::plan(ArrayRef<EditStep> Steps) {
  Planned = BaseTree;
  for (const EditStep &Step : Steps) {
    std::string Path = Files->Directory + "/" + Step.Name;
    Expected<kgit::Oid> Made =
        merge(Step.Before, Planned, Step.After, Path,
              Step.Origin ? &Step.Origin->Parsed : nullptr);
    if (!Made)
      return Made.takeError();
    if (*Made == Planned && !(Step.Before == Step.After))
      return conflict(Path + ": nothing is left of it: drop it first");
    if (Error E = planText(Step, *Made))
      return E;
    Planned = *Made;
  }
  if (Error E = planSeries(Steps))
    return E;
  Trees.push_back({Files->Name, Planned});
  return planQueuesAbove();
}

Error QueueEdit::planQueueAbove(const std::string &Name) {
  Expected<std::string> Below = Where.baseName(Name);
  if (!Below)
    return Below.takeError();
  auto Stands =
      find_if(Trees, [&](const auto &T) { return T.first == *Below; });
  Expected<const Queue *> Above = Stack->load(Name);
  if (!Above)
    return Above.takeError();
  Expected<const QueueCommits *> Commits = Stack->commit(Name);
  if (!Commits)
    return Commits.takeError();
  Expected<Resolutions> Recorded = loadResolutions(Where, Name);
  if (!Recorded)
    return Recorded.takeError();
  MoveRequest Request{**Above,
                      **Commits,
                      Stands->second,
                      *Below,
                      BaseHistory(repository(), Old->Base, Old->Base),
                      *Recorded};
  Expected<QueueMove> Moved = moveQueue(repository(), Request);
  if (!Moved)
    return Moved.takeError();
  if (Moved->Stopped) {
    const StoppedAt &At = *Moved->Stopped;
    Expected<kgit::Oid> Tried =
        merge(At.Base, At.Ours, At.Theirs, At.Patch->Path, &At.Patch->Parsed);
    if (!Tried)
      return Tried.takeError();
    return conflict(At.Patch->Path + ": does not merge");
  }
  if (!Moved->Upstream.empty())
    return conflict(Moved->Upstream.front().Patch->Path +
                    ": nothing is left of it: drop it first");
  for (const Replayed &R : Moved->Resolved)
    noteResolved(R.Patch->Path, R.Met);
  std::vector<std::string> Names;
  std::set<std::string> Changed;
  for (const MovedPatch &Patch : Moved->Patches) {
    Names.push_back(Patch.Patch->Entry.Name);
    if (!Patch.Rewritten)
      continue;
    Changed.insert(Patch.Patch->Entry.Name);
    if (Error E = write(Patch.Patch->Path, *Patch.Rewritten))
      return E;
  }
  if (!Changed.empty())
    if (Error E = write(Where.pathOf(Name, "series"),
                        (*Above)->Series.withPatches(Names, Changed)))
      return E;
  Trees.push_back({Name, Moved->Tree});
  return Error::success();
}

Error QueueEdit::planQueuesAbove() {
  Expected<std::vector<std::string>> Names = Where.queueNames();
  if (!Names)
    return Names.takeError();
  for (const std::string &Name : *Names) {
    if (Name == Files->Name)
      continue;
    Expected<std::vector<std::string>> Chain = Where.chain(Name);
    if (!Chain) {
      consumeError(Chain.takeError()); // stands on nothing, so not on this one
      continue;
    }
    if (is_contained(*Chain, Files->Name))
      if (Error E = planQueueAbove(Name))
        return E;
  }
  return Error::success();
}

Error QueueEdit::recordQueue(QueueStack &New, const std::string &Name,
                             const WorktreeChanges *Taken,
                             std::vector<Follower> &Followers) {
  Expected<const QueueCommits *> Commits = New.commit(Name);
  if (!Commits)
    return Commits.takeError();
  const kgit::Repository &Repo = New.repository();
  Expected<AppliedQueue> Was = readApplied(Repo, Name);
  if (!Was)
    return Was.takeError();
  kgit::Oid Tip = (*Commits)->tip();
  if (!Was->Branch || Was->equals(**Commits))
    return Error::success();
  if (Was->branchMoved() && *Was->Branch != Tip &&
      !(Name == Files->Name && *Was->Branch == Old->tip()))
    return movedByHand(Name);
  Expected<std::vector<std::string>> Directories = findWorktrees(Where, Name);
  if (!Directories)
    return Directories.takeError();
  for (const std::string &Directory : *Directories)
    if (!Taken || Taken->directory() != Directory)
      Followers.push_back({Directory, *Was->Branch, Tip});
  Changes += "branch series/" + Name + ": at " + Tip.str(12) + "\n";
  return recordApplied(Change, *Was, **Commits);
}

Error QueueEdit::commit(const WorktreeChanges *Taken) {
  Workspace Pending = Where.with(Change.files());
  Expected<QueueStack> New = QueueStack::open(Pending);
  if (!New)
    return New.takeError();
  std::vector<Follower> Followers;
  for (const auto &[Name, Tree] : Trees) {
    Expected<const QueueCommits *> Commits = New->commit(Name);
    if (!Commits)
      return Commits.takeError();
    Expected<kgit::Oid> Made = treeOf(New->repository(), (*Commits)->tip());
    if (!Made)
      return Made.takeError();
    if (*Made != Tree)
      return inputError("queue " + Name +
                        ": its files do not make the tree that was merged");
    if (Error E = recordQueue(*New, Name, Taken, Followers))
      return E;
  }
  // git has to see the new commits before it can judge a worktree's files.
  if (!Followers.empty())
    if (Error E = New->repository().flushWrites())
      return E;
  for (const Follower &F : Followers)
    if (Error E = planWorktreeMove(Change, New->repository(), F.Directory,
                                   F.Old, F.New))
      return E;
  if (Taken)
    if (Error E = Taken->settle(Change))
      return E;
  return Change.commit(New->repository());
}

Expected<int> editResult(Error Result, Streams To) {
  int Code = 0;
  Error Other =
      handleErrors(std::move(Result), [&](const EditConflict &Conflict) {
        To.Out << Conflict.message() << '\n';
        Code = 1;
      });
  if (Other)
    return std::move(Other);
  return Code;
}

} // namespace kseries
