// SPDX-License-Identifier: GPL-2.0-only

#include "patch/PatchPrinter.h"
#include "patch/BinaryPatch.h"
#include "patch/MailHeader.h"
#include "patch/PathName.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kseries {

/// A name on a "---" or "+++" line: git ends one that holds a blank with a
/// tab, so that patch(1) does not take the rest for a time stamp.
static std::string diffName(StringRef Prefix, StringRef Path) {
  std::string Name = quotePath((Prefix + Path).str());
  if (Path.contains(' '))
    Name += '\t';
  return Name;
}

static void printRange(raw_ostream &OS, unsigned Start, unsigned Count) {
  OS << Start;
  if (Count != 1)
    OS << ',' << Count;
}

static void printHunk(raw_ostream &OS, const Hunk &ToPrint) {
  OS << "@@ -";
  printRange(OS, ToPrint.OldStart, ToPrint.OldCount);
  OS << " +";
  printRange(OS, ToPrint.NewStart, ToPrint.NewCount);
  OS << " @@";
  if (!ToPrint.Section.empty())
    OS << ' ' << ToPrint.Section;
  OS << '\n';
  for (const HunkLine &Line : ToPrint.Lines) {
    OS << Line.Kind << Line.Text;
    if (!StringRef(Line.Text).ends_with("\n"))
      OS << "\n\\ No newline at end of file\n";
  }
}

static void printExtendedHeader(raw_ostream &OS, const FileDiff &File) {
  bool ModeChanged = File.Change != FileChange::Add &&
                     File.Change != FileChange::Delete && File.OldMode &&
                     File.NewMode && File.OldMode != File.NewMode;
  if (File.Change == FileChange::Add)
    OS << format("new file mode %06o\n", File.NewMode);
  if (File.Change == FileChange::Delete && File.OldMode)
    OS << format("deleted file mode %06o\n", File.OldMode);
  if (ModeChanged)
    OS << format("old mode %06o\nnew mode %06o\n", File.OldMode, File.NewMode);
  if (File.Change == FileChange::Rename || File.Change == FileChange::Copy) {
    StringRef Verb = File.Change == FileChange::Rename ? "rename" : "copy";
    OS << "similarity index " << File.Similarity << "%\n"
       << Verb << " from " << quotePath(File.OldPath) << '\n'
       << Verb << " to " << quotePath(File.NewPath) << '\n';
  }
  if (File.OldId.empty())
    return;
  OS << "index " << File.OldId << ".." << File.NewId;
  if (File.OldMode && File.OldMode == File.NewMode)
    OS << format(" %06o", File.OldMode);
  OS << '\n';
}

static void printFile(raw_ostream &OS, const FileDiff &File) {
  OS << "diff --git " << quotePath("a/" + File.OldPath) << ' '
     << quotePath("b/" + File.NewPath) << '\n';
  printExtendedHeader(OS, File);
  if (File.Forward) {
    OS << "GIT binary patch\n" << printBinaryBlock(*File.Forward);
    if (File.Reverse)
      OS << printBinaryBlock(*File.Reverse);
  }
  if (File.Hunks.empty())
    return;
  bool Added = File.Change == FileChange::Add;
  bool Deleted = File.Change == FileChange::Delete;
  OS << "--- " << (Added ? "/dev/null" : diffName("a/", File.OldPath)) << '\n'
     << "+++ " << (Deleted ? "/dev/null" : diffName("b/", File.NewPath))
     << '\n';
  for (const Hunk &ToPrint : File.Hunks)
    printHunk(OS, ToPrint);
}

std::string printDiffs(ArrayRef<FileDiff> Files) {
  std::string Out;
  raw_string_ostream OS(Out);
  for (const FileDiff &File : Files)
    printFile(OS, File);
  return Out;
}

std::string printPatch(const Patch &ToPrint) {
  std::string Out;
  if (ToPrint.From)
    Out += "From: " + printPerson(*ToPrint.From) + "\n";
  Out += "Subject: " + ToPrint.Subject + "\n\n";
  if (!ToPrint.Body.empty())
    Out += ToPrint.Body + "\n";
  Out += "---\n";
  if (!ToPrint.Notes.empty())
    Out += ToPrint.Notes + "\n\n";
  if (ToPrint.isEmpty())
    Out += NoChanges.str() + "\n";
  return Out + printDiffs(ToPrint.Files);
}

} // namespace kseries
