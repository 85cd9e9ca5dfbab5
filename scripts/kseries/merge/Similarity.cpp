// SPDX-License-Identifier: GPL-2.0-only

#include "merge/Similarity.h"

#include <algorithm>

using namespace llvm;

namespace kseries {

// Git's numbers: scores are comparable with its own only with these.
static constexpr uint32_t HashBase = 107927;
static constexpr unsigned LongestSpan = 64;
static constexpr size_t BinaryProbe = 8000;

bool isBinary(StringRef Text) {
  return Text.take_front(BinaryProbe).contains('\0');
}

Fingerprint::Fingerprint(StringRef Text) : Size(Text.size()) {
  bool DropCr = !isBinary(Text);
  uint32_t Low = 0, High = 0, Length = 0;
  auto Finish = [&] {
    if (Length)
      Spans.push_back({(Low + High * 0x61) % HashBase, Length});
    Low = High = Length = 0;
  };
  for (size_t I = 0; I < Text.size(); ++I) {
    auto Byte = static_cast<unsigned char>(Text[I]);
    if (DropCr && Byte == '\r' && I + 1 < Text.size() && Text[I + 1] == '\n')
      continue;
    uint32_t OldLow = Low;
    Low = ((Low << 7) ^ (High >> 25)) + Byte;
    High = (High << 7) ^ (OldLow >> 25);
    if (++Length == LongestSpan || Byte == '\n')
      Finish();
  }
  Finish();
  std::sort(Spans.begin(), Spans.end(),
            [](const Span &A, const Span &B) { return A.Hash < B.Hash; });
  std::vector<Span> Summed;
  for (const Span &S : Spans)
    if (!Summed.empty() && Summed.back().Hash == S.Hash)
      Summed.back().Bytes += S.Bytes;
    else
      Summed.push_back(S);
  Spans = std::move(Summed);
}

uint64_t Fingerprint::copied(const Fingerprint &From, const Fingerprint &To) {
  uint64_t Bytes = 0;
  auto Other = To.Spans.begin();
  for (const Span &S : From.Spans) {
    while (Other != To.Spans.end() && Other->Hash < S.Hash)
      ++Other;
    if (Other != To.Spans.end() && Other->Hash == S.Hash)
      Bytes += std::min(S.Bytes, Other->Bytes);
  }
  return Bytes;
}

bool sizesAllow(uint64_t A, uint64_t B, unsigned Least) {
  uint64_t Larger = std::max(A, B), Difference = Larger - std::min(A, B);
  return Larger * (FullScore - Least) >= Difference * FullScore;
}

unsigned similarity(const Fingerprint &From, const Fingerprint &To,
                    unsigned Least) {
  if (!To.size() || !sizesAllow(From.size(), To.size(), Least))
    return 0;
  return static_cast<unsigned>(Fingerprint::copied(From, To) * FullScore /
                               std::max(From.size(), To.size()));
}

} // namespace kseries
