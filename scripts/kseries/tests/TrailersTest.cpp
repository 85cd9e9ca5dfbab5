// SPDX-License-Identifier: GPL-2.0-only
//
// Tags out of saved mails. The mails are read by b4.

#include "Scratch.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

/// A mail as an mbox holds it.
struct Mail {
  std::string Id;
  std::string Subject;
  std::string Body;
  std::string InReplyTo;
  std::string From = "A. Reviewer <reviewer@example.org>";
  std::string Headers;

  std::string text() const {
    std::string Text = "From: " + From + "\nSubject: " + Subject +
                       "\nDate: Mon, 14 Sep 2026 14:22:58 -0700\n";
    if (!Id.empty())
      Text += "Message-ID: <" + Id + ">\n";
    if (!InReplyTo.empty())
      Text += "In-Reply-To: <" + InReplyTo + ">\n";
    return Text + Headers + "\n" + Body + "\n";
  }
};

std::string mbox(const std::vector<Mail> &Mails) {
  std::string Text;
  for (const Mail &Each : Mails)
    Text += "From mboxrd@z Thu Jan  1 00:00:00 1970\n" + Each.text() + "\n";
  return Text;
}

class Trailers : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/f", simpleFile("one"));
    S.write("tree/g", simpleFile("one"));
    S.commitBase();
    S.writeQueue("q", "base",
                 {{"f.patch", simplePatch("f: two", "f", "one", "two")},
                  {"g.patch", simplePatch("g: two", "g", "one", "two")}});
    FId = idOf("f.patch");
    GId = idOf("g.patch");
  }

  std::string idOf(const std::string &PatchFile) {
    std::string Line =
        S.run("git patch-id --stable < series/q/" + PatchFile + "");
    return Line.substr(0, 40);
  }

  /// The series as it was posted.
  std::vector<Mail> posted() {
    Mail Cover{"0@author.example.org",
               "[PATCH 0/2] two",
               "Two patches.\n",
               "",
               Author,
               ""};
    Mail F{"1@author.example.org",
           "[PATCH 1/2] f: two",
           body("f.patch"),
           Cover.Id,
           Author,
           ""};
    Mail G{"2@author.example.org",
           "[PATCH 2/2] g: two",
           body("g.patch"),
           Cover.Id,
           Author,
           ""};
    return {Cover, F, G};
  }
  std::string body(const std::string &PatchFile) {
    std::string Text = S.read("series/q/" + PatchFile);
    return Text.substr(Text.find("\n\n") + 2);
  }
  Mail reply(const std::string &Body, const std::string &To,
             const std::string &Id = "r@example.org") {
    return {Id, "Re: [PATCH] something", Body, To, Mail().From, ""};
  }

  Outcome collect(std::vector<Mail> Mails) {
    S.write("mails", mbox(Mails));
    return S.trailers("q", "mails");
  }
  /// The outcome of the posted series with these mails behind it.
  Outcome collectReplies(std::vector<Mail> Replies) {
    std::vector<Mail> Mails = posted();
    Mails.insert(Mails.end(), Replies.begin(), Replies.end());
    return collect(Mails);
  }
  std::string trailers() {
    return S.exists("series/q/trailers") ? S.read("series/q/trailers") : "";
  }
  std::string line(const std::string &PatchFile, const std::string &PatchId,
                   const std::string &Tag, const std::string &Id) {
    return PatchFile + "  " + PatchId + "  " + Tag + "  " + Id + "\n";
  }

  const std::string Author = "An Author <author@example.org>";
  const std::string Reviewed =
      "Reviewed-by: A. Reviewer <reviewer@example.org>";
  Scratch S;
  std::string FId, GId;
};

TEST_F(Trailers, TagGoesToThePatchThatWasAnswered) {
  Outcome Result = collectReplies(
      {reply("Nice.\n\n" + Reviewed + "\n", "2@author.example.org")});
  EXPECT_EQ(Result.Code, 0);
  EXPECT_EQ(Result.Err, "");
  EXPECT_EQ(Result.Out, "q: g.patch: " + Reviewed +
                            "\nq: 1 new, 0 of them stale, 0 known\n");
  EXPECT_EQ(trailers(), line("g.patch", GId, Reviewed, "r@example.org"));
  // What was collected goes out with the patch.
  EXPECT_NE(S.mbox("q").Out.find("\n" + Reviewed + "\n"), std::string::npos);
}

