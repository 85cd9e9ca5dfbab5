// SPDX-License-Identifier: GPL-2.0-only

#include "merge/Renames.h"
#include "merge/Similarity.h"

#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace kseries {

// Git's thresholds: 50 % alike, and half way from there to all for a pair that
// only its base name suggests.
static constexpr unsigned Least = FullScore / 2;
static constexpr unsigned LeastByName = Least + (FullScore - Least) / 2;
// merge.renameLimit: beyond this many pairs git compares none.
static constexpr uint64_t RenameLimit = 7000;
// How many sources git remembers for one new name.
static constexpr size_t CandidatesKept = 4;

namespace {

class RenameFinder {
public:
  RenameFinder(const kgit::Repository &Repo, ArrayRef<FileAt> Gone,
               ArrayRef<FileAt> Came, const std::set<std::string> &Wanted)
      : Repo(Repo), Gone(Gone), Came(Came), Wanted(Wanted),
        Target(Gone.size(), None), Used(Came.size(), false) {}

  Expected<std::map<std::string, std::string>> find();

private:
  static constexpr size_t None = SIZE_MAX;

  struct Candidate {
    size_t From;
    size_t To;
    unsigned Score;
    bool SameName;

    /// The best comes first, of equals the one whose paths do.
    bool operator<(const Candidate &Other) const {
      return std::tie(Other.Score, Other.SameName, To, From) <
             std::tie(Score, SameName, Other.To, Other.From);
    }
  };

  void matchById();
  Error matchByName();
  Error matchByContent();
  Error addCandidates(size_t To, ArrayRef<size_t> Sources,
                      std::vector<Candidate> &All);
  void pair(size_t From, size_t To) {
    Target[From] = To;
    Used[To] = true;
  }
  bool isOpen(size_t From) const { return Target[From] == None; }
  bool isWanted(size_t From) const { return Wanted.count(Gone[From].Path); }
  /// 0 when they are not both files or cannot reach \p AtLeast.
  Expected<unsigned> score(size_t From, size_t To, unsigned AtLeast);
  Expected<const Fingerprint *> fingerprint(const kgit::Oid &Id);

