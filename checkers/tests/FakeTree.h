// SPDX-License-Identifier: GPL-2.0-only
//
// A folder that looks enough like a kernel tree to be opened as one.

#ifndef DMACHECK_TESTS_FAKETREE_H
#define DMACHECK_TESTS_FAKETREE_H

#include "engine/KernelTree.h"
#include "engine/ParseFile.h"

namespace dmacheck::test {

/// Gone with its contents when the object is.
class FakeTree {
public:
  FakeTree();
  ~FakeTree();
  FakeTree(const FakeTree &) = delete;
  FakeTree &operator=(const FakeTree &) = delete;

  const std::string &root() const { return Root; }
  KernelTree open() const;
  std::string path(llvm::StringRef Relative) const;
  /// Makes the folders on the way too.
  void write(llvm::StringRef Relative, llvm::StringRef Text) const;

private:
  std::string Root;
};

/// One fixture source through clang, with the kernel-like headers of this
/// folder. Defines: "LOCKDEP_ON" and the like.
ParseResult parseText(llvm::StringRef Text, const CheckSet &Checks,
                      const std::vector<std::string> &Defines);

} // namespace dmacheck::test

#endif
