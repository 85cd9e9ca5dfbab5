// SPDX-License-Identifier: GPL-2.0-only

#include "engine/JoinedLines.h"
#include <string>
#include <tuple>

using namespace llvm;

void dmacheck::forEachJoinedLine(StringRef Text,
                                 function_ref<void(StringRef)> Each) {
  std::string Joined;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Joined += Line.rtrim();
    if (StringRef(Joined).ends_with("\\")) {
      Joined.back() = ' ';
      continue;
    }
    Each(Joined);
    Joined.clear();
  }
}
