// SPDX-License-Identifier: GPL-2.0-only

#include "engine/MadeUpHeaders.h"
#include "engine/Kconfig.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dmacheck;

const MachineFacts *dmacheck::machineFacts(StringRef Arch) {
  static const MachineFacts All[] = {
      {"x86_64",
       "x86",
       {"--target=x86_64-linux-gnu", "-m64", "-mcmodel=kernel", "-mno-red-zone",
        "-mno-sse", "-mno-mmx", "-mno-sse2", "-mno-avx", "-mno-80387",
        "-DCC_USING_FENTRY"}},
      {"arm64", "arm64", {"--target=aarch64-linux-gnu", "-mgeneral-regs-only"}},
      {"arm",
       "arm",
       {"--target=arm-linux-gnueabi", "-marm", "-march=armv7-a", "-msoft-float",
        "-D__LINUX_ARM_ARCH__=7"}},
      {"riscv",
       "riscv",
       {"--target=riscv64-linux-gnu", "-mabi=lp64",
        "-march=rv64imac_zihintpause", "-mcmodel=medany"}},
      {"s390", "s390", {"--target=s390x-linux-gnu", "-m64", "-march=z13"}},
      {"powerpc",
       "powerpc",
       {"--target=powerpc64le-linux-gnu", "-m64", "-msoft-float"}},
  };
  for (const MachineFacts &Each : All)
    if (Each.Arch == Arch)
      return &Each;
  return nullptr;
}

namespace {

/// What Kconfig asks the machine for, as answered by the clang in here; and
/// what an allyesconfig build of the kernel cannot have either.
KconfigValues fixedSymbols(const MachineFacts &Machine) {
  KconfigValues Fixed = {{"CC_IS_GCC", "n"},
                         {"CC_IS_CLANG", "y"},
                         {"GCC_VERSION", "0"},
                         {"CLANG_VERSION", "190000"},
                         {"LD_IS_BFD", "n"},
                         {"LD_VERSION", "0"},
                         {"LD_IS_LLD", "y"},
                         {"LLD_VERSION", "190000"},
                         {"AS_IS_GNU", "n"},
                         {"AS_IS_LLVM", "y"},
                         {"AS_VERSION", "190000"},
                         {"PAHOLE_VERSION", "0"},
                         {"RUST", "n"},
                         {"RUST_IS_AVAILABLE", "n"},
                         {"GCC_PLUGINS", "n"},
                         {"CPU_BIG_ENDIAN", "n"},
                         {"BROKEN", "n"},
                         {"SLUB_TINY", "n"},
                         {"KASAN", "n"},
                         {"KCSAN", "n"},
                         {"KMSAN", "n"},
                         {"UML", "n"}};
  if (Machine.Arch != "arm")
    Fixed["64BIT"] = "y";
  if (Machine.Arch == "powerpc")
    Fixed["PPC64"] = "y";
  return Fixed;
}

class Writer {
public:
  Writer(const KernelTree &Tree, const MachineFacts &Machine, StringRef Dir)
      : Tree(Tree), Machine(Machine), Dir(Dir) {}

