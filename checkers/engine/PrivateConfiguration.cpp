// SPDX-License-Identifier: GPL-2.0-only

#include "engine/ClangCompat.h"
#include "engine/CleanExport.h"
#include "engine/Flags.h"
#include "engine/Kbuild.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dmacheck;

static Error oneLine(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

static std::string below(StringRef Dir, const Twine &Name) {
  SmallString<256> Path(Dir);
  sys::path::append(Path, Name);
  return Path.str().str();
}

std::string dmacheck::configurationDir(const KernelTree &Tree,
                                       StringRef BuildDir, const Twine &Kind,
                                       StringRef Apart) {
  std::string Key = Tree.root() + "|" + Tree.version() + Apart.str();
  return below(BuildDir, "config/" + Kind + "-" +
                             utohexstr(compat::hash(Key), /*LowerCase=*/true));
}

std::string dmacheck::archOfFile(StringRef File) {
  if (!File.consume_front("arch/"))
    return "";
  StringRef Name = File.split('/').first;
  return Name == "x86" ? "x86_64" : Name.str();
}

std::string dmacheck::archOfConfig(StringRef ConfigFile) {
  auto Text = MemoryBuffer::getFile(ConfigFile);
  if (!Text)
    return "";
  // "# Linux/x86 7.2.12 Kernel Configuration"
  StringRef Head = (*Text)->getBuffer().take_front(400);
  size_t At = Head.find("# Linux/");
  if (At == StringRef::npos)
    return "";
  StringRef Name = Head.substr(At + strlen("# Linux/")).split(' ').first;
  if (Name != "x86")
    return Name.str();
  return (*Text)->getBuffer().contains("\nCONFIG_64BIT=y\n") ? "x86_64"
                                                             : "i386";
}

namespace {

/// One configuration: an architecture, and a target or someone's .config.
class Configuration {
public:
  Configuration(const KernelTree &Tree, const ConfigOptions &Options,
                std::string Arch);

  /// Configures if that was not done before, and asks for the files that were
  /// not asked for before.
  Error prepare(const std::vector<std::string> &Files);

  const KbuildAnswer *answerFor(StringRef File) const {
    auto It = Answers.find(File);
    return It == Answers.end() || It->second.Command.empty() ? nullptr
                                                             : &It->second;
  }
  const std::string &arch() const { return Arch; }
  const std::string &objectDir() const { return ObjectDir; }
  std::string name() const {
    return Options.ConfigFile.empty() ? Arch + " " + Options.Target
                                      : "copy of .config";
  }

private:
  Error sourceTree(const std::vector<std::string> &Files);
  Error configure();
  void forgetChanged(const std::vector<std::string> &Files);
  Error ask(const std::vector<std::string> &Files);
  void load();
  Error store() const;
  std::string in(StringRef Name) const { return below(ObjectDir, Name); }
  void say(const Twine &Text) const {
    if (!Options.Quiet)
      errs() << "dmacheck: " << Text << "\n";
  }

  const KernelTree &Tree;
  const ConfigOptions &Options;
  std::string Arch, ObjectDir, Source;
  StringMap<KbuildAnswer> Answers;
  /// Folder -> state of its Makefile and Kconfig when it was last looked at.
  StringMap<std::string> Folders;
};

Configuration::Configuration(const KernelTree &Tree,
                             const ConfigOptions &Options, std::string A)
    : Tree(Tree), Options(Options), Arch(std::move(A)) {
  std::string Kind = Options.Target, Content;
  if (!Options.ConfigFile.empty()) {
    Kind = "copy";
    if (auto Text = MemoryBuffer::getFile(Options.ConfigFile))
      Content = "|" + (*Text)->getBuffer().str();
  }
  ObjectDir =
      configurationDir(Tree, Options.BuildDir, Arch + "-" + Kind, Content);
}

/// Kbuild refuses to build a tree elsewhere that was configured in place.
Error Configuration::sourceTree(const std::vector<std::string> &Files) {
  Source = Tree.root();
  if (!Tree.isConfiguredInPlace())
    return Error::success();
  Source = in("dmacheck.source");
  std::string Stamp = in("dmacheck.exported");
  // A file that is newer than the copy is not in it.
  if (sys::fs::exists(Stamp) && all_of(Files, [&](const std::string &File) {
        return sys::fs::exists(below(Source, File));
      }))
    return Error::success();
  say("linking a clean copy of " + Tree.root() +
      ", which was configured in place");
  if (Error E = exportWithoutBuild(Tree, Source))
    return E;
  std::error_code EC;
  raw_fd_ostream OS(Stamp, EC);
  return EC ? oneLine(Stamp + ": " + EC.message()) : Error::success();
}

Error Configuration::prepare(const std::vector<std::string> &Files) {
  if (std::error_code EC = sys::fs::create_directories(ObjectDir))
    return oneLine(ObjectDir + ": " + EC.message());
  // Two runs at once: the second waits and then finds everything done.
  for (;;) {
    LockFileManager Lock(in("dmacheck"));
    if (Lock == LockFileManager::LFS_Shared) {
      say("waiting for another run that configures the same tree");
      Lock.waitForUnlock();
      continue;
    }
    if (Lock == LockFileManager::LFS_Error)
      return oneLine(ObjectDir + ": " + Lock.getErrorMessage());
    if (Error E = sourceTree(Files))
      return E;
    load();
    size_t Known = Folders.size();
    forgetChanged(Files);
    if (Error E = configure())
      return E;
    std::vector<std::string> Missing;
    copy_if(Files, std::back_inserter(Missing),
            [&](const std::string &File) { return !Answers.contains(File); });
    if (Missing.empty())
      return Folders.size() == Known ? Error::success() : store();
    if (Error E = ask(Missing))
      return E;
    return store();
  }
}

/// Time and size, or nothing for a file that is not there.
static std::string stateOf(const Twine &Path) {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return "-";
  return std::to_string(
             Status.getLastModificationTime().time_since_epoch().count()) +
         ":" + std::to_string(Status.getSize());
}

/// Flags are as old as the Makefiles on the way to the file, and a
/// configuration as old as the Kconfig files there.
void Configuration::forgetChanged(const std::vector<std::string> &Files) {
  StringSet<> Looked;
  std::vector<std::string> Changed;
  bool Reconfigure = false;
  auto Look = [&](StringRef Folder) {
    if (!Looked.insert(Folder).second)
      return;
    std::string Kconfig = stateOf(Tree.absolute((Folder + "/Kconfig").str()));
    std::string Now = Kconfig + " " +
                      stateOf(Tree.absolute((Folder + "/Makefile").str())) +
                      " " + stateOf(Tree.absolute((Folder + "/Kbuild").str()));
    auto [It, New] = Folders.try_emplace(Folder, Now);
    if (New || It->second == Now)
      return;
    bool Top = Folder.empty() || Folder.starts_with("arch/");
    Reconfigure |= Top || StringRef(It->second).split(' ').first != Kconfig;
    Changed.push_back((Folder + "/").str());
    It->second = std::move(Now);
  };
  Look("");
  Look("arch/" + std::string(Arch == "x86_64" ? "x86" : Arch));
  for (StringRef File : Files)
    while (!(File = sys::path::parent_path(File)).empty())
      Look(File);
  if (Changed.empty())
    return;
  say("Makefiles have changed: asking again for what is below them");
  if (Reconfigure) {
    sys::fs::remove(in("dmacheck.configured"));
    Answers.clear();
    return;
  }
  std::vector<std::string> Old;
  for (const auto &Item : Answers)
    if (any_of(Changed, [&](const std::string &Folder) {
          return Item.first().starts_with(Folder);
        }))
      Old.push_back(Item.first().str());
  for (const std::string &File : Old)
    Answers.erase(File);
}

Error Configuration::configure() {
  std::string Stamp = in("dmacheck.configured");
  if (sys::fs::exists(Stamp))
    return Error::success();
  say("configuring " + Tree.root() + " (" + name() + ")");
  std::string Target = Options.Target;
  if (!Options.ConfigFile.empty()) {
    if (std::error_code EC =
            sys::fs::copy_file(Options.ConfigFile, in(".config")))
      return oneLine(Options.ConfigFile + ": " + EC.message());
    Target = "olddefconfig";
  }
  Kbuild K(Source, ObjectDir, Arch);
  if (Error E = K.run({"-s", Target}, in("dmacheck.config.log")))
    return E;
  say("generating headers");
  // Also builds what only a whole kernel needs (objtool, the vdso), and may
  // fail there for want of a library: the headers decide.
  if (Error E = K.run({"-s", "-k", "-j2", "prepare"},
                      in("dmacheck.prepare.log"), /*MayFail=*/true))
    return E;
  if (!sys::fs::exists(in("include/generated/asm-offsets.h")))
    if (Error E = K.run({"-s", "prepare"}, in("dmacheck.prepare.log")))
      return E;
  std::error_code EC;
  raw_fd_ostream OS(Stamp, EC);
  return EC ? oneLine(Stamp + ": " + EC.message()) : Error::success();
}

Error Configuration::ask(const std::vector<std::string> &Files) {
  say("asking kbuild for the flags of " + Twine(Files.size()) + " files (" +
      name() + ")");
  Kbuild K(Source, ObjectDir, Arch);
  auto New = K.ask(Files, in("dmacheck.rules.log"));
  if (!New)
    return New.takeError();
  std::vector<std::string> Headers;
  for (const std::string &File : Files) {
    KbuildAnswer &Answer = Answers[File]; // empty: no rule for it
    auto It = New->find(File);
    if (It == New->end())
      continue;
    Answer = std::move(It->second);
    append_range(Headers, Answer.Generated);
    if (Source == Tree.root())
      continue;
    // Findings are about the user's files, not about the copy.
    std::string Own;
    for (StringRef Rest = Answer.Command; !Rest.empty();) {
      size_t At = Rest.find(Source);
      Own += Rest.substr(0, At);
      if (At == StringRef::npos)
        break;
      Own += Tree.root();
      Rest = Rest.substr(At + Source.size());
    }
    Answer.Command = std::move(Own);
  }
  llvm::sort(Headers);
  Headers.erase(llvm::unique(Headers), Headers.end());
  return K.generate(Headers, in("dmacheck.generate.log"));
}

void Configuration::load() {
  Answers.clear();
  Folders.clear();
  auto Text = MemoryBuffer::getFile(in("dmacheck.answers.json"));
  if (!Text)
    return;
  auto Value = json::parse((*Text)->getBuffer());
  if (!Value) {
    consumeError(Value.takeError()); // cut off by a full disk: asked for anew
    return;
  }
  const json::Object *All = Value->getAsObject();
  for (bool Built : {true, false})
    if (const json::Object *Some =
            All ? All->getObject(Built ? "built" : "left-out") : nullptr)
      for (const auto &[File, Command] : *Some) {
        KbuildAnswer &Answer = Answers[File];
        Answer.Built = Built;
        Answer.Command = Command.getAsString().value_or("").str();
      }
  if (const json::Object *Known = All ? All->getObject("folders") : nullptr)
    for (const auto &[Folder, State] : *Known)
      Folders[Folder] = State.getAsString().value_or("").str();
}

Error Configuration::store() const {
  json::Object Built, LeftOut, Known;
  for (const auto &Item : Folders)
    Known[Item.first()] = Item.second;
  for (const auto &Item : Answers)
    (Item.second.Built ? Built : LeftOut)[Item.first()] = Item.second.Command;
  return writeToOutput(in("dmacheck.answers.json"), [&](raw_ostream &OS) {
    OS << json::Value(json::Object{{"built", std::move(Built)},
                                   {"left-out", std::move(LeftOut)},
                                   {"folders", std::move(Known)}});
    return Error::success();
  });
}

class PrivateFlags : public FlagSource {
public:
  PrivateFlags(const KernelTree &Tree, ConfigOptions O)
      : Options(std::move(O)) {
    for (const std::string &Arch : Options.Archs)
      Configurations.push_back(
          std::make_unique<Configuration>(Tree, Options, Arch));
    std::vector<std::string> Machines;
    for (const std::string &Arch : foldersIn(Tree.absolute("arch"))) {
      OtherHeaders.push_back(Arch + "/include");
      for (const std::string &Each : foldersIn(Arch + "/include/asm"))
        if (sys::path::filename(Each).starts_with("mach-"))
          Machines.push_back(Each);
    }
    append_range(OtherHeaders, Machines);
  }

  Error prepare(const std::vector<std::string> &Files) override {
    std::vector<std::string> Left = Files;
    for (const auto &Each : Configurations) {
      std::vector<std::string> Mine;
      copy_if(Left, std::back_inserter(Mine), [&](const std::string &File) {
        std::string Only = archOfFile(File);
        return Only.empty() || Only == Each->arch();
      });
      if (Mine.empty())
        continue;
      if (Error E = Each->prepare(Mine))
        return E;
      erase_if(Left, [&](const std::string &File) {
        const KbuildAnswer *Answer = Each->answerFor(File);
        return Answer && Answer->Built;
      });
    }
    return Error::success();
  }

  std::optional<CompileFlags> flagsFor(StringRef File) const override {
    const Configuration *LeftOutBy = nullptr;
    for (const auto &Each : Configurations)
      if (const KbuildAnswer *Answer = Each->answerFor(File)) {
        if (Answer->Built)
          return flags(*Each, *Answer, "");
        if (!LeftOutBy)
          LeftOutBy = Each.get();
      }
    if (!LeftOutBy)
      return std::nullopt;
    CompileFlags Flags = flags(*LeftOutBy, *LeftOutBy->answerFor(File),
                               ", as if it built the file");
    // A driver of another architecture's machines includes <asm/...> headers
    // that this one does not have.
    // Not those that it has: clang would look there last.
    for (const std::string &Dir : OtherHeaders)
      if (!is_contained(Flags.Args, Dir))
        append_range(Flags.Args, std::vector<std::string>{"-idirafter", Dir});
    return Flags;
  }

  std::string reasonFor(StringRef File) const override {
    std::string Only = archOfFile(File);
    if (!Only.empty() && !is_contained(Options.Archs, Only))
      return "belongs to another architecture: --arch " + Only;
    return "kbuild has no rule for it";
  }

private:
  static std::vector<std::string> foldersIn(const std::string &Dir) {
    std::vector<std::string> Out;
    std::error_code EC;
    for (sys::fs::directory_iterator It(Dir, EC), End; It != End && !EC;
         It.increment(EC))
      if (sys::fs::is_directory(It->path()))
        Out.push_back(It->path());
    llvm::sort(Out);
    return Out;
  }

  static CompileFlags flags(const Configuration &From,
                            const KbuildAnswer &Answer, StringRef Note) {
    return {From.objectDir(), parseFlags(Answer.Command, nullptr),
            "private " + From.name() + Note.str()};
  }

  ConfigOptions Options;
  std::vector<std::unique_ptr<Configuration>> Configurations;
  /// arch/*/include of the tree, then arch/*/include/asm/mach-*.
  std::vector<std::string> OtherHeaders;
};

} // namespace

std::unique_ptr<FlagSource>
dmacheck::privateConfiguration(const KernelTree &Tree, ConfigOptions Options) {
  return std::make_unique<PrivateFlags>(Tree, std::move(Options));
}
