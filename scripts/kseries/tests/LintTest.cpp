// SPDX-License-Identifier: GPL-2.0-only
//
// One test a rule: what it must find, and what it must leave alone.

#include "Scratch.h"
#include "lint/Maintainers.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

/// A diff of a file that simpleFile() made.
std::string diff(StringRef Path, StringRef Old, StringRef New) {
  std::string Whole = simplePatch("x", Path, Old, New);
  return Whole.substr(Whole.find("diff --git"));
}

std::string patch(StringRef Subject, StringRef Body, StringRef Diff) {
  return ("Subject: " + Subject + "\n\n" + Body + "\n---\n" + Diff).str();
}

const std::string Fixes = "Fixes: 0123456789ab (\"f: one\")";

class Lint : public testing::Test {
protected:
  void SetUp() override {
    S.write("tree/drivers/dma-buf/f.c", simpleFile("one"));
    S.write("tree/drivers/dma-buf/g.c", simpleFile("one"));
    S.write("tree/MAINTAINERS", "List of maintainers\n\nDMA BUFFER SHARING "
                                "(dma-buf)\nM:\tA. Maintainer "
                                "<maintainer@example.org>\nF:\tdrivers/dma-*/\n"
                                "X:\tdrivers/dma-buf/g.c\n");
    S.commitBase();
    // A clean queue of one patch.
    queue({{"f.patch", patch("dma-buf: two", "Because.", F)}});
    tool("scripts/checkpatch", "");
    tool("scripts/build-patches", "echo '3 passed, 0 failed'");
    tool("build/bin/dmacheck", "");
  }

  void queue(std::vector<std::pair<std::string, std::string>> Patches) {
    S.writeQueue("q", "base", Patches);
    S.apply({"q"}, /*Force=*/true); // one test has a queue that does not
  }
  void tool(const std::string &Path, const std::string &Script) {
    S.write(Path, "#!/bin/sh\n" + Script + "\n");
    S.run("chmod +x " + Path);
  }
  /// What the rule says, a line each, without its name and source.
  std::string findings(StringRef Rule) {
    Outcome Result = S.lint("q", "tree");
    EXPECT_NE(Result.Code, 2) << Result.Err;
    std::string Said;
    SmallVector<StringRef, 8> Lines;
    StringRef(Result.Out).split(Lines, '\n');
    for (StringRef Line : Lines)
      if (size_t At = Line.find((" [" + Rule + "] (source: ").str());
          At != StringRef::npos)
        Said += Line.take_front(At).str() + "\n";
    return Said;
  }
  std::string findingsOfOne(StringRef Rule, const std::string &Text) {
    queue({{"f.patch", Text}});
    return findings(Rule);
  }

  const std::string F = diff("drivers/dma-buf/f.c", "one", "two");
  const std::string G = diff("drivers/dma-buf/g.c", "one", "two");
  Scratch S;
};

TEST_F(Lint, CleanQueue) {
  Outcome Result = S.lint("q", "tree");
  EXPECT_EQ(Result.Code, 0);
  EXPECT_EQ(Result.Err, "");
  EXPECT_EQ(Result.Out, "q: 13 rules, no findings\n");
}

TEST_F(Lint, TextNamesPlaceRuleAndSource) {
  queue({{"f.patch", patch("two", "Because.", F)}});
  Outcome Result = S.lint("q", "tree");
  EXPECT_EQ(Result.Code, 1);
  EXPECT_EQ(Result.Out,
            "q/f.patch:1: the subject does not start with a subsystem and ': ' "
            "[subject-prefix] (source: "
            "Documentation/process/submitting-patches.rst)\n"
            "q: 13 rules, 1 finding\n");
}

