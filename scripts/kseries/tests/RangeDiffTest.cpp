// SPDX-License-Identifier: GPL-2.0-only

#include "commands/RangeDiff.h"
#include "Scratch.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

class RangeDiff : public testing::Test {
protected:
  void SetUp() override {
    for (StringRef File : {"tree/f", "tree/g", "tree/h"})
      S.write(File, simpleFile("one"));
    S.commitBase();
    S.writeQueue("q/sent/v1", "base",
                 {{"f.patch", simplePatch("f: two", "f", "one", "two")},
                  {"g.patch", simplePatch("g: two", "g", "one", "two")}});
    S.writeQueue("q/sent/v2", "base",
                 {{"g.patch", simplePatch("g: two", "g", "one", "2")},
                  {"f.patch", simplePatch("f: two", "f", "one", "two")}});
    S.writeQueue("q", "base",
                 {{"f.patch", simplePatch("f: two", "f", "one", "two")},
                  {"h.patch", simplePatch("h: other", "h", "one", "else")}});
  }

  Outcome compare(StringRef Old, StringRef New,
                  StatusFormat Format = StatusFormat::Text) {
    return S.outcome([&](Streams To) {
      return rangeDiff(S.workspace(), Old, New, Format, To);
    });
  }
  Outcome versions(StringRef Versions) {
    return S.outcome([&](Streams To) {
      return diffVersions(S.workspace(), "q", Versions, StatusFormat::Text, To);
    });
  }

  Scratch S;
};

TEST_F(RangeDiff, NamesPatchesAndKeepsGitsText) {
  Outcome Result = versions("v1..v2");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_EQ(Result.Out, "q@v1      q@v2    subject\n"
                        "g.patch ! g.patch g: two\n"
                        "    @@ g\n"
                        "      before 2\n"
                        "      before 3\n"
                        "     -one\n"
                        "    -+two\n"
                        "    ++2\n"
                        "      after 1\n"
                        "      after 2\n"
                        "      after 3\n"
                        "f.patch = f.patch f: two\n");
  EXPECT_EQ(S.run("git --git-dir=linux.git for-each-ref --format='%(refname)'"),
            "refs/heads/main\nrefs/tags/base");
}

TEST_F(RangeDiff, JsonHasTheWholeOfAnUnmatchedPatch) {
  Outcome Result = compare("q@v1", "q", StatusFormat::Json);
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  auto Parsed = json::parse(Result.Out);
  ASSERT_TRUE(bool(Parsed)) << Result.Out;
  json::Array *Pairs = Parsed->getAsObject()->getArray("pairs");
  ASSERT_EQ(Pairs->size(), 3u) << Result.Out;
  std::map<std::string, json::Object> ByStatus;
  for (json::Value &Pair : *Pairs)
    ByStatus[Pair.getAsObject()->getString("status")->str()] =
        *Pair.getAsObject();
  EXPECT_EQ(*ByStatus["="].getString("old"), "f.patch");
  EXPECT_EQ(*ByStatus["="].getString("diff"), "");
  EXPECT_EQ(*ByStatus["<"].getString("old"), "g.patch");
  EXPECT_EQ(*ByStatus["<"].get("new"), json::Value(nullptr));
  EXPECT_EQ(*ByStatus[">"].getString("new"), "h.patch");
  EXPECT_EQ(*ByStatus[">"].getString("subject"), "h: other");
  EXPECT_TRUE(ByStatus[">"].getString("diff")->starts_with(
      "h: other\n\nBecause.\n---\ndiff --git a/h b/h\n"));
  EXPECT_TRUE(ByStatus[">"].getString("diff")->contains("\n-one\n+else\n"));
}

TEST_F(RangeDiff, AVersionAgainstTheQueueAndRevisions) {
  EXPECT_EQ(versions("v1..").Out, compare("q@v1", "q").Out);
  ASSERT_EQ(S.apply({"q"}).Code, 0);
  Outcome Result = compare("q", "base..series/q");
  EXPECT_EQ(Result.Code, 0) << Result.Err;
  EXPECT_NE(
      Result.Out.find("f.patch = " + S.run("git --git-dir=linux.git rev-parse "
                                           "series/q~1 | cut -c-12")),
      std::string::npos)
      << Result.Out;
}

TEST_F(RangeDiff, WhatCannotBeCompared) {
  EXPECT_NE(compare("q", "r").Err.find("'r' is neither a queue"),
            std::string::npos);
  EXPECT_NE(compare("q", "q@v9").Err.find("no version 'v9' of queue q"),
            std::string::npos);
  EXPECT_NE(compare("q", "base..nothing").Err.find("not a revision"),
            std::string::npos);
  EXPECT_EQ(compare("q", "base...main").Code, 2);
  EXPECT_EQ(versions("v1").Code, 2);
  EXPECT_EQ(versions("..v1").Code, 2);
}

} // namespace
