// SPDX-License-Identifier: GPL-2.0-only

#include "engine/ParseFile.h"
#include "ast/DmaApi.h"
#include "ast/TranslationUnit.h"
#include "engine/ClangCompat.h"
#include "engine/Suppression.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

using namespace clang;
using namespace dmacheck;

llvm::Expected<CheckSet>
dmacheck::selectChecks(const std::vector<std::string> &Names) {
  CheckSet Set;
  for (const CheckInfo &Info : allChecks()) {
    if (!Names.empty() && !llvm::is_contained(Names, Info.Name))
      continue;
    Set.Checks.push_back(Info.Make());
    Set.Names.push_back(Info.Name.str());
    for (llvm::StringRef Word : Set.Checks.back()->identifiers())
      if (!llvm::is_contained(Set.Words, Word))
        Set.Words.push_back(Word);
  }
  // Whoever names wrappers of his own wants the files that call them.
  for (llvm::StringRef Word : DmaApi::get().addedNames())
    if (!llvm::is_contained(Set.Words, Word))
      Set.Words.push_back(Word);
  Set.Table = DmaApi::get().addedText();
  for (const std::string &Name : Names)
    if (!llvm::is_contained(Set.Names, Name))
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "%s: no such check; --list-checks names them", Name.c_str());
  return std::move(Set);
}

namespace {

/// Remembers the first error and where it was.
class FirstError : public DiagnosticConsumer {
public:
  explicit FirstError(const KernelTree &Tree) : Tree(Tree) {}
  std::string Text;

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error || !Text.empty())
      return;
    llvm::SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    if (Info.hasSourceManager() && Info.getLocation().isValid()) {
      const SourceManager &SM = Info.getSourceManager();
      PresumedLoc At =
          SM.getPresumedLoc(SM.getExpansionLoc(Info.getLocation()));
      if (At.isValid())
        Text = Tree.relative(At.getFilename())
                   .value_or(std::string(At.getFilename())) +
               ":" + std::to_string(At.getLine()) + ": ";
    }
    Text += Message.str();
  }

private:
  const KernelTree &Tree;
};

/// Turns what checks say into findings.
class FindingMaker {
public:
  FindingMaker(const KernelTree &Tree, const SourceManager &SM,
               const ParseJob &Job, std::vector<Finding> &Out)
      : Tree(Tree), SM(SM), Job(Job), Out(Out) {}

  void add(llvm::StringRef CheckName, const Defect &D) {
    Finding F;
    F.Check = CheckName.str();
    SourceLocation Loc = SM.getFileLoc(D.Loc);
    F.File = fileOf(Loc);
    F.Line = SM.getExpansionLineNumber(Loc);
    F.Column = SM.getExpansionColumnNumber(Loc);
    F.Function = D.Function ? D.Function->getNameAsString() : "";
    F.Message = D.Message;
    F.FlagsFrom = Job.Flags.From;
    if (auto Buffer = SM.getBufferOrNone(SM.getFileID(Loc)))
      F.Suppressed = suppressionReason(Buffer->getBuffer(), F.Line, F.Check);
    for (const Defect::Step &S : D.Path) {
      SourceLocation At = SM.getFileLoc(S.Loc);
      F.Path.push_back({fileOf(At), SM.getExpansionLineNumber(At), S.Note});
    }
    std::string Identity =
        F.Check + '\0' + F.File + '\0' + F.Function + '\0' + D.Key;
    // The same expressions twice in one function: first, second, ...
    if (unsigned N = ++Seen[Identity]; N > 1)
      Identity += "#" + std::to_string(N);
    F.Fingerprint =
        llvm::utohexstr(compat::hash(Identity), /*LowerCase=*/true, 16);
    Out.push_back(std::move(F));
  }

private:
  std::string fileOf(SourceLocation Loc) const {
    auto Ref = SM.getFileEntryRefForID(SM.getFileID(Loc));
    if (!Ref)
      return Job.File;
    llvm::SmallString<256> Path(Ref->getName());
    llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    return Tree.relative(Path).value_or(Path.str().str());
  }
  const KernelTree &Tree;
  const SourceManager &SM;
  const ParseJob &Job;
  std::vector<Finding> &Out;
  std::map<std::string, unsigned> Seen;
};

class Consumer : public ASTConsumer {
public:
  Consumer(const KernelTree &Tree, const CheckSet &Checks, const ParseJob &Job,
           ParseResult &Result, const SourceManager &SM)
      : Tree(Tree), Checks(Checks), Job(Job), Result(Result), SM(SM) {}

