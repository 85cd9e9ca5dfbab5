// SPDX-License-Identifier: GPL-2.0-only

#include "FakeTree.h"
#include "engine/CleanExport.h"
#include "engine/Flags.h"
#include "engine/Kbuild.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// A tree whose Makefile answers as kbuild does: x86_64 builds a.c, arm64 b.c.
class PrivateConfiguration : public testing::Test {
protected:
  PrivateConfiguration() {
    Fake.write("Makefile",
               "VERSION = 7\n"
               "real-obj-y := $(if $(filter arm64,$(ARCH)),b.o,a.o)\n"
               "allmodconfig olddefconfig:\n"
               "\t@echo $@ $(ARCH) >>$(O)/configured\n"
               "prepare:\n"
               "\t@mkdir -p $(O)/include/generated\n"
               "\t@touch $(O)/include/generated/asm-offsets.h\n"
               "%.o:\n"
               "\t$(CHECK) -DFOR=$(ARCH) -I$(CURDIR)/include $*.c\n");
  }
  std::unique_ptr<FlagSource> source(std::vector<std::string> Archs = {
                                         "x86_64", "arm64"}) {
    ConfigOptions Options;
    Options.BuildDir = Build.root();
    Options.Archs = std::move(Archs);
    Options.ConfigFile = ConfigFile;
    return privateConfiguration(Tree, Options);
  }
  /// Of the one x86_64 configuration that there is.
  std::string objects() const {
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator It(Build.path("config"), EC), End;
         It != End && !EC; It.increment(EC))
      if (llvm::StringRef(It->path()).contains("/x86_64-"))
        return It->path();
    return "";
  }
  std::string logOf() const { return objects() + "/dmacheck.rules.log"; }
  size_t configured() const {
    auto Text = llvm::MemoryBuffer::getFile(objects() + "/configured");
    return Text ? (*Text)->getBuffer().count('\n') : 0;
  }

  FakeTree Fake, Build;
  KernelTree Tree = Fake.open();
  std::string ConfigFile;
};

TEST_F(PrivateConfiguration, TheFirstThatBuildsTheFile) {
  auto Source = source();
  ASSERT_EQ(llvm::toString(Source->prepare({"a.c", "b.c", "c.c"})), "");
  auto A = Source->flagsFor("a.c"), B = Source->flagsFor("b.c"),
       C = Source->flagsFor("c.c");
  ASSERT_TRUE(A && B && C);
  EXPECT_EQ(A->From, "private x86_64 allmodconfig");
  EXPECT_THAT(A->Args,
              ElementsAre("-D", "FOR=x86_64", "-I", Fake.root() + "/include"));
  EXPECT_EQ(B->From, "private arm64 allmodconfig");
  EXPECT_THAT(B->Args, Contains("FOR=arm64"));
  EXPECT_EQ(C->From, "private x86_64 allmodconfig, as if it built the file");
  EXPECT_THAT(C->Args, Contains("FOR=x86_64"));
}

TEST_F(PrivateConfiguration, HeadersOfOtherMachinesForWhatNoneBuilds) {
  Fake.write("arch/mips/include/asm/mach-x/irq.h", "");
  auto Source = source({"x86_64"});
  ASSERT_EQ(llvm::toString(Source->prepare({"a.c", "c.c"})), "");
  EXPECT_THAT(Source->flagsFor("c.c")->Args,
              ElementsAre("-D", "FOR=x86_64", "-I", Fake.root() + "/include",
                          "-idirafter", Fake.path("arch/mips/include"),
                          "-idirafter",
                          Fake.path("arch/mips/include/asm/mach-x")));
  EXPECT_EQ(Source->flagsFor("a.c")->Args.size(), 4u);
}

TEST_F(PrivateConfiguration, TheSecondIsNotMadeForNothing) {
  auto Source = source();
  ASSERT_EQ(llvm::toString(Source->prepare({"a.c"})), "");
  std::error_code EC;
  unsigned Folders = 0;
  for (llvm::sys::fs::directory_iterator It(Build.path("config"), EC), End;
       It != End && !EC; It.increment(EC))
    ++Folders;
  EXPECT_EQ(Folders, 1u);
}