  Error all() {
    std::string Config;
    KconfigValues Symbols = allYes(Tree, Machine.Source, fixedSymbols(Machine));
    for (const auto &[Name, Value] : Symbols)
      Config += "#define CONFIG_" + Name + " " +
                (Value == "y" ? std::string("1") : Value) + "\n";
    write("include/generated/autoconf.h", Config);
    versions();
    // Counts and offsets of the compiler's: sizes of bit fields hang on some.
    unsigned Zones = 2; // NORMAL and MOVABLE
    for (const char *Zone :
         {"ZONE_DMA", "ZONE_DMA32", "HIGHMEM", "ZONE_DEVICE"})
      Zones += Symbols.count(Zone);
    write("include/generated/bounds.h", "#define MAX_NR_ZONES " +
                                            std::to_string(Zones) +
                                            "\n#define NR_PAGEFLAGS 25\n"
                                            "#define NR_CPUS_BITS 13\n"
                                            "#define SPINLOCK_SIZE 72\n"
                                            "#define LRU_GEN_WIDTH 3\n"
                                            "#define __LRU_REFS_WIDTH 2\n");
    write("include/generated/rq-offsets.h", "#define RQ_nr_pinned 0\n");
    write("include/generated/asm-offsets.h", "");
    write("include/generated/timeconst.h", "");
    write("include/generated/compile.h",
          "#define UTS_MACHINE \"" + Machine.Arch.str() + "\"\n");
    std::string Arch = "arch/" + Machine.Source.str() + "/include/";
    wrappers(Arch + "asm", "include/asm-generic", Arch + "generated/asm");
    wrappers(Arch + "uapi/asm", "include/uapi/asm-generic",
             Arch + "generated/uapi/asm");
    systemCalls(Arch + "generated/");
    if (Machine.Arch == "x86_64")
      write(Arch + "generated/asm/cpufeaturemasks.h",
            "#define REQUIRED_MASK_BIT_SET(x) 0\n"
            "#define DISABLED_MASK_BIT_SET(x) 0\n");
    if (Machine.Arch == "arm")
      write(Arch + "generated/asm/mach-types.h", "");
    if (Machine.Arch == "s390") {
      write(Arch + "generated/asm/facility-defs.h",
            "#define FACILITIES_ALS 0UL\n"
            "#define FACILITIES_KVM 0UL\n"
            "#define FACILITIES_KVM_CPUMODEL 0UL\n");
      write(Arch + "generated/asm/dis-defs.h", "");
    }
    if (Machine.Arch == "arm64")
      arm64(Arch + "generated/asm/");
    return std::move(Failed);
  }

private:
  void write(const Twine &Path, StringRef Text) {
    SmallString<256> Full(Dir);
    sys::path::append(Full, Path);
    // Left alone if it says the same: results are kept by its age.
    if (auto There = MemoryBuffer::getFile(Full);
        There && (*There)->getBuffer() == Text)
      return;
    std::error_code EC =
        sys::fs::create_directories(sys::path::parent_path(Full));
    if (!EC) {
      raw_fd_ostream OS(Full, EC);
      if (!EC)
        OS << Text;
    }
    if (EC)
      Failed = joinErrors(std::move(Failed),
                          createStringError(EC, Full + ": " + EC.message()));
  }

  void versions() {
    auto Parts = [&] {
      SmallVector<StringRef, 3> P;
      StringRef(Tree.version()).split(P, '.');
      std::array<unsigned, 3> N{};
      for (size_t I = 0; I < P.size() && I < 3; ++I)
        P[I].getAsInteger(10, N[I]);
      return N;
    }();
    unsigned Code =
        (Parts[0] << 16) + (Parts[1] << 8) + std::min(Parts[2], 255u);
    write("include/generated/utsrelease.h",
          "#define UTS_RELEASE \"" + Tree.version() + "\"\n");
    write("include/generated/utsversion.h", "#define UTS_VERSION \"#1\"\n");
    write("include/generated/uapi/linux/version.h",
          "#define LINUX_VERSION_CODE " + std::to_string(Code) +
              "\n#define KERNEL_VERSION(a,b,c) (((a) << 16) + ((b) << 8) + "
              "((c) > 255 ? 255 : (c)))\n#define LINUX_VERSION_MAJOR " +
              std::to_string(Parts[0]) + "\n#define LINUX_VERSION_PATCHLEVEL " +
              std::to_string(Parts[1]) + "\n#define LINUX_VERSION_SUBLEVEL " +
              std::to_string(Parts[2]) + "\n");
  }

  /// The headers of a Kbuild file's "generic-y += x.h" lines.
  StringSet<> listed(const Twine &Kbuild, StringRef Variable) {
    StringSet<> Names;
    auto Text = MemoryBuffer::getFile(Tree.absolute(Kbuild.str()));
    if (!Text)
      return Names;
    for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
      StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      auto [Name, Header] = Line.split("+=");
      if (Name.trim() == Variable)
        Names.insert(Header.trim());
    }
    return Names;
  }

  void wrappers(const std::string &Own, const std::string &Generic,
                const std::string &To) {
    StringSet<> Names = listed(Own + "/Kbuild", "generic-y");
    for (const auto &Item : listed(Generic + "/Kbuild", "mandatory-y"))
      if (!sys::fs::exists(Tree.absolute(Own + "/" + Item.first().str())))
        Names.insert(Item.first());
    for (const auto &Item : Names)
      write(To + "/" + Item.first(),
            ("#include <asm-generic/" + Item.first() + ">\n").str());
  }

