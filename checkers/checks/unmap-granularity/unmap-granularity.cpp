// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/Facts.h"
#include "ast/Loops.h"
#include "ast/MappedEntries.h"
#include "ast/SourceText.h"
#include "checks/Check.h"

using namespace clang;
using namespace dmacheck;

namespace {

/// A call of the mapping API in its function.
struct Site {
  const Function *Fn;
  PlacedCall Place;
  const DmaCall *Row;
};

/// Looks through a product: is Factor one of its factors?
bool isMultipleOf(const Expr *Product, const Expr *Factor) {
  const auto *B = dyn_cast<BinaryOperator>(strip(Product));
  if (!B || B->getOpcode() != BO_Mul)
    return false;
  std::string F = normalisedText(Factor);
  return normalisedText(B->getLHS()) == F || normalisedText(B->getRHS()) == F;
}

class UnmapGranularity : public Check {
public:
  llvm::ArrayRef<llvm::StringLiteral> identifiers() const override {
    static constexpr llvm::StringLiteral Words[] = {"dma_unmap_"};
    return Words;
  }

  void run(TranslationUnit &TU, const Reporter &Report) const override {
    std::vector<Site> Maps, Unmaps;
    for (const auto &Fn : TU.functions())
      for (const PlacedCall &C : Fn->loops().calls())
        if (const DmaCall *Row = DmaApi::get().find(C.Call)) {
          if (Row->Role == DmaRole::Map)
            Maps.push_back({Fn.get(), C, Row});
          else if (Row->Role == DmaRole::Unmap)
            Unmaps.push_back({Fn.get(), C, Row});
        }
    for (const Site &U : Unmaps)
      for (const Site &M : Maps)
        if (M.Row->Kind == U.Row->Kind && pair(TU, M, U, Report))
          break;
  }

private:
  static bool pair(TranslationUnit &TU, const Site &M, const Site &U,
                   const Reporter &Report) {
    return splitBySgEntries(TU, M, U, Report) ||
           piecesOfOne(TU, M, U, Report) || oneForMany(TU, M, U, Report);
  }

  static void report(const Site &M, const Site &U, llvm::StringRef Form,
                     std::string Message, Defect::Step Between,
                     const Reporter &Report) {
    Defect D;
    D.Loc = U.Place.Call->getBeginLoc();
    D.Function = &U.Fn->decl();
    D.Key = (Form + "|" + M.Row->Name + "|" + U.Row->Name).str();
    D.Message = std::move(Message);
    D.Path.push_back({M.Place.Call->getBeginLoc(), "mapped here"});
    if (Between.Loc.isValid())
      D.Path.push_back(std::move(Between));
    D.Path.push_back({D.Loc, "unmapped here: address and size must be those of "
                             "the map"});
    Report(std::move(D));
  }

  /// One mapping a range, cut over scatterlist entries, one unmap an entry.
  static bool splitBySgEntries(TranslationUnit &TU, const Site &M,
                               const Site &U, const Reporter &Report) {
    const Expr *Handle = U.Row->handle(U.Place.Call);
    const Expr *Size = U.Row->size(U.Place.Call);
    if (!Handle || !Size || !isSgDmaAddress(Handle, TU.sources()) ||
        !isSgDmaLength(Size, TU.sources()))
      return false;
    SgFill Fill;
    const CallExpr *FillCall = fillOf(TU, *M.Fn, M.Place.Call, Fill);
    if (!FillCall || !Fill.Splits)
      return false;
    std::string Splitter = Fill.Fn->decl().getNameAsString();
    report(M, U, "sg",
           U.Row->Name + "() undoes one scatterlist entry, but " + M.Row->Name +
               "() mapped a whole range, which " + Splitter +
               "() may have cut into several entries",
           {FillCall->getBeginLoc(),
            Splitter + "() cuts the range into entries of limited length"},
           Report);
    return true;
  }

  /// True if both handles live in the same variable or the same member.
  static bool sameHome(const Site &M, const Site &U, const AccessPath &Mapped,
                       const AccessPath &Taken) {
    if (M.Fn == U.Fn)
      return Mapped == Taken;
    return Mapped.lastField() && Mapped.lastField() == Taken.lastField() &&
           !Mapped.steps().empty() &&
           Mapped.steps().back().K == AccessPath::Step::Field &&
           Taken.steps().back().K == AccessPath::Step::Field;
  }

  /// Mapped once, outside any loop; unmapped at handle + offset in a loop.
  static bool piecesOfOne(TranslationUnit &TU, const Site &M, const Site &U,
                          const Reporter &Report) {
    if (M.Place.In || !U.Place.In)
      return false;
    const auto *Sum =
        dyn_cast<BinaryOperator>(strip(U.Row->handle(U.Place.Call)));
    auto Mapped = destinationOf(*M.Fn, M.Place.Call);
    if (!Sum || Sum->getOpcode() != BO_Add || !Mapped)
      return false;
    const Expr *Sides[2] = {Sum->getLHS(), Sum->getRHS()};
    for (int I : {0, 1}) {
      auto Taken = U.Fn->paths().lvalue(Sides[I]);
      if (!Taken || !sameHome(M, U, *Mapped, *Taken) ||
          !U.Fn->loops().varies(Sides[1 - I], *U.Place.In))
        continue;
      report(M, U, "pieces",
             U.Row->Name + "() unmaps " + Taken->text() +
                 " piece by piece, but " + M.Row->Name + "() mapped it at once",
             {}, Report);
      return true;
    }
    return false;
  }

  /// Mapped entry by entry in a loop; unmapped by one call as n entries.
  static bool oneForMany(TranslationUnit &TU, const Site &M, const Site &U,
                         const Reporter &Report) {
    if (!M.Place.In || U.Place.In)
      return false;
    auto Mapped = destinationOf(*M.Fn, M.Place.Call);
    auto Taken = U.Fn->paths().lvalue(U.Row->handle(U.Place.Call));
    if (!Mapped || !Taken || Mapped->steps().empty() || Taken->steps().empty())
      return false;
    const AccessPath::Step &Last = Mapped->steps().back();
    if (Last.K != AccessPath::Step::Index || !M.Place.In->Counter ||
        !M.Fn->loops().varies(*Mapped, *M.Place.In) ||
        Taken->steps().back().K != AccessPath::Step::Index ||
        Taken->steps().back().IndexText != "0")
      return false;
    bool SameArray =
        M.Fn == U.Fn
            ? Mapped->base() == Taken->base()
            : Mapped->lastField() && Mapped->lastField() == Taken->lastField();
    if (!SameArray ||
        !isMultipleOf(U.Row->size(U.Place.Call), M.Row->size(M.Place.Call)))
      return false;
    report(M, U, "many",
           U.Row->Name + "() unmaps " + Taken->text() +
               " and what follows in one call, but a loop of " + M.Row->Name +
               "() mapped each entry by itself; their DMA addresses need not "
               "be adjacent",
           {}, Report);
    return true;
  }
};

} // namespace

DMACHECK_REGISTER("unmap-granularity", UnmapGranularity)
