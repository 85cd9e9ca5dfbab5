// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Kbuild.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <map>

using namespace llvm;
using namespace dmacheck;

static Error oneLine(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

static std::string firstError(StringRef File, StringRef Message) {
  std::string First;
  if (auto Text = MemoryBuffer::getFile(File))
    for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
      StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      // Some messages stand in a frame of asterisks.
      Line = Line.trim().trim('*').trim();
      if (Line.contains("error:"))
        return Line.str();
      if (First.empty())
        First = Line.str();
    }
  if (!First.empty())
    return First;
  return Message.empty() ? "no message" : Message.str();
}

Error Kbuild::run(const std::vector<std::string> &Words, StringRef Log,
                  bool MayFail) const {
  auto Program = sys::findProgramByName("make");
  if (!Program)
    return oneLine("make: not installed; needed to configure the tree, which "
                   "--no-kbuild does without");
  // Python would leave compiled modules beside the scripts of the tree.
  std::vector<std::string> Args = {*Program,
                                   "-C",
                                   Source,
                                   "O=" + Objects,
                                   "ARCH=" + Arch,
                                   "LLVM=-19",
                                   "KBUILD_BUILD_TIMESTAMP=@0",
                                   "PYTHONDONTWRITEBYTECODE=1"};
  Args.insert(Args.end(), Words.begin(), Words.end());
  std::vector<StringRef> Argv(Args.begin(), Args.end());
  std::string Errors = (Log + ".err").str(), Message;
  std::optional<StringRef> Redirects[] = {StringRef("/dev/null"), Log,
                                          StringRef(Errors)};
  int Status = sys::ExecuteAndWait(*Program, Argv, std::nullopt, Redirects, 0,
                                   0, &Message);
  if (Status == 0 || (Status > 0 && MayFail))
    return Error::success();
  // The question to kbuild is long; its first words say what it was about.
  std::string What = join(ArrayRef(Words).take_front(4), " ");
  return oneLine("make " + What + " failed in " + Source + ": " +
                 firstError(Errors, Message) + " (see " + Errors + ")");
}

// Kbuild runs a source checker on each file that it compiles and gives it all
// flags, so the question is put as the command line of such a checker, which
// make -n prints and does not run:
//
//   dmacheck-asks OBJECT built|left-out GENERATED... -FLAG... SOURCE
//
// The variables in it are expanded where the object's recipe is, by the
// Makefile.build of its folder.
static constexpr StringLiteral Marker = "dmacheck-asks ";
static constexpr StringLiteral Checker =
    "CHECK=dmacheck-asks $@ "
    "$(if $(filter $@,$(real-obj-y) $(real-obj-m) $(lib-y)),built,left-out) "
    "$(filter %.h %.inc,$^ $|)";

Expected<StringMap<KbuildAnswer>>
Kbuild::ask(const std::vector<std::string> &Files, StringRef Log) const {
  // A variable set on the command line outdoes what the Makefile finds out
  // about the checker. One job: the lines of two would mix in the log.
  std::vector<std::string> Words = {"-n", "-k", "KBUILD_CHECKSRC=1",
                                    "CHECKFLAGS=", Checker.str()};
  // Any other name is no goal to make, but an assignment or an option.
  for (StringRef File : Files)
    if (all_of(File,
               [](char C) {
                 return isAlnum(C) || StringRef("/._-+,").contains(C);
               }) &&
        !File.starts_with("-"))
      Words.push_back(File.drop_back(2).str() + ".o");
  if (Error E = run(Words, Log, /*MayFail=*/true))
    return std::move(E);
  auto Text = MemoryBuffer::getFile(Log);
  if (!Text)
    return oneLine(Log + ": " + Text.getError().message());
  return parseKbuildAnswers((*Text)->getBuffer());
}

StringMap<KbuildAnswer> dmacheck::parseKbuildAnswers(StringRef Log) {
  StringMap<KbuildAnswer> Answers;
  for (StringRef Rest = Log; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    // With V=1 the command is echoed first, on the same line.
    size_t At = Line.rfind(Marker);
    if (At == StringRef::npos)
      continue;
    Line = Line.substr(At + Marker.size());
    auto [Object, AfterObject] = Line.split(' ');
    auto [State, Words] = AfterObject.split(' ');
    if (!Object.consume_back(".o") || (State != "built" && State != "left-out"))
      continue;
    KbuildAnswer Answer;
    Answer.Built = State == "built";
    Words = Words.ltrim();
    while (!Words.empty() && !Words.starts_with("-")) {
      auto [Header, More] = Words.split(' ');
      Answer.Generated.push_back(Header.str());
      Words = More.ltrim();
    }
    Answer.Command = Words.str();
    Answers[(Object + ".c").str()] = std::move(Answer);
  }
  return Answers;
}

Error Kbuild::generate(const std::vector<std::string> &Headers,
                       StringRef Log) const {
  std::map<std::string, std::string> ByFolder;
  for (const std::string &Header : Headers) {
    SmallString<256> Path(Objects);
    sys::path::append(Path, Header);
    if (sys::path::is_absolute(Header) || sys::fs::exists(Path))
      continue;
    // The rule stands in the folder of the objects, or above it.
    SmallString<256> Folder(sys::path::parent_path(Header));
    while (!Folder.empty()) {
      SmallString<256> Makefile(Source), Kbuild(Source);
      sys::path::append(Makefile, Folder, "Makefile");
      sys::path::append(Kbuild, Folder, "Kbuild");
      if (sys::fs::exists(Makefile) || sys::fs::exists(Kbuild))
        break;
      sys::path::remove_filename(Folder);
    }
    if (!Folder.empty())
      ByFolder[Folder.str().str()] += " " + Header;
  }
  if (ByFolder.empty())
    return Error::success();
  // A rule of our own in the top-level Makefile, where all that a folder's
  // Makefile needs is exported. It must not become anyone's default goal.
  std::string Rule = "dmacheck-generate: ;";
  for (const auto &[Folder, Targets] : ByFolder)
    Rule += " $(MAKE) -k -f $(srctree)/scripts/Makefile.build obj=" + Folder +
            Targets + ";";
  return run({"-s", "-k", "--eval=" + Rule,
              "--eval=.DEFAULT_GOAL :=", "dmacheck-generate"},
             Log, /*MayFail=*/true);
}
