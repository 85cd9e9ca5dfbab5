// SPDX-License-Identifier: GPL-2.0-only

#include "engine/ClangCompat.h"
#include "engine/Flags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dmacheck;

namespace {

Error oneLine(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

/// Runs make in the tree with O= elsewhere. What it printed is in Log.
class Make {
public:
  Make(const KernelTree &Tree, const ConfigOptions &Options,
       std::string ObjectDir)
      : Tree(Tree), Options(Options), ObjectDir(std::move(ObjectDir)) {}

  Error run(ArrayRef<std::string> Words, StringRef Log,
            bool MayFail = false) const {
    auto Program = sys::findProgramByName("make");
    if (!Program)
      return oneLine("make: not installed; needed to configure the tree");
    std::vector<std::string> Args = {*Program,
                                     "-C",
                                     Tree.root(),
                                     "O=" + ObjectDir,
                                     "ARCH=" + Options.Arch,
                                     "LLVM=-19",
                                     "KBUILD_BUILD_TIMESTAMP=@0"};
    Args.insert(Args.end(), Words.begin(), Words.end());
    std::vector<StringRef> Argv(Args.begin(), Args.end());
    std::string Errors = (Log + ".err").str(), Message;
    std::optional<StringRef> Redirects[] = {StringRef("/dev/null"), Log,
                                            StringRef(Errors)};
    int Status = sys::ExecuteAndWait(*Program, Argv, std::nullopt, Redirects, 0,
                                     0, &Message);
    if (Status == 0 || (Status > 0 && MayFail))
      return Error::success();
    return oneLine("make " + join(Words, " ") + " failed in " + Tree.root() +
                   ": " + firstError(Errors, Message) + " (see " + Errors +
                   ")");
  }

private:
  static std::string firstError(StringRef File, StringRef Message) {
    if (auto Text = MemoryBuffer::getFile(File))
      for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
        StringRef Line;
        std::tie(Line, Rest) = Rest.split('\n');
        if (!Line.trim().empty())
          return Line.trim().str();
      }
    return Message.empty() ? "no message" : Message.str();
  }
  const KernelTree &Tree;
  const ConfigOptions &Options;
  std::string ObjectDir;
};

class PrivateFlags : public FlagSource {
public:
  PrivateFlags(const KernelTree &Tree, ConfigOptions O)
      : Tree(Tree), Options(std::move(O)) {
    // One folder a tree, version and kind of configuration.
    std::string Key = Tree.root() + "|" + Tree.version();
    SmallString<256> Dir(Options.BuildDir);
    sys::path::append(Dir, "config",
                      Options.Arch + "-" + Options.Target + "-" +
                          utohexstr(compat::hash(Key), /*LowerCase=*/true));
    ObjectDir = Dir.str().str();
  }

  Error prepare(const std::vector<std::string> &Files) override;

  std::optional<CompileFlags> flagsFor(StringRef File) const override {
    auto It = Commands.find(File);
    if (It == Commands.end() || It->second.empty())
      return std::nullopt;
    return CompileFlags{ObjectDir, parseFlags(It->second, nullptr),
                        "private " + Options.Target};
  }
  std::string reasonFor(StringRef) const override {
    return "not built by " + Options.Arch + " " + Options.Target;
  }

private:
  Error configure();
  Error askKbuild(const std::vector<std::string> &Files);
  void load();
  Error store() const;
  std::string in(StringRef Name) const {
    SmallString<256> P(ObjectDir);
    sys::path::append(P, Name);
    return P.str().str();
  }
  void say(const Twine &Text) const {
    if (!Options.Quiet)
      errs() << "dmacheck: " << Text << "\n";
  }

  const KernelTree &Tree;
  ConfigOptions Options;
  std::string ObjectDir;
  /// File -> command line; empty for a file that is not built.
  StringMap<std::string> Commands;
};

} // namespace