TEST_F(Lint, JsonHasTheSame) {
  queue({{"f.patch", patch("two", "Because.", F)}});
  Outcome Result = S.lint("q", "tree", {"build"}, /*Json=*/true);
  EXPECT_EQ(Result.Code, 1);
  auto Parsed = json::parse(Result.Out);
  ASSERT_TRUE(bool(Parsed)) << toString(Parsed.takeError());
  const json::Object &Top = *Parsed->getAsObject();
  EXPECT_EQ(Top.getString("queue"), "q");
  EXPECT_EQ(Top.getArray("rules")->size(), 12u);
  const json::Array &List = *Top.getArray("findings");
  ASSERT_EQ(List.size(), 1u);
  EXPECT_EQ(List[0].getAsObject()->getString("file"), "q/f.patch");
  EXPECT_EQ(List[0].getAsObject()->getInteger("line"), 1);
  EXPECT_EQ(List[0].getAsObject()->getString("rule"), "subject-prefix");
}

TEST_F(Lint, UnknownRuleAndQueue) {
  EXPECT_EQ(S.lint("none", "tree").Code, 2);
  Outcome Result = S.lint("q", "tree", {"built"});
  EXPECT_EQ(Result.Code, 2);
  EXPECT_TRUE(StringRef(Result.Err)
                  .starts_with("no rule 'built'; there are: fixes-first, "));
}

TEST_F(Lint, QueueThatDoesNotApply) {
  EXPECT_EQ(findingsOfOne("apply",
                          patch("dma-buf: two", "Because.",
                                diff("drivers/dma-buf/f.c", "three", "two"))),
            "q/f.patch:8: hunk 1 of 1 does not apply to 'drivers/dma-buf/f.c': "
            "line 4 is 'one', the patch expects 'three'\n");
}

TEST_F(Lint, FixesFirst) {
  auto Plain = patch("dma-buf: two", "Because.", F);
  auto Fix = patch("dma-buf: fix", "Because.\n\n" + Fixes, G);
  queue({{"a.patch", Fix}, {"b.patch", Plain}});
  EXPECT_EQ(findings("fixes-first"), "");
  queue({{"a.patch", Plain}, {"b.patch", Fix}});
  EXPECT_EQ(
      findings("fixes-first"),
      "q/b.patch:5: a fix stands behind a.patch, which fixes nothing: put "
      "it in front, so that it can be taken alone\n");
}

TEST_F(Lint, FixesTag) {
  auto With = [&](StringRef Tag) {
    return findingsOfOne(
        "fixes-tag", patch("dma-buf: two", ("Because.\n\n" + Tag).str(), F));
  };
  const std::string Wrong = "q/f.patch:5: not 'Fixes: ID (\"subject\")' on one "
                            "line, with 12 digits of the id or more\n";
  EXPECT_EQ(With(Fixes), "");
  EXPECT_EQ(With("Fixes: 0123456789abcdef (\"x (\"y\") z\")"), "");
  for (StringRef Tag :
       {"Fixes: 0123456789a (\"f: one\")", "Fixes: 0123456789ab (f: one)",
        "Fixes: 0123456789ab", "fixes: 0123456789ab (\"f: one\")",
        "Fixes: commit 0123456789ab (\"f: one\")",
        "Fixes: 0123456789ab (\"f: one"})
    EXPECT_EQ(With(Tag), Wrong) << Tag.str();
}

TEST_F(Lint, FixesTagIsLookedUpWhereThereIsHistory) {
  S.write("tree/drivers/dma-buf/g.c", simpleFile("1"));
  std::string Id = S.commit("dma-buf: one").substr(0, 12);
  S.run("git --git-dir=linux.git tag -f base main");
  auto With = [&](const std::string &Commit, const std::string &Subject) {
    return findingsOfOne(
        "fixes-tag",
        patch("dma-buf: two",
              "Because.\n\nFixes: " + Commit + " (\"" + Subject + "\")", F));
  };
  EXPECT_EQ(With(Id, "dma-buf: one"), "");
  EXPECT_EQ(With(Id, "dma-buf: two"),
            "q/f.patch:5: commit " + Id + " is 'dma-buf: one'\n");
  EXPECT_EQ(With("0123456789ab", "f: one"),
            "q/f.patch:5: no commit 0123456789ab in the history of base\n");
}

