// SPDX-License-Identifier: GPL-2.0-only

#include "ast/ArgumentValue.h"
#include "ast/Facts.h"
#include "ast/Loops.h"
#include "ast/SourceText.h"
#include "checks/unmap-arguments/Mismatch.h"

using namespace clang;
using namespace dmacheck;
using namespace dmacheck::unmap_arguments;

/// The attributes that an undoing must repeat: WEAK_ORDERING, WRITE_COMBINE,
/// NO_KERNEL_MAPPING, FORCE_CONTIGUOUS, MMIO and CC_SHARED of include/linux/
/// dma-mapping.h. The others ask for something at the time of the call.
static constexpr int64_t LastingAttrs =
    1 << 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 10 | 1 << 13;

std::string unmap_arguments::nameOf(const TranslationUnit &TU,
                                    const CallExpr *Call) {
  std::string Text = writtenText(Call, TU.sources());
  llvm::StringRef Name = llvm::StringRef(Text).split('(').first;
  bool IsName = !Name.empty() && llvm::all_of(Name, [](char C) {
    return isalnum(static_cast<unsigned char>(C)) || C == '_';
  });
  return IsName && Name.contains("dma") ? Name.str() : calleeName(Call).str();
}

namespace {

using Sites = std::vector<const MappingSite *>;
using Constants = std::set<int64_t>;

/// As the author wrote it. What a macro added to his call has no such text.
std::string written(const TranslationUnit &TU, const MappingSite &In,
                    const Expr *E) {
  std::string Text = writtenText(E, TU.sources());
  return Text == writtenText(In.Call, TU.sources()) ? normalisedText(E) : Text;
}

bool disjoint(const Constants &A, const Constants &B) {
  return llvm::none_of(A, [&](int64_t C) { return B.count(C) > 0; });
}

bool isSg(const MappingSite &S) {
  return S.Row->Role == DmaRole::MapSg || S.Row->Role == DmaRole::UnmapSg;
}

bool isMemory(const MappingSite &S) {
  return S.Row->Role == DmaRole::Alloc || S.Row->Role == DmaRole::Free;
}

/// How an undo and its candidates are compared.
class Comparison {
public:
  /// Across: Maps are all those of the file that keep their handle in the same
  /// member, Undos all those that take it from there.
  Comparison(const TranslationUnit &TU, const MappingSites &All,
             const MappingSite &Undo, const Sites &Maps, const Sites &Undos,
             bool Across)
      : TU(TU), All(All), Undo(Undo), Maps(Maps), Undos(Undos), Across(Across) {
  }

  std::optional<Mismatch> find() const {
    if (auto M = kind())
      return M;
    // Of another kind, but the same in effect: the arguments still count.
    if (auto M = direction())
      return M;
    if (auto M = size())
      return M;
    if (auto M = attributes())
      return M;
    if (auto M = device())
      return M;
    return Across ? std::nullopt : otherFamily();
  }

private:
  template <typename Differs> const MappingSite *allDiffer(Differs D) const {
    return llvm::all_of(Maps, [&](const MappingSite *M) { return D(*M); })
               ? Maps.front()
               : nullptr;
  }

  /// True if a map in another function keeps its handle in the same member and
  /// agrees: the function may call it.
  bool agreesElsewhere(int DmaCall::*Index) const {
    const FieldDecl *Member = Undo.Homes.front().lastField();
    const Expr *Undone = Undo.argument(Undo.Row->*Index);
    if (Across || !Member)
      return false;
    Constants Said =
        Undone ? possibleConstants(TU, *Undo.Fn, Undone) : Constants{0};
    return llvm::any_of(All.maps(), [&](const MappingSite &M) {
      if (M.Fn == Undo.Fn || !M.isKeptIn(Member))
        return false;
      const Expr *Arg = M.argument(M.Row->*Index);
      return !disjoint(Arg ? possibleConstants(TU, *M.Fn, Arg) : Constants{0},
                       Said);
    });
  }

