// SPDX-License-Identifier: GPL-2.0-only

#include "rebase/BaseHistory.h"
#include "git/GitError.h"

using namespace llvm;

namespace kseries {

Expected<bool> BaseHistory::isKnown() const {
  if (Read->Descends)
    return *Read->Descends;
  git_oid Common;
  int Rc = git_merge_base(&Common, Repo.raw(), Old.raw(), New.raw());
  if (Rc && Rc != GIT_ENOTFOUND)
    return kgit::lastError("cannot look for the history between two bases");
  Read->Descends = Rc == GIT_OK;
  return *Read->Descends;
}

Error BaseHistory::readSteps() const {
  if (Read->Steps)
    return Error::success();
  git_revwalk *Raw = nullptr;
  if (git_revwalk_new(&Raw, Repo.raw()))
    return kgit::lastError("cannot walk the history");
  kgit::Handle<git_revwalk, git_revwalk_free> Walk(Raw);
  git_revwalk_sorting(Raw, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
  if (git_revwalk_push(Raw, New.raw()) || git_revwalk_hide(Raw, Old.raw()))
    return kgit::lastError("cannot walk the history");
  std::vector<Step> Steps;
  git_oid Id;
  int Rc;
  while (!(Rc = git_revwalk_next(&Id, Raw))) {
    Expected<kgit::Commit> Commit = Repo.commit(kgit::Oid(Id));
    if (!Commit)
      return Commit.takeError();
    std::vector<kgit::Oid> Parents = Commit->parents();
    if (Parents.size() != 1)
      continue;
    Expected<kgit::Commit> Parent = Repo.commit(Parents.front());
    if (!Parent)
      return Parent.takeError();
    Steps.push_back({kgit::Oid(Id), Parent->treeId(), Commit->treeId()});
  }
  if (Rc != GIT_ITEROVER)
    return kgit::lastError("cannot walk the history");
  Read->Steps = std::move(Steps);
  return Error::success();
}

/// Whether the commit changed the path; directories that it did not change end
/// the search.
Expected<bool> BaseHistory::touches(const Step &At, StringRef Path) const {
  kgit::Oid Before = At.Before, After = At.After;
  while (Before != After) {
    Expected<kgit::Tree> Old = Repo.tree(Before);
    if (!Old)
      return Old.takeError();
    Expected<kgit::Tree> New = Repo.tree(After);
    if (!New)
      return New.takeError();
    auto [Name, Rest] = Path.split('/');
    auto A = Old->find(Name);
    if (!A)
      return A.takeError();
    auto B = New->find(Name);
    if (!B)
      return B.takeError();
    if (*A == *B)
      return false;
    if (Rest.empty())
      return true;
    auto IsTree = [](const std::optional<kgit::TreeEntry> &Entry) {
      return Entry && Entry->isTree();
    };
    if (!IsTree(*A) || !IsTree(*B)) {
      // The whole directory came or went.
      Expected<std::optional<kgit::TreeEntry>> File =
          IsTree(*A) ? Old->find(Path) : New->find(Path);
      if (!File)
        return File.takeError();
      return File->has_value();
    }
    Before = (*A)->Id;
    After = (*B)->Id;
    Path = Rest;
  }
  return false;
}

Expected<std::vector<kgit::Oid>>
BaseHistory::commitsTouching(ArrayRef<std::string> Paths) const {
  if (Error E = readSteps())
    return E;
  std::vector<kgit::Oid> Found;
  for (const Step &At : *Read->Steps)
    for (const std::string &Path : Paths) {
      Expected<bool> Touched = touches(At, Path);
      if (!Touched)
        return Touched.takeError();
      if (!*Touched)
        continue;
      Found.push_back(At.Commit);
      break;
    }
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