TEST_F(PrivateConfiguration, FilesOfAnArchitecture) {
  auto Source = source();
  ASSERT_EQ(llvm::toString(Source->prepare(
                {"arch/arm64/b.c", "arch/s390/c.c", "arch/x86/a.c"})),
            "");
  auto Arm = Source->flagsFor("arch/arm64/b.c"),
       X86 = Source->flagsFor("arch/x86/a.c");
  ASSERT_TRUE(Arm && X86);
  EXPECT_THAT(Arm->Args, Contains("FOR=arm64"));
  EXPECT_THAT(X86->Args, Contains("FOR=x86_64"));
  EXPECT_FALSE(Source->flagsFor("arch/s390/c.c"));
  EXPECT_EQ(Source->reasonFor("arch/s390/c.c"),
            "belongs to another architecture: --arch s390");
}

TEST_F(PrivateConfiguration, KnownFlagsAreNotAskedForAgain) {
  ASSERT_EQ(llvm::toString(source()->prepare({"a.c"})), "");
  std::string Log = logOf();
  ASSERT_FALSE(llvm::sys::fs::remove(Log));
  auto Source = source();
  ASSERT_EQ(llvm::toString(Source->prepare({"a.c"})), "");
  EXPECT_EQ(Source->flagsFor("a.c")->From, "private x86_64 allmodconfig");
  EXPECT_FALSE(llvm::sys::fs::exists(Log));
}

TEST_F(PrivateConfiguration, ChangedMakefilesAreAskedAgain) {
  Fake.write("d/Makefile", "#\n");
  ASSERT_EQ(llvm::toString(source()->prepare({"a.c", "d/a.c"})), "");
  std::string Log = logOf();
  Fake.write("d/Makefile", "# another\n");
  ASSERT_FALSE(llvm::sys::fs::remove(Log));
  ASSERT_EQ(llvm::toString(source()->prepare({"a.c"})), "");
  EXPECT_FALSE(llvm::sys::fs::exists(Log)) << "d/ is not on the way to a.c";
  ASSERT_EQ(llvm::toString(source()->prepare({"a.c", "d/a.c"})), "");
  EXPECT_TRUE(llvm::sys::fs::exists(Log));
  EXPECT_EQ(configured(), 1u);
}

TEST_F(PrivateConfiguration, ChangedKconfigIsConfiguredAgain) {
  ASSERT_EQ(llvm::toString(source()->prepare({"a.c", "d/a.c"})), "");
  Fake.write("d/Kconfig", "config NEW\n");
  ASSERT_EQ(llvm::toString(source()->prepare({"a.c", "d/a.c"})), "");
  EXPECT_EQ(configured(), 2u);
}

TEST_F(PrivateConfiguration, NamesThatMakeWouldMisread) {
  auto Source = source();
  ASSERT_EQ(
      llvm::toString(Source->prepare({"a.c", "real-obj-y=a.c", "--eval=x.c"})),
      "");
  EXPECT_EQ(Source->flagsFor("a.c")->From, "private x86_64 allmodconfig");
  EXPECT_FALSE(Source->flagsFor("real-obj-y=a.c"));
  EXPECT_EQ(Source->reasonFor("--eval=x.c"), "kbuild has no rule for it");
}

TEST_F(PrivateConfiguration, TreeConfiguredInPlace) {
  Fake.write(".config", "#\n# Linux/x86 7.2.12 Kernel Configuration\n#\n"
                        "CONFIG_64BIT=y\n");
  Fake.write("include/config/auto.conf", "");
  ConfigFile = Fake.path(".config");
  ASSERT_EQ(archOfConfig(ConfigFile), "x86_64");
  auto Source = source({"x86_64"});
  ASSERT_EQ(llvm::toString(Source->prepare({"a.c"})), "");
  auto Flags = Source->flagsFor("a.c");
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->From, "private copy of .config");
  // Headers are those of the tree, not of the copy that kbuild was given.
  EXPECT_THAT(Flags->Args, Contains(Fake.root() + "/include"));
  auto Configured =
      llvm::MemoryBuffer::getFile(Flags->Directory + "/configured");
  ASSERT_TRUE(bool(Configured));
  EXPECT_EQ((*Configured)->getBuffer(), "olddefconfig x86_64\n");
  EXPECT_FALSE(llvm::sys::fs::exists(Fake.path("include/generated")));
}

