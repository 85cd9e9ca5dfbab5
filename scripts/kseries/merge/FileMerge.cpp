// SPDX-License-Identifier: GPL-2.0-only

#include "merge/FileMerge.h"
#include "git/GitError.h"
#include "git/Library.h"
#include "git/Objects.h"
#include "merge/Similarity.h"

using namespace llvm;

namespace kseries {

static git_merge_file_input input(StringRef Text) {
  git_merge_file_input Input;
  git_merge_file_input_init(&Input, GIT_MERGE_FILE_INPUT_VERSION);
  Input.ptr = Text.data() ? Text.data() : "";
  Input.size = Text.size();
  return Input;
}

Expected<MergedText> mergeText(StringRef Base, StringRef Ours, StringRef Theirs,
                               const MergeLabels &Labels) {
  kgit::startLibrary();
  if (isBinary(Base) || isBinary(Ours) || isBinary(Theirs))
    return MergedText{false, Ours.str()};
  git_merge_file_options Options;
  git_merge_file_options_init(&Options, GIT_MERGE_FILE_OPTIONS_VERSION);
  Options.our_label = Labels.Ours.c_str();
  Options.their_label = Labels.Theirs.c_str();
  git_merge_file_input OldFile = input(Base), OurFile = input(Ours),
                       TheirFile = input(Theirs);
  git_merge_file_result Raw{};
  if (git_merge_file(&Raw, &OldFile, &OurFile, &TheirFile, &Options))
    return kgit::lastError("cannot merge a file");
  MergedText Merged{Raw.automergeable != 0, std::string(Raw.ptr, Raw.len)};
  git_merge_file_result_free(&Raw);
  return Merged;
}

bool hasConflictMarkers(StringRef Text) {
  for (StringRef Line; !Text.empty();) {
    std::tie(Line, Text) = Text.split('\n');
    if (Line.starts_with("<<<<<<< ") || Line.starts_with(">>>>>>> "))
      return true;
  }
  return false;
}

} // namespace kseries
