// SPDX-License-Identifier: GPL-2.0-only

#include "lint/Rule.h"

using namespace llvm;

namespace kseries {

Error checkEmptyPatch(const LintInput &Input, LintReport &Report) {
  for (const QueuePatch &Patch : Input.Checked.Patches)
    if (Patch.Parsed.isEmpty())
      Report.add(Input.nameOf(Patch), 0,
                 "changes nothing yet: refresh it or drop it");
  return Error::success();
}

} // namespace kseries
