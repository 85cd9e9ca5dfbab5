// SPDX-License-Identifier: GPL-2.0-only

#include "trailers/Collect.h"
#include "patch/LineReader.h"
#include "patch/PatchId.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <set>
#include <tuple>

using namespace llvm;

namespace kseries {

static std::string oneBlank(StringRef Text) {
  SmallVector<StringRef, 16> Words;
  SplitString(Text, Words);
  return join(Words, " ");
}

namespace {

class Collector {
public:
  explicit Collector(const Queue &Into) : Into(Into) {
    for (const QueuePatch &Patch : Into.Patches)
      Ids.push_back(patchId(Patch.Parsed.Files));
    for (const Trailer &Tag : Into.Trailers)
      Known.insert({Tag.PatchFile, Tag.PatchId, Tag.Tag});
  }

  Collection collect(const Thread &From);

private:
  std::optional<size_t> indexOf(const PostedPatch &Posted) const;
  void take(size_t Index, const PostedPatch &Posted);

  const Queue &Into;
  /// Of the queue's patches as they are now.
  std::vector<std::string> Ids;
  std::set<std::tuple<std::string, std::string, std::string>> Known;
  Collection Result;
};

std::optional<size_t> Collector::indexOf(const PostedPatch &Posted) const {
  auto Same = find(Ids, Posted.PatchId);
  if (Same != Ids.end())
    return Same - Ids.begin();
  std::string Subject = oneBlank(Posted.Subject);
  for (size_t I = 0; I < Into.Patches.size(); ++I)
    if (oneBlank(Into.Patches[I].Parsed.Subject) == Subject)
      return I;
  return std::nullopt;
}

static bool hasLine(StringRef Text, StringRef Line) {
  for (LineReader Lines(Text); !Lines.atEnd(); Lines.skip())
    if (Lines.peek() == Line)
      return true;
  return false;
}

void Collector::take(size_t Index, const PostedPatch &Posted) {
  const QueuePatch &Patch = Into.Patches[Index];
  for (const GivenTag &Given : Posted.Tags) {
    bool IsNew =
        !hasLine(Patch.Parsed.Body, Given.Tag) &&
        Known.insert({Patch.Entry.Name, Posted.PatchId, Given.Tag}).second;
    if (!IsNew) {
      ++Result.Known;
      continue;
    }
    Result.New.push_back(
        {{Patch.Entry.Name, Posted.PatchId, Given.Tag, Given.MessageId},
         Posted.PatchId != Ids[Index]});
  }
}

Collection Collector::collect(const Thread &From) {
  Result.Ignored = From.Ignored;
  std::vector<std::vector<const PostedPatch *>> Posted(Into.Patches.size());
  for (const PostedPatch &Patch : From.Patches) {
    std::optional<size_t> Index = indexOf(Patch);
    if (Index && !Patch.PatchId.empty()) {
      Posted[*Index].push_back(&Patch);
      continue;
    }
    for (const GivenTag &Given : Patch.Tags)
      Result.Ignored.push_back(
          {Given.Tag,
           Index ? "the mail with '" + Patch.Subject +
                       "' has no diff that git can read"
                 : "'" + Patch.Subject + "' is no patch of " + Into.Name});
  }
  for (size_t I = 0; I < Posted.size(); ++I)
    for (const PostedPatch *Patch : Posted[I])
      take(I, *Patch);
  return std::move(Result);
}

} // namespace

Collection collectTags(const Queue &Into, const Thread &From) {
  return Collector(Into).collect(From);
}

std::string printTrailers(ArrayRef<CollectedTag> Tags) {
  std::string Text;
  for (const CollectedTag &Tag : Tags)
    Text += Tag.Entry.PatchFile + "  " + Tag.Entry.PatchId + "  " +
            Tag.Entry.Tag + "  " + Tag.Entry.MessageId + "\n";
  return Text;
}

} // namespace kseries
