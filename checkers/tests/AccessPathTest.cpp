// SPDX-License-Identifier: GPL-2.0-only

#include "ast/AccessPath.h"
#include "Snippet.h"
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

const char Types[] = R"(
struct inner { int x; int a[4]; };
struct outer {
  struct inner in;
  struct inner *p;
  struct outer *next;
  struct { int anonymous; };
};
)";

/// The path of the first expression of f(), or "" if it has none.
std::string pathOf(llvm::StringRef Body) {
  Snippet S((Types + ("void f(struct outer *o, struct outer v, int i, int j, "
                      "struct outer **pp) {" +
                      Body + "}"))
                .str());
  const Function &Fn = S.function("f");
  auto P = Fn.paths().lvalue(S.expression(Fn, 0));
  return P ? P->text() : "";
}

TEST(AccessPath, NamesMemoryAsCDoes) {
  EXPECT_EQ(pathOf("i;"), "i");
  EXPECT_EQ(pathOf("v.in.x;"), "v.in.x");
  EXPECT_EQ(pathOf("o->in.x;"), "o->in.x");
  EXPECT_EQ(pathOf("o->p->x;"), "o->p->x");
  EXPECT_EQ(pathOf("o->in.a[i];"), "o->in.a[i]");
  EXPECT_EQ(pathOf("*pp;"), "*pp");
}

TEST(AccessPath, OneNameForOneObject) {
  EXPECT_EQ(pathOf("(*o).in.x;"), "o->in.x");
  EXPECT_EQ(pathOf("(&v)->in.x;"), "v.in.x");
  EXPECT_EQ(pathOf("((struct outer *)o)->in.x;"), "o->in.x");
  EXPECT_EQ(pathOf("(((o)))->in.x;"), "o->in.x");
  EXPECT_EQ(pathOf("o->anonymous;"), "o->anonymous");
}

TEST(AccessPath, LooksThroughAliases) {
  EXPECT_EQ(pathOf("struct inner *q = &o->in; q->x;"), "o->in.x");
  EXPECT_EQ(pathOf("struct inner *q; q = &o->in; q->x;"), "");
}

TEST(AccessPath, AliasThatIsSetTwiceIsNone) {
  EXPECT_EQ(pathOf("struct inner *q = &o->in; q++; q->x;"), "");
}

TEST(AccessPath, NoNameForACalculatedPlace) {
  EXPECT_EQ(pathOf("(o + 1)->in.x;"), "");
  EXPECT_EQ(pathOf("(i ? o : o->next)->in.x;"), "");
}

class Change : public testing::Test {
protected:
  Snippet S{std::string(Types) +
            "void f(struct outer *o, struct outer *other, int i, int j) {"
            " o->p->x; o->p; o; o->in.a[i]; i; j; other->p->x; o->in.x; }"};
  AccessPath path(unsigned N) const {
    const Function &Fn = S.function("f");
    return *Fn.paths().lvalue(S.expression(Fn, N));
  }
};

TEST_F(Change, OfWhatAPathGoesThrough) {
  EXPECT_TRUE(path(0).changesWith(path(0)));
  EXPECT_TRUE(path(0).changesWith(path(1)));
  EXPECT_TRUE(path(0).changesWith(path(2)));
}

TEST_F(Change, OfAnIndex) {
  EXPECT_TRUE(path(3).changesWith(path(4)));
  EXPECT_FALSE(path(3).changesWith(path(5)));
}

TEST_F(Change, NotOfWhatLiesBehindOrBeside) {
  EXPECT_FALSE(path(2).changesWith(path(0)));
  EXPECT_FALSE(path(0).changesWith(path(6)));
  EXPECT_FALSE(path(0).changesWith(path(7)));
}

TEST_F(Change, PrefixesAreOfOneBase) {
  EXPECT_TRUE(path(2).isPrefixOf(path(0)));
  EXPECT_FALSE(path(0).isPrefixOf(path(2)));
  EXPECT_FALSE(path(2).isPrefixOf(path(6)));
}

TEST(AccessPath, VariablesOfOneNameAreTwo) {
  Snippet S("void f(int n) { { int t = n; t; } { int t = n; t; } }");
  const Function &Fn = S.function("f");
  std::vector<std::string> Keys;
  for (const clang::Stmt *Block :
       llvm::cast<clang::CompoundStmt>(Fn.body())->body())
    Keys.push_back(Fn.paths()
                       .lvalue(llvm::cast<clang::Expr>(
                           llvm::cast<clang::CompoundStmt>(Block)->body_back()))
                       ->key());
  ASSERT_EQ(Keys.size(), 2u);
  EXPECT_NE(Keys[0], Keys[1]);
}

} // namespace
