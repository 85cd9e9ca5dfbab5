// SPDX-License-Identifier: GPL-2.0-only

#include "FindingJson.h"
#include "report/Report.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dmacheck;

namespace {

/// A path in the tree as a relative URI reference: RFC 3986 leaves few bytes as
/// they are, and a kernel tree may hold any.
std::string uriOf(StringRef Path) {
  std::string Out;
  for (unsigned char C : Path)
    if (isAlnum(C) || StringRef("-._~/").contains(static_cast<char>(C)))
      Out += static_cast<char>(C);
    else
      Out += "%" + utohexstr(C, /*LowerCase=*/false, /*Width=*/2);
  return Out;
}

json::Object text(StringRef Text) {
  return json::Object{{"text", json::fixUTF8(Text)}};
}

json::Object place(StringRef File, unsigned Line, unsigned Column) {
  json::Object Region{{"startLine", std::max(Line, 1U)}};
  if (Column > 0)
    Region["startColumn"] = Column;
  return json::Object{
      {"physicalLocation",
       json::Object{{"artifactLocation",
                     json::Object{{"uri", uriOf(File)}, {"uriBaseId", "TREE"}}},
                    {"region", std::move(Region)}}}};
}

json::Object codeFlow(const std::vector<PathNote> &Path) {
  json::Array Steps;
  for (const PathNote &N : Path) {
    json::Object At = place(N.File, N.Line, 0);
    At["message"] = text(N.Note);
    Steps.push_back(json::Object{{"location", std::move(At)}});
  }
  return json::Object{{"threadFlows", json::Array{json::Object{
                                          {"locations", std::move(Steps)}}}}};
}

/// The state against the baseline that was given; without one, a queue's or a
/// range's base is the baseline.
StringRef baselineState(const Finding &F) {
  if (F.Against != Baseline::None)
    return baselineName(F.Against);
  switch (F.From) {
  case Origin::None:
    return "";
  case Origin::Introduced:
    return "new";
  case Origin::PreExisting:
    return "unchanged";
  case Origin::Fixed:
    return "absent";
  }
  llvm_unreachable("no such origin");
}

json::Object result(const Finding &F, ArrayRef<Rule> Rules) {
  json::Object At = place(F.File, F.Line, F.Column);
  if (!F.Function.empty())
    At["logicalLocations"] =
        json::Array{json::Object{{"name", F.Function}, {"kind", "function"}}};
  json::Object Properties{{"flagsFrom", F.FlagsFrom}};
  if (!F.Patch.empty()) {
    Properties["queue"] = json::fixUTF8(F.Queue);
    Properties["patch"] = json::fixUTF8(F.Patch);
  }
  json::Object Out{
      {"ruleId", F.Check},
      {"level", "warning"},
      {"message", text(F.Message)},
      {"locations", json::Array{std::move(At)}},
      {"partialFingerprints", json::Object{{"dmacheck/v1", F.Fingerprint}}},
      {"properties", std::move(Properties)}};
  const Rule *Named =
      find_if(Rules, [&](const Rule &R) { return R.Name == F.Check; });
  if (Named != Rules.end())
    Out["ruleIndex"] = Named - Rules.begin();
  if (!F.Path.empty())
    Out["codeFlows"] = json::Array{codeFlow(F.Path)};
  if (StringRef State = baselineState(F); !State.empty())
    Out["baselineState"] = State;
  if (!F.Suppressed.empty())
    Out["suppressions"] = json::Array{json::Object{
        {"kind", "inSource"}, {"justification", json::fixUTF8(F.Suppressed)}}};
  return Out;
}

json::Array rules(ArrayRef<Rule> Rules) {
  json::Array Out;
  for (const Rule &R : Rules)
    Out.push_back(json::Object{
        {"id", R.Name},
        {"shortDescription", text(R.Summary)},
        {"help", json::Object{{"text", R.Page}, {"markdown", R.Page}}},
        {"defaultConfiguration", json::Object{{"level", "warning"}}}});
  return Out;
}

} // namespace

void dmacheck::printSarif(const RunSummary &Run, ArrayRef<Rule> Rules,
                          raw_ostream &OS) {
  json::Array Results, NotParsed;
  for (const Finding &F : Run.Findings)
    Results.push_back(result(F, Rules));
  for (const Unparsed &U : Run.NotParsed)
    NotParsed.push_back(
        json::Object{{"level", "warning"},
                     {"message", text("not parsed: " + U.Error)},
                     {"locations", json::Array{place(U.File, 1, 0)}}});
  json::Object Driver{{"name", "dmacheck"}, {"rules", rules(Rules)}};
  json::Object One{
      {"tool", json::Object{{"driver", std::move(Driver)}}},
      {"invocations", json::Array{json::Object{{"executionSuccessful", true},
                                               {"toolExecutionNotifications",
                                                std::move(NotParsed)}}}},
      {"originalUriBaseIds",
       json::Object{{"TREE", json::Object{{"description",
                                           text("top of the kernel tree")}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(Results)}};
  OS << formatv(
      "{0:2}\n",
      json::Value(json::Object{
          {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::Array{std::move(One)}}}));
}
