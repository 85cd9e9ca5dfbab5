// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Loops.h"
#include "Snippet.h"
#include "ast/SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace dmacheck;
using namespace dmacheck::test;

namespace {

using Shape = Loop::Shape;

/// What is found about the call of use() in f().
struct Seen {
  Shape Form = Shape::Other;
  std::string Counter, Bound;
  bool InLoop = false, Conditional = false;
};

Seen look(llvm::StringRef Body) {
  Snippet S(("void use(int); int more(void);"
             "void f(int i, int j, unsigned u, int n, int *a) {" +
             Body + "}")
                .str());
  const Function &Fn = S.function("f");
  const LoopNest &Nest = Fn.loops();
  auto It = llvm::find_if(Nest.calls(), [](const PlacedCall &C) {
    return calleeName(C.Call) == "use";
  });
  Seen Out;
  if (It == Nest.calls().end()) {
    ADD_FAILURE() << "no call of use()";
    return Out;
  }
  Out.Conditional = It->Conditional;
  Out.InLoop = It->In;
  if (!It->In)
    return Out;
  Out.Form = It->In->Form;
  if (It->In->Counter)
    Out.Counter = It->In->Counter->text();
  if (It->In->Bound)
    Out.Bound = normalisedText(It->In->Bound);
  return Out;
}

TEST(Loops, UpTo) {
  for (const char *Code :
       {"for (i = 0; i < n; i++) use(i);", "for (i = 0; i != n; ++i) use(i);",
        "i = 0; while (i < n) { use(i); i++; }"}) {
    Seen L = look(Code);
    EXPECT_EQ(L.Form, Shape::UpTo) << Code;
    EXPECT_EQ(L.Counter, "i") << Code;
    EXPECT_EQ(L.Bound, "n") << Code;
  }
}

TEST(Loops, DownFromTheOneBelow) {
  for (const char *Code :
       {"while (i--) use(i);", "while (i-- > 0) use(i);",
        "while (--i >= 0) use(i);", "while (--i) use(i);",
        "for (; i--;) use(i);", "while (i > 0) { i--; use(i); }",
        "while (i > 0) { --i; use(i); }"}) {
    Seen L = look(Code);
    EXPECT_EQ(L.Form, Shape::DownFrom) << Code;
    EXPECT_EQ(L.Counter, "i") << Code;
  }
}

TEST(Loops, DownFromTheOneItself) {
  for (const char *Code :
       {"for (; i >= 0; i--) use(i);", "while (i >= 0) { use(i); i--; }",
        "for (; i; i--) use(i);", "for (; i > 0; --i) use(i);"}) {
    Seen L = look(Code);
    EXPECT_EQ(L.Form, Shape::DownFromIncl) << Code;
    EXPECT_EQ(L.Counter, "i") << Code;
  }
}

TEST(Loops, AnythingElse) {
  for (const char *Code : {"for (;;) use(i);", "while (more()) use(i);",
                           "do { use(i); } while (more());"})
    EXPECT_EQ(look(Code).Form, Shape::Other) << Code;
}

TEST(Loops, OnceIsNoLoop) {
  EXPECT_FALSE(look("do { use(i); } while (0);").InLoop);
  EXPECT_FALSE(look("use(i);").InLoop);
}

TEST(Loops, Conditions) {
  EXPECT_FALSE(look("for (i = 0; i < n; i++) use(i);").Conditional);
  EXPECT_FALSE(look("if (n) for (i = 0; i < n; i++) use(i);").Conditional);
  EXPECT_TRUE(look("for (i = 0; i < n; i++) if (a[i]) use(i);").Conditional);
  EXPECT_TRUE(look("for (i = 0; i < n; i++) { if (!a[i]) continue; use(i); }")
                  .Conditional);
  EXPECT_TRUE(look("for (i = 0; i < n; i++) { if (!a[i]) break; use(i); }")
                  .Conditional);
  EXPECT_TRUE(look("for (i = 0; i < n; i++) switch (n) { case 1: use(i); }")
                  .Conditional);
}

TEST(Loops, WhatVaries) {
  Snippet S("void g(int *); void use(int, int, int, int, int);"
            "void f(int i, int n, int sum, int given, int fixed) {"
            " for (i = 0; i < n; i++) {"
            "  sum += 2; g(&given); use(i, n, sum, given, fixed); } }");
  const Function &Fn = S.function("f");
  const LoopNest &Nest = Fn.loops();
  auto It = llvm::find_if(Nest.calls(), [](const PlacedCall &C) {
    return calleeName(C.Call) == "use";
  });
  ASSERT_NE(It, Nest.calls().end());
  const bool Varies[] = {true, false, true, true, false};
  for (unsigned I = 0; I < 5; ++I)
    EXPECT_EQ(Nest.varies(It->Call->getArg(I), *It->In), Varies[I]) << I;
}

TEST(Loops, Nesting) {
  Snippet S("void use(int); void f(int i, int j, int n) {"
            " for (i = 0; i < n; i++) { use(1);"
            "  for (j = 0; j < i; j++) use(2); } }");
  const LoopNest &Nest = S.function("f").loops();
  ASSERT_EQ(Nest.calls().size(), 2u);
  const Loop *Outer = Nest.calls()[0].In, *Inner = Nest.calls()[1].In;
  EXPECT_EQ(Inner->Outer, Outer);
  EXPECT_TRUE(Outer->contains(Inner));
  EXPECT_TRUE(Outer->contains(Outer));
  EXPECT_FALSE(Inner->contains(Outer));
}

} // namespace
