// SPDX-License-Identifier: GPL-2.0-only
//
// A directory for one test, thrown away with it: a bare repository linux.git
// with the tag "base", and queues below series/. git itself is the oracle.

#ifndef KSERIES_TESTS_SCRATCH_H
#define KSERIES_TESTS_SCRATCH_H

#include "commands/Commands.h"
#include "commands/Rebase.h"
#include "git/Repository.h"
#include "queue/Workspace.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace kseries {

/// What a command of kseries gave.
struct Outcome {
  /// The exit code that main would give: 2 for an error.
  int Code;
  std::string Out;
  /// The error's lines and what the command wrote to its error stream.
  std::string Err;
};

class Scratch {
public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch &) = delete;

  std::string path(llvm::StringRef Relative) const;
  void write(llvm::StringRef Relative, llvm::StringRef Text) const;
  std::string read(llvm::StringRef Relative) const;
  bool exists(llvm::StringRef Relative) const;

  /// Runs a shell command here and gives its output without the last newline;
  /// a failure fails the test.
  std::string run(const std::string &Command) const;
  /// The same where failing is what is looked for: the exit code.
  int exitCode(const std::string &Command) const;

  /// Makes linux.git with one commit of what is in tree/, tagged "base".
  void commitBase() const;
  /// Commits what is in tree/ on top and gives the commit's id.
  std::string commit(const std::string &Message) const;
  /// Writes a queue of these patches, in this order.
  void
  writeQueue(llvm::StringRef Name, llvm::StringRef Base,
             std::vector<std::pair<std::string, std::string>> Patches) const;

  /// Runs a command of kseries.
  static Outcome
  outcome(llvm::function_ref<llvm::Expected<int>(Streams)> Command);

  Workspace workspace() const;
  kgit::Repository repository() const;

  Outcome apply(std::vector<std::string> Queues, bool Force = false) const;
  Outcome mbox(llvm::StringRef Queue) const;
  Outcome exportBack(llvm::StringRef Queue) const;
  Outcome rebase(const RebaseOptions &Options) const;
  Outcome status(bool Json = false) const;
  /// \p Mails is a path below this directory.
  Outcome trailers(llvm::StringRef Queue, llvm::StringRef Mails) const;
  /// So is \p Tree.
  Outcome lint(llvm::StringRef Queue, llvm::StringRef Tree,
               std::vector<std::string> Skipped = {}, bool Json = false) const;

private:
  std::string Root;
};

/// A patch in the queue's own form that replaces the line \p Old of a file
/// which has three numbered lines around it.
std::string simplePatch(llvm::StringRef Subject, llvm::StringRef Path,
                        llvm::StringRef Old, llvm::StringRef New);

/// "before 1..3", the line, "after 1..3".
std::string simpleFile(llvm::StringRef Line);

} // namespace kseries

#endif // KSERIES_TESTS_SCRATCH_H