  const kgit::Repository &Repo;
  ArrayRef<FileAt> Gone;
  ArrayRef<FileAt> Came;
  const std::set<std::string> &Wanted;
  /// For each that went, which one it became.
  std::vector<size_t> Target;
  std::vector<bool> Used;
  std::map<kgit::Oid, Fingerprint> Known;
};

StringRef baseName(const FileAt &File) {
  return sys::path::filename(File.Path);
}

void RenameFinder::matchById() {
  std::map<kgit::Oid, std::vector<size_t>> ById;
  for (size_t I = 0; I < Gone.size(); ++I)
    ById[Gone[I].Entry.Id].push_back(I);
  for (size_t To = 0; To < Came.size(); ++To) {
    auto Same = ById.find(Came[To].Entry.Id);
    if (Same == ById.end())
      continue;
    size_t Best = None;
    for (size_t From : Same->second) {
      if (!isOpen(From))
        continue;
      const kgit::TreeEntry &Old = Gone[From].Entry, &New = Came[To].Entry;
      if (!(Old.isFile() && New.isFile()) && Old.Mode != New.Mode)
        continue;
      bool SameName = baseName(Gone[From]) == baseName(Came[To]);
      if (Best == None || SameName)
        Best = From;
      if (SameName)
        break;
    }
    if (Best != None)
      pair(Best, To);
  }
}

Expected<const Fingerprint *> RenameFinder::fingerprint(const kgit::Oid &Id) {
  auto Found = Known.find(Id);
  if (Found != Known.end())
    return &Found->second;
  Expected<kgit::Blob> Content = Repo.blob(Id);
  if (!Content)
    return Content.takeError();
  return &Known.emplace(Id, Fingerprint(Content->content())).first->second;
}

Expected<unsigned> RenameFinder::score(size_t From, size_t To,
                                       unsigned AtLeast) {
  const kgit::TreeEntry &Old = Gone[From].Entry, &New = Came[To].Entry;
  if (!Old.isFile() || !New.isFile())
    return 0;
  // Sizes are had without unpacking; most pairs fail here.
  Expected<uint64_t> OldSize = Repo.blobSize(Old.Id);
  if (!OldSize)
    return OldSize.takeError();
  Expected<uint64_t> NewSize = Repo.blobSize(New.Id);
  if (!NewSize)
    return NewSize.takeError();
  if (!sizesAllow(*OldSize, *NewSize, AtLeast))
    return 0;
  Expected<const Fingerprint *> A = fingerprint(Old.Id);
  if (!A)
    return A.takeError();
  Expected<const Fingerprint *> B = fingerprint(New.Id);
  if (!B)
    return B.takeError();
  return similarity(**A, **B, AtLeast);
}

/// Pairs whose base name no other open file of its side has.
Error RenameFinder::matchByName() {
  constexpr size_t Several = None - 1;
  auto Index = [](ArrayRef<FileAt> Files, function_ref<bool(size_t)> Open) {
    std::map<StringRef, size_t> ByName;
    for (size_t I = 0; I < Files.size(); ++I) {
      if (!Open(I))
        continue;
      auto [Entry, IsNew] = ByName.try_emplace(baseName(Files[I]), I);
      if (!IsNew)
        Entry->second = Several;
    }
    return ByName;
  };
  auto Sources = Index(Gone, [&](size_t I) { return isOpen(I); });
  auto Targets = Index(Came, [&](size_t I) { return !Used[I]; });
  for (auto [Name, From] : Sources) {
    auto To = Targets.find(Name);
    if (From == Several || !isWanted(From) || To == Targets.end() ||
        To->second == Several)
      continue;
    Expected<unsigned> Score = score(From, To->second, LeastByName);
    if (!Score)
      return Score.takeError();
    if (*Score >= LeastByName)
      pair(From, To->second);
  }
  return Error::success();
}

Error RenameFinder::addCandidates(size_t To, ArrayRef<size_t> Sources,
                                  std::vector<Candidate> &All) {
  std::vector<Candidate> Here;
  for (size_t From : Sources) {
    Expected<unsigned> Score = score(From, To, Least);
    if (!Score)
      return Score.takeError();
    if (*Score >= Least)
      Here.push_back(
          {From, To, *Score, baseName(Gone[From]) == baseName(Came[To])});
  }
  std::sort(Here.begin(), Here.end());
  if (Here.size() > CandidatesKept)
    Here.erase(Here.begin() + CandidatesKept, Here.end());
  All.insert(All.end(), Here.begin(), Here.end());
  return Error::success();
}

Error RenameFinder::matchByContent() {
  std::vector<size_t> Sources, Targets;
  for (size_t I = 0; I < Gone.size(); ++I)
    if (isOpen(I) && isWanted(I))
      Sources.push_back(I);
  for (size_t I = 0; I < Came.size(); ++I)
    if (!Used[I])
      Targets.push_back(I);
  if (uint64_t(Sources.size()) * Targets.size() > RenameLimit * RenameLimit)
    return Error::success();
  std::vector<Candidate> All;
  for (size_t To : Targets)
    if (Error E = addCandidates(To, Sources, All))
      return E;
  std::sort(All.begin(), All.end());
  for (const Candidate &C : All)
    if (isOpen(C.From) && !Used[C.To])
      pair(C.From, C.To);
  return Error::success();
}

Expected<std::map<std::string, std::string>> RenameFinder::find() {
  matchById();
  if (Error E = matchByName())
    return E;
  if (Error E = matchByContent())
    return E;
  std::map<std::string, std::string> Found;
  for (size_t I = 0; I < Gone.size(); ++I)
    if (!isOpen(I) && isWanted(I))
      Found[Gone[I].Path] = Came[Target[I]].Path;
  return Found;
}

/// An empty file is like any other empty file: that says nothing.
Expected<std::vector<FileAt>> withoutEmpty(ArrayRef<FileAt> Files) {
  Expected<kgit::Oid> Empty = kgit::Oid::ofBlob("");
  if (!Empty)
    return Empty.takeError();
  std::vector<FileAt> Kept;
  for (const FileAt &File : Files)
    if (File.Entry.Id != *Empty)
      Kept.push_back(File);
  return Kept;
}

} // namespace

Expected<std::map<std::string, std::string>>
findRenames(const kgit::Repository &Repo, ArrayRef<FileAt> Gone,
            ArrayRef<FileAt> Came, const std::set<std::string> &Wanted) {
  Expected<std::vector<FileAt>> From = withoutEmpty(Gone);
  if (!From)
    return From.takeError();
  Expected<std::vector<FileAt>> To = withoutEmpty(Came);
  if (!To)
    return To.takeError();
  return RenameFinder(Repo, *From, *To, Wanted).find();
}

} // namespace kseries
