// SPDX-License-Identifier: GPL-2.0-only
//
// A source file of a check that says itself what is to be found in it:
//
//   	bad(p); /* expect: a part of the message */
//
//   	/* expect: a part of the message */
//   	bad(p);
//
// A line may have several. Whatever has no comment must stay silent.

#ifndef DMACHECK_TESTS_FIXTURE_H
#define DMACHECK_TESTS_FIXTURE_H

#include "llvm/ADT/StringRef.h"
#include <ostream>
#include <string>
#include <vector>

namespace dmacheck::test {

struct Expectation {
  unsigned Line;    ///< where the finding must be
  unsigned Written; ///< where the comment is
  std::string Text;
};

struct Fixture {
  std::string Check;
  std::string Name; ///< file name without .c
  std::string Path;
  std::string Text;
  std::vector<Expectation> Expected;
};

/// All checks/*/fixtures/*.c, sorted by path.
std::vector<Fixture> allFixtures();

std::vector<Expectation> expectationsIn(llvm::StringRef Text);

void PrintTo(const Fixture &F, std::ostream *OS);

} // namespace dmacheck::test

#endif
