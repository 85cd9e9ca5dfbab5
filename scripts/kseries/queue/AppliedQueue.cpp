// SPDX-License-Identifier: GPL-2.0-only

#include "queue/AppliedQueue.h"
#include "patch/PatchError.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace kseries {

std::string branchRef(StringRef Queue) {
  return ("refs/heads/series/" + Queue).str();
}

static std::string patchRefPrefix(StringRef Queue) {
  return ("refs/patches/" + Queue + "/").str();
}

bool AppliedQueue::branchMoved() const {
  return Branch && (Order.empty() || *Branch != Order.back().Commit);
}

bool AppliedQueue::equals(const QueueCommits &Commits) const {
  if (!Branch || *Branch != Commits.tip() ||
      Patches.size() != Commits.Patches.size())
    return false;
  return all_of(Commits.Patches, [&](const PatchCommit &Patch) {
    auto Found = Patches.find(Patch.PatchFile);
    return Found != Patches.end() && Found->second == Patch.Commit;
  });
}

/// The references have no order of their own; their commits do.
static Error findOrder(const kgit::Repository &Repo, AppliedQueue &Applied) {
  std::map<kgit::Oid, PatchCommit> ByParent;
  std::set<kgit::Oid> Commits;
  for (const auto &[PatchFile, Id] : Applied.Patches) {
    Expected<kgit::Commit> Commit = Repo.commit(Id);
    if (!Commit)
      return Commit.takeError();
    std::vector<kgit::Oid> Parents = Commit->parents();
    if (Parents.size() == 1)
      ByParent[Parents.front()] = {PatchFile, Id};
    Commits.insert(Id);
  }
  auto Lowest = find_if(
      ByParent, [&](const auto &Entry) { return !Commits.count(Entry.first); });
  if (Lowest == ByParent.end())
    return Error::success();
  Applied.Base = Lowest->first;
  kgit::Oid At = Applied.Base;
  for (auto Next = ByParent.find(At); Next != ByParent.end();
       Next = ByParent.find(At)) {
    Applied.Order.push_back(Next->second);
    At = Next->second.Commit;
  }
  return Error::success();
}

Expected<AppliedQueue> readApplied(const kgit::Repository &Repo,
                                   StringRef Queue) {
  AppliedQueue Applied;
  Applied.Queue = Queue.str();
  Expected<std::optional<kgit::Oid>> Branch = Repo.refTarget(branchRef(Queue));
  if (!Branch)
    return Branch.takeError();
  Applied.Branch = *Branch;
  std::string Prefix = patchRefPrefix(Queue);
  Expected<std::vector<kgit::Ref>> Refs = Repo.refs(Prefix);
  if (!Refs)
    return Refs.takeError();
  for (const kgit::Ref &Found : *Refs)
    Applied.Patches[Found.Name.substr(Prefix.size())] = Found.Target;
  if (Error E = findOrder(Repo, Applied))
    return E;
  return Applied;
}

Error recordApplied(Transaction &Change, const AppliedQueue &Old,
                    const QueueCommits &New) {
  std::string Prefix = patchRefPrefix(Old.Queue);
  std::set<std::string> Kept;
  for (const PatchCommit &Patch : New.Patches) {
    Kept.insert(Patch.PatchFile);
    auto Present = Old.Patches.find(Patch.PatchFile);
    if (Present != Old.Patches.end() && Present->second == Patch.Commit)
      continue;
    std::string Name = Prefix + Patch.PatchFile;
    int Valid = 0;
    git_reference_name_is_valid(&Valid, Name.c_str());
    if (!Valid)
      return inputError("patch name " + quoteForMessage(Patch.PatchFile) +
                        " of queue " + Old.Queue +
                        " cannot be part of a git reference: rename the file");
    Change.setRef(Name,
                  Present == Old.Patches.end()
                      ? std::nullopt
                      : std::optional<kgit::Oid>(Present->second),
                  Patch.Commit);
  }
  for (const auto &[PatchFile, Id] : Old.Patches)
    if (!Kept.count(PatchFile))
      Change.setRef(Prefix + PatchFile, Id, std::nullopt);
  Change.setRef(branchRef(Old.Queue), Old.Branch, New.tip());
  return Error::success();
}

} // namespace kseries
