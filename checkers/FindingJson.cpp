// SPDX-License-Identifier: GPL-2.0-only

#include "FindingJson.h"

using namespace llvm;
using namespace dmacheck;

StringRef dmacheck::originName(Origin O) {
  switch (O) {
  case Origin::None:
    return "";
  case Origin::PreExisting:
    return "pre-existing";
  case Origin::Introduced:
    return "introduced";
  case Origin::Fixed:
    return "fixed";
  }
  llvm_unreachable("no such origin");
}

StringRef dmacheck::baselineName(Baseline B) {
  switch (B) {
  case Baseline::None:
    return "";
  case Baseline::New:
    return "new";
  case Baseline::Unchanged:
    return "unchanged";
  case Baseline::Absent:
    return "absent";
  }
  llvm_unreachable("no such state");
}

/// Paths in a kernel tree are bytes; JSON is UTF-8.
static std::string utf8(StringRef Text) {
  return json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
}

static json::Value orNull(StringRef Text) {
  if (Text.empty())
    return nullptr;
  return utf8(Text);
}

json::Value dmacheck::toJson(const Finding &F) {
  json::Array Path;
  for (const PathNote &N : F.Path)
    Path.push_back(json::Object{
        {"file", utf8(N.File)}, {"line", N.Line}, {"note", utf8(N.Note)}});
  return json::Object{{"check", F.Check},
                      {"file", utf8(F.File)},
                      {"line", F.Line},
                      {"column", F.Column},
                      {"function", F.Function},
                      {"message", utf8(F.Message)},
                      {"fingerprint", F.Fingerprint},
                      {"origin", orNull(originName(F.From))},
                      {"queue", orNull(F.Queue)},
                      {"patch", orNull(F.Patch)},
                      {"baseline", orNull(baselineName(F.Against))},
                      {"suppressed", orNull(F.Suppressed)},
                      {"flags_from", F.FlagsFrom},
                      {"path", std::move(Path)}};
}

static bool read(const json::Object &O, StringRef Key, std::string &Out) {
  auto S = O.getString(Key);
  if (S)
    Out = S->str();
  return S.has_value();
}

static bool read(const json::Object &O, StringRef Key, unsigned &Out) {
  auto I = O.getInteger(Key);
  if (I)
    Out = static_cast<unsigned>(*I);
  return I.has_value();
}

std::optional<Finding> dmacheck::findingFromJson(const json::Value &V) {
  const json::Object *O = V.getAsObject();
  Finding F;
  if (!O || !read(*O, "check", F.Check) || !read(*O, "file", F.File) ||
      !read(*O, "line", F.Line) || !read(*O, "column", F.Column) ||
      !read(*O, "function", F.Function) || !read(*O, "message", F.Message) ||
      !read(*O, "fingerprint", F.Fingerprint) ||
      !read(*O, "flags_from", F.FlagsFrom))
    return std::nullopt;
  std::string Name;
  if (read(*O, "origin", Name))
    for (Origin Each : {Origin::PreExisting, Origin::Introduced, Origin::Fixed})
      if (originName(Each) == Name)
        F.From = Each;
  if (read(*O, "baseline", Name))
    for (Baseline Each : {Baseline::New, Baseline::Unchanged, Baseline::Absent})
      if (baselineName(Each) == Name)
        F.Against = Each;
  read(*O, "suppressed", F.Suppressed);
  read(*O, "queue", F.Queue);
  read(*O, "patch", F.Patch);
  const json::Array *Path = O->getArray("path");
  if (!Path)
    return std::nullopt;
  for (const json::Value &Each : *Path) {
    const json::Object *Note = Each.getAsObject();
    PathNote N;
    if (!Note || !read(*Note, "file", N.File) || !read(*Note, "line", N.Line) ||
        !read(*Note, "note", N.Note))
      return std::nullopt;
    F.Path.push_back(std::move(N));
  }
  return F;
}
