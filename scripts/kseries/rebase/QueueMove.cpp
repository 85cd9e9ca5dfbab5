// SPDX-License-Identifier: GPL-2.0-only

#include "rebase/QueueMove.h"
#include "patch/PatchError.h"
#include "patch/PatchId.h"
#include "patch/PatchParser.h"
#include "patch/PatchPrinter.h"
#include "patch/ReversePatch.h"
#include "patch/TreeApply.h"
#include "patch/TreeDiff.h"

using namespace llvm;

namespace kseries {

namespace {

class QueueMover {
public:
  QueueMover(const kgit::Repository &Repo, const MoveRequest &Request)
      : Repo(Repo), Request(Request) {
    Move.Queue = Request.Files.Name;
    Move.Tree = Request.NewTree;
  }

  Expected<QueueMove> move();

private:
  Error movePatch(const QueuePatch &Patch, const kgit::Oid &Before,
                  const kgit::Oid &After);
  Error take(const QueuePatch &Patch, const kgit::Oid &NewTree);
  Expected<bool> says(const Patch &Content, const kgit::Oid &NewTree) const;
  /// Whether taking the patch back works on what is there without it.
  Expected<bool> reverseApplies(const Patch &Content) const;
  /// The commit that brought the patch upstream, empty when there is none.
  Expected<std::string> findUpstream(const QueuePatch &Patch,
                                     const kgit::Oid &Before) const;
  Expected<bool> differsUpstream(ArrayRef<std::string> Paths,
                                 const kgit::Oid &Before) const;

