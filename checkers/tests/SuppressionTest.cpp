// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Suppression.h"
#include <gtest/gtest.h>

using namespace dmacheck;

namespace {

TEST(Suppression, AtTheEndOfTheLine) {
  EXPECT_EQ("by design",
            suppressionReason(
                "a();\nb(); /* dmacheck: ignore iova-leak: by design */\n", 2,
                "iova-leak"));
}

TEST(Suppression, InTheCommentAbove) {
  llvm::StringRef Text = "a();\n"
                         "\t/*\n"
                         "\t * dmacheck: ignore iova-leak: the firmware\n"
                         "\t * owns it and/or resets\n"
                         "\t */\n"
                         "b();\n"
                         "c();\n";
  EXPECT_EQ("the firmware owns it and/or resets",
            suppressionReason(Text, 6, "iova-leak"));
  EXPECT_EQ("", suppressionReason(Text, 7, "iova-leak"));
  EXPECT_EQ("", suppressionReason(Text, 1, "iova-leak"));
}

TEST(Suppression, OnlyTheCheckThatIsNamed) {
  llvm::StringRef Text = "// dmacheck: ignore iova-leak: one\n"
                         "// dmacheck: ignore mapping-leak: another\n"
                         "a();\n";
  EXPECT_EQ("one", suppressionReason(Text, 3, "iova-leak"));
  EXPECT_EQ("another", suppressionReason(Text, 3, "mapping-leak"));
  EXPECT_EQ("", suppressionReason(Text, 3, "leak"));
  EXPECT_EQ("", suppressionReason(Text, 3, "unmap-unmapped"));
}

TEST(Suppression, NoReasonNoSuppression) {
  EXPECT_EQ("", suppressionReason("a(); // dmacheck: ignore iova-leak\n", 1,
                                  "iova-leak"));
  EXPECT_EQ("", suppressionReason("a(); // dmacheck: ignore iova-leak: \n", 1,
                                  "iova-leak"));
}

TEST(Suppression, LinesThatAreNotThere) {
  EXPECT_EQ("", suppressionReason("// dmacheck: ignore x: y", 9, "x"));
  EXPECT_EQ("", suppressionReason("// dmacheck: ignore x: y", 0, "x"));
}

} // namespace
