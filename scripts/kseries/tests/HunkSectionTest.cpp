// SPDX-License-Identifier: GPL-2.0-only

#include "patch/HunkSection.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

TEST(HunkSection, LabelsAreNoFunctionsInC) {
  StringRef Text = "static int f(void)\n{\n\tx();\nout:\n\ty();\n}\n";
  EXPECT_EQ(SectionFinder("a.c", Text).sectionAt(5), "static int f(void)");
  EXPECT_EQ(SectionFinder("a.txt", Text).sectionAt(5), "out:");
}

TEST(HunkSection, OnlyLinesAboveTheHunkCount) {
  SectionFinder Finder("a.c", "int f(void)\n{\n}\n");
  EXPECT_EQ(Finder.sectionAt(1), "");
  EXPECT_EQ(Finder.sectionAt(0), "");
  EXPECT_EQ(Finder.sectionAt(2), "int f(void)");
  EXPECT_EQ(Finder.sectionAt(99), "int f(void)");
}

TEST(HunkSection, LongLinesAreCutAndTrimmed) {
  std::string Line = "int f(" + std::string(73, 'x') + " yyy)\n{\n";
  EXPECT_EQ(SectionFinder("a.c", Line).sectionAt(2),
            "int f(" + std::string(73, 'x'));
}

TEST(HunkSection, DeviceTreesAndRust) {
  EXPECT_EQ(SectionFinder("a.dts", "\tuart: serial@1 {\n\t\tx = <1>;\n\t\ty;\n")
                .sectionAt(4),
            "uart: serial@1 {");
  EXPECT_EQ(SectionFinder("a.rs", "    pub(crate) fn f() {\n        g();\n")
                .sectionAt(3),
            "pub(crate) fn f() {");
}
