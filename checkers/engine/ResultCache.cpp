// SPDX-License-Identifier: GPL-2.0-only

#include "engine/ResultCache.h"
#include "FindingJson.h"
#include "engine/ClangCompat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace dmacheck;

static std::string hex(StringRef Text) {
  return utohexstr(compat::hash(Text), /*LowerCase=*/true, 16);
}

ResultCache::ResultCache(std::string CacheDir, StringRef Program,
                         const CheckSet &Checks)
    : Dir(std::move(CacheDir)) {
  if (Dir.empty())
    return;
  if (auto Binary = MemoryBuffer::getFile(Program))
    Version = hex((*Binary)->getBuffer()) + join(Checks.Names, ",") +
              hex(Checks.Table);
  else
    Dir.clear(); // cannot tell one build from another
}

std::string ResultCache::pathFor(const ParseJob &Job,
                                 const KernelTree &Tree) const {
  std::string Key = Version + "|" + Tree.absolute(Job.File) + "|" +
                    Job.Flags.Directory + "|" + join(Job.Flags.Args, "\n");
  // Two contents of one file, before a patch and after it, are two results.
  if (Job.Changed)
    for (const auto &Item : *Job.Changed)
      if (Item.first() == Tree.absolute(Job.File))
        Key += "|" + hex(Item.second);
  SmallString<256> Path(Dir);
  sys::path::append(Path, hex(Key) + ".json");
  return Path.str().str();
}

std::string ResultCache::contentOf(StringRef Path, const Overlay *Changed) {
  if (Changed)
    if (auto It = Changed->find(Path); It != Changed->end())
      return hex(It->second);
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (auto It = OnDisk.find(Path); It != OnDisk.end())
      return It->second;
  }
  auto Buffer = MemoryBuffer::getFile(Path);
  std::string Hash = Buffer ? hex((*Buffer)->getBuffer()) : "";
  std::lock_guard<std::mutex> Guard(Lock);
  return OnDisk[Path] = Hash;
}

std::optional<ParseResult> ResultCache::find(const ParseJob &Job,
                                             const KernelTree &Tree) {
  if (Dir.empty())
    return std::nullopt;
  auto Text = MemoryBuffer::getFile(pathFor(Job, Tree));
  if (!Text)
    return std::nullopt;
  auto Value = json::parse((*Text)->getBuffer());
  if (!Value) {
    consumeError(Value.takeError());
    return std::nullopt;
  }
  const json::Object *O = Value->getAsObject();
  const json::Object *Read = O ? O->getObject("read") : nullptr;
  const json::Array *Found = O ? O->getArray("findings") : nullptr;
  if (!Read || !Found)
    return std::nullopt;
  ParseResult Result;
  for (const auto &[Path, Hash] : *Read) {
    if (Hash.getAsString() != contentOf(Path, Job.Changed))
      return std::nullopt;
    Result.Dependencies.push_back(Path.str());
  }
  for (const json::Value &Each : *Found) {
    auto F = findingFromJson(Each);
    if (!F)
      return std::nullopt;
    Result.Findings.push_back(std::move(*F));
  }
  Result.Error = O->getString("error").value_or("").str();
  return Result;
}

void ResultCache::store(const ParseJob &Job, const KernelTree &Tree,
                        const ParseResult &Result) {
  if (Dir.empty() || sys::fs::create_directories(Dir))
    return;
  json::Object Read;
  for (const std::string &Path : Result.Dependencies)
    Read[Path] = contentOf(Path, Job.Changed);
  json::Array Found;
  for (const Finding &F : Result.Findings)
    Found.push_back(toJson(F));
  json::Object O{{"read", std::move(Read)},
                 {"findings", std::move(Found)},
                 {"error", Result.Error}};
  // Written aside and renamed: two runs at once never see half a result.
  consumeError(writeToOutput(pathFor(Job, Tree), [&](raw_ostream &OS) {
    OS << json::Value(std::move(O));
    return Error::success();
  }));
}
