// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Flags.h"
#include "engine/FolderMakefile.h"
#include "engine/MadeUpHeaders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck;

namespace {

class MadeUpFlags : public FlagSource {
public:
  MadeUpFlags(const KernelTree &Tree, ConfigOptions O)
      : Tree(Tree), Options(std::move(O)) {}

  Error prepare(const std::vector<std::string> &Files) override {
    for (const std::string &Arch : Options.Archs) {
      bool Needed = any_of(Files, [&](const std::string &File) {
        return archFor(File) == Arch;
      });
      if (!Needed)
        continue;
      const MachineFacts *Machine = machineFacts(Arch);
      if (!Machine)
        return createStringError(
            inconvertibleErrorCode(),
            "--no-kbuild: nothing is known of the architecture %s; x86_64, "
            "arm64, arm, riscv, s390 and powerpc are",
            Arch.c_str());
      if (Error E = makeUp(*Machine))
        return E;
    }
    return Error::success();
  }

  std::optional<CompileFlags> flagsFor(StringRef File) const override {
    std::string Arch = archFor(File);
    const MachineFacts *Machine = machineFacts(Arch);
    if (!Machine || !is_contained(Options.Archs, Arch))
      return std::nullopt;
    CompileFlags Flags{Tree.root(), {}, "made up from the tree (" + Arch + ")"};
    std::string Made = dirOf(*Machine);
    std::string Own = "arch/" + Machine->Source.str() + "/include";
    for (StringRef Each : Machine->Flags)
      Flags.Args.push_back(Each.str());
    append_range(
        Flags.Args,
        std::vector<std::string>{
            "-nostdinc", "-I" + Own, "-I" + Made + "/" + Own + "/generated",
            "-Iinclude", "-I" + Made + "/include", "-I" + Own + "/uapi",
            "-I" + Made + "/" + Own + "/generated/uapi", "-Iinclude/uapi",
            "-I" + Made + "/include/generated/uapi"});
    for (const char *First :
         {"include/linux/compiler-version.h", "include/linux/kconfig.h",
          "include/linux/compiler_types.h"})
      if (sys::fs::exists(Tree.absolute(First)))
        append_range(Flags.Args, std::vector<std::string>{"-include", First});
    append_range(Flags.Args, std::vector<std::string>{
                                 "-D__KERNEL__", "-std=gnu11",
                                 "-fms-extensions", "-fshort-wchar",
                                 "-funsigned-char", "-fno-strict-aliasing"});
    std::string Name = sys::path::stem(File).str();
    std::string Word = Name;
    std::replace(Word.begin(), Word.end(), '-', '_');
    append_range(Flags.Args,
                 std::vector<std::string>{"-DKBUILD_BASENAME=\"" + Word + "\"",
                                          "-DKBUILD_MODNAME=\"" + Word + "\"",
                                          "-DKBUILD_MODFILE=\"" +
                                              File.drop_back(2).str() + "\"",
                                          "-D__KBUILD_MODNAME=kmod_" + Word});
    folderFlags(File, Flags.Args);
    return Flags;
  }

  std::string reasonFor(StringRef File) const override {
    return "belongs to another architecture: --arch " + archFor(File);
  }

private:
  std::string archFor(StringRef File) const {
    std::string Only = archOfFile(File);
    return Only.empty() ? Options.Archs.front() : Only;
  }

  std::string dirOf(const MachineFacts &Machine) const {
    return configurationDir(Tree, Options.BuildDir, "made-up-" + Machine.Arch);
  }

  /// Once a run: what is there may be of an older state of the tree.
  Error makeUp(const MachineFacts &Machine) {
    if (!Done.insert(Machine.Arch).second)
      return Error::success();
    std::string Dir = dirOf(Machine);
    if (std::error_code EC = sys::fs::create_directories(Dir))
      return createStringError(EC, Dir + ": " + EC.message());
    for (;;) {
      LockFileManager Lock(Dir + "/dmacheck");
      if (Lock != LockFileManager::LFS_Shared)
        return makeUpHeaders(Tree, Machine, Dir);
      Lock.waitForUnlock();
    }
  }

  /// What the Makefiles of the file's folder and of those above it add.
  void folderFlags(StringRef File, std::vector<std::string> &Args) const {
    std::string Object = (sys::path::stem(File) + ".o").str();
    for (StringRef Folder = sys::path::parent_path(File); !Folder.empty();
         Folder = sys::path::parent_path(Folder)) {
      for (const char *Name : {"Kbuild", "Makefile"}) {
        auto Text =
            MemoryBuffer::getFile(Tree.absolute((Folder + "/" + Name).str()));
        if (!Text)
          continue;
        append_range(Args, makefileFlags((*Text)->getBuffer(), Folder, Object));
        break;
      }
      Object.clear();
    }
  }

  const KernelTree &Tree;
  ConfigOptions Options;
  StringSet<> Done;
};

} // namespace

std::unique_ptr<FlagSource> dmacheck::madeUpFlags(const KernelTree &Tree,
                                                  ConfigOptions Options) {
  return std::make_unique<MadeUpFlags>(Tree, std::move(Options));
}
