// SPDX-License-Identifier: GPL-2.0-only

#include "FakeTree.h"
#include "engine/Flags.h"
#include "engine/FolderMakefile.h"
#include "engine/Kconfig.h"
#include "engine/MadeUpHeaders.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

class Kconfig : public testing::Test {
protected:
  FakeTree Fake;
  KconfigValues solve(llvm::StringRef Text, const KconfigValues &Fixed = {}) {
    Fake.write("Kconfig", Text);
    return allYes(Fake.open(), "x86", Fixed);
  }
};

TEST_F(Kconfig, PromptsAreAnsweredWithYesWhereAllowed) {
  EXPECT_THAT(solve("config A\n\tbool \"a\"\n"
                    "config B\n\ttristate \"b\"\n\tdepends on A && !C\n"
                    "config C\n\tbool\n"
                    "config D\n\tbool \"d\" if C\n"
                    "config E\n\tbool \"e\"\n\tdepends on C\n"),
              UnorderedElementsAre(Pair("A", "y"), Pair("B", "y")));
}

TEST_F(Kconfig, BlocksAndFilesPassOnTheirConditions) {
  Fake.write("drivers/Kconfig", "config IN_FILE\n\tbool \"x\"\n");
  Fake.write("arch/x86/Kconfig", "config IN_ARCH\n\tdef_bool y\n");
  EXPECT_THAT(
      solve("if OFF\nconfig A\n\tbool \"a\"\nsource \"drivers/Kconfig\"\n"
            "endif\n"
            "menu \"m\"\n\tdepends on OFF\nconfig B\n\tbool \"b\"\n"
            "endmenu\n"
            "source \"arch/$(SRCARCH)/Kconfig\"\n"
            "source \"gone/Kconfig\"\n"),
      UnorderedElementsAre(Pair("IN_ARCH", "y")));
}

TEST_F(Kconfig, SelectsAndDefaults) {
  EXPECT_THAT(
      solve("config A\n\tbool \"a\"\n\tselect S\n\tselect N if OFF\n"
            "config S\n\tbool\n"
            "config N\n\tbool\n"
            "config D\n\tdef_bool S && !N\n"
            "config T\n\tbool\n\tdefault n if S\n\tdefault y\n"),
      UnorderedElementsAre(Pair("A", "y"), Pair("S", "y"), Pair("D", "y")));
}

TEST_F(Kconfig, NumbersAndTexts) {
  EXPECT_THAT(
      solve("config SHIFT\n\tint \"s\"\n\tdefault \"7\" if OFF\n\tdefault 6\n"
            "config COPY\n\tint\n\tdefault SHIFT\n"
            "config HIGH\n\thex\n\tdefault 0xc000000000000000\n"
            "config NAME\n\tstring \"n\"\n\tdefault \"a b\"\n"
            "config NONE\n\tint\n\tdepends on OFF\n\tdefault 1\n"
            "config IF\n\tdef_bool SHIFT > 5 && SHIFT != 7\n"),
      UnorderedElementsAre(Pair("SHIFT", "6"), Pair("COPY", "6"),
                           Pair("HIGH", "0xc000000000000000"),
                           Pair("NAME", "\"a b\""), Pair("IF", "y")));
}

TEST_F(Kconfig, AChoiceIsOne) {
  EXPECT_THAT(solve("choice\n\tprompt \"p\"\n\tdefault C2\n"
                    "config C1\n\tbool \"1\"\nconfig C2\n\tbool \"2\"\n"
                    "endchoice\n"
                    "choice\n\tprompt \"q\"\n"
                    "config D1\n\tbool \"1\"\n\tdepends on OFF\n"
                    "config D2\n\tbool \"2\"\nendchoice\n"),
              UnorderedElementsAre(Pair("C2", "y"), Pair("D2", "y")));
}

TEST_F(Kconfig, HelpCommentsMacrosAndFixedSymbols) {
  EXPECT_THAT(
      solve("config 64BIT # not a number\n\tbool \"b # c\"\n\thelp\n"
            "\t  config FAKE\n\n\t  more\n"
            "config M\n\tdef_bool $(cc-option,-m$(x))\n"
            "config L\n\tbool \"l\"\n\tdepends on M && \\\n\t\t!64BIT\n",
            {{"64BIT", "n"}}),
      UnorderedElementsAre(Pair("M", "y"), Pair("L", "y")));
}

TEST(FolderMakefile, WhatItAddsForAnObject) {
  llvm::StringRef Text =
      "# ccflags-y := -DNOT\n"
      "TOP = $(src)/../core\n"
      "ccflags-y := -I$(TOP) -I $(srctree)/lib \\\n\t-DONE -Wall -O2\n"
      "ccflags-$(CONFIG_X) += -DTWO=\\\"q\\\"\n"
      "CFLAGS_a.o += -UX -include y.h\n"
      "CFLAGS_b.o += -DB\n"
      "subdir-ccflags-y += -I$(src)/below\n"
      "ccflags-y += $(call cc-option,-DFUNCTION) $(addprefix -I$(src)/,p q)\n"
      "obj-y := a.o\n"
      "\t-DRECIPE=1\n";
  EXPECT_THAT(makefileFlags(Text, "drivers/x", "a.o"),
              ElementsAre("-Idrivers/x/../core", "-I", "./lib", "-DONE",
                          "-DTWO=\"q\"", "-UX", "-include", "y.h",
                          "-Idrivers/x/below", "-Idrivers/x/p",
                          "-Idrivers/x/q"));
  EXPECT_THAT(makefileFlags(Text, "drivers/x", ""),
              ElementsAre("-Idrivers/x/below"));
  EXPECT_THAT(makefileFlags("", "", "a.o"), IsEmpty());
}

