// SPDX-License-Identifier: GPL-2.0-only

#include "commands/QueueStack.h"

using namespace llvm;

namespace kseries {

Expected<QueueStack> QueueStack::open(const Workspace &Where) {
  Expected<kgit::Repository> Repo =
      kgit::Repository::open(Where.gitDirectory());
  if (!Repo)
    return Repo.takeError();
  if (Error E = Repo->holdWrites())
    return E;
  Expected<kgit::Signature> Committer = committerFor(Where.seriesDirectory());
  if (!Committer)
    return Committer.takeError();
  return QueueStack(Where, std::move(*Repo), std::move(*Committer));
}

Expected<const Queue *> QueueStack::load(StringRef Name) {
  auto Found = Loaded.find(Name);
  if (Found != Loaded.end())
    return &Found->second;
  Expected<Queue> Read = loadQueue(Where, Name);
  if (!Read)
    return Read.takeError();
  return &Loaded.emplace(Name.str(), std::move(*Read)).first->second;
}

Expected<const QueueCommits *> QueueStack::commit(StringRef Name) {
  Expected<std::vector<std::string>> Chain = Where.chain(Name);
  if (!Chain)
    return Chain.takeError();
  const QueueCommits *Top = nullptr;
  for (const std::string &Queue : *Chain) {
    auto Found = Committed.find(Queue);
    if (Found != Committed.end()) {
      Top = &Found->second;
      continue;
    }
    Expected<kgit::Oid> Base =
        Top ? Expected<kgit::Oid>(Top->tip()) : Where.baseCommit(Repo, Queue);
    if (!Base)
      return Base.takeError();
    Expected<const kseries::Queue *> Read = load(Queue);
    if (!Read)
      return Read.takeError();
    Expected<QueueCommits> Made = commitQueue(Repo, **Read, *Base, Committer);
    if (!Made)
      return Made.takeError();
    Top = &Committed.emplace(Queue, std::move(*Made)).first->second;
  }
  return Top;
}

} // namespace kseries
