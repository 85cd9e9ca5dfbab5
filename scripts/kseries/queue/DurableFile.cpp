// SPDX-License-Identifier: GPL-2.0-only

#include "queue/DurableFile.h"
#include "patch/PatchError.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace kseries {

static Error fail(StringRef Path, StringRef What) {
  return inputError(Path + ": cannot " + What + ": " + std::strerror(errno));
}

namespace {

class Descriptor {
public:
  Descriptor(StringRef Path, int Flags, unsigned Mode = 0)
      : Number(::open(Path.str().c_str(), Flags | O_CLOEXEC, Mode)) {}
  ~Descriptor() {
    if (Number >= 0)
      ::close(Number);
  }
  Descriptor(const Descriptor &) = delete;

  const int Number;
};

} // namespace

Error writeDurably(StringRef Path, StringRef Text, unsigned Mode) {
  Descriptor File(Path, O_WRONLY | O_CREAT | O_TRUNC, Mode);
  if (File.Number < 0)
    return fail(Path, "write");
  while (!Text.empty()) {
    ssize_t Written = ::write(File.Number, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return fail(Path, "write");
    Text = Text.drop_front(static_cast<size_t>(Written));
  }
  if (::fsync(File.Number))
    return fail(Path, "write");
  return Error::success();
}

Error syncDirectory(StringRef Path) {
  Descriptor Directory(Path, O_RDONLY | O_DIRECTORY);
  // Some file systems know no fsync for directories.
  if (Directory.Number < 0 || (::fsync(Directory.Number) && errno != EINVAL))
    return fail(Path, "write");
  return Error::success();
}

Error renameFile(StringRef From, StringRef To) {
  if (::rename(From.str().c_str(), To.str().c_str()))
    return fail(From, ("rename to " + To).str());
  return Error::success();
}

Error removeFile(StringRef Path) {
  if (::unlink(Path.str().c_str()) && errno != ENOENT)
    return fail(Path, "remove");
  return Error::success();
}

} // namespace kseries
