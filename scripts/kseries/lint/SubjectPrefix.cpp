// SPDX-License-Identifier: GPL-2.0-only

#include "lint/Maintainers.h"
#include "lint/PatchText.h"
#include "lint/Rule.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "process/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace llvm;

namespace kseries {

/// Subsystems that write their own names with capitals.
static constexpr std::array<StringRef, 28> Capitals = {
    "ACPI", "ALSA",  "ARC",           "ARM",        "ASoC",      "Bluetooth",
    "CIFS", "EDAC",  "HID",           "IB",         "Input",     "KVM",
    "MIPS", "NFC",   "NFS",           "NFSD",       "LoongArch", "OPP",
    "PCI",  "PM",    "PNP",           "RDMA",       "RISC-V",    "SUNRPC",
    "UBI",  "UBIFS", "Documentation", "MAINTAINERS"};

/// What stands for no folder: changes all over the tree, and documentation,
/// which has a short name.
static constexpr std::array<StringRef, 3> Anywhere = {"treewide", "docs",
                                                      "doc"};

/// The first part, "dma-buf" of "dma-buf: system_heap: allocate ...".
static StringRef prefixOf(StringRef Subject) {
  static const Regex Form("^([A-Za-z0-9][A-Za-z0-9_/.,+*{} -]{0,39}): [^ ]");
  SmallVector<StringRef, 2> Parts;
  return Form.match(Subject, &Parts) ? Parts[1] : StringRef();
}

static std::set<std::string> touchedFiles(const QueuePatch &Of) {
  std::set<std::string> Paths;
  for (const FileDiff &File : Of.Parsed.Files) {
    Paths.insert(File.OldPath);
    Paths.insert(File.NewPath);
  }
  return Paths;
}

static Expected<std::map<std::string, unsigned>>
prefixesInHistory(const LintInput &Input, const QueuePatch &Of) {
  std::vector<std::string> Words = {"--git-dir=" + Input.Repo.path(),
                                    "log",
                                    "-n",
                                    "50",
                                    "--no-merges",
                                    "--format=%s",
                                    Input.Root.str(),
                                    "--"};
  for (const std::string &Path : touchedFiles(Of))
    Words.push_back(":(literal)" + Path);
  Expected<ProgramOutput> Log = runProgram("git", Words);
  if (!Log)
    return Log.takeError();
  if (Log->Code)
    return inputError("git log: " + complaintOf(*Log));
  std::map<std::string, unsigned> Counts;
  for (LineReader Lines(Log->Out); !Lines.atEnd(); Lines.skip())
    if (StringRef Prefix = prefixOf(Lines.peek()); !Prefix.empty())
      ++Counts[Prefix.str()];
  return Counts;
}

static std::string mostCommon(const std::map<std::string, unsigned> &Counts) {
  std::vector<std::pair<unsigned, std::string>> Sorted;
  for (const auto &[Prefix, Count] : Counts)
    Sorted.push_back({Count, Prefix});
  std::sort(Sorted.rbegin(), Sorted.rend());
  std::vector<std::string> Names;
  for (size_t I = 0; I < Sorted.size() && I < 3; ++I)
    Names.push_back("'" + Sorted[I].second + ":'");
  return join(Names, ", ");
}

static void addWords(std::set<std::string> &Into, StringRef Text,
                     StringRef Separators) {
  while (!Text.empty()) {
    size_t End = Text.find_first_of(Separators);
    std::string Word = Text.take_front(End).lower();
    std::replace(Word.begin(), Word.end(), '_', '-');
    if (!Word.empty())
      Into.insert(Word);
    Text = Text.drop_front(End == StringRef::npos ? Text.size() : End + 1);
  }
}

/// What the files and their entries in MAINTAINERS are called.
static Expected<std::set<std::string>> namesOf(const LintInput &Input,
                                               const QueuePatch &Of) {
  Expected<kgit::Commit> Root = Input.Repo.commit(Input.Root);
  if (!Root)
    return Root.takeError();
  std::string Maintainers;
  Expected<kgit::Blob> Blob = Input.Repo.blobAt(*Root, "MAINTAINERS");
  if (Blob)
    Maintainers = Blob->content().str();
  else
    consumeError(Blob.takeError()); // a tree without one has folders still
  std::set<std::string> Names;
  for (const std::string &Path : touchedFiles(Of)) {
    addWords(Names, Path, "/");
    addWords(Names, sys::path::stem(Path), "/");
    for (StringRef Title : entriesFor(Maintainers, Path))
      addWords(Names, Title, " ()/,:");
  }
  return Names;
}

static std::string wrongWithout(StringRef Prefix,
                                const std::set<std::string> &Names) {
  bool HasCapital = any_of(Prefix, [](char C) { return isUpper(C); });
  StringRef First = Prefix.take_front(Prefix.find_first_of("/, "));
  if (HasCapital && !is_contained(Capitals, First))
    return ("'" + Prefix + ":' has capitals, which few subsystems write").str();
  std::set<std::string> Parts;
  addWords(Parts, Prefix, "/, {}");
  bool Known = any_of(Parts, [&](const std::string &Part) {
    return Names.count(Part) || is_contained(Anywhere, StringRef(Part));
  });
  if (!Known)
    return ("'" + Prefix +
            ":' is the name of no folder, file or MAINTAINERS "
            "entry that the patch is about")
        .str();
  return "";
}

Error checkSubjectPrefix(const LintInput &Input, LintReport &Report) {
  for (const QueuePatch &Patch : Input.Checked.Patches) {
    StringRef Subject = Patch.Parsed.Subject;
    if (Subject.starts_with("Revert \""))
      continue;
    StringRef Prefix = prefixOf(Subject);
    if (Prefix.empty()) {
      Report.add(Input.nameOf(Patch), subjectLine(Patch),
                 "the subject does not start with a subsystem and ': '");
      continue;
    }
    std::map<std::string, unsigned> Before;
    if (Input.HasHistory) {
      auto Found = prefixesInHistory(Input, Patch);
      if (!Found)
        return Found.takeError();
      Before = std::move(*Found);
    }
    if (!Before.empty()) {
      if (!Before.count(Prefix.str()))
        Report.add(Input.nameOf(Patch), subjectLine(Patch),
                   ("'" + Prefix +
                    ":' is new to these files, whose history "
                    "has " +
                    mostCommon(Before))
                       .str());
      continue;
    }
    Expected<std::set<std::string>> Names = namesOf(Input, Patch);
    if (!Names)
      return Names.takeError();
    std::string Wrong = wrongWithout(Prefix, *Names);
    if (!Wrong.empty())
      Report.add(Input.nameOf(Patch), subjectLine(Patch), Wrong);
  }
  return Error::success();
}

} // namespace kseries