class MadeUp : public testing::Test {
protected:
  FakeTree Fake, Build;
  KernelTree Tree = Fake.open();
  std::unique_ptr<FlagSource> source(std::vector<std::string> Archs) {
    ConfigOptions Options;
    Options.BuildDir = Build.root();
    Options.Archs = std::move(Archs);
    return madeUpFlags(Tree, Options);
  }
};

TEST_F(MadeUp, RunsNothingAndParses) {
  Fake.write("Makefile", "VERSION = 7\nPATCHLEVEL = 2\nSUBLEVEL = 12\n"
                         "$(shell touch ran)\n%:\n\ttouch ran\n");
  Fake.write("Kconfig", "config ON\n\tbool \"on\" if $(shell,touch ran)\n");
  Fake.write("include/asm-generic/Kbuild", "mandatory-y += io.h\n"
                                           "mandatory-y += own.h\n");
  Fake.write("include/asm-generic/io.h", "int io;\n");
  Fake.write("arch/x86/include/asm/own.h", "int own;\n");
  Fake.write("include/linux/kconfig.h", "#include <generated/autoconf.h>\n");
  Fake.write("a/Makefile", "ccflags-y += -I$(src)/more\n");
  Fake.write("a/more/more.h", "int more;\n");
  Fake.write("a/b.c", "#include <asm/io.h>\n#include <asm/own.h>\n"
                      "#include <linux/version.h>\n#include \"more.h\"\n"
                      "#if !CONFIG_ON || LINUX_VERSION_CODE != 0x7020c\n"
                      "#error not configured\n#endif\n"
                      "int x[sizeof(long) == 8 ? 1 : -1];\n");
  auto Source = source({"x86_64", "arm64"});
  ASSERT_EQ(llvm::toString(Source->prepare({"a/b.c"})), "");
  auto Flags = Source->flagsFor("a/b.c");
  ASSERT_TRUE(Flags);
  EXPECT_EQ(Flags->From, "made up from the tree (x86_64)");
  ParseResult Parsed =
      parseFile(Tree, llvm::cantFail(selectChecks({})), {"a/b.c", *Flags});
  EXPECT_EQ(Parsed.Error, "");
  for (const std::string &Dir : {Fake.root(), Build.root()})
    EXPECT_FALSE(llvm::sys::fs::exists(Dir + "/ran"));
}

TEST_F(MadeUp, FollowsTheTree) {
  auto Configured = [&] {
    auto Source = source({"x86_64"});
    EXPECT_EQ(llvm::toString(Source->prepare({"a.c"})), "");
    auto Flags = Source->flagsFor("a.c");
    for (const std::string &Arg : Flags->Args)
      if (auto Text = llvm::MemoryBuffer::getFile(
              llvm::StringRef(Arg).drop_front(2) + "/generated/autoconf.h"))
        return (*Text)->getBuffer().str();
    return std::string("none");
  };
  Fake.write("Kconfig", "config ONE\n\tbool \"1\"\n");
  EXPECT_THAT(Configured(), AllOf(HasSubstr("#define CONFIG_ONE 1\n"),
                                  HasSubstr("#define CONFIG_64BIT 1\n")));
  Fake.write("Kconfig", "config TWO\n\tbool \"2\"\n");
  EXPECT_THAT(Configured(), AllOf(HasSubstr("#define CONFIG_TWO 1\n"),
                                  Not(HasSubstr("CONFIG_ONE"))));
}

TEST_F(MadeUp, FilesOfAnArchitecture) {
  auto Source = source({"x86_64", "arm64"});
  ASSERT_EQ(
      llvm::toString(Source->prepare({"arch/arm64/a.c", "arch/mips/b.c"})), "");
  auto Arm = Source->flagsFor("arch/arm64/a.c");
  ASSERT_TRUE(Arm);
  EXPECT_THAT(Arm->Args, Contains("--target=aarch64-linux-gnu"));
  EXPECT_FALSE(Source->flagsFor("arch/mips/b.c"));
  EXPECT_EQ(Source->reasonFor("arch/mips/b.c"),
            "belongs to another architecture: --arch mips");
}

TEST_F(MadeUp, UnknownArchitectureIsAnError) {
  std::string Error = llvm::toString(source({"vax"})->prepare({"a.c"}));
  EXPECT_TRUE(llvm::StringRef(Error).contains("architecture vax")) << Error;
}

} // namespace
