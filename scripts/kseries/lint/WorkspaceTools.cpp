// SPDX-License-Identifier: GPL-2.0-only
//
// The rules that other programs of the workspace check.

#include "lint/PatchText.h"
#include "lint/Rule.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "process/Program.h"
#include "queue/AppliedQueue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;

namespace kseries {

static Error needsTree(const LintInput &Input) {
  if (sys::fs::exists(Input.Tree + "/MAINTAINERS"))
    return Error::success();
  return inputError(Input.Tree + ": not there: run 'make base', or give "
                                 "--tree");
}

/// The program's output; what it exits with above 1 is an error.
static Expected<std::string> outputOf(const std::string &Program,
                                      ArrayRef<std::string> Arguments,
                                      ErrorStream Errors) {
  if (!sys::fs::can_execute(Program))
    return inputError(Program + ": not there: run 'make tools' in the "
                                "workspace");
  Expected<ProgramOutput> Output = runProgram(Program, Arguments, Errors);
  if (!Output)
    return Output.takeError();
  if (Output->Code > 1)
    return inputError(Program + ": " + complaintOf(*Output));
  return std::move(Output->Out);
}

/// For programs that change to another directory.
static Expected<std::string> absolute(StringRef Path) {
  SmallString<256> Absolute(Path);
  if (std::error_code Code = sys::fs::make_absolute(Absolute))
    return inputError(Path + ": " + Code.message());
  return Absolute.str().str();
}

Error checkStyle(const LintInput &Input, LintReport &Report) {
  if (Error E = needsTree(Input))
    return E;
  for (const QueuePatch &Patch : Input.Checked.Patches) {
    Expected<std::string> Path = absolute(Patch.Path);
    if (!Path)
      return Path.takeError();
    Expected<std::string> Output =
        outputOf(Input.Top + "/scripts/checkpatch",
                 {"--git-dir", Input.Where.gitDirectory(), "--rev",
                  Input.Root.str(), Input.Tree, *Path},
                 ErrorStream::Capture);
    if (!Output)
      return Output.takeError();
    for (LineReader Lines(*Output); !Lines.atEnd(); Lines.skip()) {
      StringRef Line = Lines.peek();
      unsigned Number = 0;
      Line.consume_front(*Path);
      Line.consume_front(":");
      Line.consumeInteger(10, Number);
      Line.consume_front(": ");
      Report.add(Input.nameOf(Patch), Number, Line.str());
    }
  }
  return Error::success();
}

Error checkBuild(const LintInput &Input, LintReport &Report) {
  if (!Input.Commits)
    return Error::success(); // said by then: it does not apply
  Expected<std::string> Series = absolute(Input.Where.seriesDirectory());
  if (!Series)
    return Series.takeError();
  Expected<std::string> Output = outputOf(
      Input.Top + "/scripts/build-patches",
      {"--base", Input.RootName, "--series", *Series, Input.Checked.Name},
      ErrorStream::Show);
  if (!Output)
    return Output.takeError();
  for (LineReader Lines(*Output); !Lines.atEnd(); Lines.skip()) {
    StringRef Line = Lines.peek();
    if (!Line.consume_front("fail "))
      continue;
    auto [Patch, Verdict] = Line.split(' ');
    if (!Verdict.starts_with("checkpatch: ")) // has a rule of its own
      Report.add(Patch.str(), 0, Verdict.str());
  }
  return Error::success();
}

/// The folders of the C files that the queue touches.
static std::set<std::string> touchedFolders(const LintInput &Input) {
  std::set<std::string> Folders;
  for (const QueuePatch &Patch : Input.Checked.Patches)
    for (const FileDiff &File : Patch.Parsed.Files) {
      StringRef Folder = sys::path::parent_path(File.NewPath);
      if (StringRef(File.NewPath).ends_with(".c") &&
          sys::fs::is_directory(Twine(Input.Tree) + "/" + Folder))
        Folders.insert(Folder.str());
    }
  return Folders;
}

static Error addFinding(const LintInput &Input, StringRef Line,
                        LintReport &Report) {
  Expected<json::Value> Parsed = json::parse(Line);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Found = Parsed->getAsObject();
  if (!Found || Found->getString("origin") != "introduced")
    return Error::success();
  auto Text = [&](StringRef Key) {
    return Found->getString(Key).value_or("").str();
  };
  // dmacheck says "queue/patch"; queues below ours have their own lint.
  StringRef Patch = Found->getString("patch").value_or("");
  Patch.consume_front(Input.Checked.Name + "/");
  if (const QueuePatch *In = Input.Checked.find(Patch))
    Report.add(Input.nameOf(*In), 0,
               Text("file") + ":" +
                   std::to_string(Found->getInteger("line").value_or(0)) +
                   ": " + Text("message") + " (" + Text("check") + ")");
  return Error::success();
}

Error checkDma(const LintInput &Input, LintReport &Report) {
  std::set<std::string> Folders = touchedFolders(Input);
  if (!Input.Commits || Folders.empty())
    return Error::success();
  if (Error E = needsTree(Input))
    return E;
  Expected<AppliedQueue> Applied = readApplied(Input.Repo, Input.Checked.Name);
  if (!Applied)
    return Applied.takeError();
  if (!Applied->equals(*Input.Commits))
    return inputError(Input.Checked.Name +
                      ": not applied as it is now: run 'kseries apply " +
                      Input.Checked.Name + "'");
  std::vector<std::string> Arguments = {
      "--tree",      Input.Tree,
      "--git-dir",   Input.Where.gitDirectory(),
      "--build-dir", Input.Top + "/build",
      "--format",    "json"};
  Expected<std::vector<std::string>> Chain =
      Input.Where.chain(Input.Checked.Name);
  if (!Chain)
    return Chain.takeError();
  for (const std::string &Name : *Chain)
    Arguments.insert(Arguments.end(), {"--queue", Name});
  Arguments.insert(Arguments.end(), Folders.begin(), Folders.end());
  Expected<std::string> Output = outputOf(Input.Top + "/build/bin/dmacheck",
                                          Arguments, ErrorStream::Capture);
  if (!Output)
    return Output.takeError();
  for (LineReader Lines(*Output); !Lines.atEnd(); Lines.skip())
    if (Error E = addFinding(Input, Lines.peek(), Report))
      return E;
  return Error::success();
}

} // namespace kseries
