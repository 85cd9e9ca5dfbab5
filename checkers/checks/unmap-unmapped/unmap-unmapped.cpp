// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/Facts.h"
#include "ast/Loops.h"
#include "ast/MappedEntries.h"
#include "ast/PathExplorer.h"
#include "ast/SourceText.h"
#include "checks/Check.h"
#include <set>

using namespace clang;
using namespace dmacheck;

namespace {

/// Control flow between a loop that maps and a loop that unwinds.
class Flow {
public:
  explicit Flow(const Function &Fn) : Fn(Fn) {}

  const CFGBlock *blockOf(const Stmt *S) const {
    for (const CFGBlock *B : *Fn.cfg())
      for (const CFGElement &E : *B)
        if (auto Each = E.getAs<CFGStmt>(); Each && Each->getStmt() == S)
          return B;
    return nullptr;
  }

  /// True if the unwinding at `Unwind` can be reached by leaving the loop that
  /// maps before it is through. `Untouched`: only over ways on which nothing
  /// writes to that path, if one is given.
  bool leavesEarly(const Loop &Mapping, const CallExpr *Map,
                   const CallExpr *Unwind, const AccessPath *Untouched) const {
    const CFGBlock *Goal = blockOf(Unwind), *Start = blockOf(Map);
    if (!Goal || !Start)
      return false;
    const CFGBlock *Header = headerOf(Mapping);
    std::set<const CFGBlock *> Seen{Start, Header};
    std::vector<const CFGBlock *> Todo;
    for (const CFGBlock *Next : Start->succs())
      if (Next)
        Todo.push_back(Next);
    while (!Todo.empty()) {
      const CFGBlock *B = Todo.back();
      Todo.pop_back();
      if (B == Goal)
        return true;
      if (!Seen.insert(B).second || (Untouched && writes(*B, *Untouched, Goal)))
        continue;
      for (const CFGBlock *Next : B->succs())
        if (Next)
          Todo.push_back(Next);
    }
    return false;
  }

private:
  /// The block that decides whether there is another round: leaving there is
  /// leaving by the front door.
  const CFGBlock *headerOf(const Loop &L) const {
    for (const CFGBlock *B : *Fn.cfg())
      if (B->getTerminatorStmt() == L.S)
        return B;
    return nullptr;
  }

  bool writes(const CFGBlock &B, const AccessPath &P,
              const CFGBlock *Except) const {
    if (&B == Except)
      return false;
    for (const CFGElement &E : B)
      if (auto S = E.getAs<CFGStmt>();
          S && isa<BinaryOperator, UnaryOperator>(S->getStmt()))
        for (const AccessPath &W : writesOf(S->getStmt(), Fn.paths()))
          if (P.changesWith(W))
            return true;
    return false;
  }

  const Function &Fn;
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
    LoopNest Nest(TU, Fn);
    for (const PlacedCall &C : Nest.calls()) {
      if (C.In && DmaApi::get().find(C.Call, DmaRole::Map))
        Maps.push_back(C);
      if (C.In && DmaApi::get().find(C.Call, DmaRole::Unmap))
        Unmaps.push_back(C);
    }
    if (Maps.empty() || Unmaps.empty())
      return;
    Flow Ways(Fn);
    for (const PlacedCall &U : Unmaps)
      for (const PlacedCall &M : Maps)
        if (pair(TU, Fn, Nest, Ways, M, U, Report))
          break;
  }

  /// Reports U if it unwinds entries that the loop around M never mapped.
  static bool pair(TranslationUnit &TU, const Function &Fn,
                   const LoopNest &Nest, const Flow &Ways, const PlacedCall &M,
                   const PlacedCall &U, const Reporter &Report) {
    const Loop &Mapping = *M.In, &Unwind = *U.In;
    if (U.Conditional || Unwind.contains(&Mapping) || !Unwind.Counter)
      return false;
    auto Shared = sharedEntries(TU, Fn, M.Call, Mapping, U.Call);
    if (!Shared)
      return false;
    if (Unwind.Form == Loop::Shape::UpTo)
      return wholeTable(TU, Fn, Nest, Ways, M, U, Report);
    // addr[i + 1] filled and addr[i] unwound is one step back already.
    if (Unwind.Form == Loop::Shape::DownFromIncl && Shared->Written &&
        *Shared->Written == *Shared->Taken)
      return failedEntry(TU, Fn, Ways, M, U, Report);
    return false;
  }

  /// The unwinding counts up to a bound that says nothing of how far the
  /// mapping came.
  static bool wholeTable(TranslationUnit &TU, const Function &Fn,
                         const LoopNest &Nest, const Flow &Ways,
                         const PlacedCall &M, const PlacedCall &U,
                         const Reporter &Report) {
    const Loop &Mapping = *M.In, &Unwind = *U.In;
    const Expr *Bound = Unwind.Bound;
    if (Nest.varies(Bound, Mapping) || mentionsCounter(Bound, Mapping))
      return false;
    auto BoundPath = Fn.paths().lvalue(Bound);
    std::string BoundText =
        BoundPath ? BoundPath->text() : normalisedText(Bound);
    bool Same =
        Mapping.Bound && normalisedText(Mapping.Bound) == normalisedText(Bound);
    if (!Same && !(BoundPath && isTableLength(*BoundPath)))
      return false;
    if (!Ways.leavesEarly(Mapping, M.Call, U.Call,
                          BoundPath ? &*BoundPath : nullptr))
      return false;
    std::string Call = calleeName(U.Call).str();
    Defect D;
    D.Loc = U.Call->getBeginLoc();
    D.Function = &Fn.decl();
    D.Key = Call + "|whole|" + BoundText;
    D.Message = Call + "() unwinds all " + BoundText +
                " entries, also those that were never mapped when the mapping "
                "loop is left early";
    steps(D, M, U, "every entry is unmapped, however many were mapped");
    Report(std::move(D));
    return true;
  }

  /// The unwinding starts at the very entry whose mapping failed.
  static bool failedEntry(TranslationUnit &TU, const Function &Fn,
                          const Flow &Ways, const PlacedCall &M,
                          const PlacedCall &U, const Reporter &Report) {
    const Loop &Mapping = *M.In, &Unwind = *U.In;
    if (!Mapping.Counter || !(*Mapping.Counter == *Unwind.Counter) ||
        Mapping.Form != Loop::Shape::UpTo)
      return false;
    const CallExpr *Test = errorTestOf(Fn, M.Call, Mapping);
    if (!Test || !Ways.leavesEarly(Mapping, Test, U.Call, &*Unwind.Counter))
      return false;
    std::string Call = calleeName(U.Call).str();
    std::string Counter = Unwind.Counter->text();
    Defect D;
    D.Loc = U.Call->getBeginLoc();
    D.Function = &Fn.decl();
    D.Key = Call + "|failed|" + Counter;
    D.Message = Call + "() unwinds from entry " + Counter +
                " down, the one whose mapping failed included";
    steps(D, M, U, "starts at " + Counter + " without stepping back first");
    Report(std::move(D));
    return true;
  }

  static void steps(Defect &D, const PlacedCall &M, const PlacedCall &U,
                    std::string Last) {
    D.Path.push_back({M.Call->getBeginLoc(),
                      "mapped here, one entry a round; a failure leaves the "
                      "loop early"});
    D.Path.push_back({U.Call->getBeginLoc(), std::move(Last)});
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

  /// The dma_mapping_error() of what M returned, in the same loop.
  static const CallExpr *errorTestOf(const Function &Fn, const CallExpr *Map,
                                     const Loop &Mapping) {
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