TEST_F(Lint, SubjectPrefixByFoldersAndMaintainers) {
  auto With = [&](StringRef Subject, const std::string &Diff) {
    return findingsOfOne("subject-prefix", patch(Subject, "Because.", Diff));
  };
  for (StringRef Good :
       {"dma-buf: two", "dma_buf: two", "dma-buf: f: two", "sharing: two",
        "dma-buf/f: two", "treewide: two", "Revert \"two\""})
    EXPECT_EQ(With(Good, F), "") << Good.str();
  EXPECT_EQ(With("block: two", F),
            "q/f.patch:1: 'block:' is the name of no folder, file or "
            "MAINTAINERS entry that the patch is about\n");
  // MAINTAINERS takes this file out.
  EXPECT_NE(With("sharing: two", G), "");
  EXPECT_EQ(With("DMA-BUF: two", F),
            "q/f.patch:1: 'DMA-BUF:' has capitals, which few subsystems "
            "write\n");
}

TEST_F(Lint, SubjectPrefixByHistory) {
  S.write("tree/drivers/dma-buf/f.c", simpleFile("zero"));
  S.commit("dma-mapping: zero");
  S.write("tree/drivers/dma-buf/f.c", simpleFile("one"));
  S.commit("dma-mapping: one: two");
  S.run("git --git-dir=linux.git tag -f base main");
  auto With = [&](StringRef Subject, const std::string &Diff) {
    return findingsOfOne("subject-prefix", patch(Subject, "Because.", Diff));
  };
  EXPECT_EQ(With("dma-mapping: two", F), "");
  EXPECT_EQ(With("dma-buf: two", F),
            "q/f.patch:1: 'dma-buf:' is new to these files, whose history has "
            "'dma-mapping:'\n");
  // No commit with a prefix is about this file.
  EXPECT_EQ(With("dma-buf: two", G), "");
}

TEST_F(Lint, LineLength) {
  std::string Long(60, 'x');
  auto With = [&](const std::string &Body) {
    return findingsOfOne("line-length", patch("dma-buf: two", Body, F));
  };
  EXPECT_EQ(With("Because " + Long + " of that"),
            "q/f.patch:3: the line has 76 columns: wrap it at 75\n");
  for (const std::string &Good :
       {"Because " + Long + " of it", "    " + Long + " indented, and long",
        "see https://example.org/" + Long + " for more",
        "> " + Long + " quoted from a mail",
        "[   12.345] " + Long + " of a log",
        "Reviewed-by: " + Long + " <reviewer@example.org>", Long + Long,
        "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc " + Long + " 9"})
    EXPECT_EQ(With("Because.\n\n" + Good), "") << Good;
  EXPECT_EQ(findingsOfOne("line-length",
                          patch("dma-buf: " + Long + "1234567", "Because.", F)),
            "q/f.patch:1: the subject has 76 columns, 75 are the limit\n");
}

TEST_F(Lint, SignOff) {
  std::string Signed = "Because.\n\nSigned-off-by: An Author "
                       "<author@example.org>";
  std::string From = "From: An Author <author@example.org>\n";
  EXPECT_EQ(findingsOfOne("sign-off", From + patch("dma-buf: two", Signed, F)),
            "");
  EXPECT_EQ(findingsOfOne("sign-off", patch("dma-buf: two", Signed, F)),
            "q/f.patch:5: Signed-off-by on a patch without From:, whose author "
            "is the sender: who sends it signs it then\n");
  EXPECT_EQ(
      findingsOfOne("sign-off", From + patch("dma-buf: two", "Because.", F)),
      "q/f.patch:1: From: without a Signed-off-by of An Author "
      "<author@example.org>\n");
  S.write("series/q/trailers",
          "f.patch  " + std::string(40, '0') +
              "  Acked-by: A. Reviewer <reviewer@example.org>  1@x\n");
  EXPECT_EQ(findingsOfOne("sign-off", From + patch("dma-buf: two", Signed, F)),
            "q/f.patch:6: the diff has changed since it was posted, so that "
            "its author has not signed it: take out From: and Signed-off-by "
            "and say Based-on-patch-by:\n");
}

