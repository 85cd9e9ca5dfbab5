// SPDX-License-Identifier: GPL-2.0-only

#include "patch/HunkApply.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"

using namespace llvm;

namespace kseries {

namespace {

/// The file while it is patched. A line that one hunk has matched or made
/// cannot be matched by a later one.
class Image {
public:
  explicit Image(StringRef Text) {
    for (LineReader Lines(Text); !Lines.atEnd(); Lines.skip())
      Content.push_back({Lines.peekRaw(), false});
  }

  std::optional<HunkFailure> apply(const Hunk &ToApply, unsigned Number);

  std::string text() const {
    std::string Out;
    for (const Line &L : Content)
      Out += L.Text;
    return Out;
  }

private:
  struct Line {
    StringRef Text;
    bool Taken;
  };

  struct Ends {
    bool AtStart;
    bool AtEnd;
  };

  bool matches(size_t At, ArrayRef<StringRef> Wanted) const;
  std::optional<size_t> findPlace(size_t Near, ArrayRef<StringRef> Wanted,
                                  Ends Bound) const;
  std::string describeMismatch(size_t Near, ArrayRef<StringRef> Wanted,
                               Ends Bound) const;

  std::vector<Line> Content;
};

bool Image::matches(size_t At, ArrayRef<StringRef> Wanted) const {
  if (At + Wanted.size() > Content.size())
    return false;
  for (size_t I = 0; I < Wanted.size(); ++I)
    if (Content[At + I].Taken || Content[At + I].Text != Wanted[I])
      return false;
  return true;
}

/// The nearest place, the earlier one of two at the same distance.
std::optional<size_t> Image::findPlace(size_t Near, ArrayRef<StringRef> Wanted,
                                       Ends Bound) const {
  if (Wanted.size() > Content.size())
    return std::nullopt;
  size_t Last = Content.size() - Wanted.size();
  auto MatchesAt = [&](size_t At) {
    return (!Bound.AtStart || At == 0) && (!Bound.AtEnd || At == Last) &&
           matches(At, Wanted);
  };
  if (Bound.AtStart)
    Near = 0;
  else if (Bound.AtEnd)
    Near = Last;
  Near = std::min(Near, Last);
  for (size_t Distance = 0; Distance <= Content.size(); ++Distance) {
    if (Distance <= Near && MatchesAt(Near - Distance))
      return Near - Distance;
    if (Distance && Near + Distance <= Last && MatchesAt(Near + Distance))
      return Near + Distance;
  }
  return std::nullopt;
}

std::string Image::describeMismatch(size_t Near, ArrayRef<StringRef> Wanted,
                                    Ends Bound) const {
  if (Bound.AtStart && Wanted.empty())
    return "it expects an empty file";
  if (Bound.AtStart)
    Near = 0;
  for (size_t I = 0; I < Wanted.size(); ++I) {
    std::string Expected = quoteForMessage(Wanted[I]);
    if (Near + I >= Content.size())
      return "the file ends at line " + std::to_string(Content.size()) +
             ", the patch expects " + Expected;
    if (Content[Near + I].Text != Wanted[I])
      return "line " + std::to_string(Near + I + 1) + " is " +
             quoteForMessage(Content[Near + I].Text) + ", the patch expects " +
             Expected;
  }
  if (Bound.AtEnd)
    return "it must match at the end of the file";
  return "its place was changed by an earlier hunk";
}

std::optional<HunkFailure> Image::apply(const Hunk &ToApply, unsigned Number) {
  std::vector<StringRef> Wanted;
  std::vector<Line> Made;
  for (const HunkLine &L : ToApply.Lines) {
    if (L.Kind != '+')
      Wanted.push_back(L.Text);
    if (L.Kind != '-')
      Made.push_back({L.Text, true});
  }
  Ends Bound{ToApply.OldStart <= 1, ToApply.Lines.back().Kind != ' '};
  // Lines before this hunk already are as the new file has them.
  size_t Near = ToApply.NewStart ? ToApply.NewStart - 1 : 0;
  std::optional<size_t> At = findPlace(Near, Wanted, Bound);
  if (!At)
    return HunkFailure{Number, describeMismatch(Near, Wanted, Bound)};
  auto First = Content.begin() + static_cast<ptrdiff_t>(*At);
  auto Next =
      Content.erase(First, First + static_cast<ptrdiff_t>(Wanted.size()));
  Content.insert(Next, Made.begin(), Made.end());
  return std::nullopt;
}

} // namespace

std::variant<std::string, HunkFailure> applyHunks(StringRef Old,
                                                  ArrayRef<Hunk> Hunks) {
  Image File(Old);
  for (size_t I = 0; I < Hunks.size(); ++I)
    if (std::optional<HunkFailure> Failure =
            File.apply(Hunks[I], static_cast<unsigned>(I + 1)))
      return *Failure;
  return File.text();
}

} // namespace kseries
