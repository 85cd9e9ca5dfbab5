// SPDX-License-Identifier: GPL-2.0-only
//
// What mbox prints is judged by git am.

#include "Scratch.h"
#include "patch/PatchId.h"
#include "patch/PatchParser.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace llvm;
using namespace kseries;

namespace {

class Mbox : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/f", simpleFile("one"));
    S.commitBase();
  }

  /// git am of the queue on a clone of the base.
  void am(StringRef Queue) {
    Outcome Mails = S.mbox(Queue);
    ASSERT_EQ(Mails.Code, 0) << Mails.Err;
    S.write("mbox", Mails.Out);
    S.run("rm -rf clone && git clone -q linux.git clone 2>/dev/null && "
          "cd clone && git checkout -q -b am base && git am -q ../mbox");
  }

  /// Trees, authors and messages from the base to \p Revision.
  std::string history(const std::string &Directory,
                      const std::string &Revision) {
    return S.run("git -C " + Directory +
                 " log --format='%T%n%an <%ae>%n%B' base.." + Revision);
  }

  Scratch S;
};

const std::string KoenigPatch =
    "From: Christian K\xc3\xb6nig <k@example.org>\n" +
    simplePatch("f: gr\xc3\xbc\xc3\x9f"
                "e from a subject that is long enough to be "
                "folded by every mail program",
                "f", "one", "two");

TEST_F(Mbox, GitAmMakesTheSameHistory) {
  S.writeQueue(
      "q", "base",
      {{"two.patch", KoenigPatch},
       {"three.patch", "From: \"Last, First\" <l@example.org>\n" +
                           simplePatch("f: three", "f", "two", "three")},
       {"four.patch", simplePatch("f: four", "f", "three", "4")}});
  ASSERT_EQ(S.apply({"q"}).Code, 0);
  am("q");
  EXPECT_EQ(history("clone", "am"), history("linux.git", "series/q"));
}

TEST_F(Mbox, HeadersAreTheSendersAndTheBodyNamesTheAuthor) {
  S.writeQueue("q", "base", {{"two.patch", KoenigPatch}});
  std::string Mail = S.mbox("q").Out;
  EXPECT_NE(Mail.find("\nFrom: Test Sender <sender@example.org>\n"),
            std::string::npos)
      << Mail;
  EXPECT_NE(Mail.find("\nSubject: =?UTF-8?q?=5BPATCH=5D"), std::string::npos)
      << Mail;
  EXPECT_NE(Mail.find("\n\nFrom: Christian K\xc3\xb6nig <k@example.org>\n\n"
                      "Because.\n---\n"),
            std::string::npos)
      << Mail;
}

TEST_F(Mbox, NumbersAreAsWideAsTheirTotal) {
  std::vector<std::pair<std::string, std::string>> Patches;
  std::string Line = "one";
  for (int I = 0; I < 10; ++I) {
    std::string Next = "n" + std::to_string(I);
    Patches.emplace_back(Next + ".patch", simplePatch(Next, "f", Line, Next));
    Line = Next;
  }
  S.writeQueue("q", "base", Patches);
  std::string Mails = S.mbox("q").Out;
  EXPECT_NE(Mails.find("Subject: [PATCH 01/10] n0\n"), std::string::npos);
  EXPECT_NE(Mails.find("Subject: [PATCH 10/10] n9\n"), std::string::npos);
}

TEST_F(Mbox, CrLfContentAndMboxSeparatorsSurvive) {
  S.run("printf 'a\\r\\nb\\r\\nc\\r\\n' >tree/dos");
  S.commit("dos");
  S.run("git --git-dir=linux.git tag -f base main");
  S.writeQueue(
      "q", "base",
      {{"dos.patch", "Subject: dos\n\nFrom here on:\n\n"
                     "From a@b Mon Sep 17 00:00:00 2001\n---\n"
                     "--- a/dos\n+++ b/dos\n@@ -1,3 +1,3 @@\n a\r\n-b\r\n+B\r\n"
                     " c\r\n"}});
  Outcome Result = S.apply({"q"});
  ASSERT_EQ(Result.Code, 0) << Result.Err;
  am("q");
  EXPECT_EQ(history("clone", "am"), history("linux.git", "series/q"));
}

TEST_F(Mbox, TagsGoAlongOnlyWithThePatchTheyWereGivenTo) {
  std::string Text = simplePatch("f: two", "f", "one", "two");
  Text.replace(Text.find("Because.\n"), 9,
               "Because.\n\nFixes: 0123456789ab (\"x\")\n[reworded]\n");
  S.writeQueue("q", "base", {{"two.patch", Text}});
  std::string Id = patchId(cantFail(parsePatch(Text, "two.patch")).Files);
  S.write("series/q/trailers", "two.patch  " + Id +
                                   "  Reviewed-by: A B <a@example.org>  1@x\n" +
                                   "two.patch  " + std::string(40, '0') +
                                   "  Acked-by: C D <c@example.org>  2@x\n");
  Outcome Mails = S.mbox("q");
  EXPECT_NE(
      Mails.Out.find("[reworded]\nReviewed-by: A B <a@example.org>\n---\n"),
      std::string::npos)
      << Mails.Out;
  EXPECT_EQ(Mails.Out.find("Acked-by"), std::string::npos);
  EXPECT_EQ(Mails.Err, "kseries: " + S.path("series/q") +
                           "/trailers:2: left out, two.patch has changed "
                           "since: Acked-by: C D <c@example.org>\n");
}

TEST_F(Mbox, NeedsASender) {
  S.writeQueue("q", "base", {{"two.patch", KoenigPatch}});
  unsetenv("GIT_COMMITTER_EMAIL");
  Outcome Mails = S.mbox("q");
  setenv("GIT_COMMITTER_EMAIL", "sender@example.org", 1);
  EXPECT_EQ(Mails.Code, 2);
  EXPECT_EQ(Mails.Out, "");
  EXPECT_EQ(Mails.Err,
            "no sender: set user.name and user.email with git config");
}

} // namespace
