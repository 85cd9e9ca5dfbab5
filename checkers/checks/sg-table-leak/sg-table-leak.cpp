// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/PathExplorer.h"
#include "ast/SourceText.h"
#include "checks/Check.h"

using namespace clang;
using namespace dmacheck;

namespace {

/// The table that a call allocates, frees or maps, by its row's object.
std::optional<AccessPath> tableOf(const Function &Fn, const CallExpr *Call,
                                  const DmaCall &Row) {
  const Expr *Object = Row.argument(Call, Row.Object);
  return Object ? Fn.paths().pointee(Object) : std::nullopt;
}

/// A write to the orig_nents of a table.
struct CountWrite {
  const BinaryOperator *At;
  AccessPath Table;
  bool Loses; ///< what is written is not the number of allocated entries
};

std::optional<CountWrite> countWrite(const TranslationUnit &TU,
                                     const Function &Fn, const Stmt *S) {
  const auto *B = dyn_cast<BinaryOperator>(S);
  if (!B || B->getOpcode() != BO_Assign)
    return std::nullopt;
  const FieldDecl *F = accessedField(B->getLHS());
  if (!F || F->getName() != "orig_nents" ||
      F->getParent()->getName() != "sg_table")
    return std::nullopt;
  auto Table = Fn.paths().objectOf(fieldAccess(B->getLHS()));
  if (!Table)
    return std::nullopt;
  const Expr *Count = strip(B->getRHS());
  while (const auto *Chain = dyn_cast<BinaryOperator>(Count)) {
    if (Chain->getOpcode() != BO_Assign) // a = b = 0
      break;
    Count = strip(Chain->getRHS());
  }
  bool Loses = Facts(TU, Fn).eval(Count).asConstant() == 0;
  if (const auto *Call = dyn_cast<CallExpr>(Count))
    Loses |= DmaApi::get().find(Call, DmaRole::MapSg) != nullptr;
  return CountWrite{B, *Table, Loses};
}

/// Follows the count of one table through a function.
class CountWalk : public PathVisitor {
public:
  /// Start is the write that loses the count; null: it is lost when the
  /// function is entered.
  CountWalk(const TranslationUnit &TU, const Function &Fn,
            const AccessPath &Table, const Stmt *Start)
      : TU(TU), Fn(Fn), Table(Table), Start(Start) {
    PathExplorer(TU, Fn).run(*this);
  }

  const CallExpr *Freed = nullptr; ///< freed with the count lost
  bool LeavesLost = false;         ///< a path ends with the count lost
  bool Returned = false;           ///< and returns the table

  Next element(const CFGElement &E, PathState &S) override {
    if (!Start && !Begun)
      S.mark();
    Begun = true;
    auto AsStmt = E.getAs<CFGStmt>();
    if (!AsStmt)
      return Next::Continue;
    const Stmt *St = AsStmt->getStmt();
    if (auto Write = countWrite(TU, Fn, St); Write && Write->Table == Table) {
      S.Marked = false;
      if (St == Start)
        S.mark();
      return Next::Continue;
    }
    const auto *Call = dyn_cast<CallExpr>(St);
    return Call ? call(Call, S) : Next::Continue;
  }

  void end(const PathState &S) override {
    if (!S.Marked)
      return;
    LeavesLost = true;
    const Expr *Value = S.Return ? S.Return->getRetValue() : nullptr;
    if (Value && Value->getType()->isPointerType())
      if (auto P = Fn.paths().pointee(strip(Value)))
        Returned |= *P == Table;
  }

private:
  Next call(const CallExpr *Call, PathState &S) {
    const DmaCall *Row = DmaApi::get().find(Call);
    if (Row &&
        (Row->Role == DmaRole::TableAlloc || Row->Role == DmaRole::TableFree)) {
      auto Of = tableOf(Fn, Call, *Row);
      if (!Of || !(*Of == Table))
        return Next::Continue;
      if (Row->Role == DmaRole::TableAlloc) {
        S.Marked = false;
        return Next::Continue;
      }
      if (S.Marked && !Freed)
        Freed = Call;
      return Next::Stop; // no entries are left to be lost
    }
    if (Row)
      return Next::Continue;
    // Code that is not looked into may put the count right.
    for (const Expr *Arg : Call->arguments()) {
      QualType T = Arg->getType();
      if (!T->isPointerType() || T->getPointeeType().isConstQualified())
        continue;
      if (auto P = Fn.paths().pointee(Arg); P && P->isPrefixOf(Table))
        S.Marked = false;
    }
    return Next::Continue;
  }

  const TranslationUnit &TU;
  const Function &Fn;
  const AccessPath &Table;
  const Stmt *Start;
  bool Begun = false;
};

/// The member that a table is in, or that points to it.
const FieldDecl *homeOf(const AccessPath &Table) {
  auto Steps = Table.steps();
  if (!Steps.empty() && Steps.back().K == AccessPath::Step::Deref)
    Steps = Steps.drop_back();
  return !Steps.empty() && Steps.back().K == AccessPath::Step::Field
             ? Steps.back().F
             : nullptr;
}

bool isParameter(const AccessPath &Table) {
  return isa<ParmVarDecl>(Table.base()) && Table.steps().size() == 1 &&
         Table.steps().front().K == AccessPath::Step::Deref;
}

/// A function that allocates a table and is left with its count lost.
struct Loser {
  const Function *Fn;
  const BinaryOperator *At;
  const FieldDecl *Home;
  bool Returned;
};

class SgTableLeak : public Check {
public:
  llvm::ArrayRef<llvm::StringLiteral> identifiers() const override {
    static constexpr llvm::StringLiteral Words[] = {"sg_free_table"};
    return Words;
  }

