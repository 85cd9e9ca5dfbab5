// SPDX-License-Identifier: GPL-2.0-only
//
// Done, total and time left, on one line of a terminal; nothing on a pipe.

#ifndef DMACHECK_ENGINE_PROGRESS_H
#define DMACHECK_ENGINE_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <string>

namespace dmacheck {

class ProgressLine {
public:
  ProgressLine(bool Show, llvm::StringRef What, unsigned Total);
  ~ProgressLine();
  void step();

private:
  void clear() const;
  bool Show;
  std::string What;
  unsigned Done = 0, Total;
  std::chrono::steady_clock::time_point Start;
};

} // namespace dmacheck

#endif
