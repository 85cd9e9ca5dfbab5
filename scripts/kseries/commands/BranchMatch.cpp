// SPDX-License-Identifier: GPL-2.0-only

#include "commands/BranchMatch.h"
#include "patch/PatchError.h"
#include "patch/PatchId.h"
#include "patch/PatchParser.h"
#include "patch/TreeDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace llvm;

namespace kseries {

// As long as the names that git format-patch makes.
static constexpr size_t LongestName = 52;

static std::string nameFor(StringRef Subject, std::set<std::string> &Taken) {
  std::string Stem;
  for (char C : Subject) {
    if (isAlnum(C))
      Stem += toLower(C);
    else if (!Stem.empty() && Stem.back() != '-')
      Stem += '-';
    if (Stem.size() == LongestName)
      break;
  }
  while (!Stem.empty() && Stem.back() == '-')
    Stem.pop_back();
  if (Stem.empty())
    Stem = "patch";
  std::string Name = Stem + ".patch";
  for (unsigned I = 2; !Taken.insert(Name).second; ++I)
    Name = Stem + "-" + utostr(I) + ".patch";
  return Name;
}

static std::string subjectOf(const kgit::Commit &Commit) {
  Patch Message;
  setMessage(Message, Commit.message());
  return Message.Subject;
}

static Expected<std::string> patchIdOf(const kgit::Repository &Repo,
                                       const kgit::Commit &Commit) {
  Expected<kgit::Commit> Parent = Repo.commit(Commit.parents().front());
  if (!Parent)
    return Parent.takeError();
  Expected<std::vector<FileDiff>> Files =
      diffTrees(Repo, Parent->treeId(), Commit.treeId());
  if (!Files)
    return Files.takeError();
  return patchId(*Files);
}

namespace {

class Matcher {
public:
  Matcher(const kgit::Repository &Repo, const AppliedQueue &Applied)
      : Repo(Repo), Applied(Applied) {}

  Error readBranch();
  Error match();
  std::vector<BranchCommit> result(std::set<std::string> Taken) const;

private:
  static constexpr size_t None = SIZE_MAX;

  struct Found {
    kgit::Commit Commit;
    /// Index into Applied.Order.
    size_t Patch = None;
  };

  /// Pairs what has the same non-empty key; a key that several have is no key.
  Error matchBy(function_ref<Expected<std::string>(const kgit::Commit &)> Key);
  void matchByPlace();
  bool isTaken(size_t Patch) const {
    return any_of(Branch, [&](const Found &F) { return F.Patch == Patch; });
  }

  const kgit::Repository &Repo;
  const AppliedQueue &Applied;
  std::vector<Found> Branch;
};

Error Matcher::readBranch() {
  kgit::Oid At = *Applied.Branch;
  while (!(At == Applied.Base)) {
    Expected<kgit::Commit> Commit = Repo.commit(At);
    if (!Commit)
      return Commit.takeError();
    std::vector<kgit::Oid> Parents = Commit->parents();
    if (Parents.size() > 1)
      return inputError("branch series/" + Applied.Queue + " holds the merge " +
                        At.str(12) + ": a queue is a line of patches");
    if (Parents.empty())
      return inputError("branch series/" + Applied.Queue +
                        " does not stand on " + Applied.Base.str(12) +
                        " any more, from which it was applied");
    At = Parents.front();
    Branch.push_back({std::move(*Commit)});
  }
  std::reverse(Branch.begin(), Branch.end());
  return Error::success();
}

Error Matcher::matchBy(
    function_ref<Expected<std::string>(const kgit::Commit &)> Key) {
  constexpr size_t Several = None - 1;
  std::map<std::string, size_t> ByKey;
  for (size_t I = 0; I < Applied.Order.size(); ++I) {
    if (isTaken(I))
      continue;
    Expected<kgit::Commit> Commit = Repo.commit(Applied.Order[I].Commit);
    if (!Commit)
      return Commit.takeError();
    Expected<std::string> This = Key(*Commit);
    if (!This)
      return This.takeError();
    auto [Entry, IsNew] = ByKey.try_emplace(*This, I);
    if (!IsNew)
      Entry->second = Several;
  }
  for (Found &F : Branch) {
    if (ByKey.empty() || F.Patch != None)
      continue;
    Expected<std::string> This = Key(F.Commit);
    if (!This)
      return This.takeError();
    auto Entry = ByKey.find(*This);
    if (Entry == ByKey.end() || Entry->second == Several)
      continue;
    F.Patch = Entry->second;
    ByKey.erase(Entry);
  }
  return Error::success();
}

/// A commit right above a known one is the next patch, when that one is on the
/// branch nowhere else.
void Matcher::matchByPlace() {
  for (size_t I = 0; I < Branch.size(); ++I) {
    if (Branch[I].Patch != None)
      continue;
    size_t Next = I ? Branch[I - 1].Patch + 1 : 0;
    if ((!I || Branch[I - 1].Patch != None) && Next < Applied.Order.size() &&
        !isTaken(Next))
      Branch[I].Patch = Next;
  }
}

Error Matcher::match() {
  auto ById = [](const kgit::Commit &Commit) -> Expected<std::string> {
    return Commit.id().str();
  };
  auto BySubject = [](const kgit::Commit &Commit) -> Expected<std::string> {
    return subjectOf(Commit);
  };
  auto ByChange = [&](const kgit::Commit &Commit) {
    return patchIdOf(Repo, Commit);
  };
  if (Error E = matchBy(ById))
    return E;
  if (Error E = matchBy(BySubject))
    return E;
  if (Error E = matchBy(ByChange))
    return E;
  matchByPlace();
  return Error::success();
}

std::vector<BranchCommit> Matcher::result(std::set<std::string> Taken) const {
  for (const auto &[PatchFile, Id] : Applied.Patches)
    Taken.insert(PatchFile);
  std::vector<BranchCommit> Result;
  for (const Found &F : Branch)
    Result.push_back({F.Commit.id(), F.Patch == None
                                         ? nameFor(subjectOf(F.Commit), Taken)
                                         : Applied.Order[F.Patch].PatchFile});
  return Result;
}

} // namespace

Expected<std::vector<BranchCommit>> matchBranch(const kgit::Repository &Repo,
                                                const AppliedQueue &Applied,
                                                std::set<std::string> Taken) {
  Matcher Match(Repo, Applied);
  if (Error E = Match.readBranch())
    return E;
  if (Error E = Match.match())
    return E;
  return Match.result(std::move(Taken));
}

} // namespace kseries
