// SPDX-License-Identifier: GPL-2.0-only

#include "engine/CleanExport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck;

static Error failed(const Twine &Path, std::error_code EC) {
  return createStringError(EC, Path + ": " + EC.message());
}

bool dmacheck::isMadeByKbuild(StringRef Path) {
  StringRef Name = sys::path::filename(Path);
  // .config, .version, .foo.o.cmd, .tmp_vmlinux1; .git too is not needed.
  if (Name.starts_with("."))
    return true;
  for (StringRef End : {".o", ".a", ".ko", ".mod", ".mod.c", ".symvers", ".dtb",
                        ".dtbo", ".so", ".so.dbg", ".order", ".cmd"})
    if (Name.ends_with(End))
      return true;
  if (Path == "include/config" || Path == "include/generated" ||
      Path == "vmlinux" || Path == "System.map")
    return true;
  return Path.starts_with("arch/") && Path.ends_with("/include/generated");
}

/// Host programs: kernels that look into the source tree for what is missing in
/// the object folder would take them for their own.
static bool isHostProgram(const Twine &Path) {
  if (!sys::fs::can_execute(Path))
    return false;
  file_magic Magic;
  return !identify_magic(Path, Magic) && Magic.is_object();
}

static Error exportFolder(const KernelTree &Tree, const std::string &Folder,
                          StringRef To) {
  if (std::error_code EC = sys::fs::create_directories(To))
    return failed(To, EC);
  std::error_code EC;
  std::string From = Tree.absolute(Folder);
  for (sys::fs::directory_iterator It(From, EC, /*follow_symlinks=*/false), End;
       It != End && !EC; It.increment(EC)) {
    std::string Name = sys::path::filename(It->path()).str();
    std::string Below = Folder.empty() ? Name : Folder + "/" + Name;
    if (isMadeByKbuild(Below))
      continue;
    SmallString<256> Target(To);
    sys::path::append(Target, Name);
    if (It->type() == sys::fs::file_type::directory_file) {
      if (Error E = exportFolder(Tree, Below, Target))
        return E;
    } else if (!isHostProgram(It->path())) {
      if (std::error_code Link = sys::fs::create_link(It->path(), Target))
        return failed(Target, Link);
    }
  }
  return EC ? failed(From, EC) : Error::success();
}

Error dmacheck::exportWithoutBuild(const KernelTree &Tree, StringRef Dir) {
  if (std::error_code EC = sys::fs::remove_directories(Dir))
    return failed(Dir, EC);
  return exportFolder(Tree, "", Dir);
}
