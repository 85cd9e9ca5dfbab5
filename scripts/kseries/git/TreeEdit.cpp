// SPDX-License-Identifier: GPL-2.0-only

#include "git/TreeEdit.h"
#include "git/GitError.h"

using namespace llvm;

namespace kgit {

namespace {

struct Directory {
  std::map<std::string, Directory> Children;
  TreeEdits Files;
};

class Editor {
public:
  explicit Editor(const Repository &Repo) : Repo(Repo) {}

  /// The new id of the directory, nothing when no entry is left in it.
  Expected<std::optional<Oid>> edit(const std::string &Prefix,
                                    std::optional<Oid> Base,
                                    const Directory &Changes) {
    std::optional<Tree> Old;
    if (Base) {
      Expected<Tree> Loaded = Repo.tree(*Base);
      if (!Loaded)
        return Loaded.takeError();
      Old = std::move(*Loaded);
    }
    git_treebuilder *RawBuilder = nullptr;
    if (git_treebuilder_new(&RawBuilder, Repo.raw(),
                            Old ? Old->raw() : nullptr))
      return lastError("cannot edit directory " + Prefix);
    Handle<git_treebuilder, git_treebuilder_free> Builder(RawBuilder);

    // Files first: one that goes may make room for a directory of its name.
    for (const auto &[Name, Entry] : Changes.Files)
      if (!Entry)
        if (Error E = set(RawBuilder, Prefix, Name, std::nullopt))
          return E;
    for (const auto &[Name, Child] : Changes.Children)
      if (Error E = editChild(RawBuilder, Prefix, Name, Child))
        return E;
    for (const auto &[Name, Entry] : Changes.Files)
      if (Entry)
        if (Error E = set(RawBuilder, Prefix, Name, Entry))
          return E;

    if (!git_treebuilder_entrycount(RawBuilder))
      return std::nullopt;
    git_oid Written;
    if (git_treebuilder_write(&Written, RawBuilder))
      return lastError("cannot write directory " + Prefix);
    return Oid(Written);
  }

private:
  static bool isTree(const git_tree_entry *Entry) {
    return git_tree_entry_filemode(Entry) == GIT_FILEMODE_TREE;
  }

  Error set(git_treebuilder *Builder, const std::string &Prefix,
            const std::string &Name, std::optional<TreeEntry> Entry) {
    const git_tree_entry *Present = git_treebuilder_get(Builder, Name.c_str());
    if (Present && isTree(Present))
      return makeError(Prefix + Name + " is a directory");
    if (!Entry) {
      if (!Present)
        return makeError(Prefix + Name + " does not exist");
      if (git_treebuilder_remove(Builder, Name.c_str()))
        return lastError("cannot remove " + Prefix + Name);
      return Error::success();
    }
    if (git_treebuilder_insert(nullptr, Builder, Name.c_str(), Entry->Id.raw(),
                               static_cast<git_filemode_t>(Entry->Mode)))
      return lastError("cannot store " + Prefix + Name);
    return Error::success();
  }

  Error editChild(git_treebuilder *Builder, const std::string &Prefix,
                  const std::string &Name, const Directory &Child) {
    std::optional<Oid> Base;
    if (const git_tree_entry *Present =
            git_treebuilder_get(Builder, Name.c_str())) {
      if (!isTree(Present))
        return makeError(Prefix + Name + " is not a directory");
      Base = Oid(*git_tree_entry_id(Present));
    }
    Expected<std::optional<Oid>> Edited =
        edit(Prefix + Name + "/", Base, Child);
    if (!Edited)
      return Edited.takeError();
    int Rc = 0;
    if (*Edited)
      Rc = git_treebuilder_insert(nullptr, Builder, Name.c_str(),
                                  (*Edited)->raw(), GIT_FILEMODE_TREE);
    else if (Base)
      Rc = git_treebuilder_remove(Builder, Name.c_str());
    if (Rc)
      return lastError("cannot store directory " + Prefix + Name);
    return Error::success();
  }

  const Repository &Repo;
};

} // namespace

Expected<Oid> editTree(const Repository &Repo, const Oid &Base,
                       const TreeEdits &Edits) {
  Directory Root;
  for (const auto &[Path, Entry] : Edits) {
    Directory *At = &Root;
    StringRef Rest = Path;
    for (size_t Slash; (Slash = Rest.find('/')) != StringRef::npos;
         Rest = Rest.drop_front(Slash + 1))
      At = &At->Children[Rest.take_front(Slash).str()];
    At->Files[Rest.str()] = Entry;
  }
  Editor Edit(Repo);
  Expected<std::optional<Oid>> Edited = Edit.edit("", Base, Root);
  if (!Edited)
    return Edited.takeError();
  if (*Edited)
    return **Edited;
  return emptyTree(Repo); // every file went
}

Expected<Oid> emptyTree(const Repository &Repo) {
  git_treebuilder *RawBuilder = nullptr;
  if (git_treebuilder_new(&RawBuilder, Repo.raw(), nullptr))
    return lastError("cannot write the empty tree");
  Handle<git_treebuilder, git_treebuilder_free> Builder(RawBuilder);
  git_oid Empty;
  if (git_treebuilder_write(&Empty, RawBuilder))
    return lastError("cannot write the empty tree");
  return Oid(Empty);
}

} // namespace kgit