  /// single, page and phys are one thing to everything but
  /// CONFIG_DMA_API_DEBUG.
  static llvm::StringRef effectOf(const MappingSite &S) {
    llvm::StringRef Kind = S.Row->Kind;
    if (Kind == "single" || Kind == "page" || Kind == "phys")
      return "page";
    if (isSg(S))
      return "sg";
    // dma_alloc_wc() is dma_alloc_attrs() with an attribute.
    if (Kind == "wc" || (Kind == "coherent" && S.Row->Attrs >= 0))
      return "";
    return Kind;
  }

  std::optional<Mismatch> kind() const {
    const MappingSite *M = allDiffer([&](const MappingSite &M) {
      if (isSg(M) != isSg(Undo))
        return false;
      if (isMemory(M) != isMemory(Undo))
        return true;
      llvm::StringRef A = effectOf(M), B = effectOf(Undo);
      return !A.empty() && !B.empty() && A != B;
    });
    if (!M)
      return std::nullopt;
    return Mismatch{"kind", "", "", M};
  }

  std::optional<Mismatch> otherFamily() const {
    // Where both families are in use, one buffer of each sort is kept in one
    // array.
    const MappingSite *M = allDiffer([&](const MappingSite &M) {
      return effectOf(M) == "page" && M.Row->Kind != Undo.Row->Kind;
    });
    if (!M || llvm::any_of(All.maps(), [&](const MappingSite &Other) {
          return Other.Row->Kind == Undo.Row->Kind;
        }))
      return std::nullopt;
    return Mismatch{"family", "", "", M};
  }

  std::optional<Mismatch> mismatch(llvm::StringRef What, const MappingSite *M,
                                   int InMap, int InUndo) const {
    const Expr *Mapped = M->argument(InMap), *Undone = Undo.argument(InUndo);
    return Mismatch{What.str(), Mapped ? written(TU, *M, Mapped) : "0",
                    Undone ? written(TU, Undo, Undone) : "0", M};
  }

  /// True if the undo always passes one value where the map has several.
  bool ignoresChoice(const Constants &Mapped, const Constants &Undone,
                     int InUndo) const {
    if (Mapped.size() < 2 || Undone.size() != 1 || Maps.size() != 1)
      return false;
    if (!Across)
      return !isConditional();
    return llvm::all_of(Undos, [&](const MappingSite *U) {
      const Expr *Arg = U->argument(InUndo);
      return U->Row == Undo.Row &&
             (!Arg || possibleConstants(TU, *U->Fn, Arg) == Undone);
    });
  }

  bool isConditional() const {
    for (const PlacedCall &C : Undo.Fn->loops().calls())
      if (C.Call == Undo.Call)
        return C.Conditional;
    return true;
  }

  std::optional<Mismatch> direction() const {
    const Expr *Undone = Undo.argument(Undo.Row->Direction);
    if (!Undone)
      return std::nullopt;
    if (auto M = setTooLate("direction", &DmaCall::Direction))
      return M;
    Constants Said = possibleConstants(TU, *Undo.Fn, Undone);
    if (Said.empty())
      return std::nullopt;
    const MappingSite *M = allDiffer([&](const MappingSite &M) {
      const Expr *Arg = M.argument(M.Row->Direction);
      if (!Arg)
        return false;
      Constants Mapped = possibleConstants(TU, *M.Fn, Arg);
      if (Mapped.empty())
        return false;
      return disjoint(Mapped, Said) ||
             ignoresChoice(Mapped, Said, Undo.Row->Direction);
    });
    if (!M || agreesElsewhere(&DmaCall::Direction))
      return std::nullopt;
    return mismatch("direction", M, M->Row->Direction, Undo.Row->Direction);
  }

