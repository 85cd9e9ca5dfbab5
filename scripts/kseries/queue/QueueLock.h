// SPDX-License-Identifier: GPL-2.0-only
//
// One process at a time changes the queues of a repository. There is one lock
// for all of them: queues stand on each other, so whoever works on one reads
// or moves others. It is held while files and commits are made, never while a
// user is asked or a compiler runs.

#ifndef KSERIES_QUEUE_QUEUELOCK_H
#define KSERIES_QUEUE_QUEUELOCK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kseries {

class QueueLock {
public:
  /// The directory below a repository's own where lock and journal are.
  static std::string stateDirectory(llvm::StringRef GitDirectory);
  /// Below it, what whoever has the lock makes on the way; otherwise it was
  /// left by a killed process.
  static std::string scratchDirectory(llvm::StringRef GitDirectory);

  /// Waits up to ten seconds for whoever has the lock, then fails and names
  /// the process.
  static llvm::Expected<QueueLock> exclusive(llvm::StringRef GitDirectory);
  /// The same beside other readers. Where there is no repository, or none that
  /// can be written to, nobody can be at work: that lock holds nothing.
  static llvm::Expected<QueueLock> shared(llvm::StringRef GitDirectory);

  QueueLock(QueueLock &&Other) : Number(Other.Number) { Other.Number = -1; }
  QueueLock &operator=(QueueLock &&Other) {
    std::swap(Number, Other.Number);
    return *this;
  }
  ~QueueLock();

private:
  explicit QueueLock(int Number) : Number(Number) {}

  static llvm::Expected<QueueLock> take(llvm::StringRef GitDirectory,
                                        int Operation);

  /// Of the open file that is locked; the system lets go of it even when the
  /// process is killed.
  int Number;
};

} // namespace kseries

#endif // KSERIES_QUEUE_QUEUELOCK_H
