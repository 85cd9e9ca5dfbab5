// SPDX-License-Identifier: GPL-2.0-only
//
// The text after the second "@@" of a hunk: the line above it that git takes
// for the enclosing function, by the kernel's .gitattributes.

#ifndef KSERIES_PATCH_HUNKSECTION_H
#define KSERIES_PATCH_HUNKSECTION_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace kseries {

/// Finds sections in one text.
class SectionFinder {
public:
  /// \p Path decides the rule: C ("diff=cpp"), device tree, Rust, or git's
  /// rule for everything else. \p Text must outlive the finder.
  SectionFinder(llvm::StringRef Path, llvm::StringRef Text);

  /// The section of a hunk whose first line is \p Line (from 1).
  std::string sectionAt(unsigned Line) const;

private:
  using Rule = std::string (*)(llvm::StringRef Line);

  static Rule ruleFor(llvm::StringRef Path);

  Rule Match;
  std::vector<llvm::StringRef> Lines;
};

} // namespace kseries

#endif // KSERIES_PATCH_HUNKSECTION_H
