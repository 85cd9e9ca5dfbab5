// SPDX-License-Identifier: GPL-2.0-only
//
// Any text as a patch, a series file and a trailers file. What parses as a
// patch must come out of the printer in a form that parses to itself again:
// the promise on which export without churn rests.

#include "patch/PatchId.h"
#include "patch/PatchParser.h"
#include "patch/PatchPrinter.h"
#include "queue/SeriesFile.h"
#include "queue/TrailersFile.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace kseries;

static void checkPatch(StringRef Text) {
  Expected<Patch> First = parsePatch(Text, "fuzz.patch");
  if (!First) {
    if (toString(First.takeError()).find('\n') != std::string::npos)
      report_fatal_error("an error is more than one line");
    return;
  }
  std::string Printed = printPatch(*First);
  Expected<Patch> Second = parsePatch(Printed, "printed.patch");
  if (!Second)
    report_fatal_error(Twine("printed patch: ") + toString(Second.takeError()) +
                       "\n" + Printed);
  if (printPatch(*Second) != Printed)
    report_fatal_error(Twine("not stable:\n") + Printed + "\nthen:\n" +
                       printPatch(*Second));
  if (patchId(First->Files) != patchId(Second->Files))
    report_fatal_error("the patch-id changed in printing");
}

static void checkSeries(StringRef Text) {
  Expected<SeriesFile> Series = SeriesFile::parse(Text, "series");
  if (!Series)
    return consumeError(Series.takeError());
  std::vector<std::string> Names;
  for (const SeriesEntry &Entry : Series->entries())
    Names.push_back(Entry.Name);
  StringRef Kept = Text;
  std::string Same = Series->withPatches(Names);
  if (StringRef(Same).rtrim('\n') != Kept.rtrim('\n'))
    report_fatal_error("the same patches give another series file");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text(reinterpret_cast<const char *>(Data), Size);
  checkPatch(Text);
  checkSeries(Text);
  if (auto Tags = parseTrailers(Text, "trailers"); !Tags)
    consumeError(Tags.takeError());
  return 0;
}