  /// The undo reads a member that the function sets from the map's argument,
  /// but only where the undo no longer comes.
  std::optional<Mismatch> setTooLate(llvm::StringRef What,
                                     int DmaCall::*Index) const {
    const Expr *Undone = Undo.argument(Undo.Row->*Index);
    auto Read = Undone ? Undo.Fn->paths().lvalue(Undone) : std::nullopt;
    if (Across || !Read || !Read->lastField())
      return std::nullopt;
    const Assignments &A = Undo.Fn->assignments();
    const MappingSite *M = allDiffer([&](const MappingSite &M) {
      const Expr *Arg = M.argument(M.Row->*Index);
      auto Mapped = Arg ? M.Fn->paths().lvalue(Arg) : std::nullopt;
      if (!Mapped || *Mapped == *Read)
        return false;
      bool SetLater = false;
      for (const Assignment &Each : A.All) {
        auto To = Undo.Fn->paths().lvalue(Each.To);
        if (!To || !(*To == *Read))
          continue;
        if (canReach(*Undo.Fn, Each.To, Undo.Call))
          return false;
        auto From = Undo.Fn->paths().lvalue(strip(Each.From));
        SetLater |= From && *From == *Mapped;
      }
      return SetLater;
    });
    if (!M)
      return std::nullopt;
    return mismatch(What, M, M->Row->*Index, Undo.Row->*Index);
  }

  std::optional<Mismatch> size() const {
    const Expr *Undone = Undo.argument(Undo.Row->Size);
    if (!Undone)
      return std::nullopt;
    if (auto M = setTooLate("size", &DmaCall::Size))
      return M;
    Constants Said = possibleConstants(TU, *Undo.Fn, Undone);
    auto Sum = Across ? std::nullopt : linearSum(TU, *Undo.Fn, Undone);
    bool Foreign = isInForeignByteOrder(Undone);
    const MappingSite *M = allDiffer([&](const MappingSite &M) {
      const Expr *Arg = M.argument(M.Row->Size);
      if (!Arg)
        return false;
      if (Foreign)
        return !isInForeignByteOrder(Arg);
      Constants Mapped = possibleConstants(TU, *M.Fn, Arg);
      if (!Mapped.empty() && !Said.empty())
        return disjoint(Mapped, Said);
      if (!Sum)
        return false;
      auto MapSum = linearSum(TU, *M.Fn, Arg);
      return MapSum && certainlyDiffer(*MapSum, *Sum);
    });
    if (!M || agreesElsewhere(&DmaCall::Size))
      return std::nullopt;
    return mismatch(Foreign ? "size in the byte order of the device" : "size",
                    M, M->Row->Size, Undo.Row->Size);
  }

  Constants attributesOf(const MappingSite &S) const {
    const Expr *Arg = S.argument(S.Row->Attrs);
    Constants Out;
    for (int64_t C : Arg ? possibleConstants(TU, *S.Fn, Arg) : Constants{0})
      Out.insert(C & LastingAttrs);
    return Out;
  }

  std::optional<Mismatch> attributes() const {
    // dma_alloc_wc() and dma_free_attrs() name one attribute in two ways.
    if (Undo.Row->Kind == "wc")
      return std::nullopt;
    Constants Said = attributesOf(Undo);
    if (Said.empty())
      return std::nullopt;
    const MappingSite *M = allDiffer([&](const MappingSite &M) {
      Constants Mapped = attributesOf(M);
      if (Mapped.empty() || M.Row->Kind == "wc")
        return false;
      return disjoint(Mapped, Said) ||
             ignoresChoice(Mapped, Said, Undo.Row->Attrs);
    });
    if (!M || agreesElsewhere(&DmaCall::Attrs))
      return std::nullopt;
    return mismatch("attributes", M, M->Row->Attrs, Undo.Row->Attrs);
  }

