// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PatchParser.h"
#include "Scratch.h"
#include "patch/PatchPrinter.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

static const std::string Diff = "diff --git a/f.c b/f.c\n"
                                "index 111111111111..222222222222 100644\n"
                                "--- a/f.c\n"
                                "+++ b/f.c\n"
                                "@@ -1,3 +1,3 @@ int main(void)\n"
                                " one\n"
                                "-two\n"
                                "+2\n"
                                " three\n";

static Patch parse(StringRef Text, unsigned Strip = 1) {
  auto Parsed = parsePatch(Text, "q/name.patch", Strip);
  if (Parsed)
    return *Parsed;
  ADD_FAILURE() << toString(Parsed.takeError());
  return {};
}

TEST(PatchParser, OwnFormSurvivesPrinting) {
  std::string Text = "From: A K\xc3\xb6nig <a@example.org>\n"
                     "Subject: dma-buf: a subject that is longer than any mail "
                     "header would be without folding it\n\n"
                     "Body.\n\nSigned-off-by: A <a@example.org>\n---\n" +
                     Diff;
  EXPECT_EQ(printPatch(parse(Text)), Text);
}

TEST(PatchParser, NotesStayBelowTheLine) {
  std::string Text =
      "Subject: s\n\nBody.\n---\nv2: renamed | 3 things\n\n" + Diff;
  Patch Parsed = parse(Text);
  EXPECT_EQ(Parsed.Notes, "v2: renamed | 3 things");
  EXPECT_EQ(Parsed.commitMessage(), "s\n\nBody.\n");
  EXPECT_EQ(printPatch(Parsed), Text);
}

TEST(PatchParser, FormatPatchMail) {
  Patch Parsed = parse(
      "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
      "From: =?UTF-8?q?K=C3=B6nig?= <k@example.org>\n"
      "Date: Mon, 14 Sep 2026 14:22:58 -0700\n"
      "Subject: [PATCH v2 1/3] dma-buf: a long\n subject\n"
      "MIME-Version: 1.0\n"
      "Content-Type: text/plain; charset=UTF-8\n"
      "Content-Transfer-Encoding: 8bit\n\n"
      "Body.\n---\n f.c | 2 +-\n 1 file changed, 1 insertion(+), 1 "
      "deletion(-)\n\n" +
      Diff + "-- \n2.39.5\n\n");
  EXPECT_EQ(Parsed.From, (Person{"K\xc3\xb6nig", "k@example.org"}));
  EXPECT_EQ(Parsed.Date->OffsetMinutes, -420);
  EXPECT_EQ(Parsed.Subject, "dma-buf: a long subject");
  EXPECT_EQ(Parsed.Body, "Body.");
  EXPECT_EQ(Parsed.Notes, "");
  EXPECT_EQ(printDiffs(Parsed.Files), Diff);
}

TEST(PatchParser, FromInTheBodyIsTheAuthor) {
  Patch Parsed = parse("From: S <s@example.org>\nSubject: s\n\n"
                       "From: A <a@example.org>\n\nBody.\n---\n" +
                       Diff);
  EXPECT_EQ(Parsed.From, (Person{"A", "a@example.org"}));
  EXPECT_EQ(Parsed.Body, "Body.");
}

TEST(PatchParser, FromInTheBodyOfFreeTextIsTheAuthorToo) {
  Patch Parsed = parse("Fix it\n\nFrom: A <a@example.org>\n\n"
                       "From: B <b@example.org>\n\nWhy.\n\n" +
                       Diff);
  EXPECT_EQ(Parsed.Body, "Why.");
  ASSERT_TRUE(Parsed.From);
  EXPECT_EQ(Parsed.From->Email, "b@example.org");
}

TEST(PatchParser, OtherBracketsBelongToTheSubject) {
  EXPECT_EQ(parse("Subject: [PATCH] [media] x\n\n---\n" + Diff).Subject,
            "[media] x");
}

TEST(PatchParser, QuiltFreeTextAndPlainDiff) {
  Patch Parsed = parse("Fix it\nproperly\n\nWith words.\n\n"
                       "Index: linux/f.c\n"
                       "====================\n"
                       "--- linux.orig/f.c\t2026-01-01 00:00:00.000 +0000\n"
                       "+++ linux/f.c\t2026-01-01 00:00:01.000 +0000\n"
                       "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
                       "--- /dev/null\n+++ linux/new file.c\t2026\n"
                       "@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(Parsed.Subject, "Fix it properly");
  EXPECT_EQ(Parsed.Body, "With words.");
  ASSERT_EQ(Parsed.Files.size(), 2u);
  EXPECT_EQ(Parsed.Files[0].NewPath, "f.c");
  EXPECT_EQ(Parsed.Files[1].NewPath, "new file.c");
  EXPECT_EQ(Parsed.Files[1].Change, FileChange::Add);
  EXPECT_EQ(Parsed.Files[1].NewMode, 0100644u);
}

TEST(PatchParser, FreeTextMayHaveTheTagOfAMailToo) {
  EXPECT_EQ(parse("[PATCH\nv2] Fix it\n\n" + Diff).Subject, "Fix it");
  EXPECT_EQ(parse("[PATCH 1/2]\n\n" + Diff).Subject, "name");
}

TEST(PatchParser, NameStandsInForAMissingDescription) {
  EXPECT_EQ(parse(Diff).Subject, "name");
}

TEST(PatchParser, StripsAsManyDirectoriesAsTheSeriesSays) {
  std::string Plain = "s\n\n--- f.c\n+++ f.c\n@@ -1 +1 @@\n-a\n+b\n";
  EXPECT_EQ(parse(Plain, 0).Files[0].NewPath, "f.c");
  EXPECT_NE(toString(parsePatch(Plain, "p", 1).takeError()).find("to strip"),
            std::string::npos);
}

TEST(PatchParser, EmptyContextLinesMayHaveLostTheirBlank) {
  Patch Parsed = parse("s\n\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n\n-a\n+b\n");
  EXPECT_EQ(Parsed.Files[0].Hunks[0].Lines[0].Kind, ' ');
  EXPECT_EQ(Parsed.Files[0].Hunks[0].Lines[0].Text, "\n");
}

TEST(PatchParser, RemovedLineThatLooksLikeASignature) {
  Patch Parsed = parse("s\n\n--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n a\n-- \n");
  EXPECT_EQ(Parsed.Files[0].Hunks[0].Lines[1].Text, "- \n");
}
