// SPDX-License-Identifier: GPL-2.0-only
//
// How conflicts of a queue were resolved: the file "resolutions" beside its
// patches. An entry is known by the contents of the three versions that met,
// whatever the file is called by now:
//
//   resolve BASE-ID OURS-ID THEIRS-ID RESULT-ID MODE PATH
//   diff --git ...                      from ours to the result
//
// "-" stands for a version that is not there; PATH is quoted as git does it.
// Lines in front of the first entry are comments.

#ifndef KSERIES_REBASE_RESOLUTIONS_H
#define KSERIES_REBASE_RESOLUTIONS_H

#include "git/Repository.h"
#include "merge/TreeMerge.h"
#include "patch/Patch.h"
#include "queue/Workspace.h"

#include <map>

namespace kseries {

/// The three contents that met.
struct ConflictKey {
  std::optional<kgit::Oid> Base, Ours, Theirs;

  static ConflictKey of(const Conflict &Met);
  /// As in the file.
  std::string str() const;

  friend auto operator<=>(const ConflictKey &A, const ConflictKey &B) {
    return A.str() <=> B.str();
  }
  friend bool operator==(const ConflictKey &A, const ConflictKey &B) {
    return A.str() == B.str();
  }
};

class Resolutions {
public:
  /// \p Path names the file in errors.
  static llvm::Expected<Resolutions> parse(llvm::StringRef Text,
                                           llvm::StringRef Path);

  /// The text that was parsed, with what was added below.
  const std::string &text() const { return Text; }
  bool empty() const { return Known.empty(); }

  /// What to do about \p Met: a file or, inside, none; nothing when it was not
  /// met before. An entry that does not give what it says is an error.
  llvm::Expected<std::optional<std::optional<kgit::TreeEntry>>>
  find(const kgit::Repository &Repo, const Conflict &Met) const;

  /// Remembers that \p Result settled \p Met; does nothing when it is known.
  llvm::Error add(const kgit::Repository &Repo, const Conflict &Met,
                  const std::optional<kgit::TreeEntry> &Result);
  /// Takes over what \p Others has and this has not.
  void merge(const Resolutions &Others);

private:
  struct Entry {
    std::string Path;
    std::optional<kgit::TreeEntry> Result;
    std::vector<FileDiff> Diff;
    /// Its part of the file.
    std::string Text;
  };

  void append(const Entry &New);
  llvm::Error parseEntry(llvm::StringRef Block, unsigned Line);

  std::string Path;
  std::string Text;
  std::map<ConflictKey, Entry> Known;
};

/// Those that \p Queue has recorded.
llvm::Expected<Resolutions> loadResolutions(const Workspace &Where,
                                            llvm::StringRef Queue);

} // namespace kseries

#endif // KSERIES_REBASE_RESOLUTIONS_H