TEST_F(Lint, Links) {
  auto With = [&](StringRef Tag) {
    return findingsOfOne(
        "link", patch("dma-buf: two", ("Because.\n\n" + Tag).str(), F));
  };
  for (StringRef Good :
       {"Link: https://lore.kernel.org/r/1@example.org",
        "Link: https://lore.kernel.org/all/1@example.org/ # [1]",
        "Link: https://patch.msgid.link/1@example.org",
        "Closes: https://bugs.example.org/1"})
    EXPECT_EQ(With(Good), "") << Good.str();
  EXPECT_EQ(With("Link: https://lore.kernel.org/lkml/"),
            "q/f.patch:5: Link: no message id in the address of a mail\n");
  EXPECT_EQ(With("Closes: http://bugs.example.org/1"),
            "q/f.patch:5: Closes: write it with https://\n");
  EXPECT_EQ(With("Link: 1@example.org"),
            "q/f.patch:5: Link: not an https:// address\n");
  EXPECT_NE(With("Link: https://lkml.org/lkml/2026/1/1/1"), "");
}

TEST_F(Lint, EmptyPatch) {
  EXPECT_EQ(findings("empty-patch"), "");
  EXPECT_EQ(findingsOfOne("empty-patch",
                          "Subject: f: two\n\n---\n(no changes yet)\n"),
            "q/f.patch: changes nothing yet: refresh it or drop it\n");
}

TEST_F(Lint, StaleTags) {
  std::string Id =
      S.run("git patch-id --stable <series/q/f.patch").substr(0, 40);
  std::string Old(40, '0');
  S.write("series/q/trailers",
          "f.patch  " + Id + "  Acked-by: A. Reviewer <a@example.org>  1@x\n" +
              "f.patch  " + Old +
              "  Acked-by: A. Reviewer <a@example.org>  "
              "0@x\n" +
              "f.patch  " + Old +
              "  Acked-by: B. Reviewer <b@example.org>  "
              "2@x\n" +
              "gone.patch  " + Id +
              "  Acked-by: B. Reviewer <b@example.org>  "
              "3@x\n");
  // The second line was given again, as the first.
  EXPECT_EQ(
      findings("stale-tag"),
      "q/trailers:3: f.patch has changed since it was given: Acked-by: B. "
      "Reviewer <b@example.org>\n"
      "q/trailers:4: there is no patch gone.patch any more: Acked-by: B. "
      "Reviewer <b@example.org>\n");
}