  /// Numbers of system calls, out of a table that the tree keeps.
  std::string numbers(StringRef Table, const std::string &Prefix) {
    std::string Numbers;
    unsigned Last = 0;
    StringSet<> Seen;
    if (auto Text = MemoryBuffer::getFile(Tree.absolute(Table)))
      for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
        StringRef Line;
        std::tie(Line, Rest) = Rest.split('\n');
        SmallVector<StringRef, 6> Words;
        SplitString(Line.split('#').first, Words);
        unsigned Number;
        if (Words.size() < 3 || Words[0].getAsInteger(10, Number) ||
            !Seen.insert(Words[2]).second)
          continue;
        Last = std::max(Last, Number);
        Numbers +=
            ("#define " + Prefix + Words[2] + " " + Words[0] + "\n").str();
      }
    return Numbers + "#define " + Prefix + "syscalls " +
           std::to_string(Last + 1) + "\n";
  }

  void systemCalls(const std::string &To) {
    std::string Source = "arch/" + Machine.Source.str(), Table;
    for (std::string Each :
         {Source + "/entry/syscalls/syscall_64.tbl",
          Source + "/kernel/syscalls/syscall.tbl",
          Source + "/tools/syscall.tbl", std::string("scripts/syscall.tbl")})
      if (Table.empty() && sys::fs::exists(Tree.absolute(Each)))
        Table = Each;
    std::string Numbers = numbers(Table, "__NR_");
    write(To + "asm/unistd_compat_32.h",
          numbers(Source + "/tools/syscall_32.tbl", "__NR_compat_"));
    for (const char *Name :
         {"unistd_64.h", "unistd_32.h", "unistd_x32.h", "unistd_64_x32.h",
          "unistd_32_ia32.h", "unistd_nr.h", "unistd-eabi.h", "unistd-oabi.h",
          "unistd-nr.h"})
      for (const char *Sub : {"asm/", "uapi/asm/"})
        write(To + Sub + Name, Numbers);
    for (const char *Name :
         {"syscalls_64.h", "syscalls_32.h", "xen-hypercalls.h", "orc_hash.h"})
      write(To + "asm/" + Name, "");
  }

  /// Numbers of CPU errata and features, in the order of the tree's list.
  void arm64(const std::string &To) {
    std::string Caps;
    unsigned Count = 0;
    if (auto Text =
            MemoryBuffer::getFile(Tree.absolute("arch/arm64/tools/cpucaps")))
      for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
        StringRef Line;
        std::tie(Line, Rest) = Rest.split('\n');
        Line = Line.split('#').first.trim();
        if (!Line.empty())
          Caps += ("#define ARM64_" + Line + " ").str() +
                  std::to_string(Count++) + "\n";
      }
    Caps += "#define ARM64_NCAPS " + std::to_string(Count) + "\n";
    write(To + "cpucaps.h", Caps);
    write(To + "cpucap-defs.h", Caps);
    write(To + "sysreg-defs.h", "");
    // For each HWCAP bit that user space can see, the kernel's name of it.
    std::string Hwcaps;
    if (auto Text = MemoryBuffer::getFile(
            Tree.absolute("arch/arm64/include/uapi/asm/hwcap.h")))
      for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
        StringRef Line;
        std::tie(Line, Rest) = Rest.split('\n');
        SmallVector<StringRef, 4> Words;
        SplitString(Line, Words);
        if (Words.size() < 3 || Words[0] != "#define" ||
            !Words[1].starts_with("HWCAP"))
          continue;
        auto [Set, Name] = Words[1].split('_');
        Hwcaps += ("#define KERNEL_" + Words[1] + " __khwcap" +
                   Set.drop_front(5) + "_feature(" + Name + ")\n")
                      .str();
      }
    write(To + "kernel-hwcap.h", Hwcaps);
  }

  const KernelTree &Tree;
  const MachineFacts &Machine;
  StringRef Dir;
  Error Failed = Error::success();
};

} // namespace

Error dmacheck::makeUpHeaders(const KernelTree &Tree,
                              const MachineFacts &Machine, StringRef Dir) {
  return Writer(Tree, Machine, Dir).all();
}