TEST_F(Trailers, TagOnTheCoverLetterIsForAllPatches) {
  collectReplies({reply(Reviewed, "0@author.example.org")});
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r@example.org") +
                            line("g.patch", GId, Reviewed, "r@example.org"));
}

TEST_F(Trailers, AnswersToAnswersBelongToThePatch) {
  Mail Author = reply("Thanks, fixed in my tree.\n", "r1@example.org", "r2@x");
  collectReplies({reply("Should this be three?\n", "1@author.example.org",
                        "r1@example.org"),
                  Author, reply(Reviewed, "r2@x", "r3@example.org")});
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r3@example.org"));
}

TEST_F(Trailers, SecondRunAddsNothingAndKeepsWhatIsThere) {
  S.write("series/q/trailers", "# from the list\n");
  std::vector<Mail> Replies = {reply(Reviewed, "1@author.example.org")};
  collectReplies(Replies);
  std::string First = trailers();
  EXPECT_EQ(First, "# from the list\n" +
                       line("f.patch", FId, Reviewed, "r@example.org"));
  EXPECT_EQ(collectReplies(Replies).Out,
            "q: 0 new, 0 of them stale, 1 known\n");
  EXPECT_EQ(trailers(), First);
}

TEST_F(Trailers, ChangedPatchKeepsTheTagOfTheOldOneAsStale) {
  std::vector<Mail> Mails = posted();
  Mails.push_back(reply(Reviewed, "1@author.example.org"));
  S.write("series/q/f.patch", simplePatch("f: two", "f", "one", "2"));
  Outcome Result = collect(Mails);
  EXPECT_NE(Result.Out.find("(stale: the patch has changed since)\n"
                            "q: 1 new, 1 of them stale"),
            std::string::npos)
      << Result.Out;
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r@example.org"));
  EXPECT_EQ(S.mbox("q").Out.find(Reviewed), std::string::npos);
}

TEST_F(Trailers, RenamedPatchIsFoundByItsDiff) {
  std::vector<Mail> Mails = posted();
  Mails.push_back(reply(Reviewed, "1@author.example.org"));
  S.write("series/q/f.patch",
          simplePatch("f: another name", "f", "one", "two"));
  collect(Mails);
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r@example.org"));
}

TEST_F(Trailers, EachVersionHasItsOwnTags) {
  std::vector<Mail> Mails = posted();
  Mails.push_back(reply(Reviewed, "1@author.example.org", "r1@example.org"));
  S.write("series/q/f.patch", simplePatch("f: two", "f", "one", "2"));
  std::string NewId = idOf("f.patch");
  Mails.push_back({"21@author.example.org", "[PATCH v2 1/2] f: two",
                   body("f.patch"), "", Author, ""});
  std::string Acked = "Acked-by: A. Reviewer <reviewer@example.org>";
  Mails.push_back(reply(Acked, "21@author.example.org", "r2@example.org"));
  collect(Mails);
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r1@example.org") +
                            line("f.patch", NewId, Acked, "r2@example.org"));
}

TEST_F(Trailers, ReadsEveryEncoding) {
  Mail Latin = reply("Tested-by: J=F6rg Tester\n<tester@example.org>\n",
                     "1@author.example.org", "latin@example.org");
  Latin.From = "=?iso-8859-1?Q?J=F6rg?=\n =?iso-8859-1?Q?_Tester?= "
               "<tester@example.org>";
  Latin.Headers = "Content-Type: text/plain; charset=iso-8859-1\n"
                  "Content-Transfer-Encoding: quoted-printable\n";
  Mail Base64 = reply(
      encodeBase64(StringRef("Sch\xc3\xb6n.\n\nAcked-by: \xc3\x84. Reviewer "
                             "<reviewer@example.org>\n")) +
          "\n",
      "1@author.example.org", "base64@example.org");
  Base64.From = "=?UTF-8?B?w4QuIFJldmlld2Vy?= <reviewer@example.org>";
  Base64.Headers = "Content-Type: text/plain;\n charset=utf-8\n"
                   "Content-Transfer-Encoding: base64\n";
  EXPECT_EQ(collectReplies({Latin, Base64}).Err, "");
  EXPECT_EQ(trailers(),
            line("f.patch", FId,
                 "Tested-by: J\xc3\xb6rg Tester <tester@example.org>",
                 "latin@example.org") +
                line("f.patch", FId,
                     "Acked-by: \xc3\x84. Reviewer <reviewer@example.org>",
                     "base64@example.org"));
}

