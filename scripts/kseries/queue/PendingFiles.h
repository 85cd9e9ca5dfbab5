// SPDX-License-Identifier: GPL-2.0-only
//
// Files as they will be once a transaction is done: what it does not change is
// read from the disk. A path is what Workspace and Queue make of their names:
// SERIES-DIRECTORY/QUEUE/FILE.

#ifndef KSERIES_QUEUE_PENDINGFILES_H
#define KSERIES_QUEUE_PENDINGFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>

namespace kseries {

class PendingFiles {
public:
  /// The new text of each file, nothing for one that goes.
  using Changes =
      std::map<std::string, std::optional<std::string>, std::less<>>;

  /// The disk as it is.
  static const PendingFiles &none();

  void write(llvm::StringRef Path, std::string Text) {
    Changed.insert_or_assign(Path.str(), std::move(Text));
  }
  void remove(llvm::StringRef Path) {
    Changed.insert_or_assign(Path.str(), std::nullopt);
  }

  bool exists(llvm::StringRef Path) const;
  llvm::Expected<std::string> read(llvm::StringRef Path) const;

  const Changes &changes() const { return Changed; }

private:
  Changes Changed;
};

} // namespace kseries

#endif // KSERIES_QUEUE_PENDINGFILES_H
