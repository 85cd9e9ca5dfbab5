// SPDX-License-Identifier: GPL-2.0-only

#include "commands/RangeDiff.h"
#include "commands/QueueStack.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "patch/PatchPrinter.h"
#include "patch/TreeDiff.h"
#include "process/GitProgram.h"
#include "queue/Transaction.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace llvm;

namespace kseries {

namespace {

struct Member {
  /// The patch file, or the commit's id where there is none.
  std::string Name;
  kgit::Oid Commit;
};

/// One side: commits on top of each other.
struct Range {
  kgit::Oid Base;
  std::vector<Member> Members;

  std::string str() const {
    return Base.str() + ".." +
           (Members.empty() ? Base : Members.back().Commit).str();
  }
};

/// What git found out about one patch or two.
struct Pair {
  /// '=', '!', '<' (old only) or '>' (new only).
  char Status = 0;
  const Member *Old = nullptr;
  const Member *New = nullptr;
  std::string Subject;
  /// As git indents it, less the indent; the whole patch of an unmatched one.
  std::string Diff;
};

class Comparison {
public:
  Comparison(const Workspace &Where, QueueStack &Stack)
      : Where(Where), Stack(Stack) {}

  Expected<std::vector<Pair>> compare(StringRef OldName, StringRef NewName);

private:
  Expected<Range> read(StringRef Name);
  Expected<Range> readRevisions(StringRef Name);
  Expected<Range> readSent(StringRef Queue, StringRef Version);
  static Range rangeOf(const QueueCommits &Commits);
  Expected<std::vector<Pair>> parse(StringRef Text);
  std::optional<Pair> parseHeader(StringRef Line) const;
  Expected<std::string> wholePatch(const Member &Of) const;

