// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Commands.h"
#include "patch/PatchError.h"
#include "queue/TextFile.h"
#include "queue/Transaction.h"
#include "trailers/Collect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace kseries {

/// The file at \p Path with \p Tags below what is in it.
static Expected<std::string> withTags(StringRef Path,
                                      ArrayRef<CollectedTag> Tags) {
  std::string Text;
  if (sys::fs::exists(Path)) {
    Expected<std::string> Old = readTextFile(Path);
    if (!Old)
      return Old.takeError();
    Text = std::move(*Old);
    if (!Text.empty() && Text.back() != '\n')
      Text += '\n';
  }
  return Text + printTrailers(Tags);
}

static Expected<Collection> collectInto(const Workspace &Where, StringRef Name,
                                        const Thread &From, Streams To) {
  Expected<Transaction> Change = Transaction::begin(Where, "trailers", To.Err);
  if (!Change)
    return Change.takeError();
  Expected<Queue> Loaded = loadQueue(Where.with(Change->files()), Name);
  if (!Loaded)
    return Loaded.takeError();
  Collection Tags = collectTags(*Loaded, From);
  if (Tags.New.empty())
    return Tags;
  std::string Path = Loaded->Directory + "/trailers";
  Expected<std::string> Text = withTags(Path, Tags.New);
  if (!Text)
    return Text.takeError();
  if (Error E = Change->write(Path, std::move(*Text)))
    return E;
  if (Error E = Change->commit())
    return E;
  return Tags;
}

Expected<int> collectTrailers(const Workspace &Where, StringRef Name,
                              StringRef Mails, Streams To) {
  if (!Where.hasQueue(Name))
    return inputError("no queue '" + Name + "' in " + Where.seriesDirectory());
  // Before the lock is taken: ten thousand mails need a while.
  Expected<Thread> From = readThread(Mails);
  if (!From)
    return From.takeError();
  Expected<Collection> Tags = collectInto(Where, Name, *From, To);
  if (!Tags)
    return Tags.takeError();
  for (const LeftOut &Ignored : Tags->Ignored)
    To.Err << "kseries: left out: " << Ignored.What << ": " << Ignored.Reason
           << '\n';
  for (const CollectedTag &Tag : Tags->New)
    To.Out << Name << ": " << Tag.Entry.PatchFile << ": " << Tag.Entry.Tag
           << (Tag.Stale ? " (stale: the patch has changed since)" : "")
           << '\n';
  size_t Stale = count_if(Tags->New, [](const auto &Tag) { return Tag.Stale; });
  To.Out << Name << ": " << Tags->New.size() << " new, " << Stale
         << " of them stale, " << Tags->Known << " known\n";
  return 0;
}

} // namespace kseries
