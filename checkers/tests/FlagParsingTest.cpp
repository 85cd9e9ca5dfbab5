// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Flags.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dmacheck;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace {

/// "-D", "X" and "-DX" are one to clang, and here.
std::vector<std::string> glued(std::vector<std::string> Flags) {
  std::vector<std::string> Out;
  for (std::string &Each : Flags)
    if (!Out.empty() &&
        (Out.back() == "-D" || Out.back() == "-I" || Out.back() == "-U"))
      Out.back() += Each;
    else
      Out.push_back(std::move(Each));
  return Out;
}

std::vector<std::string> parse(llvm::StringRef Command,
                               std::string *Input = nullptr) {
  return glued(parseFlags(Command, Input));
}

TEST(FlagParsing, KeepsWhatDecidesTheMeaning) {
  EXPECT_THAT(parse("clang -I./include -DX=1 -UY -std=gnu11 -nostdinc "
                    "-fshort-wchar -include linux/kconfig.h -isystem sys x.c"),
              ElementsAre("-I./include", "-DX=1", "-UY", "-std=gnu11",
                          "-nostdinc", "-fshort-wchar", "-include",
                          "linux/kconfig.h", "-isystem", "sys"));
}

TEST(FlagParsing, KeepsTarget) {
  EXPECT_THAT(parse("clang --target=aarch64-linux-gnu -mlittle-endian x.c"),
              ElementsAre("--target=aarch64-linux-gnu", "-mlittle-endian"));
}

TEST(FlagParsing, DropsOutputsAndDependencies) {
  EXPECT_THAT(parse("clang -Wp,-MMD,a/.b.o.d -MD -MF x.d -c -o a/b.o a/b.c"),
              IsEmpty());
}

TEST(FlagParsing, DropsWarningsAndDebugInformation) {
  EXPECT_THAT(parse("clang -Wall -Werror=foo -Wno-bar -g -gdwarf-5 x.c"),
              IsEmpty());
}

TEST(FlagParsing, DropsWhatOnlyGccKnows) {
  EXPECT_THAT(parse("gcc -fconserve-stack -fno-allow-store-data-races "
                    "-mpreferred-stack-boundary=3 -mindirect-branch-register "
                    "-fplugin=./scripts/gcc-plugins/latent_entropy_plugin.so "
                    "-DX x.c"),
              ElementsAre("-DX"));
}

TEST(FlagParsing, NamesTheInput) {
  std::string Input;
  parse("clang -DX -c -o drivers/a.o drivers/a.c", &Input);
  EXPECT_EQ(Input, "drivers/a.c");
}

TEST(FlagParsing, LooksThroughCompilerWrappers) {
  std::string Input;
  EXPECT_THAT(parse("ccache scripts/wrap clang -DX -c a.c", &Input),
              ElementsAre("-DX"));
  EXPECT_EQ(Input, "a.c");
}

TEST(FlagParsing, CrossCompilersNameTheirTarget) {
  EXPECT_THAT(parse("ccache /opt/bin/aarch64-linux-gnu-gcc-12 -DX -c a.c"),
              ElementsAre("--target=aarch64-linux-gnu", "-DX"));
  EXPECT_THAT(parse("powerpc64le-linux-gnu-gcc -c a.c"),
              ElementsAre("--target=powerpc64le-linux-gnu"));
  EXPECT_THAT(parse("scripts/gcc-wrapper.py gcc -DX a.c"), ElementsAre("-DX"));
}

TEST(FlagParsing, UndoesMake) {
  EXPECT_THAT(parse("clang -DA=$$x -DB=$(pound)1 a.c"),
              ElementsAre("-DA=$x", "-DB=#1"));
}

TEST(FlagParsing, UndoesTheShell) {
  EXPECT_THAT(parse(R"(clang -DN='"dma_buf"' "-DT=two words" -DQ=\"q\" a.c)"),
              ElementsAre("-DN=\"dma_buf\"", "-DT=two words", "-DQ=\"q\""));
}

TEST(FlagParsing, StopsBehindTheCompiler) {
  auto Flags = parse("clang -DX -c -o a.o a.c ; ./tools/objtool --orc a.o");
  EXPECT_THAT(Flags, ElementsAre("-DX"));
}

TEST(FlagParsing, NativeMachineIsNoMeaning) {
  EXPECT_THAT(parse("clang -march=native -march=x86-64 a.c"),
              ElementsAre("-march=x86-64"));
}

TEST(FlagParsing, NothingOutOfNothing) {
  EXPECT_THAT(parse(""), IsEmpty());
  EXPECT_THAT(parse("clang"), IsEmpty());
}

} // namespace
