// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/Facts.h"
#include "ast/Loops.h"
#include "ast/MappedEntries.h"
#include "ast/PathExplorer.h"
#include "ast/SourceText.h"
#include "checks/Check.h"

using namespace clang;
using namespace dmacheck;

namespace {

/// Looks for a way that leaves a mapping loop before it is through and reaches
/// an unwinding.
class EarlyExit : public PathVisitor {
public:
  EarlyExit(const Function &Fn, const Loop &Mapping, const CallExpr *Start,
            const CallExpr *Unwind, const AccessPath *Untouched)
      : Fn(Fn), Start(Start), Unwind(Unwind), Untouched(Untouched) {
    // The block that decides whether there is another round: leaving there is
    // leaving by the front door.
    for (const CFGBlock *B : *Fn.cfg())
      if (B->getTerminatorStmt() == Mapping.S)
        Header = B;
  }

  /// Start is a map in the loop, or the dma_mapping_error() that finds it
  /// failed. Untouched, if not null, must not be written on the way.
  static bool exists(const TranslationUnit &TU, const Function &Fn,
                     const Loop &Mapping, const CallExpr *Start,
                     const CallExpr *Unwind, const AccessPath *Untouched) {
    EarlyExit Visitor(Fn, Mapping, Start, Unwind, Untouched);
    PathExplorer(TU, Fn).run(Visitor);
    return Visitor.Found;
  }

  Next element(const CFGElement &E, PathState &S) override {
    if (Found)
      return Next::Stop;
    if (S.Block == Header)
      S.Marked = false;
    auto AsStmt = E.getAs<CFGStmt>();
    if (!AsStmt)
      return Next::Continue;
    const Stmt *St = AsStmt->getStmt();
    if (St == Unwind && S.Marked) {
      Found = true;
      return Next::Stop;
    }
    if (St == Start) {
      S.mark();
      if (DmaApi::get().find(Start, DmaRole::MappingError))
        S.Known.setCall(Start, Value::nonZero());
    } else if (S.Marked && Untouched && writes(St)) {
      S.Marked = false;
    }
    return Next::Continue;
  }
  void end(const PathState &) override {}

private:
  bool writes(const Stmt *St) const {
    const auto *B = dyn_cast<BinaryOperator>(St);
    const auto *U = dyn_cast<UnaryOperator>(St);
    const Expr *To = B && B->isAssignmentOp()           ? B->getLHS()
                     : U && U->isIncrementDecrementOp() ? U->getSubExpr()
                                                        : nullptr;
    auto P = To ? Fn.paths().lvalue(To) : std::nullopt;
    return P && Untouched->changesWith(*P);
  }

  const Function &Fn;
  const CallExpr *Start, *Unwind;
  const AccessPath *Untouched;
  const CFGBlock *Header = nullptr;
  bool Found = false;
};

/// One unwinding call and one mapping call of a function.
struct Pair {
  const TranslationUnit &TU;
  const Function &Fn;
  const PlacedCall &M, &U;
  SharedEntries Shared;

  const Loop &mapping() const { return *M.In; }
  const Loop &unwind() const { return *U.In; }
  std::string unmapName() const { return calleeName(U.Call).str(); }
  bool leavesEarly(const CallExpr *Start, const AccessPath *Untouched) const {
    return EarlyExit::exists(TU, Fn, mapping(), Start, U.Call, Untouched);
  }
};

class UnmapUnmapped : public Check {
public:
  llvm::ArrayRef<llvm::StringLiteral> identifiers() const override {
    static constexpr llvm::StringLiteral Words[] = {"dma_unmap_"};
    return Words;
  }

  void run(TranslationUnit &TU, const Reporter &Report) const override {
    for (const auto &Fn : TU.functions())
      if (Fn->cfg())
        function(TU, *Fn, Report);
  }

private:
  static void function(TranslationUnit &TU, const Function &Fn,
                       const Reporter &Report) {
    std::vector<PlacedCall> Maps, Unmaps;
    for (const PlacedCall &C : Fn.loops().calls()) {
      if (C.In && DmaApi::get().find(C.Call, DmaRole::Map))
        Maps.push_back(C);
      if (C.In && DmaApi::get().find(C.Call, DmaRole::Unmap))
        Unmaps.push_back(C);
    }
    if (Maps.empty() || Unmaps.empty())
      return;
    for (const PlacedCall &U : Unmaps)
      for (const PlacedCall &M : Maps)
        if (U.In->Counter && !U.Conditional && !U.In->contains(M.In))
          if (auto Shared = sharedEntries(TU, Fn, M.Call, *M.In, U.Call))
            if (report({TU, Fn, M, U, *Shared}, Report))
              break;
  }

  static bool report(const Pair &P, const Reporter &Report) {
    return sameEntry(P, Report) || wholeTable(P, Report) ||
           failedEntry(P, Report);
  }