TEST_F(Trailers, EncodedPatchHasTheSamePatchId) {
  std::vector<Mail> Mails = posted();
  std::string Body;
  for (char Byte : Mails[1].Body)
    Body += Byte == '=' ? "=3D" : std::string(1, Byte);
  Mails[1].Body = Body.insert(Body.find("before 2"), "=\n");
  Mails[1].Headers = "Content-Type: text/plain; charset=utf-8\n"
                     "Content-Transfer-Encoding: quoted-printable\n";
  Mails.push_back(reply(Reviewed, "1@author.example.org"));
  collect(Mails);
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r@example.org"));
}

TEST_F(Trailers, QuotedTextIsNoTag) {
  Outcome Result = collectReplies({reply(
      "On Monday, somebody wrote:\n> " + Reviewed + "\n>" + Reviewed +
          "\n> > " + Reviewed + "\n\nWhy did you?\n-- \n" + Reviewed + "\n",
      "1@author.example.org")});
  EXPECT_EQ(Result.Out, "q: 0 new, 0 of them stale, 0 known\n");
  EXPECT_EQ(trailers(), "");
}

TEST_F(Trailers, NobodyGivesATagForSomebodyElse) {
  std::string Other = "Reviewed-by: B. Other <other@example.net>";
  // The second mail answers the first: its tag must not bring in the other.
  Outcome Result =
      collectReplies({reply(Other, "1@author.example.org", "r1@example.org"),
                      reply(Reviewed, "r1@example.org", "r2@example.org")});
  EXPECT_EQ(Result.Err, "kseries: left out: " + Other +
                            ": the mail is from A. Reviewer "
                            "<reviewer@example.org>\n");
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r2@example.org"));
}

TEST_F(Trailers, SignOffsAndObjectionsAreNotCarried) {
  Outcome Result = collectReplies(
      {reply("Signed-off-by: A. Reviewer <reviewer@example.org>\n"
             "NACKed-by: A. Reviewer <reviewer@example.org>\n"
             "Cc: somebody@example.org\nHint: ask somebody@example.org\n",
             "1@author.example.org")});
  EXPECT_EQ(trailers(), "");
  EXPECT_EQ(StringRef(Result.Err).count("is not collected\n"), 2u);
}

TEST_F(Trailers, LimitsAndSpellingOfATag) {
  collectReplies({reply("reviewed-By:  A. Reviewer   <reviewer@example.org> # "
                        "the f part\n"
                        "Tested-by: A. Reviewer <reviewer@example.org>\n"
                        "[on one machine]\n",
                        "1@author.example.org")});
  EXPECT_EQ(trailers(),
            line("f.patch", FId, Reviewed + " # the f part", "r@example.org") +
                line("f.patch", FId,
                     "Tested-by: A. Reviewer <reviewer@example.org> # on one "
                     "machine",
                     "r@example.org"));
}

TEST_F(Trailers, ReferencesLeadToTheNearestMail) {
  Mail Lost = reply(Reviewed, "lost@example.org");
  Lost.Headers = "References: <0@author.example.org> <2@author.example.org>\n"
                 "\t<lost@example.org>\n";
  Mail NoParent = reply("Acked-by: A. Reviewer <reviewer@example.org>", "",
                        "r2@example.org");
  NoParent.Headers = "References: <0@author.example.org>\n"
                     "\t<1@author.example.org>\n";
  collectReplies({Lost, NoParent});
  EXPECT_EQ(trailers(),
            line("f.patch", FId, "Acked-by: A. Reviewer <reviewer@example.org>",
                 "r2@example.org") +
                line("g.patch", GId, Reviewed, "r@example.org"));
}

TEST_F(Trailers, ReplyToNothingThatIsThereIsNamed) {
  Outcome Result = collectReplies({reply(Reviewed, "lost@example.org")});
  EXPECT_EQ(Result.Code, 0);
  EXPECT_EQ(Result.Err,
            "kseries: left out: " + Reviewed +
                ": the mail that it answers is not among those given\n");
  EXPECT_EQ(trailers(), "");
}

