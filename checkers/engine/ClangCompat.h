// SPDX-License-Identifier: GPL-2.0-only
//
// Where LLVM's API differs between releases, and nowhere else. LLVM 19 is the
// reference.

#ifndef DMACHECK_ENGINE_CLANGCOMPAT_H
#define DMACHECK_ENGINE_CLANGCOMPAT_H

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"

namespace dmacheck::compat {

#if LLVM_VERSION_MAJOR >= 19
using ThreadPool = llvm::DefaultThreadPool;
#else
using ThreadPool = llvm::ThreadPool;
#endif

/// A hash for cache keys and fingerprints; the same on every machine.
inline uint64_t hash(llvm::StringRef Text) { return llvm::xxh3_64bits(Text); }

} // namespace dmacheck::compat

#endif
