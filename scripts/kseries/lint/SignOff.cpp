// SPDX-License-Identifier: GPL-2.0-only

#include "lint/PatchText.h"
#include "lint/Rule.h"
#include "patch/MailHeader.h"
#include "patch/PatchId.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

/// The trailers file has tags for this patch, but none of them was given to
/// this diff: it is not the one that was posted.
static bool changedSincePosted(const Queue &In, const QueuePatch &Of) {
  bool Any = any_of(In.Trailers, [&](const Trailer &Tag) {
    return Tag.PatchFile == Of.Entry.Name;
  });
  return Any && In.validTrailers(Of).empty();
}

Error checkSignOff(const LintInput &Input, LintReport &Report) {
  for (const QueuePatch &Patch : Input.Checked.Patches) {
    bool Signed = false;
    for (const TagLine &Tag : tagLines(Patch)) {
      if (!Tag.Key.equals_insensitive("signed-off-by"))
        continue;
      std::optional<Person> By = parsePerson(Tag.Value);
      Signed |=
          By && Patch.Parsed.From && By->Email == Patch.Parsed.From->Email;
      if (!Patch.Parsed.From)
        Report.add(Input.nameOf(Patch), Tag.Number,
                   "Signed-off-by on a patch without From:, whose author is "
                   "the sender: who sends it signs it then");
      else if (changedSincePosted(Input.Checked, Patch))
        Report.add(Input.nameOf(Patch), Tag.Number,
                   "the diff has changed since it was posted, so that its "
                   "author has not signed it: take out From: and "
                   "Signed-off-by and say Based-on-patch-by:");
    }
    if (Patch.Parsed.From && !Signed)
      Report.add(Input.nameOf(Patch), 1,
                 "From: without a Signed-off-by of " +
                     printPerson(*Patch.Parsed.From));
  }
  return Error::success();
}

} // namespace kseries
