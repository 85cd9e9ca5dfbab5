// SPDX-License-Identifier: GPL-2.0-only
//
// What a rule of `kseries lint` is given and what it reports. A rule is a
// function; Rules.cpp has the table of them.

#ifndef KSERIES_LINT_RULE_H
#define KSERIES_LINT_RULE_H

#include "queue/Queue.h"
#include "queue/QueueCommits.h"
#include "queue/Workspace.h"

#include <optional>

namespace kseries {

/// The queue as the rules see it.
struct LintInput {
  const Workspace &Where;
  const Queue &Checked;
  const kgit::Repository &Repo;
  /// The commit below the lowest queue of the stack, and its name.
  kgit::Oid Root = {};
  std::string RootName = {};
  /// False for a base of one parentless commit and for a shallow clone: what
  /// cannot be found there says nothing.
  bool HasHistory = false;
  /// Nothing when the queue does not apply.
  std::optional<QueueCommits> Commits = {};
  /// The cover file's text; nothing without one.
  std::optional<std::string> Cover = {};
  /// The folder that holds series/, scripts/ and build/.
  std::string Top = {};
  /// A plain folder of the base, for the tools that want one.
  std::string Tree = {};

  /// "queue/patch-file".
  std::string nameOf(const QueuePatch &Patch) const {
    return Checked.Name + "/" + Patch.Entry.Name;
  }
};

struct Finding {
  /// "queue/file".
  std::string File;
  /// From 1; 0 when the file as a whole is meant.
  unsigned Line = 0;
  std::string Message;
  std::string Rule;
  /// Where the kernel asks for it.
  std::string Source;
};

class LintReport;

struct Rule {
  llvm::StringLiteral Name;
  /// A file of the kernel's Documentation/.
  llvm::StringLiteral Source;
  /// An error means that the rule could not be checked.
  llvm::Error (*Check)(const LintInput &Input, LintReport &Report);
};

/// Findings of one rule.
class LintReport {
public:
  LintReport(const Rule &By, std::vector<Finding> &Into) : By(By), Into(Into) {}

  void add(std::string File, unsigned Line, std::string Message) {
    add(std::move(File), Line, std::move(Message), By.Source.str());
  }
  /// \p Source is another one than the rule's.
  void add(std::string File, unsigned Line, std::string Message,
           std::string Source) {
    Into.push_back({std::move(File), Line, std::move(Message), By.Name.str(),
                    std::move(Source)});
  }

private:
  const Rule &By;
  std::vector<Finding> &Into;
};

llvm::ArrayRef<Rule> lintRules();

// In the order of the table.
llvm::Error checkEmptyPatch(const LintInput &, LintReport &);
llvm::Error checkFixesFirst(const LintInput &, LintReport &);
llvm::Error checkFixesTag(const LintInput &, LintReport &);
llvm::Error checkSubjectPrefix(const LintInput &, LintReport &);
llvm::Error checkLineLength(const LintInput &, LintReport &);
llvm::Error checkSignOff(const LintInput &, LintReport &);
llvm::Error checkLinks(const LintInput &, LintReport &);
llvm::Error checkStaleTags(const LintInput &, LintReport &);
llvm::Error checkDocumentation(const LintInput &, LintReport &);
llvm::Error checkCover(const LintInput &, LintReport &);
llvm::Error checkStyle(const LintInput &, LintReport &);
llvm::Error checkBuild(const LintInput &, LintReport &);
llvm::Error checkDma(const LintInput &, LintReport &);

} // namespace kseries

#endif // KSERIES_LINT_RULE_H
