// SPDX-License-Identifier: GPL-2.0-only

#include "Scratch.h"
#include "commands/Commands.h"
#include "queue/TextFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/wait.h>

using namespace llvm;

namespace kseries {

Scratch::Scratch() {
  SmallString<128> Made;
  if (sys::fs::createUniqueDirectory("kseries-test", Made))
    report_fatal_error("no directory for the test");
  Root = Made.str().str();
}

Scratch::~Scratch() { sys::fs::remove_directories(Root); }

std::string Scratch::path(StringRef Relative) const {
  return Root + "/" + Relative.str();
}

void Scratch::write(StringRef Relative, StringRef Text) const {
  std::string Path = path(Relative);
  sys::fs::create_directories(sys::path::parent_path(Path));
  ASSERT_FALSE(errorToBool(replaceTextFile(Path, Text))) << Path;
}

std::string Scratch::read(StringRef Relative) const {
  Expected<std::string> Text = readTextFile(path(Relative));
  if (Text)
    return *Text;
  ADD_FAILURE() << toString(Text.takeError());
  return "";
}

bool Scratch::exists(StringRef Relative) const {
  return sys::fs::exists(path(Relative));
}

int Scratch::exitCode(const std::string &Command) const {
  std::string Script = "cd '" + Root + "' && { " + Command + "\n} >'" + Root +
                       "/.out' 2>'" + Root + "/.err'";
  int Status = std::system(Script.c_str());
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

std::string Scratch::run(const std::string &Command) const {
  int Code = exitCode(Command);
  EXPECT_EQ(Code, 0) << Command << "\n" << read(".out") << read(".err");
  return StringRef(read(".out")).rtrim('\n').str();
}

void Scratch::commitBase() const {
  run("git init -q --bare linux.git");
  sys::fs::create_directories(path("tree"));
  run("git --git-dir=linux.git tag base " + commit("base"));
}

std::string Scratch::commit(const std::string &Message) const {
  return run("export GIT_DIR=$PWD/linux.git GIT_INDEX_FILE=$PWD/index "
             "GIT_AUTHOR_DATE='2026-01-01T00:00:00 +0100' "
             "GIT_COMMITTER_DATE='2026-01-01T00:00:00 +0100'\n"
             "git --work-tree=tree add -f -A .\n"
             "tip=$(git rev-parse -q --verify refs/heads/main || true)\n"
             "id=$(git commit-tree ${tip:+-p $tip} -m '" +
             Message +
             "' $(git write-tree))\n"
             "git update-ref refs/heads/main $id\n"
             "echo $id");
}

void Scratch::writeQueue(
    StringRef Name, StringRef Base,
    std::vector<std::pair<std::string, std::string>> Patches) const {
  std::string Directory = ("series/" + Name + "/").str();
  std::string Series;
  for (const auto &[PatchFile, Text] : Patches) {
    write(Directory + PatchFile, Text);
    Series += PatchFile + "\n";
  }
  write(Directory + "series", Series);
  write(Directory + "base", (Base + "\n").str());
}

Workspace Scratch::workspace() const {
  return cantFail(Workspace::find(path("series"), path("linux.git")));
}

kgit::Repository Scratch::repository() const {
  return cantFail(kgit::Repository::open(path("linux.git")));
}

Outcome Scratch::outcome(function_ref<Expected<int>(Streams)> Command) {
  Outcome Result{0, "", ""};
  raw_string_ostream Out(Result.Out), Err(Result.Err);
  Expected<int> Code = Command({Out, Err});
  if (Code) {
    Result.Code = *Code;
  } else {
    Result.Code = 2;
    Err << toString(Code.takeError());
  }
  return Result;
}

Outcome Scratch::apply(std::vector<std::string> Queues, bool Force) const {
  return outcome(
      [&](Streams To) { return applyQueues(workspace(), Queues, Force, To); });
}

Outcome Scratch::mbox(StringRef Queue) const {
  return outcome(
      [&](Streams To) { return printMails(workspace(), Queue, To); });
}

Outcome Scratch::exportBack(StringRef Queue) const {
  return outcome(
      [&](Streams To) { return exportQueue(workspace(), Queue, To); });
}

Outcome Scratch::rebase(const RebaseOptions &Options) const {
  return outcome(
      [&](Streams To) { return rebaseQueues(workspace(), Options, To); });
}

Outcome Scratch::status(bool Json) const {
  return outcome([&](Streams To) {
    return printStatus(workspace(), {},
                       Json ? StatusFormat::Json : StatusFormat::Text, To);
  });
}

Outcome Scratch::trailers(StringRef Queue, StringRef Mails) const {
  return outcome([&](Streams To) {
    return collectTrailers(workspace(), Queue, path(Mails), To);
  });
}

Outcome Scratch::lint(StringRef Queue, StringRef Tree,
                      std::vector<std::string> Skipped, bool Json) const {
  return outcome([&](Streams To) {
    return lintQueue(workspace(), Queue, {Json, path(Tree), Skipped}, To);
  });
}

std::string simplePatch(StringRef Subject, StringRef Path, StringRef Old,
                        StringRef New) {
  return ("Subject: " + Subject + "\n\nBecause.\n---\ndiff --git a/" + Path +
          " b/" + Path + "\n--- a/" + Path + "\n+++ b/" + Path +
          "\n@@ -1,7 +1,7 @@\n before 1\n before 2\n before 3\n-" + Old +
          "\n+" + New + "\n after 1\n after 2\n after 3\n")
      .str();
}

std::string simpleFile(StringRef Line) {
  return ("before 1\nbefore 2\nbefore 3\n" + Line +
          "\nafter 1\nafter 2\nafter 3\n")
      .str();
}

} // namespace kseries
