// SPDX-License-Identifier: GPL-2.0-only
//
// An object database backend in memory: what is written while it is attached
// goes nowhere until it is flushed. A queue that does not apply thus leaves no
// object behind.

#ifndef KSERIES_GIT_OBJECTSTAGE_H
#define KSERIES_GIT_OBJECTSTAGE_H

#include "git/Oid.h"

#include <git2/sys/odb_backend.h>

#include <map>
#include <string>
#include <vector>

namespace kgit {

struct ObjectStage : git_odb_backend {
  struct Object {
    git_object_t Type;
    std::string Content;
  };

  ObjectStage();

  /// Makes \p Database write here first; \p Database becomes the owner.
  static llvm::Expected<ObjectStage *> attach(git_odb *Database);

  /// Writes every object of the stage to \p Database and empties the stage.
  llvm::Error flushTo(git_odb *Database);

  std::map<Oid, Object> Objects;
  /// Children come before what names them: a reader never finds a commit
  /// without its tree.
  std::vector<Oid> Order;
};

} // namespace kgit

#endif // KSERIES_GIT_OBJECTSTAGE_H
