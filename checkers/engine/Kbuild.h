// SPDX-License-Identifier: GPL-2.0-only
//
// The tree's own kbuild, run with another folder for all that it writes.

#ifndef DMACHECK_ENGINE_KBUILD_H
#define DMACHECK_ENGINE_KBUILD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace dmacheck {

/// What kbuild says of one file.
struct KbuildAnswer {
  std::string Command; ///< the compiler's options, quoted as for a shell
  bool Built = false;  ///< the configuration builds the file
  /// Headers that kbuild generates first, relative to the object folder.
  std::vector<std::string> Generated;
};

class Kbuild {
public:
  /// Source: top of a tree that was not configured in place. Arch: as ARCH=.
  Kbuild(std::string Source, std::string Objects, std::string Arch)
      : Source(std::move(Source)), Objects(std::move(Objects)),
        Arch(std::move(Arch)) {}

  /// make Words, with its output in the file Log and Log.err. Fails with one
  /// line; not if some target failed and MayFail is set.
  llvm::Error run(const std::vector<std::string> &Words, llvm::StringRef Log,
                  bool MayFail = false) const;

  /// Asks for the flags of files (relative to the tree), without building any.
  /// A file that kbuild has no rule for is not in the answer. Takes 20 s of CPU
  /// for the 2,800 candidates of 7.2.
  llvm::Expected<llvm::StringMap<KbuildAnswer>>
  ask(const std::vector<std::string> &Files, llvm::StringRef Log) const;

  /// Makes headers that answers named and that are not there yet. One that
  /// cannot be made is no error here: whoever includes it does not parse.
  llvm::Error generate(const std::vector<std::string> &Headers,
                       llvm::StringRef Log) const;

private:
  std::string Source, Objects, Arch;
};

/// Reads what ask() made kbuild print.
llvm::StringMap<KbuildAnswer> parseKbuildAnswers(llvm::StringRef Log);

} // namespace dmacheck

#endif
