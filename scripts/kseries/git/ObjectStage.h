// SPDX-License-Identifier: GPL-2.0-only
//
// An object database in memory in front of the one on the disk: what is written
// goes nowhere until it is flushed. A queue that does not apply thus leaves no
// object behind.

#ifndef KSERIES_GIT_OBJECTSTAGE_H
#define KSERIES_GIT_OBJECTSTAGE_H

#include "git/Objects.h"
#include "git/Oid.h"

#include "llvm/ADT/ArrayRef.h"

#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include <map>
#include <string>
#include <vector>

namespace kgit {

struct ObjectStage : git_odb_backend {
  struct Object {
    git_object_t Type;
    std::string Content;
  };

  explicit ObjectStage(Handle<git_odb, git_odb_free> Disk);

  /// Puts a stage before the object database of \p Repo, which becomes the
  /// owner.
  static llvm::Expected<ObjectStage *> attach(git_repository *Repo);

  /// Writes every object of the stage to the disk and empties the stage.
  llvm::Error flush(git_repository *Repo);

  /// What is read and not staged comes from here.
  Handle<git_odb, git_odb_free> Disk;
  std::map<Oid, Object> Objects;
  /// Children come before what names them: a reader never finds a commit
  /// without its tree.
  std::vector<Oid> Order;

private:
  llvm::Error writeLoose(git_repository *Repo, llvm::ArrayRef<Oid> New) const;
  static llvm::Error writePack(git_repository *Repo, llvm::ArrayRef<Oid> New);
};

} // namespace kgit

#endif // KSERIES_GIT_OBJECTSTAGE_H
