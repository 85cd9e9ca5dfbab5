// SPDX-License-Identifier: GPL-2.0-only

#include "Scratch.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

class Status : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/f", simpleFile("one"));
    S.commitBase();
    S.writeQueue("good", "base",
                 {{"two.patch", simplePatch("f: two", "f", "one", "two")}});
  }

  json::Object queue(StringRef Name) {
    Outcome Result = S.status(/*Json=*/true);
    auto Parsed = json::parse(Result.Out);
    if (!Parsed) {
      ADD_FAILURE() << toString(Parsed.takeError()) << Result.Out << Result.Err;
      return {};
    }
    for (const json::Value &Queue : *Parsed->getAsObject()->getArray("queues"))
      if (Queue.getAsObject()->getString("name") == Name)
        return *Queue.getAsObject();
    ADD_FAILURE() << "no queue " << Name.str();
    return {};
  }
  StringRef branch() {
    Last = queue("good").getString("branch").value_or("").str();
    return Last;
  }

  Scratch S;
  std::string Last;
};

TEST_F(Status, SaysHowBranchAndQueueStand) {
  std::string Patch = S.read("series/good/two.patch");
  EXPECT_EQ(branch(), "not applied");
  ASSERT_EQ(S.apply({"good"}).Code, 0);
  EXPECT_EQ(branch(), "in sync");
  S.write("series/good/two.patch", simplePatch("f: 2", "f", "one", "2"));
  EXPECT_EQ(branch(), "queue changed");
  S.run("git --git-dir=linux.git update-ref refs/heads/series/good base");
  EXPECT_EQ(branch(), "both changed");
  S.write("series/good/two.patch", Patch);
  EXPECT_EQ(branch(), "branch changed");
}

TEST_F(Status, WritesNothing) {
  std::string Command = "find linux.git -type f | sort | xargs sha1sum";
  std::string Files = S.run(Command);
  EXPECT_EQ(S.status().Code, 0);
  EXPECT_EQ(S.run(Command), Files);
}

TEST_F(Status, FailureNamesPatchFileAndHunk) {
  S.writeQueue("bad", "good",
               {{"x.patch", simplePatch("x", "f", "another", "x")}});
  EXPECT_EQ(S.status().Code, 1);
  json::Object Bad = queue("bad");
  EXPECT_EQ(Bad.getBoolean("applies"), false);
  EXPECT_EQ(Bad.getString("base"), "good");
  const json::Object *Failure = Bad.getObject("failure");
  ASSERT_NE(Failure, nullptr);
  EXPECT_EQ(Failure->getString("patch"), S.path("series/bad/x.patch"));
  EXPECT_EQ(Failure->getString("file"), "f");
  EXPECT_EQ(Failure->getInteger("hunk"), 1);
  EXPECT_EQ(Failure->getInteger("line"), 8);
  EXPECT_EQ(queue("good").getBoolean("applies"), true);
}

TEST_F(Status, TextIsATableWithTheFailuresBelow) {
  S.writeQueue("bad", "good",
               {{"x.patch", simplePatch("x", "f", "another", "x")}});
  EXPECT_EQ(S.status().Out,
            "QUEUE  BASE  PATCHES  APPLIES  BRANCH       STALE TAGS\n"
            "good   base  1        yes      not applied  0\n"
            "bad    good  1        no       not applied  0\n" +
                S.path("series/bad/x.patch") +
                ":8: hunk 1 of 1 does not apply to 'f': line 4 is 'two', the "
                "patch expects 'another'\n");
}

TEST_F(Status, UnreadableQueueIsARowAndNotTheEnd) {
  S.writeQueue("cut", "base",
               {{"x.patch", simplePatch("x", "f", "one", "x").substr(0, 60)}});
  S.writeQueue("lost", "base-9.9",
               {{"x.patch", simplePatch("x", "f", "one", "x")}});
  EXPECT_EQ(S.status().Code, 1);
  EXPECT_EQ(queue("cut").getBoolean("applies"), false);
  EXPECT_EQ(queue("lost").getBoolean("applies"), false);
  EXPECT_EQ(queue("good").getBoolean("applies"), true);
}

TEST_F(Status, NamesStaleTags) {
  S.write("series/good/trailers",
          "two.patch  " + std::string(40, '0') +
              "  Reviewed-by: A B <a@example.org>  1@x\n"
              "gone.patch  " +
              std::string(40, '0') + "  Acked-by: A B <a@example.org>  2@x\n");
  EXPECT_EQ(S.status().Code, 0);
  const json::Array *Stale = nullptr;
  json::Object Good = queue("good");
  Stale = Good.getArray("stale_trailers");
  ASSERT_EQ(Stale->size(), 2u);
  const json::Object *First = (*Stale)[0].getAsObject();
  EXPECT_EQ(First->getString("patch"), "two.patch");
  EXPECT_EQ(First->getString("tag"), "Reviewed-by: A B <a@example.org>");
  EXPECT_EQ(First->getString("message_id"), "1@x");
}

} // namespace
