// SPDX-License-Identifier: GPL-2.0-only

#include "checks/Check.h"
#include "checks/Pages.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace dmacheck;

static std::vector<CheckInfo> &entries() {
  static std::vector<CheckInfo> Entries;
  return Entries;
}

registry::Entry::Entry(llvm::StringRef Name, std::unique_ptr<Check> (*Make)()) {
  entries().push_back({Name, pageOf(Name), Make});
}

llvm::ArrayRef<CheckInfo> dmacheck::allChecks() {
  // Static initialisation orders the entries by link order; users get names.
  static const bool Sorted = [] {
    llvm::sort(entries(), [](const CheckInfo &A, const CheckInfo &B) {
      return A.Name < B.Name;
    });
    return true;
  }();
  (void)Sorted;
  return entries();
}

llvm::StringRef CheckInfo::summary() const {
  // "# name\n\nOne sentence.\n..."
  llvm::StringRef Rest = Page.split('\n').second.ltrim();
  return Rest.split('\n').first;
}
