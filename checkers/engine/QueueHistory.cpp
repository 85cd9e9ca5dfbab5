// SPDX-License-Identifier: GPL-2.0-only

#include "engine/QueueHistory.h"
#include "git/ChangedPaths.h"
#include "git/Repository.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <set>

using namespace llvm;
using namespace dmacheck;

namespace {

class Reader {
public:
  Reader(const KernelTree &Tree, kgit::Repository &Repo)
      : Tree(Tree), Repo(Repo) {}

  Expected<QueueHistory> read(StringRef Queue);

private:
  /// The commits of a queue, first patch first, from its references.
  Expected<std::vector<std::pair<std::string, kgit::Oid>>>
  patches(StringRef Queue);
  /// Follows queues that stand on queues down to the commit of the tree.
  Expected<kgit::Oid> treeCommit(kgit::Oid From);
  Expected<kgit::Oid> parentOf(const kgit::Oid &Id);
  Expected<std::vector<kgit::ChangedPath>> changes(const kgit::Oid &Old,
                                                   const kgit::Oid &New);
  Expected<Overlay> contents(const kgit::Oid &TreeCommit,
                             const kgit::Oid &State);
  Error sameAsOnDisk(const kgit::Oid &TreeCommit, StringRef Path,
                     StringRef Queue);

  const KernelTree &Tree;
  kgit::Repository &Repo;
  std::set<std::string> PatchCommits; ///< of all queues
};

Error oneLine(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

Expected<kgit::Oid> Reader::parentOf(const kgit::Oid &Id) {
  auto Commit = Repo.commit(Id);
  if (!Commit)
    return Commit.takeError();
  std::vector<kgit::Oid> Parents = Commit->parents();
  if (Parents.empty())
    return oneLine("commit " + Id.str() + " of a queue has no parent");
  return Parents[0];
}

Expected<std::vector<std::pair<std::string, kgit::Oid>>>
Reader::patches(StringRef Queue) {
  std::string Prefix = ("refs/patches/" + Queue + "/").str();
  auto Refs = Repo.refs(Prefix);
  if (!Refs)
    return Refs.takeError();
  if (Refs->empty())
    return oneLine(Queue + ": not applied; run kseries apply " + Queue);
  std::map<std::string, std::string> NameOf; // commit -> patch file
  for (const kgit::Ref &R : *Refs)
    NameOf[R.Target.str()] = R.Name.substr(Prefix.size());
  // The tip is the one that is nobody's parent.
  std::set<std::string> Parents;
  for (const kgit::Ref &R : *Refs) {
    auto Parent = parentOf(R.Target);
    if (!Parent)
      return Parent.takeError();
    Parents.insert(Parent->str());
  }
  std::vector<std::pair<std::string, kgit::Oid>> Chain;
  for (const kgit::Ref &R : *Refs)
    if (!Parents.contains(R.Target.str()))
      for (kgit::Oid At = R.Target; NameOf.contains(At.str());) {
        Chain.insert(Chain.begin(), {NameOf[At.str()], At});
        auto Parent = parentOf(At);
        if (!Parent)
          return Parent.takeError();
        At = *Parent;
      }
  if (Chain.size() != Refs->size())
    return oneLine(Queue +
                   ": its references are no chain of patches; run "
                   "kseries apply " +
                   Queue);
  return Chain;
}

Expected<kgit::Oid> Reader::treeCommit(kgit::Oid At) {
  auto Refs = Repo.refs("refs/patches/");
  if (!Refs)
    return Refs.takeError();
  for (const kgit::Ref &R : *Refs)
    PatchCommits.insert(R.Target.str());
  while (PatchCommits.contains(At.str())) {
    auto Parent = parentOf(At);
    if (!Parent)
      return Parent;
    At = *Parent;
  }
  return At;
}

Expected<std::vector<kgit::ChangedPath>> Reader::changes(const kgit::Oid &Old,
                                                         const kgit::Oid &New) {
  auto Before = Repo.commit(Old);
  if (!Before)
    return Before.takeError();
  auto After = Repo.commit(New);
  if (!After)
    return After.takeError();
  return kgit::changedPaths(Repo, *Before, *After);
}

Expected<Overlay> Reader::contents(const kgit::Oid &TreeCommit,
                                   const kgit::Oid &State) {
  Overlay Out;
  auto Paths = changes(TreeCommit, State);
  if (!Paths)
    return Paths.takeError();
  for (const kgit::ChangedPath &P : *Paths) {
    if (!P.New || !P.New->isFile())
      continue; // what is gone is no candidate, and nobody includes it
    auto Blob = Repo.blob(P.New->Id);
    if (!Blob)
      return Blob.takeError();
    Out[Tree.absolute(P.Path)] = Blob->content().str();
  }
  return std::move(Out);
}

Error Reader::sameAsOnDisk(const kgit::Oid &TreeCommit, StringRef Path,
                           StringRef Queue) {
  auto Commit = Repo.commit(TreeCommit);
  if (!Commit)
    return Commit.takeError();
  auto Blob = Repo.blobAt(*Commit, Path);
  if (!Blob) { // made by the queue
    consumeError(Blob.takeError());
    return Error::success();
  }
  auto Disk = MemoryBuffer::getFile(Tree.absolute(Path));
  if (Disk && (*Disk)->getBuffer() == Blob->content())
    return Error::success();
  return oneLine(Path + ": differs between " + Tree.root() +
                 " and the base of " + Queue +
                 "; give the base's own tree with --tree");
}

Expected<QueueHistory> Reader::read(StringRef Queue) {
  auto Chain = patches(Queue);
  if (!Chain)
    return Chain.takeError();
  auto Base = parentOf(Chain->front().second);
  if (!Base)
    return Base.takeError();
  auto OnDisk = treeCommit(*Base);
  if (!OnDisk)
    return OnDisk.takeError();
  QueueHistory History;
  History.Name = Queue.str();
  auto Changed = contents(*OnDisk, *Base);
  if (!Changed)
    return Changed.takeError();
  History.Base.Changed = std::move(*Changed);
  kgit::Oid Before = *Base;
  for (const auto &[Name, Id] : *Chain) {
    TreeState State;
    State.Patch = Name;
    auto After = contents(*OnDisk, Id);
    if (!After)
      return After.takeError();
    State.Changed = std::move(*After);
    auto Paths = changes(Before, Id);
    if (!Paths)
      return Paths.takeError();
    for (const kgit::ChangedPath &P : *Paths) {
      if (Error E = sameAsOnDisk(*OnDisk, P.Path, Queue))
        return std::move(E);
      State.Touched.push_back(P.Path);
    }
    History.Patches.push_back(std::move(State));
    Before = Id;
  }
  return std::move(History);
}

} // namespace

Expected<QueueHistory> dmacheck::readQueue(const KernelTree &Tree,
                                           StringRef GitDir, StringRef Queue) {
  auto Repo = kgit::Repository::open(GitDir);
  if (!Repo)
    return Repo.takeError();
  return Reader(Tree, *Repo).read(Queue);
}
