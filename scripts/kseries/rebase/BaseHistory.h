// SPDX-License-Identifier: GPL-2.0-only
//
// What happened upstream between two bases, where the repository knows it: a
// base that is a single commit without parents has no history.

#ifndef KSERIES_REBASE_BASEHISTORY_H
#define KSERIES_REBASE_BASEHISTORY_H

#include "git/Repository.h"

#include <memory>

namespace kseries {

/// A commit that changed a file, with what it made of it.
struct FileVersion {
  kgit::Oid Commit;
  std::optional<kgit::TreeEntry> Entry;
};

/// Copies share what was read: the kernel's history is walked once.
class BaseHistory {
public:
  BaseHistory(const kgit::Repository &Repo, const kgit::Oid &Old,
              const kgit::Oid &New)
      : Repo(Repo), Old(Old), New(New), Read(std::make_shared<Known>()) {}

  /// Whether the new base descends from what the old one does.
  llvm::Expected<bool> isKnown() const;

  /// The commits between the bases that changed one of \p Paths, oldest first,
  /// merges left out.
  llvm::Expected<std::vector<kgit::Oid>>
  commitsTouching(llvm::ArrayRef<std::string> Paths) const;

  /// How \p Path came to be what it is in the new base, oldest first.
  llvm::Expected<std::vector<FileVersion>>
  versions(const std::string &Path) const;

private:
  /// A commit with one parent.
  struct Step {
    kgit::Oid Commit;
    kgit::Oid Before, After;
  };
  struct Known {
    std::optional<bool> Descends;
    std::optional<std::vector<Step>> Steps;
  };

  llvm::Error readSteps() const;
  llvm::Expected<bool> touches(const Step &At, llvm::StringRef Path) const;

  const kgit::Repository &Repo;
  kgit::Oid Old;
  kgit::Oid New;
  std::shared_ptr<Known> Read;
};

/// 'abcdefabcdef ("subject")', as the kernel's log messages refer to commits.
llvm::Expected<std::string> describeCommit(const kgit::Repository &Repo,
                                           const kgit::Oid &Id);

} // namespace kseries

#endif // KSERIES_REBASE_BASEHISTORY_H
