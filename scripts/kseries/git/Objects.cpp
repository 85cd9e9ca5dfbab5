// SPDX-License-Identifier: GPL-2.0-only

#include "git/Objects.h"
#include "git/GitError.h"

using namespace llvm;

namespace kgit {

StringRef Blob::content() const {
  return StringRef(static_cast<const char *>(git_blob_rawcontent(Raw.get())),
                   git_blob_rawsize(Raw.get()));
}

static TreeEntry toEntry(const git_tree_entry *Raw) {
  return {Oid(*git_tree_entry_id(Raw)),
          static_cast<uint32_t>(git_tree_entry_filemode(Raw))};
}

Expected<std::optional<TreeEntry>> Tree::find(StringRef Path) const {
  Handle<git_tree_entry, git_tree_entry_free> Found;
  git_tree_entry *Entry = nullptr;
  int Rc = git_tree_entry_bypath(&Entry, Raw.get(), Path.str().c_str());
  Found.reset(Entry);
  if (Rc == GIT_ENOTFOUND)
    return std::nullopt;
  if (Rc)
    return lastError("cannot read " + Path + " in tree " + id().str(12));
  return toEntry(Entry);
}

namespace {
// Recursion instead of git_tree_walk(): that cannot tell an error from a
// visitor's wish to stop.
class Walker {
public:
  explicit Walker(Tree::Visitor Visit) : Visit(Visit) {}

  Error walk(git_tree *Directory) {
    size_t Length = Path.size();
    size_t Count = git_tree_entrycount(Directory);
    for (size_t I = 0; I < Count && !Stopped; ++I) {
      const git_tree_entry *Raw = git_tree_entry_byindex(Directory, I);
      TreeEntry Entry = toEntry(Raw);
      Path += git_tree_entry_name(Raw);
      Tree::Visit Next = Visit(Path, Entry);
      if (Next == Tree::Visit::Stop)
        Stopped = true;
      else if (Entry.isTree() && Next == Tree::Visit::Continue)
        if (Error E = descend(git_tree_owner(Directory), Entry.Id))
          return E;
      Path.resize(Length);
    }
    return Error::success();
  }

private:
  Error descend(git_repository *Repo, const Oid &Id) {
    git_tree *Child = nullptr;
    if (git_tree_lookup(&Child, Repo, Id.raw()))
      return lastError("cannot read directory " + Path);
    Tree Owner(Child);
    Path += '/';
    return walk(Child);
  }

  Tree::Visitor Visit;
  std::string Path;
  bool Stopped = false;
};
} // namespace

Error Tree::walk(Visitor Visit) const { return Walker(Visit).walk(Raw.get()); }

std::vector<Oid> Commit::parents() const {
  std::vector<Oid> Ids;
  unsigned Count = git_commit_parentcount(Raw.get());
  for (unsigned I = 0; I < Count; ++I)
    Ids.emplace_back(*git_commit_parent_id(Raw.get(), I));
  return Ids;
}

static Signature toSignature(const git_signature *Raw) {
  return {Raw->name, Raw->email, Raw->when.time, Raw->when.offset};
}

Signature Commit::author() const {
  return toSignature(git_commit_author(Raw.get()));
}

Signature Commit::committer() const {
  return toSignature(git_commit_committer(Raw.get()));
}

Expected<Tree> Commit::tree() const {
  git_tree *Found = nullptr;
  if (git_commit_tree(&Found, Raw.get()))
    return lastError("cannot read the tree of commit " + id().str(12));
  return Tree(Found);
}

} // namespace kgit
