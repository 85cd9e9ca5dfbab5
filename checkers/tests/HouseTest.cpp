// SPDX-License-Identifier: GPL-2.0-only
//
// What every check has: a page, a Coccinelle twin or the reason for none, and
// fixtures that show its silence at least twice for each time it speaks.

#include "FakeTree.h"
#include "Fixture.h"
#include "ast/TranslationUnit.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

class House : public testing::TestWithParam<std::string> {
protected:
  const CheckInfo &info() const {
    return *llvm::find_if(
        allChecks(), [&](const CheckInfo &I) { return I.Name == GetParam(); });
  }
};

TEST_P(House, PageBeginsWithNameAndSummary) {
  llvm::StringRef Page = info().Page;
  std::string Start = "# " + GetParam() + "\n\n";
  ASSERT_TRUE(Page.starts_with(Start))
      << "checks/" << GetParam() << "/" << GetParam() << ".md begins with \""
      << Page.split('\n').first.str() << "\"";
  llvm::StringRef Summary = info().summary();
  EXPECT_TRUE(Summary.ends_with(".")) << Summary.str();
  EXPECT_EQ(Page.drop_front(Start.size() + Summary.size()).take_front(2),
            "\n\n")
      << "the summary is one line: " << Summary.str();
}

TEST_P(House, PageFitsTheScreen) {
  unsigned Number = 0;
  for (llvm::StringRef Rest = info().Page; !Rest.empty();) {
    llvm::StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    size_t Tabs = Line.count('\t');
    EXPECT_LE(Line.size() + 7 * Tabs, 80u) << GetParam() << ".md:" << Number;
  }
}

TEST_P(House, HasTwinOrReason) {
  std::string Twin = std::string(DMACHECK_CHECKS_DIR) + "/" + GetParam() + "/" +
                     GetParam() + ".cocci";
  if (llvm::sys::fs::exists(Twin))
    return;
  llvm::StringRef Reason =
      info().Page.split("\nNo Coccinelle twin: ").second.split('\n').first;
  EXPECT_FALSE(Reason.trim().empty())
      << Twin << " is not there, and no line of the page says \"No Coccinelle "
      << "twin: \" and why";
}

/// Functions of the fixture that hold a word of the check, by whether
/// something is expected in them.
struct Counts {
  unsigned Positive = 0, Negative = 0;
};

void count(const Fixture &F, llvm::ArrayRef<llvm::StringLiteral> Words,
           Counts &Out) {
  auto Unit = clang::tooling::buildASTFromCodeWithArgs(
      F.Text, {"-std=gnu11", "-w", "-I", DMACHECK_INCLUDE_DIR}, F.Name + ".c");
  ASSERT_TRUE(Unit && !Unit->getDiagnostics().hasErrorOccurred()) << F.Path;
  const clang::SourceManager &SM = Unit->getSourceManager();
  unsigned Placed = 0;
  TranslationUnit TU(Unit->getASTContext());
  for (const auto &Fn : TU.functions()) {
    clang::SourceRange Range = Fn->decl().getSourceRange();
    if (!SM.isInMainFile(Range.getBegin()))
      continue;
    llvm::StringRef Text = clang::Lexer::getSourceText(
        clang::CharSourceRange::getTokenRange(Range), SM, Unit->getLangOpts());
    if (!llvm::any_of(Words,
                      [&](llvm::StringRef W) { return Text.contains(W); }))
      continue;
    unsigned First = SM.getExpansionLineNumber(Range.getBegin()),
             Last = SM.getExpansionLineNumber(Range.getEnd());
    unsigned Here = llvm::count_if(F.Expected, [&](const Expectation &E) {
      return E.Line >= First && E.Line <= Last;
    });
    Placed += Here;
    ++(Here ? Out.Positive : Out.Negative);
  }
  EXPECT_EQ(Placed, F.Expected.size())
      << F.Path << ": an expectation stands outside the functions counted";
}

TEST_P(House, TwoTrueNegativesForEachPositive) {
  Counts All;
  auto Words = info().Make();
  for (const Fixture &F : allFixtures())
    if (F.Check == GetParam())
      count(F, Words->identifiers(), All);
  EXPECT_GE(All.Positive, 1u) << "no fixture expects a finding";
  EXPECT_GE(All.Negative, 2 * All.Positive)
      << GetParam() << ": " << All.Positive
      << " functions that expect a finding and " << All.Negative
      << " that expect silence";
  std::cout << GetParam() << ": " << All.Positive << " positive, "
            << All.Negative << " negative\n";
}

std::vector<std::string> names() {
  std::vector<std::string> Out;
  for (const CheckInfo &Info : allChecks())
    Out.push_back(Info.Name.str());
  return Out;
}

INSTANTIATE_TEST_SUITE_P(Checks, House, testing::ValuesIn(names()),
                         [](const auto &Info) {
                           std::string Name = Info.param;
                           std::replace(Name.begin(), Name.end(), '-', '_');
                           return Name;
                         });

TEST(HouseOfAll, FixturesBelongToARegisteredCheck) {
  std::vector<std::string> Names = names();
  for (const Fixture &F : allFixtures())
    EXPECT_TRUE(llvm::is_contained(Names, F.Check)) << F.Path;
}

TEST(HouseOfAll, NoTwoChecksShareAName) {
  std::vector<std::string> Names = names();
  EXPECT_TRUE(std::adjacent_find(Names.begin(), Names.end()) == Names.end());
  EXPECT_FALSE(Names.empty());
}

} // namespace
