// SPDX-License-Identifier: GPL-2.0-only
//
// What a check is. A check sees one translation unit and nothing of files, git
// or reports; it registers itself with DMACHECK_REGISTER in its own file.

#ifndef DMACHECK_CHECKS_CHECK_H
#define DMACHECK_CHECKS_CHECK_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <memory>
#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace dmacheck {

class TranslationUnit;

/// What a check says about one place.
struct Defect {
  struct Step {
    clang::SourceLocation Loc;
    std::string Note;
  };
  clang::SourceLocation Loc;
  const clang::FunctionDecl *Function = nullptr;
  std::string Message;
  /// The normalised expressions that tell this finding from another of the
  /// same check in the same function. Goes into the fingerprint.
  std::string Key;
  llvm::SmallVector<Step, 4> Path;
};

using Reporter = std::function<void(Defect)>;

class Check {
public:
  virtual ~Check() = default;

  /// A file that holds none of these words cannot have a finding.
  virtual llvm::ArrayRef<llvm::StringLiteral> identifiers() const = 0;

  virtual void run(TranslationUnit &TU, const Reporter &Report) const = 0;
};

/// A registered check: its name, its page in Markdown (the first line after
/// the heading is the summary), and how to make one.
struct CheckInfo {
  llvm::StringRef Name;
  llvm::StringRef Page;
  std::unique_ptr<Check> (*Make)();

  llvm::StringRef summary() const;
};

/// All checks, sorted by name.
llvm::ArrayRef<CheckInfo> allChecks();

namespace registry {
struct Entry {
  Entry(llvm::StringRef Name, std::unique_ptr<Check> (*Make)());
};
} // namespace registry

#define DMACHECK_REGISTER(NAME, CLASS)                                         \
  static const dmacheck::registry::Entry CLASS##Entry(                         \
      NAME, []() -> std::unique_ptr<dmacheck::Check> {                         \
        return std::make_unique<CLASS>();                                      \
      });

} // namespace dmacheck

#endif
