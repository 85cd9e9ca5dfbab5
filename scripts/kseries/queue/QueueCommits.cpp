// SPDX-License-Identifier: GPL-2.0-only

#include "queue/QueueCommits.h"
#include "git/Identity.h"
#include "patch/TreeApply.h"

using namespace llvm;

namespace kseries {

kgit::Signature placeholderIdentity() {
  return {"kseries", "kseries@localhost", 0, 0};
}

Expected<kgit::Signature> committerFor(StringRef Directory) {
  Expected<std::optional<kgit::Signature>> User = kgit::identity(Directory);
  if (!User)
    return User.takeError();
  return User->value_or(placeholderIdentity());
}

static kgit::Signature authorOf(const Patch &Of,
                                const kgit::Signature &Committer) {
  kgit::Signature Author = Committer;
  if (Of.From) {
    Author.Name = Of.From->Name;
    Author.Email = Of.From->Email;
  }
  if (Of.Date) {
    Author.Seconds = Of.Date->Seconds;
    Author.OffsetMinutes = Of.Date->OffsetMinutes;
  }
  return Author;
}

Expected<QueueCommits> commitQueue(const kgit::Repository &Repo,
                                   const Queue &ToCommit, const kgit::Oid &Base,
                                   const kgit::Signature &Committer) {
  QueueCommits Made;
  Made.Base = Base;
  Expected<kgit::Commit> BaseCommit = Repo.commit(Base);
  if (!BaseCommit)
    return BaseCommit.takeError();
  kgit::Oid Tree = BaseCommit->treeId();
  kgit::Signature By = Committer;
  By.Seconds = BaseCommit->committer().Seconds;
  By.OffsetMinutes = BaseCommit->committer().OffsetMinutes;
  for (const QueuePatch &Patch : ToCommit.Patches) {
    Expected<kgit::Oid> Patched =
        applyPatch(Repo, Tree, Patch.Parsed, Patch.Path);
    if (!Patched)
      return Patched.takeError();
    Tree = *Patched;
    ++By.Seconds;
    Expected<kgit::Oid> Commit =
        Repo.createCommit({Tree,
                           {Made.tip()},
                           authorOf(Patch.Parsed, By),
                           By,
                           Patch.Parsed.commitMessage()});
    if (!Commit)
      return Commit.takeError();
    Made.Patches.push_back({Patch.Entry.Name, *Commit});
  }
  return Made;
}

} // namespace kseries