  void run(TranslationUnit &TU, const Reporter &Report) const override {
    std::vector<Loser> Losers;
    for (const auto &Fn : TU.functions())
      inFunction(TU, *Fn, Losers, Report);
    if (Losers.empty())
      return;
    // Another allocation of such a table that keeps its count is freed by the
    // same code: which of the two it meets is not known here.
    for (const auto &Fn : TU.functions())
      for (const CallExpr *Call : Fn->calls())
        if (const DmaCall *Row =
                DmaApi::get().find(Call, DmaRole::TableAlloc)) {
          auto Table = tableOf(*Fn, Call, *Row);
          std::erase_if(Losers, [&](const Loser &L) {
            return L.Fn != Fn.get() && (!Table || mayBeOneOf(*Fn, *Table, L));
          });
        }
    for (const auto &Fn : TU.functions())
      for (const Loser &L : Losers)
        if (L.Fn != Fn.get() && freedIn(TU, *Fn, L, Report))
          break;
  }

private:
  static bool mayBeOneOf(const Function &Fn, const AccessPath &Table,
                         const Loser &L) {
    if (L.Home && homeOf(Table) == L.Home)
      return true;
    return L.Returned &&
           Fn.decl().getReturnType() == L.Fn->decl().getReturnType();
  }

  static void inFunction(TranslationUnit &TU, const Function &Fn,
                         std::vector<Loser> &Losers, const Reporter &Report) {
    static constexpr llvm::StringLiteral Word[] = {"orig_nents"};
    if (!Fn.mentions(Word) || !Fn.cfg())
      return;
    for (const CFGBlock *B : *Fn.cfg())
      for (const CFGElement &E : *B) {
        auto AsStmt = E.getAs<CFGStmt>();
        auto Write =
            AsStmt ? countWrite(TU, Fn, AsStmt->getStmt()) : std::nullopt;
        if (!Write || !Write->Loses || !allocatedBefore(TU, Fn, *Write))
          continue;
        CountWalk Walk(TU, Fn, Write->Table, Write->At);
        if (Walk.Freed)
          report(Fn, Walk.Freed, Fn, Write->At, Report);
        else if (Walk.LeavesLost)
          Losers.push_back(
              {&Fn, Write->At, homeOf(Write->Table), Walk.Returned});
      }
  }

  static bool allocatedBefore(const TranslationUnit &TU, const Function &Fn,
                              const CountWrite &Write) {
    for (const CallExpr *Call : Fn.calls())
      if (const DmaCall *Row = DmaApi::get().find(Call, DmaRole::TableAlloc))
        if (auto Table = tableOf(Fn, Call, *Row);
            Table && *Table == Write.Table &&
            TU.sources().isBeforeInTranslationUnit(Call->getBeginLoc(),
                                                   Write.At->getBeginLoc()))
          return true;
    return false;
  }

  static bool freedIn(TranslationUnit &TU, const Function &Fn, const Loser &L,
                      const Reporter &Report) {
    for (const CallExpr *Call : Fn.calls()) {
      const DmaCall *Row = DmaApi::get().find(Call, DmaRole::TableFree);
      auto Table = Row ? tableOf(Fn, Call, *Row) : std::nullopt;
      bool Same = Table && ((L.Home && homeOf(*Table) == L.Home) ||
                            (L.Returned && isParameter(*Table)));
      if (!Same || !Fn.cfg())
        continue;
      CountWalk Walk(TU, Fn, *Table, nullptr);
      if (!Walk.Freed)
        continue;
      report(Fn, Walk.Freed, *L.Fn, L.At, Report);
      return true;
    }
    return false;
  }

  static void report(const Function &Fn, const CallExpr *Free,
                     const Function &Where, const BinaryOperator *Write,
                     const Reporter &Report) {
    Defect D;
    D.Loc = Free->getBeginLoc();
    D.Function = &Fn.decl();
    D.Key = calleeName(Free).str() + "|" + normalisedText(Free->getArg(0));
    D.Message = (calleeName(Free) +
                 "() frees as many entries as orig_nents "
                 "says, but " +
                 (&Fn == &Where ? "that was overwritten"
                                : Where.decl().getNameAsString() +
                                      "() has overwritten it") +
                 ": the scatterlist leaks")
                    .str();
    D.Path.push_back(
        {Write->getBeginLoc(), "the number of allocated entries is lost here"});
    D.Path.push_back({D.Loc, "freed by that number"});
    Report(std::move(D));
  }
};

} // namespace

DMACHECK_REGISTER("sg-table-leak", SgTableLeak)