  /// Bodies in headers cost more than all the rest. Only those of headers that
  /// hold a word which a check cares about are parsed.
  bool shouldSkipFunctionBody(Decl *D) override {
    FileID File = SM.getFileID(SM.getExpansionLoc(D->getLocation()));
    if (File == SM.getMainFileID())
      return false;
    // What DEFINE_FREE() makes is a line long, and what it frees counts.
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      if (F->getIdentifier() && F->getName().starts_with("__free_"))
        return false;
    auto [It, New] = Interesting.try_emplace(File, false);
    if (New)
      if (auto Buffer = SM.getBufferOrNone(File))
        It->second = holdsAny(Buffer->getBuffer(), Checks.Words);
    return !It->second;
  }

  void HandleTranslationUnit(ASTContext &Ctx) override {
    if (Ctx.getDiagnostics().hasUncompilableErrorOccurred())
      return;
    TranslationUnit TU(Ctx);
    FindingMaker Make(Tree, SM, Job, Result.Findings);
    for (size_t I = 0; I < Checks.Checks.size(); ++I)
      Checks.Checks[I]->run(TU,
                            [&](Defect D) { Make.add(Checks.Names[I], D); });
  }

private:
  const KernelTree &Tree;
  const CheckSet &Checks;
  const ParseJob &Job;
  ParseResult &Result;
  const SourceManager &SM;
  llvm::DenseMap<FileID, bool> Interesting;
};

class Action : public ASTFrontendAction {
public:
  Action(const KernelTree &Tree, const CheckSet &Checks, const ParseJob &Job,
         ParseResult &Result)
      : Tree(Tree), Checks(Checks), Job(Job), Result(Result),
        Dependencies(std::make_shared<DependencyCollector>()) {}

  bool BeginInvocation(CompilerInstance &CI) override {
    CI.getFrontendOpts().SkipFunctionBodies = true;
    CI.setVerboseOutputStream(llvm::nulls()); // "1 error generated."
    CI.addDependencyCollector(Dependencies);
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return std::make_unique<Consumer>(Tree, Checks, Job, Result,
                                      CI.getSourceManager());
  }
  void EndSourceFileAction() override {
    FileManager &Files = getCompilerInstance().getFileManager();
    for (StringRef Each : Dependencies->getDependencies()) {
      llvm::SmallString<256> Path(Each);
      Files.makeAbsolutePath(Path);
      llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
      Result.Dependencies.push_back(Path.str().str());
    }
  }

private:
  const KernelTree &Tree;
  const CheckSet &Checks;
  const ParseJob &Job;
  ParseResult &Result;
  std::shared_ptr<DependencyCollector> Dependencies;
};

IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemFor(const ParseJob &Job) {
  // Each parse has a working directory of its own: the process's is shared by
  // all threads.
  IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk =
      llvm::vfs::createPhysicalFileSystem().release();
  if (!Job.Changed)
    return Disk;
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &Item : *Job.Changed)
    Memory->addFile(
        Item.first(), 0,
        llvm::MemoryBuffer::getMemBuffer(Item.second, Item.first()));
  auto Both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Disk);
  Both->pushOverlay(std::move(Memory));
  return Both;
}

void parse(const KernelTree &Tree, const CheckSet &Checks, const ParseJob &Job,
           ParseResult &Result) {
  auto VFS = fileSystemFor(Job);
  VFS->setCurrentWorkingDirectory(Job.Flags.Directory);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), VFS);
  std::vector<std::string> Args = {"clang"};
  Args.insert(Args.end(), Job.Flags.Args.begin(), Job.Flags.Args.end());
  for (const char *Arg :
       {"-fsyntax-only", "-w", "-Wno-everything", "-Qunused-arguments",
        "-resource-dir", DMACHECK_RESOURCE_DIR})
    Args.push_back(Arg);
  Args.push_back(Tree.absolute(Job.File));
  FirstError Errors(Tree);
  tooling::ToolInvocation Invocation(
      Args, std::make_unique<Action>(Tree, Checks, Job, Result), Files.get());
  Invocation.setDiagnosticConsumer(&Errors);
  bool Understood = Invocation.run();
  if (!Errors.Text.empty())
    Result.Error = Errors.Text;
  else if (!Understood)
    Result.Error = "clang gave up without saying why";
}

} // namespace

ParseResult dmacheck::parseFile(const KernelTree &Tree, const CheckSet &Checks,
                                const ParseJob &Job) {
  ParseResult Result;
  llvm::CrashRecoveryContext Guard;
  if (!Guard.RunSafely([&] { parse(Tree, Checks, Job, Result); })) {
    Result.Findings.clear();
    Result.Error = "clang crashed on this file";
  }
  return Result;
}
