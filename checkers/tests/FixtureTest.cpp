// SPDX-License-Identifier: GPL-2.0-only
//
// Each fixture in each form that the lock assertions take, with its own check
// alone and with all of them.

#include "Fixture.h"
#include "FakeTree.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

struct Mode {
  const char *Name;
  std::vector<std::string> Defines;
};

const Mode Modes[] = {
    {"lockdep", {"LOCKDEP_ON"}},
    {"no_lockdep", {}},
    {"lockdep_with_context_analysis", {"LOCKDEP_ON", "LOCKDEP_CONTEXT"}},
    {"context_analysis", {"LOCKDEP_CONTEXT"}},
};

using Param = std::tuple<Fixture, Mode>;

class Fixtures : public testing::TestWithParam<Param> {
protected:
  /// Findings and expectations must pair up, one to one.
  static void compare(const Fixture &F, const ParseResult &Result) {
    ASSERT_EQ(Result.Error, "") << F.Path << " does not parse";
    std::vector<Expectation> Open = F.Expected;
    for (const Finding &Each : Result.Findings) {
      auto It = llvm::find_if(Open, [&](const Expectation &E) {
        return Each.Check == F.Check && E.Line == Each.Line &&
               llvm::StringRef(Each.Message).contains(E.Text);
      });
      if (It == Open.end())
        ADD_FAILURE_AT(F.Path.c_str(), Each.Line)
            << "not expected: " << Each.Message << " [" << Each.Check << "]";
      else
        Open.erase(It);
    }
    for (const Expectation &E : Open)
      ADD_FAILURE_AT(F.Path.c_str(), E.Written) << "not found: " << E.Text;
  }

  static void run(const std::vector<std::string> &Checks) {
    const auto &[F, M] = GetParam();
    auto Set = selectChecks(Checks);
    ASSERT_TRUE(bool(Set)) << llvm::toString(Set.takeError());
    compare(F, parseText(F.Text, *Set, M.Defines));
  }
};

TEST_P(Fixtures, OwnCheck) { run({std::get<0>(GetParam()).Check}); }

TEST_P(Fixtures, NoOtherCheckSpeaks) { run({}); }

std::string nameOf(const testing::TestParamInfo<Param> &Info) {
  const auto &[F, M] = Info.param;
  std::string Name = F.Check + "_" + F.Name + "_" + M.Name;
  for (char &C : Name)
    if (!isalnum(static_cast<unsigned char>(C)))
      C = '_';
  return Name;
}

INSTANTIATE_TEST_SUITE_P(All, Fixtures,
                         testing::Combine(testing::ValuesIn(allFixtures()),
                                          testing::ValuesIn(Modes)),
                         nameOf);

TEST(Expectations, AtTheEndOfTheLine) {
  auto E = expectationsIn("a();\n\tb(); /* expect: bad b */\n");
  ASSERT_EQ(E.size(), 1u);
  EXPECT_EQ(E[0].Line, 2u);
  EXPECT_EQ(E[0].Text, "bad b");
}

TEST(Expectations, OnTheLineAbove) {
  auto E = expectationsIn(
      "\t/* expect: one */\n\t/* expect: two */\n\tb(); /* expect: three */\n");
  ASSERT_EQ(E.size(), 3u);
  for (const Expectation &Each : E)
    EXPECT_EQ(Each.Line, 3u);
  EXPECT_EQ(E[0].Text, "one");
  EXPECT_EQ(E[1].Text, "two");
  EXPECT_EQ(E[2].Text, "three");
}

TEST(Expectations, SeveralOnOneLine) {
  auto E = expectationsIn("b(); /* expect: x */ /* expect: y */\n");
  ASSERT_EQ(E.size(), 2u);
  EXPECT_EQ(E[0].Line, 1u);
  EXPECT_EQ(E[1].Line, 1u);
}

} // namespace
