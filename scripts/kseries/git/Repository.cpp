// SPDX-License-Identifier: GPL-2.0-only

#include "git/Repository.h"
#include "git/GitError.h"
#include "git/Library.h"
#include "git/ObjectStage.h"

#include <git2/sys/commit.h>

#include <algorithm>

using namespace llvm;

namespace kgit {

Expected<Repository> Repository::open(StringRef Path) {
  startLibrary();
  git_repository *Found = nullptr;
  if (git_repository_open_ext(&Found, Path.str().c_str(),
                              GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr))
    return lastError("cannot open the git repository " + Path);
  return Repository(Found);
}

Expected<std::optional<Commit>>
Repository::findCommit(StringRef Revision) const {
  Handle<git_object, git_object_free> Object;
  git_object *Found = nullptr;
  int Rc = git_revparse_single(&Found, Raw.get(), Revision.str().c_str());
  Object.reset(Found);
  if (Rc == GIT_ENOTFOUND || Rc == GIT_EINVALIDSPEC)
    return std::nullopt;
  if (Rc)
    return lastError("cannot resolve revision " + Revision);
  git_object *Peeled = nullptr;
  if (git_object_peel(&Peeled, Found, GIT_OBJECT_COMMIT))
    return lastError(Revision + " is not a commit");
  return Commit(reinterpret_cast<git_commit *>(Peeled));
}

Expected<Commit> Repository::commit(StringRef Revision) const {
  Expected<std::optional<Commit>> Found = findCommit(Revision);
  if (!Found)
    return Found.takeError();
  if (!*Found)
    return makeError("no revision '" + Revision + "' in " + path());
  return std::move(**Found);
}

Expected<Commit> Repository::commit(const Oid &Id) const {
  git_commit *Found = nullptr;
  if (git_commit_lookup(&Found, Raw.get(), Id.raw()))
    return lastError("cannot read commit " + Id.str(12));
  return Commit(Found);
}

Expected<Tree> Repository::tree(const Oid &Id) const {
  git_tree *Found = nullptr;
  if (git_tree_lookup(&Found, Raw.get(), Id.raw()))
    return lastError("cannot read tree " + Id.str(12));
  return Tree(Found);
}

Expected<Blob> Repository::blob(const Oid &Id) const {
  git_blob *Found = nullptr;
  if (git_blob_lookup(&Found, Raw.get(), Id.raw()))
    return lastError("cannot read blob " + Id.str(12));
  return Blob(Found);
}

Expected<uint64_t> Repository::blobSize(const Oid &Id) const {
  git_odb *RawDatabase = nullptr;
  if (git_repository_odb(&RawDatabase, Raw.get()))
    return lastError("cannot open the object database of " + path());
  Handle<git_odb, git_odb_free> Database(RawDatabase);
  size_t Size = 0;
  git_object_t Type;
  if (git_odb_read_header(&Size, &Type, RawDatabase, Id.raw()))
    return lastError("cannot read blob " + Id.str(12));
  return Size;
}

Expected<Blob> Repository::blobAt(const Commit &From, StringRef Path) const {
  Expected<Tree> Root = From.tree();
  if (!Root)
    return Root.takeError();
  Expected<std::optional<TreeEntry>> Entry = Root->find(Path);
  if (!Entry)
    return Entry.takeError();
  if (!*Entry || (*Entry)->isTree() || (*Entry)->isSubmodule())
    return makeError("no file " + Path + " in commit " + From.id().str(12));
  return blob((*Entry)->Id);
}

Expected<std::vector<Ref>> Repository::refs(StringRef Prefix) const {
  git_reference_iterator *RawIterator = nullptr;
  if (git_reference_iterator_glob_new(&RawIterator, Raw.get(),
                                      (Prefix + "*").str().c_str()))
    return lastError("cannot list references " + Prefix);
  Handle<git_reference_iterator, git_reference_iterator_free> Iterator(
      RawIterator);

  std::vector<Ref> Found;
  git_reference *RawReference = nullptr;
  int Rc;
  while (!(Rc = git_reference_next(&RawReference, RawIterator))) {
    Handle<git_reference, git_reference_free> Reference(RawReference);
    git_reference *RawResolved = nullptr;
    if (git_reference_resolve(&RawResolved, RawReference))
      continue; // a symbolic reference to a branch that is not born yet
    Handle<git_reference, git_reference_free> Resolved(RawResolved);
    Found.push_back({git_reference_name(RawReference),
                     Oid(*git_reference_target(RawResolved))});
  }
  if (Rc != GIT_ITEROVER)
    return lastError("cannot list references " + Prefix);
  std::sort(Found.begin(), Found.end(),
            [](const Ref &A, const Ref &B) { return A.Name < B.Name; });
  return Found;
}

Expected<std::optional<Oid>> Repository::refTarget(StringRef Name) const {
  git_oid Target;
  int Rc = git_reference_name_to_id(&Target, Raw.get(), Name.str().c_str());
  if (Rc == GIT_ENOTFOUND)
    return std::nullopt;
  if (Rc)
    return lastError("cannot read reference " + Name);
  return Oid(Target);
}

Expected<bool> Repository::isCheckedOut(StringRef Name) const {
  git_reference *RawReference = nullptr;
  int Rc = git_reference_lookup(&RawReference, Raw.get(), Name.str().c_str());
  if (Rc == GIT_ENOTFOUND)
    return false;
  if (Rc)
    return lastError("cannot read reference " + Name);
  Handle<git_reference, git_reference_free> Reference(RawReference);
  int CheckedOut = git_branch_is_checked_out(RawReference);
  if (CheckedOut < 0)
    return lastError("cannot look for worktrees of " + path());
  return CheckedOut == 1;
}

Expected<Oid> Repository::writeBlob(StringRef Content) const {
  git_oid Id;
  if (git_blob_create_from_buffer(&Id, Raw.get(), Content.data(),
                                  Content.size()))
    return lastError("cannot write a blob");
  return Oid(Id);
}

static Expected<Handle<git_signature, git_signature_free>>
toRaw(const Signature &Who) {
  git_signature *Raw = nullptr;
  if (git_signature_new(&Raw, Who.Name.c_str(), Who.Email.c_str(), Who.Seconds,
                        Who.OffsetMinutes))
    return lastError("'" + Who.Name + " <" + Who.Email + ">' is not a person");
  return Handle<git_signature, git_signature_free>(Raw);
}

Expected<Oid> Repository::createCommit(const CommitSpec &Spec) const {
  auto Author = toRaw(Spec.Author);
  if (!Author)
    return Author.takeError();
  auto Committer = toRaw(Spec.Committer);
  if (!Committer)
    return Committer.takeError();
  std::vector<const git_oid *> Parents;
  for (const Oid &Parent : Spec.Parents)
    Parents.push_back(Parent.raw());

  git_oid Id;
  if (git_commit_create_from_ids(&Id, Raw.get(), nullptr, Author->get(),
                                 Committer->get(), nullptr,
                                 Spec.Message.c_str(), Spec.TreeId.raw(),
                                 Parents.size(), Parents.data()))
    return lastError("cannot write a commit");
  return Oid(Id);
}

Error Repository::holdWrites() {
  if (Stage)
    return Error::success();
  Expected<ObjectStage *> Attached = ObjectStage::attach(Raw.get());
  if (!Attached)
    return Attached.takeError();
  Stage = *Attached;
  return Error::success();
}

Error Repository::flushWrites() {
  if (!Stage || Stage->Order.empty())
    return Error::success();
  return Stage->flush(Raw.get());
}

} // namespace kgit
