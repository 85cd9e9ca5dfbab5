// SPDX-License-Identifier: GPL-2.0-only

#include "queue/PendingFiles.h"
#include "patch/PatchError.h"
#include "queue/TextFile.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace kseries {

const PendingFiles &PendingFiles::none() {
  static const PendingFiles None;
  return None;
}

bool PendingFiles::exists(StringRef Path) const {
  auto Found = Changed.find(Path);
  return Found == Changed.end() ? sys::fs::exists(Path)
                                : Found->second.has_value();
}

Expected<std::string> PendingFiles::read(StringRef Path) const {
  auto Found = Changed.find(Path);
  if (Found == Changed.end())
    return readTextFile(Path);
  if (!Found->second)
    return inputError(Path + ": cannot read: it is about to be removed");
  return *Found->second;
}

} // namespace kseries
