// SPDX-License-Identifier: GPL-2.0-only
//
// Input that must be refused: each with one line that names the patch file,
// and the line in it where there is one to blame.

#include "Scratch.h"
#include "patch/PatchParser.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace kseries;

namespace {

const std::string Good = simplePatch("s", "f.c", "old", "new");

std::string failure(StringRef Text) {
  auto Parsed = parsePatch(Text, "q/x.patch");
  return Parsed ? "accepted" : toString(Parsed.takeError());
}

std::string replaced(std::string Text, StringRef From, StringRef To) {
  size_t At = Text.find(From.str());
  EXPECT_NE(At, std::string::npos) << From.str();
  return Text.replace(At, From.size(), To.str());
}

struct Case {
  const char *Name;
  std::string Text;
  const char *Message;
};

class BadPatch : public testing::TestWithParam<Case> {};

TEST_P(BadPatch, IsRefusedInOneLine) {
  EXPECT_EQ(failure(GetParam().Text), GetParam().Message);
}

std::string withPath(StringRef Path) {
  return simplePatch("s", Path, "old", "new");
}

std::string cutAfter(StringRef Text) {
  return Good.substr(0, Good.find(Text.str()) + Text.size());
}

INSTANTIATE_TEST_SUITE_P(
    All, BadPatch,
    testing::Values(
        Case{"Empty", "", "q/x.patch: the patch is empty"},
        Case{"CutInALine", cutAfter("-ol"),
             "q/x.patch:12: the patch ends inside a line: it was cut off"},
        Case{"CutInAHunk", cutAfter("-old\n"),
             "q/x.patch:13: the patch ends inside a hunk: it was cut off"},
        Case{"CutBeforeTheHunk", cutAfter("+++ b/f.c\n"),
             "q/x.patch:8: no hunk after the file names: the patch was cut "
             "off"},
        Case{"CutInTheNames", cutAfter("--- a/f.c\n"),
             "q/x.patch:7: no +++ line after ---: the patch was cut off or "
             "damaged"},
        Case{"CutAfterTheGitLine", cutAfter("b/f.c\n"),
             "q/x.patch:5: diff that changes nothing: the patch was cut off"},
        Case{"CutBeforeTheDiff", cutAfter("---\n"),
             "q/x.patch:5: no diff in the patch: it was cut off"},
        Case{"CrLfThroughout", replaced(Good, "Subject: s\n", "Subject: s\r\n"),
             "q/x.patch:1: line ends in CR LF: convert the patch to LF"},
        Case{"CrLfInTheDiff", replaced(Good, "+++ b/f.c\n", "+++ b/f.c\r\n"),
             "q/x.patch:7: line ends in CR LF: convert the patch to LF"},
        Case{"CrLfInTheHunkLine", replaced(Good, "+1,7 @@\n", "+1,7 @@\r\n"),
             "q/x.patch:8: line ends in CR LF: convert the patch to LF"},
        Case{"Climbs", withPath("../f.c"),
             "q/x.patch:5: path '../f.c' climbs out of the tree"},
        Case{"ClimbsInside", withPath("a/../../f.c"),
             "q/x.patch:5: path 'a/../../f.c' climbs out of the tree"},
        Case{"GitDirectory", withPath(".git/hooks/f"),
             "q/x.patch:5: path '.git/hooks/f' leads into a git directory"},
        Case{"AbsoluteBehindThePrefix", withPath("/etc/f"),
             "q/x.patch:5: path '/etc/f' is absolute"},
        Case{"Absolute", "s\n\n--- /etc/f\n+++ /etc/f\n@@ -1 +1 @@\n-a\n+b\n",
             "q/x.patch:3: path '/etc/f' is absolute"},
        Case{"RenameThatClimbs",
             "s\n\ndiff --git a/f b/g\nsimilarity index 100%\nrename from f\n"
             "rename to ../g\n",
             "q/x.patch:3: path '../g' climbs out of the tree"},
        Case{"HunkLongerThanSaid", Good + " more\n",
             "q/x.patch:17: hunk 1 of 'f.c' is longer than its @@ line says"},
        Case{"HunkWithOtherCounts", replaced(Good, "-old\n", "+old\n"),
             "q/x.patch:16: hunk has other lines than its @@ line says"},
        Case{"GarbageInAHunk", replaced(Good, "-old\n", "?old\n"),
             "q/x.patch:12: line '?old' inside a hunk is neither context, '+' "
             "nor '-'"},
        Case{"HunkThatChangesNothing",
             "s\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n a\n",
             "q/x.patch:5: hunk that changes nothing"},
        Case{"MalformedHunkLine", replaced(Good, "-1,7", "-1,x"),
             "q/x.patch:8: malformed @@ line"},
        Case{"HunkWithAnAbsurdCount", replaced(Good, "-1,7", "-1,4294967295"),
             "q/x.patch:8: malformed @@ line"},
        Case{"HunkWithoutAName", Good + "Index: g.c\n@@ -1 +1 @@\n-a\n+b\n",
             "q/x.patch:18: hunk without a file name above it"},
        Case{"BothNull",
             "s\n\n--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
             "q/x.patch:5: both names are /dev/null"},
        Case{"DeletedFileWithTwoNames",
             "s\n\ndiff --git a/f b/g\nrename from f\nrename to g\n"
             "deleted file mode 100644\n",
             "q/x.patch:3: two names, and neither a rename nor a copy"},
        Case{"HalfARename",
             "s\n\ndiff --git a/f b/f\nrename to g\nold mode 100644\n"
             "new mode 100755\n",
             "q/x.patch:3: two names, and neither a rename nor a copy"},
        Case{"BrokenQuoting",
             "s\n\n--- \"a/f\n+++ \"b/f\n@@ -1 +1 @@\n-a\n+b\n",
             "q/x.patch:3: broken quoting of a file name"},
        Case{"Submodule",
             "s\n\ndiff --git a/f b/f\nnew file mode 160000\n--- /dev/null\n"
             "+++ b/f\n@@ -0,0 +1 @@\n+Subproject commit 1\n",
             "q/x.patch:4: submodules are not supported"},
        Case{"OddMode", "s\n\ndiff --git a/f b/f\nnew file mode 100777\n",
             "q/x.patch:4: file mode '100777' is not one that git stores"},
        Case{"BinaryWithoutData",
             "s\n\ndiff --git a/f b/f\nindex 1111111..2222222 100644\n"
             "Binary files a/f and b/f differ\n",
             "q/x.patch:5: binary change without its data: make the patch with "
             "git diff --binary"},
        Case{"BinaryCutOff",
             "s\n\ndiff --git a/f b/f\n"
             "index 1111111111111111111111111111111111111111.."
             "2222222222222222222222222222222222222222 100644\n"
             "GIT binary patch\nliteral 3\nKcmZQz\n",
             "q/x.patch:7: line is not base 85 as git writes it"},
        Case{"QuotedPrintable",
             "From: a <a@b.c>\nSubject: s\nContent-Transfer-Encoding: "
             "quoted-printable\n\n---\n",
             "q/x.patch:3: the mail is encoded in quoted-printable: save it "
             "decoded, as git mailinfo does"},
        Case{"FromWithoutAddress", "From: somebody\nSubject: s\n\n---\n",
             "q/x.patch:1: From: is not 'Name <address>'"},
        Case{"NoSubject", "From: a <a@b.c>\n\nbody\n---\n",
             "q/x.patch:1: no Subject: line among the headers"}),
    [](const testing::TestParamInfo<Case> &Info) { return Info.param.Name; });

// Whatever is cut off, at any byte: refused, or all that is left is a whole
// patch (none here: the only hunk is the last thing in it).
TEST(CutOff, IsNeverTakenForThePatch) {
  for (size_t Size = 0; Size < Good.size(); ++Size)
    EXPECT_NE(failure(StringRef(Good).take_front(Size)), "accepted")
        << "cut to " << Size << " bytes";
  EXPECT_EQ(failure(Good), "accepted");
}

} // namespace
