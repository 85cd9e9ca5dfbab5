// SPDX-License-Identifier: GPL-2.0-only

#include "FakeTree.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

const char Buggy[] = "#include <linux/dma-buf.h>\n"
                     "int f(struct device *dev)\n"
                     "{\n"
                     "\tlockdep_assert_held(&dev->mutex);\n"
                     "\treturn dev ? 1 : 0;\n"
                     "}\n";

CheckSet all() { return llvm::cantFail(selectChecks({})); }

ParseJob jobFor(const FakeTree &Fake, std::string File) {
  return {std::move(File),
          {Fake.root(), {"-std=gnu11", "-I", DMACHECK_INCLUDE_DIR}, "a test"},
          nullptr};
}

TEST(SelectChecks, AllOrByName) {
  EXPECT_EQ(all().Names.size(), allChecks().size());
  CheckSet One = llvm::cantFail(selectChecks({"iova-leak"}));
  EXPECT_THAT(One.Names, testing::ElementsAre("iova-leak"));
  EXPECT_THAT(One.Words, testing::ElementsAre("dma_iova_try_alloc"));
}

TEST(SelectChecks, UnknownName) {
  auto None = selectChecks({"iova-leak", "no-such-check"});
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(llvm::toString(None.takeError()),
            "no-such-check: no such check; --list-checks names them");
}

TEST(ParseFile, FindingIsComplete) {
  FakeTree Fake;
  Fake.write("drivers/a.c", Buggy);
  ParseResult R = parseFile(Fake.open(), all(), jobFor(Fake, "drivers/a.c"));
  ASSERT_EQ(R.Error, "");
  ASSERT_EQ(R.Findings.size(), 1u);
  const Finding &F = R.Findings[0];
  EXPECT_EQ(F.Check, "assert-before-null-check");
  EXPECT_EQ(F.File, "drivers/a.c");
  EXPECT_EQ(F.Line, 4u);
  EXPECT_EQ(F.Column, 2u);
  EXPECT_EQ(F.Function, "f");
  EXPECT_EQ(F.FlagsFrom, "a test");
  EXPECT_EQ(F.From, Origin::None);
  EXPECT_EQ(F.Fingerprint.size(), 16u);
  ASSERT_FALSE(F.Path.empty());
  EXPECT_EQ(F.Path.back().File, "drivers/a.c");
  EXPECT_EQ(F.Path.back().Line, 5u);
}

TEST(ParseFile, FingerprintHoldsNoLine) {
  FakeTree Fake;
  Fake.write("a.c", Buggy);
  Fake.write("b/a.c", Buggy);
  CheckSet Checks = all();
  KernelTree Tree = Fake.open();
  Overlay Moved;
  Moved[Tree.absolute("a.c")] = std::string("\n\n/* */\n") + Buggy;
  ParseJob Job = jobFor(Fake, "a.c");
  ParseResult Before = parseFile(Tree, Checks, Job);
  Job.Changed = &Moved;
  ParseResult After = parseFile(Tree, Checks, Job);
  ParseResult Other = parseFile(Tree, Checks, jobFor(Fake, "b/a.c"));
  ASSERT_EQ(Before.Findings.size(), 1u);
  ASSERT_EQ(After.Findings.size(), 1u);
  ASSERT_EQ(Other.Findings.size(), 1u);
  EXPECT_EQ(Before.Findings[0].Line + 3, After.Findings[0].Line);
  EXPECT_EQ(Before.Findings[0].Fingerprint, After.Findings[0].Fingerprint);
  EXPECT_NE(Before.Findings[0].Fingerprint, Other.Findings[0].Fingerprint);
}

TEST(ParseFile, TwiceTheSameIsTwoFingerprints) {
  FakeTree Fake;
  Fake.write("a.c", "#include <linux/dma-buf.h>\n"
                    "int f(struct device *dev, int x)\n"
                    "{\n"
                    "\tif (x) {\n"
                    "\t\tlockdep_assert_held(&dev->mutex);\n"
                    "\t\treturn dev ? 1 : 0;\n"
                    "\t}\n"
                    "\tlockdep_assert_held(&dev->mutex);\n"
                    "\treturn dev ? 1 : 0;\n"
                    "}\n");
  ParseResult R = parseFile(Fake.open(), all(), jobFor(Fake, "a.c"));
  ASSERT_EQ(R.Findings.size(), 2u);
  EXPECT_NE(R.Findings[0].Fingerprint, R.Findings[1].Fingerprint);
}

TEST(ParseFile, OverlayStandsInForTheDisk) {
  FakeTree Fake;
  Fake.write("a.c", Buggy);
  Overlay Changed;
  Changed[Fake.path("a.c")] = "int clean;\n";
  ParseJob Job = jobFor(Fake, "a.c");
  Job.Changed = &Changed;
  ParseResult R = parseFile(Fake.open(), all(), Job);
  EXPECT_EQ(R.Error, "");
  EXPECT_TRUE(R.Findings.empty());
}

