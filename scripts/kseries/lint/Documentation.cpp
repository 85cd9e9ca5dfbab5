// SPDX-License-Identifier: GPL-2.0-only

#include "lint/PatchText.h"
#include "lint/Rule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace kseries {

namespace {

/// A guess at what users see. A line that matches, in a file that matches,
/// asks for something that begins with \c Wanted: a file of the tree that the
/// queue touches, or text that the same patch adds.
struct Interface {
  StringLiteral What;
  StringLiteral File;
  StringLiteral Line;
  StringLiteral Wanted;
  /// Look for \c Wanted in the lines that the patch adds.
  bool InSamePatch;
  StringLiteral Source;
};

} // namespace

static constexpr StringLiteral Checklist =
    "Documentation/process/submit-checklist.rst";

static ArrayRef<Interface> interfaces() {
  static const Interface Table[] = {
      // Comments in these headers are documentation themselves.
      {"a header for user space", "^include/uapi/|/include/uapi/",
       "^[[:space:]]*[^[:space:]*/]", "Documentation/", false, Checklist},
      {"a sysfs attribute", "\\.[ch]$",
       "(DEVICE|CLASS|BUS|DRIVER)_ATTR(_[A-Z]+)?\\(|__ATTR(_[A-Z]+)?\\(",
       "Documentation/", false, Checklist},
      {"a debugfs file", "\\.[ch]$", "debugfs_create_(file|[ux][0-9]|bool|str)",
       "Documentation/", false, "Documentation/filesystems/debugfs.rst"},
      {"a /proc file", "\\.[ch]$", "proc_create[a-z_]*\\(", "Documentation/",
       false, Checklist},
      {"a boot parameter", "\\.[ch]$", "^(early_param|__setup)\\(",
       "Documentation/admin-guide/kernel-parameters", false, Checklist},
      {"a module parameter", "\\.[ch]$", "^module_param[a-z_]*\\(",
       "MODULE_PARM_DESC(", true, Checklist},
      {"a Kconfig symbol", "(^|/)Kconfig[^/]*$", "^(menu)?config [A-Z0-9_]+$",
       "\thelp", true, Checklist},
      {"a name or the block sizes of a DMA-BUF heap", "^drivers/dma-buf/heaps/",
       "dma_heap_add\\(|^[[:space:]]*\\.?name = |"
       "^static const .*orders\\[\\]",
       "Documentation/userspace-api/dma-buf-heaps.rst", false,
       "Documentation/userspace-api/dma-buf-heaps.rst"},
  };
  return Table;
}

static bool queueTouches(const Queue &In, StringRef Beginning) {
  return any_of(In.Patches, [&](const QueuePatch &Patch) {
    return any_of(Patch.Parsed.Files, [&](const FileDiff &File) {
      return StringRef(File.NewPath).starts_with(Beginning);
    });
  });
}

static bool patchAdds(const QueuePatch &Patch, StringRef Beginning) {
  return any_of(Patch.Parsed.Files, [&](const FileDiff &File) {
    return any_of(addedLines(File), [&](const NumberedLine &Line) {
      return Line.Text.starts_with(Beginning);
    });
  });
}

/// The first line of the patch that changes the interface.
static std::optional<NumberedLine> changeOf(const Interface &Wanted,
                                            const QueuePatch &Patch) {
  const Regex FileForm(Wanted.File), LineForm(Wanted.Line);
  for (const FileDiff &File : Patch.Parsed.Files) {
    if (!FileForm.match(File.NewPath))
      continue;
    std::vector<NumberedLine> Changed = addedLines(File);
    if (!Wanted.InSamePatch)
      append_range(Changed, removedLines(File));
    for (const NumberedLine &Line : Changed)
      if (LineForm.match(Line.Text))
        return Line;
  }
  return std::nullopt;
}

Error checkDocumentation(const LintInput &Input, LintReport &Report) {
  for (const QueuePatch &Patch : Input.Checked.Patches)
    for (const Interface &Row : interfaces()) {
      bool Documented = Row.InSamePatch
                            ? patchAdds(Patch, Row.Wanted)
                            : queueTouches(Input.Checked, Row.Wanted);
      if (Documented)
        continue;
      if (std::optional<NumberedLine> Line = changeOf(Row, Patch))
        Report.add(Input.nameOf(Patch), Line->Number,
                   ("changes " + Row.What + ", but " +
                    (Row.InSamePatch ? "does not add " : "no patch touches ") +
                    Row.Wanted.trim())
                       .str(),
                   Row.Source.str());
    }
  return Error::success();
}

} // namespace kseries
