// SPDX-License-Identifier: GPL-2.0-only

#include "git/ChangedPaths.h"
#include "git/GitError.h"

#include <map>

using namespace llvm;

namespace kgit {

namespace {

class Comparison {
public:
  Comparison(const Repository &Repo, std::vector<ChangedPath> &Out)
      : Repo(Repo), Out(Out) {}

  /// A missing side is a directory that is not there.
  Error compare(const std::string &Prefix, std::optional<Oid> Old,
                std::optional<Oid> New) {
    if (Old && New && *Old == *New)
      return Error::success();
    std::map<std::string, std::pair<MaybeEntry, MaybeEntry>> Names;
    if (Old)
      if (Error E = readDirectory(*Old, [&](const char *Name) -> MaybeEntry & {
            return Names[Name].first;
          }))
        return E;
    if (New)
      if (Error E = readDirectory(*New, [&](const char *Name) -> MaybeEntry & {
            return Names[Name].second;
          }))
        return E;
    for (auto &[Name, Sides] : Names)
      if (Error E = compareEntry(Prefix + Name, Sides.first, Sides.second))
        return E;
    return Error::success();
  }

private:
  using MaybeEntry = std::optional<TreeEntry>;

  Error readDirectory(const Oid &Id,
                      function_ref<MaybeEntry &(const char *)> Slot) {
    Expected<Tree> Directory = Repo.tree(Id);
    if (!Directory)
      return Directory.takeError();
    size_t Count = git_tree_entrycount(Directory->raw());
    for (size_t I = 0; I < Count; ++I) {
      const git_tree_entry *Raw = git_tree_entry_byindex(Directory->raw(), I);
      Slot(git_tree_entry_name(Raw)) =
          TreeEntry{Oid(*git_tree_entry_id(Raw)),
                    static_cast<uint32_t>(git_tree_entry_filemode(Raw))};
    }
    return Error::success();
  }

  Error compareEntry(const std::string &Path, MaybeEntry Old, MaybeEntry New) {
    if (Old == New)
      return Error::success();
    auto TakeTree = [](MaybeEntry &Side) -> std::optional<Oid> {
      if (!Side || !Side->isTree())
        return std::nullopt;
      Oid Id = Side->Id;
      Side.reset();
      return Id;
    };
    std::optional<Oid> OldTree = TakeTree(Old), NewTree = TakeTree(New);
    if (Old || New)
      Out.push_back({Path, Old, New});
    if (OldTree || NewTree)
      return compare(Path + "/", OldTree, NewTree);
    return Error::success();
  }

  const Repository &Repo;
  std::vector<ChangedPath> &Out;
};

} // namespace

Expected<std::vector<ChangedPath>>
changedPaths(const Repository &Repo, const Oid &OldTree, const Oid &NewTree) {
  std::vector<ChangedPath> Out;
  if (Error E = Comparison(Repo, Out).compare("", OldTree, NewTree))
    return E;
  return Out;
}

Expected<std::vector<ChangedPath>>
changedPaths(const Repository &Repo, const Commit &Old, const Commit &New) {
  return changedPaths(Repo, Old.treeId(), New.treeId());
}

} // namespace kgit