Error PrivateFlags::prepare(const std::vector<std::string> &Files) {
  if (Files.empty())
    return Error::success();
  if (Tree.isConfiguredInPlace())
    return oneLine(Tree.root() +
                   ": configured in place but not built, and kbuild refuses "
                   "another configuration of it; build it, add "
                   "compile_commands.json, or check a clean copy");
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
    if (Error E = configure())
      return E;
    load();
    std::vector<std::string> Missing;
    for (const std::string &File : Files)
      if (!Commands.contains(File))
        Missing.push_back(File);
    if (Missing.empty())
      return Error::success();
    if (Error E = askKbuild(Missing))
      return E;
    return store();
  }
}

Error PrivateFlags::configure() {
  std::string Stamp = in("dmacheck.configured");
  if (sys::fs::exists(Stamp))
    return Error::success();
  say("configuring " + Tree.root() + " (" + Options.Arch + " " +
      Options.Target + ")");
  Make M(Tree, Options, ObjectDir);
  if (Error E = M.run({"-s", Options.Target}, in("dmacheck.config.log")))
    return E;
  say("generating headers");
  if (Error E = M.run({"-s", "-j2", "prepare"}, in("dmacheck.prepare.log")))
    return E;
  std::error_code EC;
  raw_fd_ostream OS(Stamp, EC);
  return EC ? oneLine(Stamp + ": " + EC.message()) : Error::success();
}

/// Asks kbuild what it would run, without running it. Each object's rule ends
/// in
///   scripts/basic/fixdep DEPFILE OBJECT 'COMMAND' > OBJECT.cmd
Error PrivateFlags::askKbuild(const std::vector<std::string> &Files) {
  say("asking kbuild for the flags of " + Twine(Files.size()) + " files");
  std::vector<std::string> Words = {"-n", "-k", "V=1"};
  for (const std::string &File : Files) {
    Words.push_back(StringRef(File).drop_back(2).str() + ".o");
    Commands[File] = "";
  }
  std::string Log = in("dmacheck.rules.log");
  // A file that this configuration does not build has no rule: no failure.
  if (Error E = Make(Tree, Options, ObjectDir).run(Words, Log, true))
    return E;
  auto Text = MemoryBuffer::getFile(Log);
  if (!Text)
    return oneLine(Log + ": " + Text.getError().message());
  for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    size_t At = Line.find("scripts/basic/fixdep ");
    if (At == StringRef::npos)
      continue;
    auto [Names, Command] = Line.substr(At).split('\'');
    SmallVector<StringRef, 4> Parts;
    Names.trim().split(Parts, ' ');
    StringRef Quoted = Command.rsplit('\'').first;
    if (Parts.size() < 3 || !Parts[2].ends_with(".o"))
      continue;
    std::string File = (Parts[2].drop_back(2) + ".c").str();
    auto It = Commands.find(File);
    if (It == Commands.end())
      continue;
    // The shell's quoting of a quote inside quotes.
    It->second.clear();
    for (StringRef R = Quoted; !R.empty();) {
      auto [Head, Tail] = R.split("'\\''");
      It->second += Head;
      if (Tail.data() != R.data() && Head.size() != R.size())
        It->second += '\'';
      R = Tail;
    }
  }
  return Error::success();
}

void PrivateFlags::load() {
  Commands.clear();
  auto Text = MemoryBuffer::getFile(in("dmacheck.commands.json"));
  if (!Text)
    return;
  auto Value = json::parse((*Text)->getBuffer());
  if (!Value) {
    consumeError(Value.takeError()); // cut off by a full disk: asked for anew
    return;
  }
  if (const json::Object *All = Value->getAsObject())
    for (const auto &[File, Command] : *All)
      Commands[File] = Command.getAsString().value_or("").str();
}

Error PrivateFlags::store() const {
  json::Object All;
  for (const auto &Item : Commands)
    All[Item.first()] = Item.second;
  std::string Path = in("dmacheck.commands.json");
  return writeToOutput(Path, [&](raw_ostream &OS) {
    OS << json::Value(std::move(All));
    return Error::success();
  });
}

std::unique_ptr<FlagSource>
dmacheck::privateConfiguration(const KernelTree &Tree, ConfigOptions Options) {
  return std::make_unique<PrivateFlags>(Tree, std::move(Options));
}