  const kgit::Repository &Repo;
  const MoveRequest &Request;
  QueueMove Move;
};

std::vector<std::string> pathsOf(const Patch &Content) {
  std::vector<std::string> Paths;
  for (const FileDiff &File : Content.Files) {
    Paths.push_back(File.OldPath);
    if (File.NewPath != File.OldPath)
      Paths.push_back(File.NewPath);
  }
  return Paths;
}

/// What a patch makes of a tree, nothing when it does not apply.
Expected<std::optional<kgit::Oid>> tryPatch(const kgit::Repository &Repo,
                                            const kgit::Oid &Tree,
                                            const Patch &Content) {
  Expected<kgit::Oid> Made = applyPatch(Repo, Tree, Content, "");
  if (Made)
    return *Made;
  if (Error Other = handleErrors(Made.takeError(), [](const PatchError &) {}))
    return std::move(Other);
  return std::nullopt;
}

Expected<bool> QueueMover::says(const Patch &Content,
                                const kgit::Oid &NewTree) const {
  Expected<std::optional<kgit::Oid>> Made = tryPatch(Repo, Move.Tree, Content);
  if (!Made)
    return Made.takeError();
  return *Made == NewTree;
}

Expected<bool> QueueMover::reverseApplies(const Patch &Content) const {
  Expected<std::optional<kgit::Oid>> Made =
      tryPatch(Repo, Move.Tree, reversed(Content));
  if (!Made)
    return Made.takeError();
  return Made->has_value();
}

Expected<bool> QueueMover::differsUpstream(ArrayRef<std::string> Paths,
                                           const kgit::Oid &Before) const {
  Expected<kgit::Tree> Old = Repo.tree(Before);
  if (!Old)
    return Old.takeError();
  Expected<kgit::Tree> New = Repo.tree(Move.Tree);
  if (!New)
    return New.takeError();
  for (const std::string &Path : Paths) {
    auto A = Old->find(Path), B = New->find(Path);
    if (!A)
      return joinErrors(A.takeError(), B ? Error::success() : B.takeError());
    if (!B)
      return B.takeError();
    if (*A != *B)
      return true;
  }
  return false;
}

Expected<std::string> QueueMover::findUpstream(const QueuePatch &Patch,
                                               const kgit::Oid &Before) const {
  std::vector<std::string> Paths = pathsOf(Patch.Parsed);
  // What upstream has not touched it has not taken either: history is long.
  Expected<bool> Differs = differsUpstream(Paths, Before);
  if (!Differs)
    return Differs.takeError();
  Expected<bool> IsKnown = *Differs ? Request.History.isKnown() : false;
  if (!IsKnown)
    return IsKnown.takeError();
  if (!*IsKnown)
    return "";
  Expected<std::vector<kgit::Oid>> Commits =
      Request.History.commitsTouching(Paths);
  if (!Commits)
    return Commits.takeError();
  std::string Wanted = patchId(Patch.Parsed.Files);
  for (const kgit::Oid &Id : *Commits) {
    Expected<kgit::Commit> Commit = Repo.commit(Id);
    if (!Commit)
      return Commit.takeError();
    Expected<kgit::Commit> Parent = Repo.commit(Commit->parents().front());
    if (!Parent)
      return Parent.takeError();
    auto Files = diffTrees(Repo, Parent->treeId(), Commit->treeId());
    if (!Files)
      return Files.takeError();
    if (patchId(*Files) == Wanted)
      return describeCommit(Repo, Id);
  }
  return "";
}

/// The patch goes on with the tree that merging made of it.
Error QueueMover::take(const QueuePatch &Patch, const kgit::Oid &NewTree) {
  MovedPatch Moved{&Patch, {}};
  Expected<bool> Same = says(Patch.Parsed, NewTree);
  if (!Same)
    return Same.takeError();
  if (!*Same) {
    kseries::Patch Content = Patch.Parsed;
    Expected<std::vector<FileDiff>> Files = diffTrees(Repo, Move.Tree, NewTree);
    if (!Files)
      return Files.takeError();
    Content.Files = std::move(*Files);
    Moved.Rewritten = printPatch(Content);
    // Whoever takes the patch reads what was printed.
    Expected<kseries::Patch> Read = parsePatch(*Moved.Rewritten, Patch.Path);
    if (!Read)
      return Read.takeError();
    Same = says(*Read, NewTree);
    if (!Same)
      return Same.takeError();
    if (!*Same)
      return inputError(Patch.Path + ": cannot be written for the new base: "
                                     "the file it gives does not make the "
                                     "change that was merged");
  }
  Move.Patches.push_back(std::move(Moved));
  Move.Tree = NewTree;
  return Error::success();
}

Error QueueMover::movePatch(const QueuePatch &Patch, const kgit::Oid &Before,
                            const kgit::Oid &After) {
  if (Before == Move.Tree)
    return take(Patch, After);
  if (Before == After) // an empty patch: nothing of it can be upstream
    return take(Patch, Move.Tree);
  std::vector<Replayed> Resolved;
  auto Resolve = [&](const Conflict &Met)
      -> Expected<std::optional<std::optional<kgit::TreeEntry>>> {
    auto Answer = Request.Known.find(Repo, Met);
    if (Answer && *Answer)
      Resolved.push_back({&Patch, Met, **Answer});
    return Answer;
  };
  Expected<TreeMergeResult> Merged =
      mergeTrees(Repo, Before, Move.Tree, After,
                 {Request.NewName, Patch.Entry.Name}, Resolve);
  if (!Merged)
    return Merged.takeError();
  bool Clean = Merged->Conflicts.empty();
  if (Clean && Merged->Tree == Move.Tree && Resolved.empty()) {
    Expected<std::string> Commit = findUpstream(Patch, Before);
    if (!Commit)
      return Commit.takeError();
    Move.Upstream.push_back({&Patch, *Commit});
    return Error::success();
  }
  Expected<std::string> Commit = findUpstream(Patch, Before);
  if (!Commit)
    return Commit.takeError();
  if (!Clean || !Commit->empty()) {
    Expected<bool> Takes = reverseApplies(Patch.Parsed);
    if (!Takes)
      return Takes.takeError();
    // One that came and was changed further upstream conflicts; one that came
    // and was reverted merges, and is wanted again.
    if (*Takes || (!Clean && !Commit->empty())) {
      Move.Upstream.push_back({&Patch, *Commit});
      return Error::success();
    }
  }
  if (!Clean) {
    Move.Stopped =
        StoppedAt{&Patch, std::move(Merged->Conflicts), Before, Move.Tree,
                  After,  std::move(Merged->Edits)};
    return Error::success();
  }
  for (Replayed &R : Resolved)
    Move.Resolved.push_back(std::move(R));
  if (Merged->Tree == Move.Tree) {
    Move.Upstream.push_back({&Patch, *Commit}); // resolved to nothing
    return Error::success();
  }
  return take(Patch, Merged->Tree);
}

Expected<QueueMove> QueueMover::move() {
  Expected<kgit::Commit> Base = Repo.commit(Request.Old.Base);
  if (!Base)
    return Base.takeError();
  kgit::Oid Before = Base->treeId();
  for (size_t I = 0; I < Request.Files.Patches.size() && !Move.Stopped; ++I) {
    Expected<kgit::Commit> Commit = Repo.commit(Request.Old.Patches[I].Commit);
    if (!Commit)
      return Commit.takeError();
    if (Error E = movePatch(Request.Files.Patches[I], Before, Commit->treeId()))
      return E;
    Before = Commit->treeId();
  }
  return std::move(Move);
}

} // namespace

Expected<QueueMove> moveQueue(const kgit::Repository &Repo,
                              const MoveRequest &Request) {
  return QueueMover(Repo, Request).move();
}

} // namespace kseries