TEST_F(PrivateConfiguration, NothingAskedNothingDone) {
  EXPECT_FALSE(source()->prepare({}));
  EXPECT_FALSE(llvm::sys::fs::exists(Build.path("config")));
}

TEST_F(PrivateConfiguration, FailingMakeIsOneLine) {
  Fake.write("Makefile",
             "VERSION = 7\nallmodconfig:\n\t@echo '***' >&2; echo '*** no "
             "rule of mine' >&2; false\n");
  std::string Error = llvm::toString(source()->prepare({"a.c"}));
  EXPECT_TRUE(llvm::StringRef(Error).contains(": no rule of mine (see "))
      << Error;
  EXPECT_FALSE(llvm::StringRef(Error).contains('\n')) << Error;
}

TEST(ArchOfConfig, AsKbuildCallsThem) {
  FakeTree Fake;
  Fake.write("32", "# Linux/x86 6.1.0 Kernel Configuration\n");
  Fake.write("arm64", "#\n# Automatically generated file; DO NOT EDIT.\n"
                      "# Linux/arm64 6.1.0 Kernel Configuration\n");
  Fake.write("none", "CONFIG_X=y\n");
  EXPECT_EQ(archOfConfig(Fake.path("32")), "i386");
  EXPECT_EQ(archOfConfig(Fake.path("arm64")), "arm64");
  EXPECT_EQ(archOfConfig(Fake.path("none")), "");
  EXPECT_EQ(archOfConfig(Fake.path("gone")), "");
}

TEST(KbuildAnswers, WhatIsBuiltAndWhatComesFirst) {
  auto Answers = parseKbuildAnswers(
      "mkdir -p a\n"
      "set -e; echo '  CHECK a/b.c'; trap 'rm a/b.o' INT; dmacheck-asks a/b.o "
      "built a/x.h a/y.h -nostdinc -DN='\"b\"' /t/a/b.c\n"
      "dmacheck-asks a/c.o left-out  -DX /t/a/c.c\n"
      "dmacheck-asks  left-out \n"
      "echo dmacheck-asks\n");
  ASSERT_EQ(Answers.size(), 2u);
  EXPECT_TRUE(Answers["a/b.c"].Built);
  EXPECT_EQ(Answers["a/b.c"].Command, "-nostdinc -DN='\"b\"' /t/a/b.c");
  EXPECT_THAT(Answers["a/b.c"].Generated, ElementsAre("a/x.h", "a/y.h"));
  EXPECT_FALSE(Answers["a/c.c"].Built);
  EXPECT_THAT(Answers["a/c.c"].Generated, IsEmpty());
}

TEST(CleanExport, LeavesOutWhatKbuildMade) {
  for (const char *Made :
       {".config", "a/.b.o.cmd", "a/b.o", "a/b.ko", "a/b.mod.c", "vmlinux",
        "include/config", "include/generated", "arch/x86/include/generated"})
    EXPECT_TRUE(isMadeByKbuild(Made)) << Made;
  for (const char *Kept : {"Makefile", "a/b.c", "arch/x86/include/asm", "a/b.h",
                           "arch/x86/configs/x86_64_defconfig", "a/config"})
    EXPECT_FALSE(isMadeByKbuild(Kept)) << Kept;
}

TEST(CleanExport, IsATreeOfLinks) {
  FakeTree Fake, To;
  Fake.write("a/b.c", "int b;\n");
  Fake.write("a/b.o", "");
  Fake.write("include/generated/autoconf.h", "");
  // What a host program starts with.
  Fake.write("scripts/fixdep", llvm::StringRef("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0"
                                               "\3\0\76\0",
                                               20));
  llvm::sys::fs::setPermissions(Fake.path("scripts/fixdep"),
                                llvm::sys::fs::perms::all_all);
  To.write("source/stale.c", "");
  ASSERT_EQ(llvm::toString(exportWithoutBuild(Fake.open(), To.path("source"))),
            "");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(To.path("source/a/b.c")));
  EXPECT_TRUE(llvm::sys::fs::exists(To.path("source/a/b.c")));
  for (const char *Gone :
       {"a/b.o", "include/generated", "scripts/fixdep", "stale.c"})
    EXPECT_FALSE(llvm::sys::fs::exists(To.path("source") + "/" + Gone)) << Gone;
  EXPECT_TRUE(llvm::sys::fs::exists(Fake.path("a/b.o")));
}

} // namespace
