// SPDX-License-Identifier: GPL-2.0-only
//
// Which of the files that went from a tree came back under another name, as
// git's merge (merge-ort with diffcore-rename) finds them: by id, then by base
// name, then by similarity of at least half. Not followed: directories that
// were renamed as a whole, as with merge.directoryRenames=false.

#ifndef KSERIES_MERGE_RENAMES_H
#define KSERIES_MERGE_RENAMES_H

#include "git/Repository.h"

#include <map>
#include <set>

namespace kseries {

struct FileAt {
  std::string Path;
  kgit::TreeEntry Entry;
};

/// Old name to new name. \p Gone and \p Came are all files of that side, in the
/// order of their paths; looked for are the names in \p Wanted, of which only
/// the contents that can matter are read.
llvm::Expected<std::map<std::string, std::string>>
findRenames(const kgit::Repository &Repo, llvm::ArrayRef<FileAt> Gone,
            llvm::ArrayRef<FileAt> Came, const std::set<std::string> &Wanted);

} // namespace kseries

#endif // KSERIES_MERGE_RENAMES_H
