// SPDX-License-Identifier: GPL-2.0-only

#include "git/RefTransaction.h"
#include "git/GitError.h"

using namespace llvm;

namespace kgit {

Expected<RefTransaction> RefTransaction::begin(const Repository &Repo) {
  git_transaction *Started = nullptr;
  if (git_transaction_new(&Started, Repo.raw()))
    return lastError("cannot start a reference transaction");
  return RefTransaction(Started);
}

Error RefTransaction::set(StringRef Name, const Oid &Target, StringRef Reason) {
  std::string Reference = Name.str();
  if (git_transaction_lock_ref(Raw.get(), Reference.c_str()))
    return lastError("cannot lock " + Name);
  if (git_transaction_set_target(Raw.get(), Reference.c_str(), Target.raw(),
                                 nullptr, Reason.str().c_str()))
    return lastError("cannot set " + Name);
  return Error::success();
}

Error RefTransaction::remove(StringRef Name) {
  std::string Reference = Name.str();
  if (git_transaction_lock_ref(Raw.get(), Reference.c_str()))
    return lastError("cannot lock " + Name);
  if (git_transaction_remove(Raw.get(), Reference.c_str()))
    return lastError("cannot remove " + Name);
  return Error::success();
}

Error RefTransaction::commit() {
  if (git_transaction_commit(Raw.get()))
    return lastError("cannot update the references");
  return Error::success();
}

} // namespace kgit
