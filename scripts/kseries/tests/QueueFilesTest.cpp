// SPDX-License-Identifier: GPL-2.0-only

#include "Scratch.h"
#include "queue/SeriesFile.h"
#include "queue/TrailersFile.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

std::string failure(StringRef Text) {
  auto File = SeriesFile::parse(Text, "q/series");
  return File ? "accepted" : toString(File.takeError());
}

TEST(SeriesFile, ToleratesWhatQuiltDoes) {
  auto File = cantFail(SeriesFile::parse("# head\n\n"
                                         "one.patch\n"
                                         "  sub/two.patch -p0 # why\n"
                                         "three#3.patch -p 2\n"
                                         "four.patch -pab\n",
                                         "q/series"));
  ASSERT_EQ(File.entries().size(), 4u);
  EXPECT_EQ(File.entries()[0].Name, "one.patch");
  EXPECT_EQ(File.entries()[0].Strip, 1u);
  EXPECT_EQ(File.entries()[1].Name, "sub/two.patch");
  EXPECT_EQ(File.entries()[1].Strip, 0u);
  EXPECT_EQ(File.entries()[1].Line, 4u);
  EXPECT_EQ(File.entries()[2].Name, "three#3.patch");
  EXPECT_EQ(File.entries()[2].Strip, 2u);
  EXPECT_EQ(File.entries()[3].Strip, 1u);
}

TEST(SeriesFile, RefusesWhatCannotBeMeant) {
  EXPECT_EQ(failure("a\nb\na\n"),
            "q/series:3: a is listed twice, first in line 1");
  EXPECT_EQ(failure("../a\n"),
            "q/series:1: patch name '../a' climbs out of the tree");
  EXPECT_EQ(failure("/a\n"), "q/series:1: patch name '/a' is absolute");
  EXPECT_EQ(failure("a -R\n"), "q/series:1: option '-R' is not supported");
  EXPECT_EQ(failure("a -px\n"), "q/series:1: -p without a number");
  EXPECT_EQ(failure("a\r\n"),
            "q/series:1: line ends in CR LF: convert the file to LF");
}

TEST(SeriesFile, LinesThatStayKeepTheirBytes) {
  std::string Text = "# head\n\na.patch  -p1\n# about b\nb.patch # b\n"
                     "c.patch\n# tail\n";
  auto File = cantFail(SeriesFile::parse(Text, "q/series"));
  EXPECT_EQ(File.withPatches({"a.patch", "b.patch", "c.patch"}), Text);
  EXPECT_EQ(File.withPatches({"a.patch", "c.patch"}),
            "# head\n\na.patch  -p1\n# about b\nc.patch\n# tail\n");
  EXPECT_EQ(File.withPatches({"new.patch", "a.patch", "b.patch", "c.patch"}),
            "new.patch\n" + Text);
  EXPECT_EQ(File.withPatches({"c.patch", "a.patch", "b.patch"}),
            "c.patch\n# head\n\na.patch  -p1\n# about b\nb.patch # b\n"
            "# tail\n");
}

TEST(SeriesFile, MissingLastNewlineIsSupplied) {
  auto File = cantFail(SeriesFile::parse("a.patch", "q/series"));
  EXPECT_EQ(File.withPatches({"a.patch", "b.patch"}), "a.patch\nb.patch\n");
}

const std::string Id(40, 'a');

TEST(TrailersFile, FieldsAreApartByTwoBlanksOrATab) {
  auto Trailers = cantFail(
      parseTrailers("# collected\n\na b.patch  " + Id +
                        "\tReviewed-by: A B <a@x.org>   20260101.1@x.org\n",
                    "q/trailers"));
  ASSERT_EQ(Trailers.size(), 1u);
  EXPECT_EQ(Trailers[0].PatchFile, "a b.patch");
  EXPECT_EQ(Trailers[0].PatchId, Id);
  EXPECT_EQ(Trailers[0].Tag, "Reviewed-by: A B <a@x.org>");
  EXPECT_EQ(Trailers[0].MessageId, "20260101.1@x.org");
  EXPECT_EQ(Trailers[0].Line, 3u);
}

TEST(TrailersFile, RefusesOtherLines) {
  for (const std::string &Line : std::vector<std::string>{
           ("a.patch Reviewed-by: A <a@x.org>"),
           "a.patch  " + Id + "  Reviewed-by: A <a@x.org>",
           "a.patch  abc  Reviewed-by: A <a@x.org>  1@x.org"}) {
    auto Trailers = parseTrailers("\n" + Line + "\n", "q/trailers");
    ASSERT_FALSE(Trailers) << Line;
    EXPECT_EQ(toString(Trailers.takeError()).substr(0, 13), "q/trailers:2:");
  }
}

TEST(Workspace, BaseMustBeThereAndNameSomething) {
  Scratch S;
  S.write("tree/f", simpleFile("old"));
  S.commitBase();
  std::string Patch = simplePatch("s", "f", "old", "new");
  S.writeQueue("q", "base-9.9", {{"x.patch", Patch}});
  std::string Base = S.path("series/q/base");
  EXPECT_EQ(S.apply({"q"}).Err, Base +
                                    ": 'base-9.9' is neither a queue nor a "
                                    "revision of " +
                                    S.path("linux.git"));
  S.write("series/q/base", "two words\n");
  EXPECT_EQ(S.apply({"q"}).Err,
            Base + ": not one line with a revision or a queue");
  S.run("rm series/q/base");
  EXPECT_EQ(S.apply({"q"}).Err,
            Base + ": missing: write there the revision or the queue on which "
                   "this queue stands");
  EXPECT_EQ(S.apply({"none"}).Err, "no queue 'none' in " + S.path("series"));
}

TEST(Workspace, CycleOfBasesIsShown) {
  Scratch S;
  S.write("tree/f", simpleFile("old"));
  S.commitBase();
  std::string Patch = simplePatch("s", "f", "old", "new");
  S.writeQueue("a", "b", {{"x.patch", Patch}});
  S.writeQueue("b", "c", {{"x.patch", Patch}});
  S.writeQueue("c", "a", {{"x.patch", Patch}});
  Outcome Result = S.apply({"a"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(Result.Err, S.path("series/a/base") +
                            ": the queues stand on each other: a -> b -> c -> "
                            "a");
  S.writeQueue("self", "self", {{"x.patch", Patch}});
  EXPECT_EQ(S.apply({"self"}).Err, S.path("series/self/base") +
                                       ": the queues stand on each other: self "
                                       "-> self");
}

TEST(Queue, EmptySeriesAndMissingPatch) {
  Scratch S;
  S.write("tree/f", simpleFile("old"));
  S.commitBase();
  S.writeQueue("q", "base", {});
  S.write("series/q/series", "# nothing\n");
  EXPECT_EQ(S.apply({"q"}).Err,
            S.path("series/q/series") + ": no patch is listed");
  S.write("series/q/series", "# one\ngone.patch\n");
  EXPECT_EQ(S.apply({"q"}).Err, S.path("series/q/series") +
                                    ":2: no patch file " +
                                    S.path("series/q/gone.patch"));
}

} // namespace