TEST_F(Lint, Documentation) {
  auto With = [&](const std::string &Path, const std::string &Line,
                  const std::string &Next = "more") {
    return findingsOfOne("documentation",
                         patch("dma-buf: two", "Because.",
                               "diff --git a/" + Path + " b/" + Path +
                                   "\nnew file mode 100644\n--- /dev/null\n+++ "
                                   "b/" +
                                   Path + "\n@@ -0,0 +1,2 @@\n+" + Line +
                                   "\n+" + Next + "\n"));
  };
  EXPECT_EQ(With("drivers/h.c", "int x;"), "");
  EXPECT_EQ(With("include/uapi/linux/h.h", "/* x */", " * more */"), "");
  EXPECT_EQ(
      With("include/uapi/linux/h.h", "#define X 1"),
      "q/f.patch:10: changes a header for user space, but no patch touches "
      "Documentation/\n");
  EXPECT_EQ(With("drivers/h.c", "static DEVICE_ATTR_RO(x);"),
            "q/f.patch:10: changes a sysfs attribute, but no patch touches "
            "Documentation/\n");
  EXPECT_EQ(With("drivers/h.c", "\tdebugfs_create_file(\"x\", 0, NULL);"),
            "q/f.patch:10: changes a debugfs file, but no patch touches "
            "Documentation/\n");
  EXPECT_EQ(With("drivers/h.c", "early_param(\"x\", x);"),
            "q/f.patch:10: changes a boot parameter, but no patch touches "
            "Documentation/admin-guide/kernel-parameters\n");
  EXPECT_EQ(With("drivers/h.c", "module_param(x, int, 0444);"),
            "q/f.patch:10: changes a module parameter, but does not add "
            "MODULE_PARM_DESC(\n");
  EXPECT_EQ(With("drivers/h.c", "module_param(x, int, 0);",
                 "MODULE_PARM_DESC(x, \"x\");"),
            "");
  EXPECT_EQ(With("drivers/Kconfig", "config X"),
            "q/f.patch:10: changes a Kconfig symbol, but does not add help\n");
  EXPECT_EQ(With("drivers/Kconfig", "config X", "\thelp"), "");
  // Documentation in another patch of the queue will do.
  queue({{"f.patch", patch("dma-buf: two", "Because.",
                           "diff --git a/include/uapi/x.h b/include/uapi/x.h\n"
                           "new file mode 100644\n--- /dev/null\n+++ "
                           "b/include/uapi/x.h\n@@ -0,0 +1 @@\n+x\n")},
         {"d.patch", patch("docs: two", "Because.",
                           "diff --git a/Documentation/x b/Documentation/x\n"
                           "new file mode 100644\n--- /dev/null\n+++ "
                           "b/Documentation/x\n@@ -0,0 +1 @@\n+x\n")}});
  EXPECT_EQ(findings("documentation"), "");
}

TEST_F(Lint, CoverIsThere) {
  queue({{"f.patch", patch("dma-buf: two", "Because.", F)},
         {"g.patch", patch("dma-buf: 2", "Because.", G)}});
  EXPECT_EQ(findings("cover"), "q/cover: no cover letter for 2 patches\n");
  S.write("series/q/cover", "dma-buf: two\n");
  EXPECT_EQ(findings("cover"),
            "q/cover:1: there is nothing below the subject\n");
  S.write("series/q/cover", "dma-buf: two\nmore\n");
  EXPECT_EQ(findings("cover"), "q/cover:2: no blank line below the subject\n");
}

TEST_F(Lint, CoverAgreesWithTheQueue) {
  queue({{"f.patch", patch("dma-buf: two", "Because.", F)},
         {"g.patch", patch("dma-buf: 2", "Because.", G)}});
  auto With = [&](const std::string &Body) {
    S.write("series/q/cover", "dma-buf: two\n\n" + Body + "\n");
    return findings("cover");
  };
  for (const std::string &Good :
       {"These two patches, 1 and 2, are good.", "Patches 1 and 2 (patch 2/2).",
        "The last 1 patches. Each patch 4K. The first 2 patches are fixes.",
        "In drivers/dma-buf/f.c and `drivers/dma-buf/g.c`, but lib/x/y.c",
        " drivers/dma-buf/f.c | 2 +-\n drivers/dma-buf/g.c | 2 +-\n"
        " 2 files changed, 2 insertions(+), 2 deletions(-)"})
    EXPECT_EQ(With(Good), "") << Good;
  EXPECT_EQ(With("Three patches\nfor it."),
            "q/cover:3: speaks of 3 patches, the queue has 2\n");
  EXPECT_EQ(With("In patches 1 and 3."),
            "q/cover:3: there is no patch 3, the queue has 2\n");
  EXPECT_EQ(With("In patch 2/3."),
            "q/cover:3: there is no patch 3, the queue has 2\n");
  EXPECT_EQ(With("In patch 1/1."), "q/cover:3: '1/1' in a queue of 2\n");
  EXPECT_EQ(With("x\nIn drivers/dma-buf/h.c."),
            "q/cover:4: there is no file drivers/dma-buf/h.c, before or "
            "after\n");
  EXPECT_EQ(With(" drivers/dma-buf/x.c | 2 +-\n 1 file changed, 2 insertions"
                 "(+), 2 deletions(-)"),
            "q/cover:3: the diffstat has drivers/dma-buf/x.c, which the queue "
            "does not touch\n"
            "q/cover:4: the diffstat of the queue is 2 files, 2 insertions, 2 "
            "deletions\n"
            "q/cover:3: there is no file drivers/dma-buf/x.c, before or "
            "after\n");
}

