// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Worktree.h"
#include "patch/PatchError.h"
#include "process/GitProgram.h"
#include "queue/AppliedQueue.h"
#include "queue/DurableFile.h"
#include "queue/TextFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kseries {

Expected<std::vector<std::string>> findWorktrees(const Workspace &Where,
                                                 StringRef Queue) {
  Expected<std::string> List =
      runGit({"--git-dir=" + Where.gitDirectory(), "worktree", "list",
              "--porcelain", "-z"});
  if (!List)
    return List.takeError();
  std::vector<std::string> Found;
  SmallVector<StringRef, 16> Fields;
  StringRef(*List).split(Fields, '\0');
  std::string Directory;
  for (StringRef Field : Fields) {
    if (Field.consume_front("worktree "))
      Directory = Field.str();
    else if (Field.consume_front("branch ") && Field == branchRef(Queue) &&
             sys::fs::is_directory(Directory))
      Found.push_back(Directory);
  }
  return Found;
}

static Error readTree(StringRef Directory, const kgit::Oid &Old,
                      const kgit::Oid &New, bool DryRun) {
  std::vector<std::string> Words = {"-C", Directory.str(), "read-tree", "-m",
                                    "-u"};
  if (DryRun)
    Words.push_back("-n");
  // An index that was not refreshed takes a touched file for an edited one.
  Expected<std::string> Refreshed = runGit(
      {"-C", Directory.str(), "update-index", "-q", "--refresh", "--unmerged"});
  if (!Refreshed)
    consumeError(Refreshed.takeError()); // files that need an update
  Words.push_back(Old.str());
  Words.push_back(New.str());
  Expected<std::string> Done = runGit(Words);
  if (Done)
    return Error::success();
  return inputError(Directory + ": " + toString(Done.takeError()));
}

Error checkWorktreeMove(StringRef Directory, const kgit::Oid &Old,
                        const kgit::Oid &New) {
  return readTree(Directory, Old, New, /*DryRun=*/true);
}

Error moveWorktree(StringRef Directory, const kgit::Oid &Old,
                   const kgit::Oid &New) {
  return readTree(Directory, Old, New, /*DryRun=*/false);
}

Expected<WorktreeChanges> WorktreeChanges::take(StringRef Directory) {
  WorktreeChanges Taken;
  Taken.Directory = Directory.str();
  Expected<std::string> Path =
      runGit({"-C", Taken.Directory, "rev-parse", "--path-format=absolute",
              "--git-path", "index"});
  if (!Path)
    return Path.takeError();
  Taken.Index = StringRef(*Path).rtrim('\n').str();
  Expected<std::string> Unmerged =
      runGit({"-C", Taken.Directory, "ls-files", "-u", "-z"});
  if (!Unmerged)
    return Unmerged.takeError();
  if (!Unmerged->empty())
    return inputError(Directory + ": files with conflicts: settle them and "
                                  "'git add' them first");
  Expected<std::string> Before = readTextFile(Taken.Index);
  if (!Before)
    return Before.takeError();
  Taken.Before = std::move(*Before);
  Taken.Waiting = Taken.Index + ".kseries-new";
  if (Error E = replaceTextFile(Taken.Waiting, Taken.Before))
    return std::move(E);
  Expected<std::string> Added =
      runGit({"-C", Taken.Directory, "add", "-u", ":/"}, Taken.Waiting);
  if (!Added)
    return Added.takeError();
  Expected<std::string> Tree =
      runGit({"-C", Taken.Directory, "write-tree"}, Taken.Waiting);
  if (!Tree)
    return Tree.takeError();
  Expected<kgit::Oid> Id = kgit::Oid::parse(StringRef(*Tree).rtrim('\n'));
  if (!Id)
    return Id.takeError();
  Taken.Tree = *Id;
  return std::move(Taken);
}

WorktreeChanges::~WorktreeChanges() {
  if (!Waiting.empty())
    consumeError(removeFile(Waiting));
}

Error WorktreeChanges::settle() {
  Expected<std::string> Now = readTextFile(Index);
  if (!Now)
    return Now.takeError();
  if (*Now != Before)
    return inputError(Directory + ": the index was changed meanwhile: 'git "
                                  "reset' there brings it in line");
  if (Error E = renameFile(Waiting, Index))
    return E;
  Waiting.clear();
  return Error::success();
}

} // namespace kseries