  const Workspace &Where;
  QueueStack &Stack;
  Range Old, New;
};

Range Comparison::rangeOf(const QueueCommits &Commits) {
  Range Made{Commits.Base, {}};
  for (const PatchCommit &Patch : Commits.Patches)
    Made.Members.push_back({Patch.PatchFile, Patch.Commit});
  return Made;
}

Expected<Range> Comparison::readSent(StringRef Queue, StringRef Version) {
  std::string Name = (Queue + "/sent/" + Version).str();
  if (!Where.files().exists(Where.pathOf(Name, "series")))
    return inputError("no version '" + Version + "' of queue " + Queue +
                      " in " + Where.pathOf(Queue, "sent"));
  Expected<kseries::Queue> Sent = loadQueue(Where, Name);
  if (!Sent)
    return Sent.takeError();
  Expected<std::string> BaseName = Where.baseName(Name);
  if (!BaseName)
    return BaseName.takeError();
  kgit::Oid Base;
  if (Where.hasQueue(*BaseName)) {
    Expected<const QueueCommits *> Below = Stack.commit(*BaseName);
    if (!Below)
      return Below.takeError();
    Base = (*Below)->tip();
  } else {
    Expected<kgit::Oid> Found = Where.baseCommit(Stack.repository(), Name);
    if (!Found)
      return Found.takeError();
    Base = *Found;
  }
  Expected<kgit::Signature> By = committerFor(Where.seriesDirectory());
  if (!By)
    return By.takeError();
  Expected<QueueCommits> Made =
      commitQueue(Stack.repository(), *Sent, Base, *By);
  if (!Made)
    return Made.takeError();
  return rangeOf(*Made);
}

Expected<Range> Comparison::readRevisions(StringRef Name) {
  auto [From, Tip] = Name.split("..");
  const kgit::Repository &Repo = Stack.repository();
  Range Made;
  for (StringRef Revision : {From, Tip}) {
    if (Revision.empty() || Revision.starts_with(".") ||
        Revision.starts_with("-"))
      return inputError("'" + Name + "' is no range of two revisions A..B");
    Expected<std::optional<kgit::Commit>> Found = Repo.findCommit(Revision);
    if (!Found)
      return Found.takeError();
    if (!*Found)
      return inputError("'" + Revision + "' is not a revision of " +
                        Where.gitDirectory());
  }
  Expected<std::string> List =
      runGit({"--git-dir=" + Where.gitDirectory(), "rev-list", "--reverse",
              "--topo-order", "--no-merges", Name.str(), "--"});
  if (!List)
    return List.takeError();
  Expected<kgit::Commit> Base = Repo.commit(From);
  if (!Base)
    return Base.takeError();
  Made.Base = Base->id();
  for (LineReader Lines(*List); !Lines.atEnd();) {
    Expected<kgit::Oid> Id = kgit::Oid::parse(Lines.next());
    if (!Id)
      return Id.takeError();
    Made.Members.push_back({Id->str(12), *Id});
  }
  return Made;
}

Expected<Range> Comparison::read(StringRef Name) {
  if (Name.contains(".."))
    return readRevisions(Name);
  auto [Queue, Version] = Name.split('@');
  if (!Where.hasQueue(Queue))
    return inputError("'" + Name + "' is neither a queue of " +
                      Where.seriesDirectory() +
                      ", a sent version QUEUE@vN, nor a range A..B");
  if (Name.contains('@'))
    return readSent(Queue, Version);
  Expected<const QueueCommits *> Commits = Stack.commit(Queue);
  if (!Commits)
    return Commits.takeError();
  return rangeOf(**Commits);
}

/// The patch as mail would have it.
Expected<std::string> Comparison::wholePatch(const Member &Of) const {
  const kgit::Repository &Repo = Stack.repository();
  Expected<kgit::Commit> Commit = Repo.commit(Of.Commit);
  if (!Commit)
    return Commit.takeError();
  Expected<kgit::Commit> Parent = Repo.commit(Commit->parents().front());
  if (!Parent)
    return Parent.takeError();
  Expected<std::vector<FileDiff>> Files =
      diffTrees(Repo, Parent->treeId(), Commit->treeId());
  if (!Files)
    return Files.takeError();
  return Commit->message().str() + "---\n" + printDiffs(*Files);
}

/// "1:  0123456 ! 2:  89abcde subject", with "-" and dashes for no commit.
std::optional<Pair> Comparison::parseHeader(StringRef Line) const {
  if (Line.starts_with("    "))
    return std::nullopt;
  auto TakeSide = [&](const Range &Of) -> std::optional<const Member *> {
    auto [Number, Rest] = Line.ltrim().split(':');
    Line = Rest.ltrim().split(' ').second;
    if (Number == "-")
      return nullptr;
    size_t Value = 0;
    if (Number.getAsInteger(10, Value) || !Value || Value > Of.Members.size())
      return std::nullopt;
    return &Of.Members[Value - 1];
  };
  auto From = TakeSide(Old);
  if (!From || Line.size() < 2)
    return std::nullopt;
  Pair Found;
  Found.Status = Line.front();
  Line = Line.drop_front();
  auto Into = TakeSide(New);
  if (!Into || !StringRef("=!<>").contains(Found.Status))
    return std::nullopt;
  Found.Old = *From;
  Found.New = *Into;
  Found.Subject = Line.str();
  return Found;
}

Expected<std::vector<Pair>> Comparison::parse(StringRef Text) {
  std::vector<Pair> Pairs;
  for (LineReader Lines(Text); !Lines.atEnd();) {
    StringRef Line = Lines.next();
    if (std::optional<Pair> Found = parseHeader(Line)) {
      Pairs.push_back(std::move(*Found));
      continue;
    }
    if (Pairs.empty() || !Line.consume_front("    "))
      return inputError("git range-diff: not understood: " +
                        quoteForMessage(Line));
    Pairs.back().Diff += (Line + "\n").str();
  }
  for (Pair &Found : Pairs) {
    if (Found.Old && Found.New)
      continue;
    Expected<std::string> Whole =
        wholePatch(Found.Old ? *Found.Old : *Found.New);
    if (!Whole)
      return Whole.takeError();
    Found.Diff = std::move(*Whole);
  }
  return Pairs;
}

Expected<std::vector<Pair>> Comparison::compare(StringRef OldName,
                                                StringRef NewName) {
  for (auto [Name, Into] :
       {std::pair(OldName, &Old), std::pair(NewName, &New)}) {
    Expected<Range> Read = read(Name);
    if (!Read)
      return Read.takeError();
    *Into = std::move(*Read);
  }
  // git reads commits from the disk; gc takes away those that nothing names.
  if (Error E = Stack.repository().flushWrites())
    return std::move(E);
  Expected<std::string> Text = runGit(
      {"--git-dir=" + Where.gitDirectory(), "-c", "diff.noprefix=false", "-c",
       "diff.mnemonicPrefix=false", "-c", "diff.context=3", "range-diff",
       "--no-color", "--no-notes", "--no-ext-diff", Old.str(), New.str()});
  if (!Text)
    return Text.takeError();
  return parse(*Text);
}

void printText(ArrayRef<Pair> Pairs, StringRef OldName, StringRef NewName,
               raw_ostream &OS) {
  auto NameOf = [](const Member *M) { return M ? M->Name : std::string("-"); };
  size_t OldWidth = OldName.size(), NewWidth = NewName.size();
  for (const Pair &P : Pairs) {
    OldWidth = std::max(OldWidth, NameOf(P.Old).size());
    NewWidth = std::max(NewWidth, NameOf(P.New).size());
  }
  auto Row = [&](StringRef Old, StringRef Status, StringRef New,
                 StringRef Subject) {
    OS << left_justify(Old, OldWidth) << ' ' << Status << ' '
       << left_justify(New, NewWidth) << ' ' << Subject << '\n';
  };
  Row(OldName, " ", NewName, "subject");
  for (const Pair &P : Pairs) {
    Row(NameOf(P.Old), StringRef(&P.Status, 1), NameOf(P.New), P.Subject);
    for (LineReader Lines(P.Diff); !Lines.atEnd();)
      OS << "    " << Lines.next() << '\n';
  }
}

json::Value toJson(ArrayRef<Pair> Pairs, StringRef OldName, StringRef NewName) {
  auto NameOf = [](const Member *M) -> json::Value {
    if (!M)
      return nullptr;
    return json::fixUTF8(M->Name);
  };
  json::Array List;
  for (const Pair &P : Pairs)
    List.push_back(json::Object{{"old", NameOf(P.Old)},
                                {"new", NameOf(P.New)},
                                {"status", std::string(1, P.Status)},
                                {"subject", json::fixUTF8(P.Subject)},
                                {"diff", json::fixUTF8(P.Diff)}});
  return json::Object{{"old", json::fixUTF8(OldName)},
                      {"new", json::fixUTF8(NewName)},
                      {"pairs", std::move(List)}};
}

} // namespace

Expected<int> rangeDiff(const Workspace &Where, StringRef Old, StringRef New,
                        StatusFormat Format, Streams To) {
  Expected<QueueLock> Lock = settle(Where, To.Err);
  if (!Lock)
    return Lock.takeError();
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  Comparison Compare(Where, *Stack);
  Expected<std::vector<Pair>> Pairs = Compare.compare(Old, New);
  if (!Pairs)
    return Pairs.takeError();
  if (Format == StatusFormat::Json)
    To.Out << formatv("{0:2}", toJson(*Pairs, Old, New)) << '\n';
  else
    printText(*Pairs, Old, New, To.Out);
  return 0;
}

Expected<int> diffVersions(const Workspace &Where, StringRef Queue,
                           StringRef Versions, StatusFormat Format,
                           Streams To) {
  auto [From, Into] = Versions.split("..");
  if (From.empty() || !Versions.contains(".."))
    return inputError("diff: '" + Versions +
                      "' is not v1..v2, or v1.. for v1 against the queue");
  std::string Old = (Queue + "@" + From).str();
  std::string New = Into.empty() ? Queue.str() : (Queue + "@" + Into).str();
  return rangeDiff(Where, Old, New, Format, To);
}

} // namespace kseries
