// SPDX-License-Identifier: GPL-2.0-only

#include "lint/Rule.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

Error checkStaleTags(const LintInput &Input, LintReport &Report) {
  const Queue &In = Input.Checked;
  std::string File = In.Name + "/trailers";
  for (const Trailer &Tag : In.staleTrailers()) {
    const QueuePatch *Patch = In.find(Tag.PatchFile);
    if (!Patch) {
      Report.add(File, Tag.Line,
                 "there is no patch " + Tag.PatchFile +
                     " any more: " + Tag.Tag);
      continue;
    }
    bool GivenAgain = any_of(In.validTrailers(*Patch), [&](const Trailer &New) {
      return New.Tag == Tag.Tag;
    });
    if (!GivenAgain)
      Report.add(File, Tag.Line,
                 Tag.PatchFile + " has changed since it was given: " + Tag.Tag);
  }
  return Error::success();
}

} // namespace kseries
