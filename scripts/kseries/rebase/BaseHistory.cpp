// SPDX-License-Identifier: GPL-2.0-only

#include "rebase/BaseHistory.h"
#include "git/GitError.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

Expected<bool> BaseHistory::isKnown() const {
  git_oid Common;
  int Rc = git_merge_base(&Common, Repo.raw(), Old.raw(), New.raw());
  if (Rc == GIT_ENOTFOUND)
    return false;
  if (Rc)
    return kgit::lastError("cannot look for the history between two bases");
  return true;
}

static Expected<bool> touches(const kgit::Repository &Repo,
                              const kgit::Commit &Commit,
                              const kgit::Oid &ParentId,
                              ArrayRef<std::string> Paths) {
  Expected<kgit::Commit> Parent = Repo.commit(ParentId);
  if (!Parent)
    return Parent.takeError();
  Expected<kgit::Tree> Before = Parent->tree();
  if (!Before)
    return Before.takeError();
  Expected<kgit::Tree> After = Commit.tree();
  if (!After)
    return After.takeError();
  for (const std::string &Path : Paths) {
    auto A = Before->find(Path);
    if (!A)
      return A.takeError();
    auto B = After->find(Path);
    if (!B)
      return B.takeError();
    if (*A != *B)
      return true;
  }
  return false;
}

Expected<std::vector<kgit::Oid>>
BaseHistory::commitsTouching(ArrayRef<std::string> Paths) const {
  git_revwalk *Raw = nullptr;
  if (git_revwalk_new(&Raw, Repo.raw()))
    return kgit::lastError("cannot walk the history");
  kgit::Handle<git_revwalk, git_revwalk_free> Walk(Raw);
  git_revwalk_sorting(Raw, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
  if (git_revwalk_push(Raw, New.raw()) || git_revwalk_hide(Raw, Old.raw()))
    return kgit::lastError("cannot walk the history");
  std::vector<kgit::Oid> Found;
  git_oid Id;
  int Rc;
  while (!(Rc = git_revwalk_next(&Id, Raw))) {
    Expected<kgit::Commit> Commit = Repo.commit(kgit::Oid(Id));
    if (!Commit)
      return Commit.takeError();
    std::vector<kgit::Oid> Parents = Commit->parents();
    if (Parents.size() != 1)
      continue;
    Expected<bool> Touched = touches(Repo, *Commit, Parents.front(), Paths);
    if (!Touched)
      return Touched.takeError();
    if (*Touched)
      Found.push_back(kgit::Oid(Id));
  }
  if (Rc != GIT_ITEROVER)
    return kgit::lastError("cannot walk the history");
  return Found;
}

Expected<std::vector<FileVersion>>
BaseHistory::versions(const std::string &Path) const {
  Expected<std::vector<kgit::Oid>> Commits = commitsTouching(Path);
  if (!Commits)
    return Commits.takeError();
  std::vector<FileVersion> Found;
  for (const kgit::Oid &Id : *Commits) {
    Expected<kgit::Commit> Commit = Repo.commit(Id);
    if (!Commit)
      return Commit.takeError();
    Expected<kgit::Tree> Tree = Commit->tree();
    if (!Tree)
      return Tree.takeError();
    auto Entry = Tree->find(Path);
    if (!Entry)
      return Entry.takeError();
    Found.push_back({Id, *Entry});
  }
  return Found;
}

Expected<std::string> describeCommit(const kgit::Repository &Repo,
                                     const kgit::Oid &Id) {
  Expected<kgit::Commit> Commit = Repo.commit(Id);
  if (!Commit)
    return Commit.takeError();
  return Id.str(12) + " (\"" + Commit->message().split('\n').first.str() +
         "\")";
}

} // namespace kseries
