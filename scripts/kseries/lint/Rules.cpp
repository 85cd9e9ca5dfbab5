// SPDX-License-Identifier: GPL-2.0-only

#include "lint/Rule.h"

using namespace llvm;

namespace kseries {

ArrayRef<Rule> lintRules() {
  static const Rule Table[] = {
      // A fix behind other patches has them as prerequisites in every stable
      // tree, where each would have to be named.
      {"fixes-first", "Documentation/process/stable-kernel-rules.rst",
       checkFixesFirst},
      {"empty-patch", "Documentation/process/5.Posting.rst", checkEmptyPatch},
      {"fixes-tag", "Documentation/process/submitting-patches.rst",
       checkFixesTag},
      {"subject-prefix", "Documentation/process/submitting-patches.rst",
       checkSubjectPrefix},
      {"line-length", "Documentation/process/submitting-patches.rst",
       checkLineLength},
      {"sign-off", "Documentation/process/submitting-patches.rst",
       checkSignOff},
      {"link", "Documentation/process/maintainer-tip.rst", checkLinks},
      {"stale-tag", "Documentation/process/submitting-patches.rst",
       checkStaleTags},
      {"documentation", "Documentation/process/submit-checklist.rst",
       checkDocumentation},
      {"cover", "Documentation/process/5.Posting.rst", checkCover},
      {"checkpatch", "Documentation/dev-tools/checkpatch.rst", checkStyle},
      {"dmacheck", "Documentation/core-api/dma-api.rst", checkDma},
      // Last, as it takes longest.
      {"build", "Documentation/process/submit-checklist.rst", checkBuild},
  };
  return Table;
}

} // namespace kseries
