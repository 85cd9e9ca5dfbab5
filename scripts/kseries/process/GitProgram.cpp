// SPDX-License-Identifier: GPL-2.0-only

#include "process/GitProgram.h"
#include "patch/PatchError.h"
#include "process/Program.h"

using namespace llvm;

namespace kseries {

Expected<std::string> runGit(ArrayRef<std::string> Arguments,
                             StringRef IndexFile) {
  std::vector<std::string> Words = {
      "-u", "GIT_DIR",        "-u", "GIT_WORK_TREE",
      "-u", "GIT_INDEX_FILE", "-u", "GIT_OBJECT_DIRECTORY"};
  if (!IndexFile.empty())
    Words.push_back(("GIT_INDEX_FILE=" + IndexFile).str());
  Words.insert(Words.end(),
               {"LC_ALL=C", "git", "-c", "core.hooksPath=/dev/null"});
  Words.insert(Words.end(), Arguments.begin(), Arguments.end());
  Expected<ProgramOutput> Output = runProgram("env", Words);
  if (!Output)
    return Output.takeError();
  if (Output->Code != 0)
    return inputError("git: " + complaintOf(*Output));
  return std::move(Output->Out);
}

} // namespace kseries