TEST(ParseFile, OverlayOfAHeader) {
  FakeTree Fake;
  Fake.write("a.c", "#include \"a.h\"\nint x = FROM_HEADER;\n");
  Overlay Changed;
  Changed[Fake.path("a.h")] = "#define FROM_HEADER 1\n";
  ParseJob Job = jobFor(Fake, "a.c");
  EXPECT_NE(parseFile(Fake.open(), all(), Job).Error, "");
  Job.Changed = &Changed;
  EXPECT_EQ(parseFile(Fake.open(), all(), Job).Error, "");
}

TEST(ParseFile, DependenciesAreAbsolute) {
  FakeTree Fake;
  Fake.write("drivers/a.c", "#include \"../include/linux/kernel.h\"\n");
  ParseResult R = parseFile(Fake.open(), all(), jobFor(Fake, "drivers/a.c"));
  EXPECT_THAT(R.Dependencies, testing::UnorderedElementsAre(
                                  Fake.path("drivers/a.c"),
                                  Fake.path("include/linux/kernel.h")));
}

TEST(ParseFile, FirstErrorAndItsPlace) {
  FakeTree Fake;
  Fake.write("a.c", "int ok;\nint x = nowhere;\nint y = nowhere_else;\n");
  ParseResult R = parseFile(Fake.open(), all(), jobFor(Fake, "a.c"));
  EXPECT_EQ(R.Error, "a.c:2: use of undeclared identifier 'nowhere'");
  EXPECT_TRUE(R.Findings.empty());
}

TEST(ParseFile, MissingHeader) {
  FakeTree Fake;
  Fake.write("a.c", "#include <linux/gone.h>\n");
  ParseResult R = parseFile(Fake.open(), all(), jobFor(Fake, "a.c"));
  EXPECT_EQ(R.Error, "a.c:1: 'linux/gone.h' file not found");
}

TEST(ParseFile, MissingFile) {
  FakeTree Fake;
  ParseResult R = parseFile(Fake.open(), all(), jobFor(Fake, "gone.c"));
  EXPECT_NE(R.Error, "");
}

TEST(ParseFile, NoUsefulInput) {
  FakeTree Fake;
  for (llvm::StringRef Text :
       {llvm::StringRef(""), llvm::StringRef("\0\0\0", 3),
        llvm::StringRef("\xff\xfe{{{{"), llvm::StringRef("{{{{(((([[[["),
        llvm::StringRef("#include \"a.c\"\n")}) {
    Fake.write("a.c", Text);
    ParseResult R = parseFile(Fake.open(), all(), jobFor(Fake, "a.c"));
    EXPECT_TRUE(R.Findings.empty());
    EXPECT_FALSE(llvm::StringRef(R.Error).contains('\n')) << R.Error;
  }
}

TEST(ParseFile, FlagsOfGccDoNoHarm) {
  FakeTree Fake;
  Fake.write("a.c", Buggy);
  ParseJob Job = jobFor(Fake, "a.c");
  // What 7.2 and older trees give a GCC of these years on x86.
  for (std::string &Each : parseFlags(
           "gcc -Wp,-MMD,.a.o.d -nostdinc -std=gnu11 -fshort-wchar "
           "-funsigned-char -fno-common -fno-PIE -fno-strict-aliasing "
           "-mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx -m64 "
           "-falign-jumps=1 -falign-loops=1 -mno-80387 -mno-fp-ret-in-387 "
           "-mrecord-mcount -fsanitize=bounds-strict "
           "-mpreferred-stack-boundary=3 -mskip-rax-setup -march=x86-64 "
           "-mtune=generic -mno-red-zone -mcmodel=kernel "
           "-mindirect-branch=thunk-extern -mindirect-branch-register "
           "-mindirect-branch-cs-prefix -mfunction-return=thunk-extern "
           "-fno-jump-tables -fpatchable-function-entry=16,16 "
           "-fno-asynchronous-unwind-tables -fno-delete-null-pointer-checks "
           "-O2 -fno-allow-store-data-races -fstack-protector-strong "
           "-fomit-frame-pointer -ftrivial-auto-var-init=zero "
           "-fno-stack-clash-protection -fmin-function-alignment=16 "
           "-fstrict-flex-arrays=3 -fno-strict-overflow -fno-stack-check "
           "-fconserve-stack -fno-builtin-wcslen -fzero-init-padding-bits=all "
           "-fdiagnostics-show-context=2 -fmacro-prefix-map=./= "
           "-mfentry -pg "
           "--param asan-instrument-allocas=1 --param=tsan-instrument=1 "
           "-fplugin-arg-stackleak_plugin-track-min-size=100 "
           "-fplugin=./scripts/gcc-plugins/stackleak_plugin.so "
           "-g -gz=zstd -c -o a.o a.c",
           nullptr))
    Job.Flags.Args.push_back(Each);
  ParseResult R = parseFile(Fake.open(), all(), Job);
  EXPECT_EQ(R.Error, "");
  EXPECT_EQ(R.Findings.size(), 1u);
}

TEST(ParseFile, UnknownFlagIsAnErrorOfTheFile) {
  FakeTree Fake;
  Fake.write("a.c", "int x;\n");
  ParseJob Job = jobFor(Fake, "a.c");
  Job.Flags.Args.push_back("--no-such-flag");
  EXPECT_NE(parseFile(Fake.open(), all(), Job).Error, "");
}

} // namespace