TEST_F(Trailers, PatchOfAnotherSeriesIsNamed) {
  Mail Other{"o@author.example.org",
             "[PATCH] h: two",
             "Other.\n---\ndiff --git a/h b/h\n--- a/h\n+++ b/h\n@@ -1 +1 "
             "@@\n-1\n+2\n",
             "",
             Author,
             ""};
  Outcome Result =
      collectReplies({Other, reply(Reviewed, "o@author.example.org")});
  EXPECT_EQ(Result.Err,
            "kseries: left out: " + Reviewed + ": 'h: two' is no patch of q\n");
  EXPECT_EQ(trailers(), "");
}

TEST_F(Trailers, BrokenMailsDoNoHarm) {
  Mail NoId = reply(Reviewed, "1@author.example.org", "");
  Mail BadDate = reply("x", "1@author.example.org", "bad@example.org");
  BadDate.Headers = "X: y\n";
  std::string Text = mbox(posted()) + mbox({NoId, NoId});
  std::string Broken = mbox({BadDate});
  Broken.replace(Broken.find("Mon, 14 Sep"), 11, "Blursday 99");
  S.write("mails", Text + Broken +
                       "From mboxrd@z Thu Jan  1 00:00:00 1970\n\n\n" +
                       mbox({{"", "", "", "", "", ""}}));
  Outcome Result = S.trailers("q", "mails");
  EXPECT_EQ(Result.Code, 0);
  EXPECT_NE(Result.Err.find("mails, mail 6: b4 cannot read this mail"),
            std::string::npos)
      << Result.Err;
  // With no id of its own the tag is filed under the patch's.
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "1@author.example.org"));
}

TEST_F(Trailers, MailsThatAnswerEachOtherInACircle) {
  collectReplies({reply("x", "c2@example.org", "c1@example.org"),
                  reply(Reviewed, "c1@example.org", "c2@example.org"),
                  reply(Reviewed, "c3@example.org", "c3@example.org"),
                  reply(Reviewed, "1@author.example.org")});
  EXPECT_EQ(trailers(), line("f.patch", FId, Reviewed, "r@example.org"));
}

TEST_F(Trailers, MaildirFolderAndSingleMail) {
  std::vector<Mail> Mails = posted();
  Mails.push_back(reply(Reviewed, "1@author.example.org"));
  std::string Expected = line("f.patch", FId, Reviewed, "r@example.org");
  sys::fs::create_directories(S.path("maildir/tmp"));
  for (size_t I = 0; I < Mails.size(); ++I) {
    std::string Name = std::to_string(I);
    S.write("maildir/" + std::string(I % 2 ? "cur/" : "new/") + Name + ":2,S",
            Mails[I].text());
    S.write("folder/" + Name + ".eml", Mails[I].text());
  }
  for (StringRef From : {"maildir", "folder"}) {
    EXPECT_EQ(S.trailers("q", From).Code, 0);
    EXPECT_EQ(trailers(), Expected) << From.str();
    sys::fs::remove(S.path("series/q/trailers"));
  }
  EXPECT_EQ(S.trailers("q", "folder/1.eml").Out,
            "q: 0 new, 0 of them stale, 0 known\n");
}

TEST_F(Trailers, NoMails) {
  EXPECT_EQ(S.trailers("q", "nowhere").Code, 2);
  EXPECT_EQ(S.trailers("q", "nowhere").Err,
            S.path("nowhere") + ": no such file or folder of mails");
  S.write("mails", "");
  EXPECT_EQ(S.trailers("q", "mails").Code, 0);
  EXPECT_EQ(S.trailers("none", "mails").Code, 2);
}

TEST_F(Trailers, TenThousandMails) {
  std::string Text = mbox(posted());
  std::string Above = "1@author.example.org";
  std::string Expected;
  for (int I = 0; I < 10000; ++I) {
    std::string Id = std::to_string(I) + "@example.org";
    // A long chain, and tags in it.
    bool Tagged = I % 1000 == 999;
    Mail Next = reply(Tagged ? "Acked-by: A. Reviewer <reviewer@example.org>"
                               " # " +
                                   std::to_string(I)
                             : "> what?\nThat.\n",
                      Above, Id);
    Text += mbox({Next});
    Above = Id;
  }
  S.write("mails", Text);
  EXPECT_EQ(S.trailers("q", "mails").Code, 0);
  EXPECT_EQ(StringRef(trailers()).count("f.patch  " + FId), 10u);
}

} // namespace
