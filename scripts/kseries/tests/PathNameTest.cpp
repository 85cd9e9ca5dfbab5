// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PathName.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

TEST(PathName, QuotesAsGitDoes) {
  EXPECT_EQ(quotePath("plain/with blank.c"), "plain/with blank.c");
  EXPECT_EQ(quotePath("b\xc3\xa4r"), "\"b\\303\\244r\"");
  EXPECT_EQ(quotePath("tab\there"), "\"tab\\there\"");
  EXPECT_EQ(quotePath("quote\"back\\slash"), "\"quote\\\"back\\\\slash\"");
  EXPECT_EQ(quotePath("\x01\xff"), "\"\\001\\377\"");
}

TEST(PathName, EveryByteSurvivesQuoting) {
  std::string Path = "x";
  for (int Byte = 1; Byte < 256; ++Byte)
    Path += static_cast<char>(Byte);
  std::string Quoted = quotePath(Path) + " rest";
  StringRef Text = Quoted;
  EXPECT_EQ(takeQuotedPath(Text), Path);
  EXPECT_EQ(Text, " rest");
}

TEST(PathName, BrokenQuotingIsRefused) {
  for (StringRef Broken : {"\"open", "\"bad \\q\"", "\"short \\30", "\"\\000\"",
                           "\"\\777\"", "\"\\", "not quoted"}) {
    StringRef Text = Broken;
    EXPECT_EQ(takeQuotedPath(Text), std::nullopt) << Broken.str();
  }
}

TEST(PathName, SaysWhyAPathIsUnsafe) {
  EXPECT_EQ(unsafePathReason("drivers/dma-buf/..c"), std::nullopt);
  EXPECT_EQ(unsafePathReason(".gitignore"), std::nullopt);
  EXPECT_EQ(unsafePathReason("../etc/passwd"), "climbs out of the tree");
  EXPECT_EQ(unsafePathReason("a/../../b"), "climbs out of the tree");
  EXPECT_EQ(unsafePathReason("/etc/passwd"), "is absolute");
  EXPECT_EQ(unsafePathReason(".git/config"), "leads into a git directory");
  EXPECT_EQ(unsafePathReason("sub/.GIT/hooks/x"), "leads into a git directory");
  EXPECT_EQ(unsafePathReason("git~1/config"), "leads into a git directory");
  EXPECT_EQ(unsafePathReason("a//b"), "is not a plain path");
  EXPECT_EQ(unsafePathReason("a/./b"), "is not a plain path");
  EXPECT_EQ(unsafePathReason(""), "is empty");
  EXPECT_EQ(unsafePathReason(StringRef("a\0b", 3)), "holds a zero byte");
}
