// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Progress.h"
#include "llvm/Support/raw_ostream.h"

using namespace dmacheck;

ProgressLine::ProgressLine(bool Show, llvm::StringRef What, unsigned Total)
    : Show(Show && Total > 1), What(What.str()), Total(Total),
      Start(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() const {
  if (Show)
    llvm::errs() << "\r\x1b[K";
}

void ProgressLine::step() {
  ++Done;
  if (!Show)
    return;
  std::chrono::duration<double> Used = std::chrono::steady_clock::now() - Start;
  unsigned Left = static_cast<unsigned>(Used.count() / Done * (Total - Done));
  clear();
  llvm::errs() << What << " " << Done << "/" << Total << ", " << Left
               << " s left";
}
