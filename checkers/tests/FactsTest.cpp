// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Facts.h"
#include "Snippet.h"
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

/// The expression statements of f(), known by their place from 0.
class Scene {
public:
  explicit Scene(llvm::StringRef Body)
      : S(("#include <linux/dma-buf.h>\n"
           "void f(int a, int b, int i, void *p, struct dma_iova_state *s,"
           " struct device *dev, dma_addr_t addr, int *q) {" +
           Body + "}")
              .str()),
        Fn(S.function("f")), Known(S.unit(), Fn) {}

  const clang::Expr *at(unsigned N) const { return S.expression(Fn, N); }
  std::optional<bool> truth(unsigned N) const {
    return Known.eval(at(N)).truth();
  }
  std::optional<int64_t> value(unsigned N) const {
    return Known.eval(at(N)).asConstant();
  }

  Snippet S;
  const Function &Fn;
  Facts Known;
};

TEST(Facts, NothingIsKnownAtFirst) {
  Scene At("a; a == 0; a && b;");
  EXPECT_EQ(At.truth(0), std::nullopt);
  EXPECT_EQ(At.truth(1), std::nullopt);
  EXPECT_EQ(At.truth(2), std::nullopt);
}

TEST(Facts, ConstantsAreKnown) {
  Scene At("0; 7; (void *)0; 3 < 4; sizeof(int) == 4;");
  EXPECT_EQ(At.truth(0), false);
  EXPECT_EQ(At.value(1), 7);
  EXPECT_EQ(At.truth(2), false);
  EXPECT_EQ(At.truth(3), true);
  EXPECT_EQ(At.truth(4), true);
}

TEST(Facts, WhatWasAssumedHolds) {
  Scene At("a; !a; a == 0; 0 == a; a != 0;");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  EXPECT_EQ(At.truth(0), true);
  EXPECT_EQ(At.truth(1), false);
  EXPECT_EQ(At.truth(2), false);
  EXPECT_EQ(At.truth(3), false);
  EXPECT_EQ(At.truth(4), true);
}

TEST(Facts, ContradictionsAreRefused) {
  Scene At("a; a == 0;");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  EXPECT_FALSE(At.Known.assume(At.at(0), false));
  EXPECT_FALSE(At.Known.assume(At.at(1), true));
  EXPECT_TRUE(At.Known.assume(At.at(1), false));
}

TEST(Facts, EqualityGivesTheValue) {
  Scene At("a == 3; a; a != 3; a == 4; a < 3; a <= 3;");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  EXPECT_EQ(At.value(1), 3);
  EXPECT_EQ(At.truth(2), false);
  EXPECT_EQ(At.truth(3), false);
  EXPECT_EQ(At.truth(4), false);
  EXPECT_EQ(At.truth(5), true);
}

TEST(Facts, SignGivesNonZero) {
  Scene At("a < 0; a; b > 0; b; i <= 0; i;");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  EXPECT_EQ(At.truth(1), true);
  ASSERT_TRUE(At.Known.assume(At.at(2), true));
  EXPECT_EQ(At.truth(3), true);
  ASSERT_TRUE(At.Known.assume(At.at(4), true));
  EXPECT_EQ(At.truth(5), std::nullopt);
}

TEST(Facts, LogicOverWhatIsKnown) {
  Scene At("a || b; a; b; a && b;");
  ASSERT_TRUE(At.Known.assume(At.at(0), false));
  EXPECT_EQ(At.truth(1), false);
  EXPECT_EQ(At.truth(2), false);
  EXPECT_EQ(At.truth(3), false);
}

TEST(Facts, OneSideOfAnOrIsLeft) {
  Scene At("a || b; a; b;");
  ASSERT_TRUE(At.Known.assume(At.at(1), false));
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  EXPECT_EQ(At.truth(2), true);
}

TEST(Facts, LooksThroughTheKernelsMacros) {
  Scene At("WARN_ON(!p); p; unlikely(a); a; likely(b); b;");
  for (unsigned N : {0u, 2u, 4u})
    ASSERT_TRUE(At.Known.assume(At.at(N), N == 4)) << N;
  EXPECT_EQ(At.truth(3), false);
  EXPECT_EQ(At.truth(5), true);
}

TEST(Facts, AssignmentReplaces) {
  Scene At("a; a = 0; a = -12; a = b;");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  At.Known.execute(At.at(1));
  EXPECT_EQ(At.value(0), 0);
  At.Known.execute(At.at(2));
  EXPECT_EQ(At.value(0), -12);
  At.Known.execute(At.at(3));
  EXPECT_EQ(At.truth(0), std::nullopt);
}

TEST(Facts, AssignmentForgetsWhatLiesBehind) {
  Scene At("s->addr; s = 0; s = (void *)p; s->addr;");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  At.Known.execute(At.at(2));
  EXPECT_EQ(At.truth(3), std::nullopt);
}

TEST(Facts, CountersCountAtFirst) {
  Scene At("i = 0; i++; i; !i; i -= 1;");
  At.Known.execute(At.at(0));
  EXPECT_EQ(At.truth(3), true);
  for (int Round = 1; Round <= 5; ++Round) {
    At.Known.execute(At.at(1));
    EXPECT_EQ(At.truth(2), true) << Round;
  }
  At.Known.execute(At.at(4));
  EXPECT_EQ(At.truth(2), std::nullopt);
}

TEST(Facts, AddressGivenAwayIsForgotten) {
  Scene At("a; __builtin_memset(&a, 1, 4);");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  At.Known.execute(At.at(1));
  // memset() is known to keep no pointer, yet it writes.
  EXPECT_NE(At.truth(0), false);
}

TEST(Facts, PureTestsKeepTheirOutcome) {
  Scene At("dma_use_iova(s); dma_mapping_error(dev, addr); addr = 0;"
           "IS_ERR_OR_NULL(p); p = 0;");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  EXPECT_EQ(At.truth(0), true);
  EXPECT_FALSE(At.Known.assume(At.at(0), false));
  ASSERT_TRUE(At.Known.assume(At.at(1), false));
  EXPECT_EQ(At.truth(1), false);
  At.Known.execute(At.at(2));
  EXPECT_EQ(At.truth(1), std::nullopt);
  ASSERT_TRUE(At.Known.assume(At.at(3), true));
  At.Known.execute(At.at(4));
  EXPECT_EQ(At.truth(3), std::nullopt);
}

TEST(Facts, AnyOtherCallIsAskedAnew) {
  Scene At("dma_need_unmap(dev);");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  EXPECT_EQ(At.truth(0), std::nullopt);
}

TEST(Facts, FreeingTheStateForgetsTheTest) {
  Scene At("dma_use_iova(s); dma_iova_free(dev, s);");
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  At.Known.execute(At.at(1));
  EXPECT_NE(At.truth(0), false);
}

TEST(Facts, FingerprintIsWhatIsKnown) {
  Scene At("a; b;");
  std::string Empty = At.Known.fingerprint();
  ASSERT_TRUE(At.Known.assume(At.at(0), true));
  std::string One = At.Known.fingerprint();
  EXPECT_NE(Empty, One);
  Facts Other(At.S.unit(), At.Fn);
  ASSERT_TRUE(Other.assume(At.at(0), false));
  EXPECT_NE(Other.fingerprint(), One);
}

} // namespace
