// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Commands.h"
#include "commands/QueueStack.h"
#include "lint/Rule.h"
#include "patch/PatchError.h"
#include "queue/TextFile.h"
#include "queue/Transaction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kseries {

/// Says of a queue that does not apply what any command would.
static Expected<Finding> doesNotApply(Error E, StringRef Queue) {
  Finding Found{Queue.str(), 0, "", "apply",
                "Documentation/process/submitting-patches.rst"};
  Error Rest = handleErrors(std::move(E), [&](const PatchError &Failure) {
    Found.File = (Queue + "/" + sys::path::filename(Failure.PatchFile)).str();
    Found.Line = Failure.Line;
    Found.Message = Failure.Message;
  });
  if (Rest)
    return std::move(Rest);
  return Found;
}

static Error checkNames(ArrayRef<std::string> Skipped) {
  for (const std::string &Name : Skipped)
    if (none_of(lintRules(), [&](const Rule &R) { return R.Name == Name; })) {
      std::vector<StringRef> Names;
      for (const Rule &Each : lintRules())
        Names.push_back(Each.Name);
      return inputError("no rule '" + Name +
                        "'; there are: " + join(Names, ", "));
    }
  return Error::success();
}

static void printText(StringRef Queue, size_t Rules, ArrayRef<Finding> Findings,
                      raw_ostream &OS) {
  for (const Finding &Each : Findings) {
    OS << Each.File;
    if (Each.Line)
      OS << ':' << Each.Line;
    OS << ": " << Each.Message << " [" << Each.Rule
       << "] (source: " << Each.Source << ")\n";
  }
  OS << Queue << ": " << Rules << " rules, "
     << (Findings.empty() ? "no" : utostr(Findings.size())) << " finding"
     << (Findings.size() == 1 ? "" : "s") << '\n';
}

static void printJson(StringRef Queue, ArrayRef<StringRef> Rules,
                      ArrayRef<Finding> Findings, raw_ostream &OS) {
  json::Array List;
  for (const Finding &Each : Findings)
    List.push_back(json::Object{
        {"file", json::fixUTF8(Each.File)},
        {"line", Each.Line ? json::Value(Each.Line) : json::Value(nullptr)},
        {"message", json::fixUTF8(Each.Message)},
        {"rule", Each.Rule},
        {"source", Each.Source}});
  OS << formatv("{0:2}",
                json::Value(json::Object{{"queue", Queue},
                                         {"rules", json::Array(Rules)},
                                         {"findings", std::move(List)}}))
     << '\n';
}

/// Reads the queue and commits it in memory. The lock is not held while the
/// rules run: one of them compiles.
static Error readInput(QueueStack &Stack, LintInput &Input,
                       std::vector<Finding> &Findings) {
  const Workspace &Where = Input.Where;
  StringRef Name = Input.Checked.Name;
  Expected<std::vector<std::string>> Chain = Where.chain(Name);
  if (!Chain)
    return Chain.takeError();
  Expected<std::string> RootName = Where.baseName(Chain->front());
  if (!RootName)
    return RootName.takeError();
  Input.RootName = *RootName;
  Expected<kgit::Oid> Root =
      Where.baseCommit(Stack.repository(), Chain->front());
  if (!Root)
    return Root.takeError();
  Input.Root = *Root;
  Expected<kgit::Commit> Base = Stack.repository().commit(*Root);
  if (!Base)
    return Base.takeError();
  Input.HasHistory = !Base->parents().empty() &&
                     !git_repository_is_shallow(Stack.repository().raw());
  Expected<const QueueCommits *> Commits = Stack.commit(Name);
  if (Commits) {
    Input.Commits = **Commits;
  } else {
    Expected<Finding> Failed = doesNotApply(Commits.takeError(), Name);
    if (!Failed)
      return Failed.takeError();
    Findings.push_back(std::move(*Failed));
  }
  std::string CoverPath = Where.pathOf(Name, "cover");
  if (!sys::fs::exists(CoverPath))
    return Error::success();
  Expected<std::string> Cover = readTextFile(CoverPath);
  if (!Cover)
    return Cover.takeError();
  Input.Cover = std::move(*Cover);
  return Error::success();
}

Expected<int> lintQueue(const Workspace &Where, StringRef Name,
                        const LintOptions &Options, Streams To) {
  if (!Where.hasQueue(Name))
    return inputError("no queue '" + Name + "' in " + Where.seriesDirectory());
  if (Error E = checkNames(Options.Skipped))
    return E;
  std::optional<QueueLock> Lock;
  if (Error E = settle(Where, To.Err).moveInto(Lock))
    return E;
  Expected<QueueStack> Stack = QueueStack::open(Where);
  if (!Stack)
    return Stack.takeError();
  Expected<const Queue *> Loaded = Stack->load(Name);
  if (!Loaded)
    return Loaded.takeError();
  LintInput Input{Where, **Loaded, Stack->repository()};
  std::vector<Finding> Findings;
  if (Error E = readInput(*Stack, Input, Findings))
    return E;
  Lock.reset();

  SmallString<256> Top(Where.seriesDirectory());
  if (std::error_code Code = sys::fs::make_absolute(Top))
    return inputError(Where.seriesDirectory() + ": " + Code.message());
  Input.Top = sys::path::parent_path(Top).str();
  Input.Tree = Options.Tree.empty()
                   ? Input.Top + "/build/worktrees/" + Input.RootName
                   : Options.Tree;
  std::vector<StringRef> Ran;
  bool Complete = true;
  for (const Rule &Each : lintRules()) {
    if (is_contained(Options.Skipped, Each.Name))
      continue;
    LintReport Report(Each, Findings);
    if (Error E = Each.Check(Input, Report)) {
      // What the other rules find is worth knowing all the same.
      To.Err << "kseries: rule " << Each.Name << ": " << toString(std::move(E))
             << '\n';
      Complete = false;
      continue;
    }
    Ran.push_back(Each.Name);
  }
  if (Options.Json)
    printJson(Name, Ran, Findings, To.Out);
  else
    printText(Name, Ran.size(), Findings, To.Out);
  if (!Complete)
    return 2;
  return Findings.empty() ? 0 : 1;
}

} // namespace kseries
