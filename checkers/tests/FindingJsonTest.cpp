// SPDX-License-Identifier: GPL-2.0-only

#include "FindingJson.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace dmacheck;

namespace {

Finding sample() {
  Finding F;
  F.Check = "iova-leak";
  F.File = "drivers/dma-buf/a.c";
  F.Line = 12;
  F.Column = 3;
  F.Function = "map";
  F.Message = "IOVA space of \"map->state\"\tleaks";
  F.Fingerprint = "0123456789abcdef";
  F.FlagsFrom = "private allmodconfig";
  F.Path = {{"drivers/dma-buf/a.c", 10, "allocated"},
            {"include/linux/a.h", 11, "returns"}};
  return F;
}

std::string textOf(const Finding &F) {
  std::string Text;
  raw_string_ostream(Text) << toJson(F);
  return Text;
}

/// Through text, as a file on disk.
std::optional<Finding> roundTrip(const Finding &F) {
  auto Value = json::parse(textOf(F));
  if (!Value) {
    ADD_FAILURE() << toString(Value.takeError());
    return std::nullopt;
  }
  return findingFromJson(*Value);
}

void expectEqual(const Finding &A, const Finding &B) {
  EXPECT_EQ(A.Check, B.Check);
  EXPECT_EQ(A.File, B.File);
  EXPECT_EQ(A.Line, B.Line);
  EXPECT_EQ(A.Column, B.Column);
  EXPECT_EQ(A.Function, B.Function);
  EXPECT_EQ(A.Message, B.Message);
  EXPECT_EQ(A.Fingerprint, B.Fingerprint);
  EXPECT_EQ(A.From, B.From);
  EXPECT_EQ(A.Queue, B.Queue);
  EXPECT_EQ(A.Patch, B.Patch);
  EXPECT_EQ(A.Against, B.Against);
  EXPECT_EQ(A.Suppressed, B.Suppressed);
  EXPECT_EQ(A.FlagsFrom, B.FlagsFrom);
  ASSERT_EQ(A.Path.size(), B.Path.size());
  for (size_t I = 0; I < A.Path.size(); ++I) {
    EXPECT_EQ(A.Path[I].File, B.Path[I].File);
    EXPECT_EQ(A.Path[I].Line, B.Path[I].Line);
    EXPECT_EQ(A.Path[I].Note, B.Path[I].Note);
  }
}

TEST(FindingJson, RoundTrip) {
  auto Back = roundTrip(sample());
  ASSERT_TRUE(Back);
  expectEqual(sample(), *Back);
}

TEST(FindingJson, EveryBaselineState) {
  for (Baseline Each :
       {Baseline::None, Baseline::New, Baseline::Unchanged, Baseline::Absent}) {
    Finding F = sample();
    F.Against = Each;
    F.Suppressed = Each == Baseline::New ? "the caller unmaps" : "";
    auto Back = roundTrip(F);
    ASSERT_TRUE(Back);
    expectEqual(F, *Back);
  }
}

TEST(FindingJson, EveryOrigin) {
  for (Origin Each :
       {Origin::None, Origin::PreExisting, Origin::Introduced, Origin::Fixed}) {
    Finding F = sample();
    F.From = Each;
    if (Each == Origin::Introduced || Each == Origin::Fixed) {
      F.Queue = "dma-buf-mapping";
      F.Patch = "link-offset.patch";
    }
    auto Back = roundTrip(F);
    ASSERT_TRUE(Back);
    expectEqual(F, *Back);
  }
}

TEST(FindingJson, NoOriginIsNull) {
  std::string Text = textOf(sample());
  for (const char *Key :
       {"\"origin\":null", "\"patch\":null", "\"queue\":null"})
    EXPECT_TRUE(StringRef(Text).contains(Key)) << Text;
}

TEST(FindingJson, OneLine) {
  Finding F = sample();
  F.Message = "two\nlines";
  EXPECT_FALSE(StringRef(textOf(F)).contains('\n'));
}

TEST(FindingJson, BytesThatAreNoUtf8) {
  Finding F = sample();
  F.File = "drivers/caf\xe9.c";
  F.Path[0].File = F.File;
  F.Message = "bad \xff byte";
  std::string Text = textOf(F);
  EXPECT_TRUE(json::isUTF8(Text)) << Text;
  auto Back = roundTrip(F);
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->File, "drivers/caf\xef\xbf\xbd.c");
}

TEST(FindingJson, EveryFieldIsNeeded) {
  for (const char *Key : {"check", "file", "line", "column", "function",
                          "message", "fingerprint", "flags_from", "path"}) {
    json::Value V = toJson(sample());
    ASSERT_TRUE(V.getAsObject()->erase(Key)) << Key;
    EXPECT_FALSE(findingFromJson(V)) << "without " << Key;
  }
  EXPECT_FALSE(findingFromJson(json::Value("text")));
  EXPECT_FALSE(findingFromJson(json::Value(nullptr)));
}

TEST(FindingJson, PathStepsAreWhole) {
  json::Value V = toJson(sample());
  (*V.getAsObject()->getArray("path"))[0].getAsObject()->erase("note");
  EXPECT_FALSE(findingFromJson(V));
}

} // namespace
