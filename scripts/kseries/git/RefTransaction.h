// SPDX-License-Identifier: GPL-2.0-only
//
// Several references moved together: all are locked before the first is
// written, so that a second process sees none or waits for all.

#ifndef KSERIES_GIT_REFTRANSACTION_H
#define KSERIES_GIT_REFTRANSACTION_H

#include "git/Repository.h"

namespace kgit {

class RefTransaction {
public:
  static llvm::Expected<RefTransaction> begin(const Repository &Repo);

  /// Locks \p Name; it points at \p Target, created when need be, once
  /// commit() has run. \p Reason goes into the reflog.
  llvm::Error set(llvm::StringRef Name, const Oid &Target,
                  llvm::StringRef Reason);
  /// Locks \p Name; it is gone once commit() has run.
  llvm::Error remove(llvm::StringRef Name);
  llvm::Error commit();

private:
  explicit RefTransaction(git_transaction *Raw) : Raw(Raw) {}

  Handle<git_transaction, git_transaction_free> Raw;
};

} // namespace kgit

#endif // KSERIES_GIT_REFTRANSACTION_H
