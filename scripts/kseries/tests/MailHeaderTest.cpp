// SPDX-License-Identifier: GPL-2.0-only

#include "patch/MailHeader.h"

#include "llvm/ADT/SmallVector.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

TEST(MailHeader, DecodesWords) {
  EXPECT_EQ(decodeWords("=?UTF-8?q?Christian_K=C3=B6nig?="),
            "Christian K\xc3\xb6nig");
  EXPECT_EQ(decodeWords("=?iso-8859-1?Q?K=F6nig?="), "K\xc3\xb6nig");
  EXPECT_EQ(decodeWords("=?utf-8?B?S8O2bmln?= <x@example.org>"),
            "K\xc3\xb6nig <x@example.org>");
  EXPECT_EQ(decodeWords("=?UTF-8?q?one?= =?UTF-8?q?two?= three"),
            "onetwo three");
  EXPECT_EQ(decodeWords("=?koi8-r?Q?x?= = ?"), "=?koi8-r?Q?x?= = ?");
}

TEST(MailHeader, DecodedWordsCannotEndTheHeader) {
  EXPECT_EQ(decodeWords("=?UTF-8?q?one=0ABcc:_two=0D=00?="), "one Bcc: two  ");
  EXPECT_EQ(parsePerson("=?UTF-8?q?A=0AB_?= <a@example.org>"),
            (Person{"A B", "a@example.org"}));
}

TEST(MailHeader, AnEncodedWordEndsWithItsLine) {
  std::string Long = "=?utf-8?q?" + std::string(2000, 'a') + "?=";
  EXPECT_EQ(Long, decodeWords(Long));
}

TEST(MailHeader, ManyLayersEndAndLeaveNothingEncoded) {
  std::string Text = "a";
  for (int Layer = 0; Layer < 12; ++Layer) {
    std::string Inner;
    for (char Byte : Text)
      Inner += Byte == '=' ? "=3D" : Byte == '?' ? "=3F" : std::string(1, Byte);
    Text = "=?utf-8?q?" + Inner + "?=";
  }
  std::string Decoded = decodeWords(Text);
  EXPECT_EQ(std::string::npos, Decoded.find("=?"));
  EXPECT_EQ(Decoded, decodeWords(Decoded));
}

TEST(MailHeader, WordsEncodedTwiceAreDecodedTwice) {
  EXPECT_EQ(decodeWords("=?UTF-8?q?=3D=3FUTF-8=3Fq=3Fx=5Fy=3F=3D?="), "x y");
}

TEST(MailHeader, ParsesPersons) {
  EXPECT_EQ(parsePerson("A B <a@example.org>"),
            (Person{"A B", "a@example.org"}));
  EXPECT_EQ(parsePerson("\"B, \\\"A\\\"\" <a@example.org>"),
            (Person{"B, \"A\"", "a@example.org"}));
  EXPECT_EQ(parsePerson("=?UTF-8?q?=C3=B6?= <a@example.org>"),
            (Person{"\xc3\xb6", "a@example.org"}));
  EXPECT_EQ(parsePerson("a@example.org"), std::nullopt);
  EXPECT_EQ(parsePerson("A <>"), std::nullopt);
}

TEST(MailHeader, PersonsSurvivePrinting) {
  for (const Person &Who :
       {Person{"A B", "a@example.org"}, Person{"B, A \"x\" \\", "a@x.org"},
        Person{"J. R. K\xc3\xb6nig", "k@x.org"}})
    EXPECT_EQ(parsePerson(printPerson(Who)), Who);
}

TEST(MailHeader, DatesSurvivePrinting) {
  for (StringRef Text :
       {"Mon, 14 Sep 2026 14:22:58 -0700", "Thu, 29 Feb 2024 23:59:59 +0530",
        "Thu, 1 Jan 1970 00:00:00 +0000"}) {
    auto Date = parseDate(Text);
    ASSERT_TRUE(Date.has_value()) << Text.str();
    EXPECT_EQ(printDate(*Date), Text);
  }
  EXPECT_EQ(parseDate("Mon, 14 Sep 2026 14:22:58 -0700")->Seconds, 1789420978);
  for (StringRef Text : {"yesterday", "Mon, 31 Feb 2026 00:00:00 +0000",
                         "Mon, 14 Foo 2026 00:00:00 +0000", ""})
    EXPECT_FALSE(parseDate(Text).has_value()) << Text.str();
}

TEST(MailHeader, LongAndForeignHeadersFold) {
  std::string Words = "subject";
  for (int I = 0; I < 40; ++I)
    Words += " word";
  std::string Foreign;
  for (int I = 0; I < 60; ++I)
    Foreign += "\xc3\xb6 ";
  for (const std::string &Value : {Words, Foreign}) {
    std::string Header = printHeader("Subject", Value);
    std::string Unfolded;
    SmallVector<StringRef, 8> Lines;
    StringRef(Header).rtrim('\n').split(Lines, '\n');
    EXPECT_GT(Lines.size(), 1u);
    for (size_t I = 0; I < Lines.size(); ++I) {
      EXPECT_LE(Lines[I].size(), 78u);
      EXPECT_EQ(Lines[I].starts_with(" "), I != 0);
      Unfolded += Lines[I];
    }
    EXPECT_EQ(decodeWords(Unfolded), "Subject: " + Value);
  }
}
