// SPDX-License-Identifier: GPL-2.0-only

#include "queue/Queue.h"
#include "patch/PatchError.h"
#include "patch/PatchId.h"
#include "patch/PatchParser.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kseries {

const QueuePatch *Queue::find(StringRef PatchFile) const {
  for (const QueuePatch &Patch : Patches)
    if (Patch.Entry.Name == PatchFile)
      return &Patch;
  return nullptr;
}

std::vector<Trailer> Queue::validTrailers(const QueuePatch &Of) const {
  std::vector<Trailer> Valid;
  bool Any = any_of(Trailers, [&](const Trailer &Tag) {
    return Tag.PatchFile == Of.Entry.Name;
  });
  if (!Any)
    return Valid;
  std::string Id = patchId(Of.Parsed.Files);
  for (const Trailer &Tag : Trailers)
    if (Tag.PatchFile == Of.Entry.Name && Tag.PatchId == Id)
      Valid.push_back(Tag);
  return Valid;
}

std::vector<Trailer> Queue::staleTrailers() const {
  std::vector<Trailer> Stale;
  for (const Trailer &Tag : Trailers) {
    const QueuePatch *Patch = find(Tag.PatchFile);
    if (!Patch || patchId(Patch->Parsed.Files) != Tag.PatchId)
      Stale.push_back(Tag);
  }
  return Stale;
}

static Error loadPatches(Queue &Into, StringRef SeriesPath,
                         const PendingFiles &Files) {
  for (const SeriesEntry &Entry : Into.Series.entries()) {
    std::string Path = Into.Directory + "/" + Entry.Name;
    if (!Files.exists(Path))
      return make_error<PatchError>(SeriesPath.str(), Entry.Line,
                                    "no patch file " + Path);
    Expected<std::string> Text = Files.read(Path);
    if (!Text)
      return Text.takeError();
    Expected<Patch> Parsed = parsePatch(*Text, Path, Entry.Strip);
    if (!Parsed)
      return Parsed.takeError();
    Into.Patches.push_back({Entry, Path, std::move(*Text), std::move(*Parsed)});
  }
  return Error::success();
}

Expected<Queue> loadQueue(const Workspace &Where, StringRef Name) {
  const PendingFiles &Files = Where.files();
  Queue Loaded;
  Loaded.Name = Name.str();
  Loaded.Directory = Where.seriesDirectory() + "/" + Name.str();
  std::string SeriesPath = Loaded.Directory + "/series";
  Expected<std::string> Text = Files.read(SeriesPath);
  if (!Text)
    return Text.takeError();
  Expected<SeriesFile> Series = SeriesFile::parse(*Text, SeriesPath);
  if (!Series)
    return Series.takeError();
  if (Series->entries().empty())
    return inputError(SeriesPath + ": no patch is listed");
  Loaded.Series = std::move(*Series);
  if (Error E = loadPatches(Loaded, SeriesPath, Files))
    return E;

  std::string TrailersPath = Loaded.Directory + "/trailers";
  if (!Files.exists(TrailersPath))
    return Loaded;
  Expected<std::string> TrailerText = Files.read(TrailersPath);
  if (!TrailerText)
    return TrailerText.takeError();
  Expected<std::vector<Trailer>> Trailers =
      parseTrailers(*TrailerText, TrailersPath);
  if (!Trailers)
    return Trailers.takeError();
  Loaded.Trailers = std::move(*Trailers);
  return Loaded;
}

} // namespace kseries
