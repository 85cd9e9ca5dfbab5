// SPDX-License-Identifier: GPL-2.0-only
//
// Results of earlier parses, keyed on everything that they depend on: the file,
// its flags, the contents of every header that was read, and this program.

#ifndef DMACHECK_ENGINE_RESULTCACHE_H
#define DMACHECK_ENGINE_RESULTCACHE_H

#include "engine/ParseFile.h"
#include <mutex>

namespace dmacheck {

class ResultCache {
public:
  /// Dir is made when the first result is stored. Program is this executable:
  /// another build of it has other results. An empty Dir caches nothing.
  ResultCache(std::string Dir, llvm::StringRef Program, const CheckSet &Checks);

  std::optional<ParseResult> find(const ParseJob &Job, const KernelTree &Tree);
  /// A result that cannot be stored is only parsed again next time.
  void store(const ParseJob &Job, const KernelTree &Tree,
             const ParseResult &Result);

private:
  std::string pathFor(const ParseJob &Job, const KernelTree &Tree) const;
  /// Hash of a file's content, the overlay's if it has one. Empty if the file
  /// cannot be read.
  std::string contentOf(llvm::StringRef Path, const Overlay *Changed);

  std::string Dir, Version;
  std::mutex Lock;
  llvm::StringMap<std::string> OnDisk; ///< hashes of this run
};

} // namespace dmacheck

#endif
