// SPDX-License-Identifier: GPL-2.0-only
//
// The parts of a patch that a split may take: files, directories, and hunks by
// their number within a file.

#ifndef KSERIES_COMMANDS_SPLITPARTS_H
#define KSERIES_COMMANDS_SPLITPARTS_H

#include "git/ChangedPaths.h"
#include "git/TreeEdit.h"
#include "patch/Patch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

namespace kseries {

class SplitParts {
public:
  /// Of the patch that leads from one tree to another. \p Name names it in
  /// errors.
  static llvm::Expected<SplitParts> of(const kgit::Repository &Repo,
                                       const kgit::Oid &Before,
                                       const kgit::Oid &After,
                                       llvm::StringRef Name);

  /// A line for each part: FILE:N and the hunk's head, or FILE and why it goes
  /// as a whole.
  void list(llvm::raw_ostream &OS) const;

  /// The tree with \p Words changed alone: FILE, DIRECTORY, or FILE:HUNKS,
  /// numbers from 1 and ranges ("2" or "1,3-4"). What the patch does not have
  /// is an error, and so is all that it has.
  llvm::Expected<kgit::Oid> take(llvm::ArrayRef<std::string> Words) const;

private:
  /// By the file, which of its hunks.
  using Hunks = std::map<std::string, std::set<unsigned>>;

  SplitParts(const kgit::Repository &Repo, const kgit::Oid &Before,
             const kgit::Oid &After, llvm::StringRef Name)
      : Repo(Repo), Before(Before), After(After), Name(Name) {}

  bool takeFiles(llvm::StringRef Word, kgit::TreeEdits &Edits) const;
  llvm::Error takeHunks(llvm::StringRef Word, Hunks &Into) const;
  llvm::Expected<kgit::TreeEntry>
  withHunks(const kgit::ChangedPath &File,
            const std::set<unsigned> &Wanted) const;
  const FileDiff *diffOf(llvm::StringRef Path) const;

  const kgit::Repository &Repo;
  kgit::Oid Before, After;
  std::string Name;
  std::vector<kgit::ChangedPath> Paths;
  std::vector<FileDiff> Diffs;
};

} // namespace kseries

#endif // KSERIES_COMMANDS_SPLITPARTS_H