  /// The unwinding counts, but what it unmaps does not depend on the count.
  static bool sameEntry(const Pair &P, const Reporter &Report) {
    if (!P.Shared.Taken || P.Fn.loops().varies(*P.Shared.Taken, P.unwind()))
      return false;
    std::string Entry = P.Shared.Taken->text();
    defect(P, "same|" + Entry,
           P.unmapName() + "() unmaps " + Entry +
               " again in every round of the loop, and none of the others",
           "the index does not follow " + P.unwind().Counter->text(), Report);
    return true;
  }

  /// The unwinding counts up to a bound that says nothing of how far the
  /// mapping came.
  static bool wholeTable(const Pair &P, const Reporter &Report) {
    const Expr *Bound = P.unwind().Bound;
    if (P.unwind().Form != Loop::Shape::UpTo ||
        P.Fn.loops().varies(Bound, P.mapping()) ||
        mentionsCounter(Bound, P.mapping()))
      return false;
    auto BoundPath = P.Fn.paths().lvalue(Bound);
    std::string BoundText =
        BoundPath ? BoundPath->text() : normalisedText(Bound);
    const Expr *Mapped = P.mapping().Bound;
    bool Same = Mapped && normalisedText(Mapped) == normalisedText(Bound);
    if (!Same && !(BoundPath && isTableLength(*BoundPath)))
      return false;
    if (!P.leavesEarly(P.M.Call, BoundPath ? &*BoundPath : nullptr))
      return false;
    defect(P, "whole|" + BoundText,
           P.unmapName() + "() unwinds all " + BoundText +
               " entries, also those that were never mapped when the mapping "
               "loop is left early",
           "every entry is unmapped, however many were mapped", Report);
    return true;
  }

  /// The very entry whose mapping failed is unwound too.
  static bool failedEntry(const Pair &P, const Reporter &Report) {
    const Loop &Mapping = P.mapping(), &Unwind = P.unwind();
    if (Mapping.Form != Loop::Shape::UpTo)
      return false;
    // From i down; addr[i + 1] filled and addr[i] unwound is one step back.
    bool Down = Unwind.Form == Loop::Shape::DownFromIncl && P.Shared.Written &&
                *Unwind.Counter == *Mapping.Counter &&
                *P.Shared.Written == *P.Shared.Taken;
    // From 0 up to i, with it.
    auto Bound =
        Unwind.Bound ? P.Fn.paths().lvalue(Unwind.Bound) : std::nullopt;
    bool Up = Unwind.Form == Loop::Shape::UpTo && Unwind.IncludesBound &&
              Bound && *Bound == *Mapping.Counter;
    if (!Down && !Up)
      return false;
    const CallExpr *Test = errorTestOf(P.Fn, P.M.Call);
    if (!Test || !P.leavesEarly(Test, &*Mapping.Counter))
      return false;
    std::string Counter = Mapping.Counter->text();
    defect(P, "failed|" + Counter,
           P.unmapName() + "() unwinds from entry " + Counter +
               " down, the one whose mapping failed included",
           Down ? "starts at " + Counter + " without stepping back first"
                : "goes up to and including " + Counter,
           Report);
    return true;
  }

  static void defect(const Pair &P, std::string Key, std::string Message,
                     std::string Last, const Reporter &Report) {
    Defect D;
    D.Loc = P.U.Call->getBeginLoc();
    D.Function = &P.Fn.decl();
    D.Key = P.unmapName() + "|" + Key;
    D.Message = std::move(Message);
    D.Path.push_back({P.M.Call->getBeginLoc(),
                      "mapped here, one entry a round; a failure leaves the "
                      "loop early"});
    D.Path.push_back({P.U.Call->getBeginLoc(), std::move(Last)});
    Report(std::move(D));
  }

  static bool mentionsCounter(const Expr *E, const Loop &L) {
    bool Mentioned = false;
    forEachVariable(E, [&](const VarDecl *V) {
      Mentioned |= L.Counter && L.Counter->mentions(V);
    });
    return Mentioned;
  }

  static bool isTableLength(const AccessPath &P) {
    const FieldDecl *F = P.lastField();
    return F && (F->getName() == "nents" || F->getName() == "orig_nents") &&
           F->getParent()->getName() == "sg_table";
  }

  /// The dma_mapping_error() of what Map returned.
  static const CallExpr *errorTestOf(const Function &Fn, const CallExpr *Map) {
    auto Handle = destinationOf(Fn, Map);
    for (const CallExpr *Call : Fn.calls())
      if (const DmaCall *Row = DmaApi::get().find(Call, DmaRole::MappingError))
        if (auto P = Fn.paths().lvalue(Row->handle(Call));
            P && Handle && *P == *Handle)
          return Call;
    return nullptr;
  }
};

} // namespace

DMACHECK_REGISTER("unmap-unmapped", UnmapUnmapped)