TEST_F(Lint, Checkpatch) {
  tool("scripts/checkpatch",
       "echo \"$6:4: WARNING:X: bad style\"; echo \"$*\" >args; exit 1");
  EXPECT_EQ(findings("checkpatch"), "q/f.patch:4: WARNING:X: bad style\n");
  tool("scripts/checkpatch", "echo 'checkpatch: no perl' >&2; exit 2");
  Outcome Result = S.lint("q", "tree");
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(Result.Err,
            "kseries: rule checkpatch: " + S.path("scripts/checkpatch") +
                ": checkpatch: no perl\n");
  EXPECT_EQ(Result.Out, "q: 12 rules, no findings\n");
  EXPECT_EQ(S.lint("q", "tree", {"checkpatch"}).Code, 0);
  EXPECT_EQ(S.lint("q", "nowhere").Code, 2);
}

TEST_F(Lint, Build) {
  tool("scripts/build-patches",
       "[ \"$1 $2 $3 $5\" = '--base base --series q' ] || exit 2\n"
       "echo 'pass q/f.patch um'\n"
       "echo 'fail q/f.patch checkpatch: has its own rule'\n"
       "echo 'fail q/f.patch arm64-4k: does not compile: x.c:1: error: y'\n"
       "echo '1 passed, 2 failed'\nexit 1");
  EXPECT_EQ(findings("build"),
            "q/f.patch: arm64-4k: does not compile: x.c:1: error: y\n");
  tool("scripts/build-patches", "kill -9 $$");
  EXPECT_EQ(S.lint("q", "tree").Code, 2);
  EXPECT_EQ(S.lint("q", "tree", {"build"}).Code, 0);
}

TEST_F(Lint, Dmacheck) {
  tool("build/bin/dmacheck",
       "for last; do :; done\n[ \"$last\" = drivers/dma-buf ] || exit 2\n"
       "echo '{\"origin\":\"pre-existing\",\"patch\":null}'\n"
       "echo '{\"origin\":\"introduced\",\"patch\":\"q/f.patch\",\"file\":"
       "\"drivers/dma-buf/f.c\",\"line\":4,\"message\":\"leaks\",\"check\":"
       "\"iova-leak\"}'\n"
       "echo '{\"origin\":\"introduced\",\"patch\":\"other/x.patch\"}'\n"
       "exit 1");
  EXPECT_EQ(findings("dmacheck"),
            "q/f.patch: drivers/dma-buf/f.c:4: leaks (iova-leak)\n");
  // Of a queue that is not applied dmacheck would see another state.
  S.write("series/q/f.patch", patch("dma-buf: 2", "Because.", F));
  Outcome Result = S.lint("q", "tree");
  EXPECT_EQ(Result.Code, 2);
  EXPECT_EQ(Result.Err,
            "kseries: rule dmacheck: q: not applied as it is now: run "
            "'kseries apply q'\n");
}

TEST(Maintainers, MatchesAsGetMaintainerDoes) {
  StringRef Text = "Preface\n\nONE\nF:\ta/b/\nF:\tx/*.c\n\nTWO\nF:\ta/\nX:\t"
                   "a/b/c\nF:\tdir\n";
  using Titles = std::vector<StringRef>;
  EXPECT_EQ(entriesFor(Text, "a/b/d"), (Titles{"ONE", "TWO"}));
  EXPECT_EQ(entriesFor(Text, "a/b/c"), (Titles{"ONE"}));
  EXPECT_EQ(entriesFor(Text, "x/y.c"), (Titles{"ONE"}));
  EXPECT_EQ(entriesFor(Text, "x/y/z.c"), Titles{});
  EXPECT_EQ(entriesFor(Text, "dir/x"), (Titles{"TWO"}));
}

} // namespace
