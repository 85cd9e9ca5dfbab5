// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Commands.h"
#include "commands/QueueStack.h"
#include "patch/PatchError.h"
#include "queue/AppliedQueue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <array>

using namespace llvm;

namespace kseries {

namespace {

struct Failure {
  std::string PatchFile;
  unsigned Line = 0;
  std::string Path;
  unsigned Hunk = 0;
  /// The whole line that any command would print.
  std::string Message;
};

struct QueueStatus {
  std::string Name;
  std::string Base;
  std::vector<std::string> Patches;
  /// Those that change nothing yet.
  std::vector<std::string> Empty;
  std::optional<Failure> Failed;
  std::vector<Trailer> Stale;
  /// "in sync", "not applied", "queue changed", "branch changed" or "both
  /// changed".
  StringRef Branch = "not applied";
};

class StatusReader {
public:
  StatusReader(const Workspace &Where, QueueStack &Stack)
      : Where(Where), Stack(Stack) {}

  Expected<QueueStatus> read(StringRef Name);

private:
  const Workspace &Where;
  QueueStack &Stack;
};

Failure describe(Error E) {
  Failure Described;
  handleAllErrors(
      std::move(E),
      [&](const PatchError &Found) {
        Described.PatchFile = Found.PatchFile;
        Described.Line = Found.Line;
        Described.Path = Found.Path;
        Described.Hunk = Found.Hunk;
        Described.Message = Found.message();
      },
      [&](const ErrorInfoBase &Found) { Described.Message = Found.message(); });
  return Described;
}

StringRef compareBranch(const AppliedQueue &Applied,
                        const QueueCommits *Commits) {
  if (!Applied.Branch)
    return "not applied";
  if (Commits && Applied.equals(*Commits))
    return "in sync";
  if (!Applied.branchMoved())
    return "queue changed";
  bool FilesAsApplied = Commits &&
                        Applied.Order.size() == Commits->Patches.size() &&
                        Applied.Order.back().Commit == Commits->tip();
  return FilesAsApplied ? "branch changed" : "both changed";
}

Expected<QueueStatus> StatusReader::read(StringRef Name) {
  if (!Where.hasQueue(Name))
    return inputError("no queue '" + Name + "' in " + Where.seriesDirectory());
  QueueStatus Status;
  Status.Name = Name.str();
  Expected<std::string> Base = Where.baseName(Name);
  if (Base)
    Status.Base = *Base;
  else
    consumeError(Base.takeError()); // commit() below reports it
  Expected<const Queue *> Loaded = Stack.load(Name);
  if (Loaded) {
    for (const QueuePatch &Patch : (*Loaded)->Patches) {
      Status.Patches.push_back(Patch.Entry.Name);
      if (Patch.Parsed.isEmpty())
        Status.Empty.push_back(Patch.Entry.Name);
    }
    Status.Stale = (*Loaded)->staleTrailers();
  } else {
    Status.Failed = describe(Loaded.takeError());
  }
  const QueueCommits *Commits = nullptr;
  Expected<const QueueCommits *> Committed = Stack.commit(Name);
  if (Committed)
    Commits = *Committed;
  else
    Status.Failed = describe(Committed.takeError());
  Expected<AppliedQueue> Applied = readApplied(Stack.repository(), Name);
  if (!Applied)
    return Applied.takeError();
  Status.Branch = compareBranch(*Applied, Commits);
  return Status;
}

void printText(ArrayRef<QueueStatus> All, raw_ostream &OS) {
  using Row = std::array<std::string, 6>;
  std::vector<Row> Rows = {
      {"QUEUE", "BASE", "PATCHES", "APPLIES", "BRANCH", "STALE TAGS"}};
  for (const QueueStatus &Status : All)
    Rows.push_back(
        {Status.Name, Status.Base,
         Status.Patches.empty() ? "?" : utostr(Status.Patches.size()),
         Status.Failed ? "no" : "yes", Status.Branch.str(),
         utostr(Status.Stale.size())});
  std::array<size_t, 6> Widths{};
  for (const Row &Cells : Rows)
    for (size_t I = 0; I < Cells.size(); ++I)
      Widths[I] = std::max(Widths[I], Cells[I].size());
  for (const Row &Cells : Rows) {
    for (size_t I = 0; I + 1 < Cells.size(); ++I)
      OS << left_justify(Cells[I], Widths[I] + 2);
    OS << Cells.back() << '\n';
  }
  for (const QueueStatus &Status : All) {
    if (Status.Failed)
      OS << Status.Failed->Message << '\n';
    for (const std::string &Name : Status.Empty)
      OS << Status.Name << '/' << Name << ": changes nothing yet\n";
    for (const Trailer &Tag : Status.Stale)
      OS << Status.Name << "/trailers:" << Tag.Line << ": " << Tag.PatchFile
         << " has changed since: " << Tag.Tag << '\n';
  }
}

json::Value toJson(const QueueStatus &Status) {
  json::Array Stale;
  for (const Trailer &Tag : Status.Stale)
    Stale.push_back(json::Object{{"patch", Tag.PatchFile},
                                 {"tag", Tag.Tag},
                                 {"message_id", Tag.MessageId},
                                 {"line", Tag.Line}});
  json::Value Failed = nullptr;
  if (Status.Failed)
    Failed = json::Object{{"patch", json::fixUTF8(Status.Failed->PatchFile)},
                          {"line", Status.Failed->Line},
                          {"file", json::fixUTF8(Status.Failed->Path)},
                          {"hunk", Status.Failed->Hunk},
                          {"message", json::fixUTF8(Status.Failed->Message)}};
  return json::Object{{"name", Status.Name},
                      {"base", Status.Base},
                      {"patches", json::Array(Status.Patches)},
                      {"empty", json::Array(Status.Empty)},
                      {"applies", !Status.Failed},
                      {"failure", std::move(Failed)},
                      {"branch", Status.Branch},
                      {"stale_trailers", std::move(Stale)}};
}

} // namespace

Expected<int> printStatus(const Workspace &Where, ArrayRef<std::string> Queues,
                          StatusFormat Format, Streams To) {
  Expected<QueueLock> Lock = settle(Where, To.Err);
  if (!Lock)
    return Lock.takeError();
  std::vector<std::string> Names(Queues.begin(), Queues.end());
  if (Names.empty()) {
    Expected<std::vector<std::string>> Found = Where.queueNames();
    if (!Found)
      return Found.takeError();
    Names = std::move(*Found);
  }
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  StatusReader Reader(Where, *Stack);
  std::vector<QueueStatus> All;
  for (const std::string &Name : Names) {
    Expected<QueueStatus> Status = Reader.read(Name);
    if (!Status)
      return Status.takeError();
    All.push_back(std::move(*Status));
  }
  if (Format == StatusFormat::Text) {
    printText(All, To.Out);
  } else {
    json::Array List;
    for (const QueueStatus &Status : All)
      List.push_back(toJson(Status));
    To.Out << formatv("{0:2}",
                      json::Value(json::Object{{"queues", std::move(List)}}))
           << '\n';
  }
  return any_of(All, [](const QueueStatus &S) { return S.Failed.has_value(); });
}

} // namespace kseries
