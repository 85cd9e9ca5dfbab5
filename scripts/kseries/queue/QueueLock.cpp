// SPDX-License-Identifier: GPL-2.0-only

#include "queue/QueueLock.h"
#include "patch/PatchError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace kseries {

static constexpr std::chrono::seconds LongestWait{10};
static constexpr std::chrono::milliseconds Pause{20};

std::string QueueLock::stateDirectory(StringRef GitDirectory) {
  return (GitDirectory.rtrim('/') + "/kseries").str();
}

std::string QueueLock::scratchDirectory(StringRef GitDirectory) {
  return stateDirectory(GitDirectory) + "/scratch";
}

/// " (process 1234)" when the lock file says so: only a hint for the reader.
static std::string holder(int Number) {
  char Text[24];
  ssize_t Length = ::pread(Number, Text, sizeof(Text), 0);
  StringRef Id = StringRef(Text, Length > 0 ? static_cast<size_t>(Length) : 0);
  Id = Id.trim();
  return Id.empty() ? "" : (" (process " + Id + ")").str();
}

Expected<QueueLock> QueueLock::take(StringRef GitDirectory, int Operation) {
  std::string Path = stateDirectory(GitDirectory) + "/lock";
  QueueLock Lock(::open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (Lock.Number < 0)
    return inputError(Path + ": cannot lock: " + std::strerror(errno));
  auto GiveUp = std::chrono::steady_clock::now() + LongestWait;
  while (::flock(Lock.Number, Operation | LOCK_NB)) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return inputError(Path + ": cannot lock: " + std::strerror(errno));
    if (std::chrono::steady_clock::now() > GiveUp)
      return inputError("another kseries" + holder(Lock.Number) +
                        " is at work on the queues of " + GitDirectory +
                        ": try again when it is done");
    std::this_thread::sleep_for(Pause);
  }
  if (Operation == LOCK_EX) {
    std::string Id = utostr(static_cast<uint64_t>(::getpid())) + "\n";
    // On a full disk the name of the holder is all that is missing.
    if (!::ftruncate(Lock.Number, 0) &&
        ::pwrite(Lock.Number, Id.data(), Id.size(), 0) < 0)
      errno = 0;
  }
  return Lock;
}

Expected<QueueLock> QueueLock::exclusive(StringRef GitDirectory) {
  if (!sys::fs::is_directory(GitDirectory))
    return inputError("no git repository " + GitDirectory);
  std::string Directory = stateDirectory(GitDirectory);
  if (std::error_code Code = sys::fs::create_directory(Directory))
    return inputError(Directory + ": cannot create: " + Code.message());
  return take(GitDirectory, LOCK_EX);
}

Expected<QueueLock> QueueLock::shared(StringRef GitDirectory) {
  std::string Directory = stateDirectory(GitDirectory);
  if (!sys::fs::is_directory(Directory) ||
      ::access((Directory + "/lock").c_str(), W_OK))
    return QueueLock(-1);
  return take(GitDirectory, LOCK_SH);
}

QueueLock::~QueueLock() {
  if (Number >= 0)
    ::close(Number);
}

} // namespace kseries