  /// One side is given a device, the other one that device's parent.
  std::optional<Mismatch> device() const {
    const Expr *Undone = Undo.argument(Undo.Row->Device);
    auto Said =
        Undone && !Across ? Undo.Fn->paths().pointee(Undone) : std::nullopt;
    if (!Said)
      return std::nullopt;
    auto IsParent = [](const AccessPath &Parent, const AccessPath &Of) {
      auto Steps = Parent.steps();
      return Of.isPrefixOf(Parent) && Steps.size() == Of.steps().size() + 2 &&
             Steps[Of.steps().size()].K == AccessPath::Step::Field &&
             Steps[Of.steps().size()].F->getName() == "parent";
    };
    const MappingSite *M = allDiffer([&](const MappingSite &M) {
      const Expr *Arg = M.argument(M.Row->Device);
      auto Mapped = Arg ? M.Fn->paths().pointee(Arg) : std::nullopt;
      return Mapped && (IsParent(*Mapped, *Said) || IsParent(*Said, *Mapped));
    });
    if (!M)
      return std::nullopt;
    return mismatch("device", M, M->Row->Device, Undo.Row->Device);
  }

  const TranslationUnit &TU;
  const MappingSites &All;
  const MappingSite &Undo;
  const Sites &Maps, &Undos;
  bool Across;
};

class UnmapArguments : public Check {
public:
  llvm::ArrayRef<llvm::StringLiteral> identifiers() const override {
    static constexpr llvm::StringLiteral Words[] = {
        "dma_unmap_", "dma_free_", "dma_pool_free", "dma_sync_"};
    return Words;
  }

  void run(TranslationUnit &TU, const Reporter &Report) const override {
    MappingSites All(TU);
    for (const MappingSite &Undo : All.undos()) {
      auto M = Undo.Homes.empty() ? std::nullopt : compare(TU, All, Undo);
      // The count tells where it is from, whoever made the mapping.
      if (!M && isSg(Undo))
        M = entryCount(TU, All, Undo);
      if (M)
        report(TU, Undo, *M, Report);
    }
    syncOwner(TU, All, Report);
  }

private:
  static std::optional<Mismatch> compare(const TranslationUnit &TU,
                                         const MappingSites &All,
                                         const MappingSite &Undo) {
    Sites Maps = All.mapsBefore(Undo), Undos;
    bool Across = Maps.empty();
    if (Across) {
      const FieldDecl *Member = Undo.Homes.front().lastField();
      if (!Member)
        return std::nullopt;
      Maps = All.mapsFor(Undo, Member);
      Undos = All.undosOf(Member);
    }
    if (Maps.empty())
      return std::nullopt;
    return Comparison(TU, All, Undo, Maps, Undos, Across).find();
  }

  static std::string messageOf(const TranslationUnit &TU,
                               const MappingSite &Undo, const Mismatch &M) {
    std::string Undone = nameOf(TU, Undo.Call) + "()",
                Mapped = nameOf(TU, M.Map->Call) + "()";
    if (M.What == "kind" || M.What == "family")
      return Undone + " undoes what " + Mapped + " made" +
             (M.What == "kind"
                  ? ": another kind of mapping"
                  : ": another family of calls, the same in effect but for "
                    "CONFIG_DMA_API_DEBUG");
    if (M.What == "entry count")
      return Undone + " is given " + M.Undone + ", which is what " + Mapped +
             " returned: it must be the number of entries that was mapped";
    return "the " + M.What + " of " + Undone + " is " + M.Undone +
           ", but that of " + Mapped + " is " + M.Mapped;
  }

  static void report(const TranslationUnit &TU, const MappingSite &Undo,
                     const Mismatch &M, const Reporter &Report) {
    Defect D;
    D.Loc = Undo.Call->getBeginLoc();
    D.Function = &Undo.Fn->decl();
    D.Key = M.What + "|" + Undo.Row->Name + "|" +
            (Undo.Homes.empty() ? "" : Undo.Homes.front().text()) + "|" +
            M.Undone;
    D.Message = messageOf(TU, Undo, M);
    D.Path.push_back({M.Map->Call->getBeginLoc(), "mapped here"});
    D.Path.push_back({D.Loc, "undone here"});
    Report(std::move(D));
  }
};

} // namespace

DMACHECK_REGISTER("unmap-arguments", UnmapArguments)
