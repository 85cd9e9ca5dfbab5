// SPDX-License-Identifier: GPL-2.0-only

#include "ast/MappingSites.h"
#include "ast/ArgumentValue.h"
#include "ast/Facts.h"
#include "ast/MappedEntries.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace dmacheck;

static bool isMap(const DmaCall &Row) {
  return Row.Role == DmaRole::Map || Row.Role == DmaRole::MapSg ||
         Row.Role == DmaRole::Alloc;
}

static bool isUndo(const DmaCall &Row) {
  return Row.Role == DmaRole::Unmap || Row.Role == DmaRole::UnmapSg ||
         Row.Role == DmaRole::Free;
}

/// The list that a scatterlist call works on; of a table, the table.
static std::optional<AccessPath> listOf(const Function &Fn, const Expr *List) {
  const FieldDecl *F = accessedField(List);
  if (F && F->getName() == "sgl" && F->getParent()->getName() == "sg_table")
    return Fn.paths().objectOf(fieldAccess(List));
  return Fn.paths().pointee(List);
}

static bool isNumber(llvm::StringRef Text) {
  return !Text.empty() && llvm::all_of(Text, [](char C) { return isdigit(C); });
}

/// Entries of one array are one place, unless their numbers are written out.
static bool samePlace(const AccessPath &A, const AccessPath &B) {
  if (A.base() != B.base() || A.steps().size() != B.steps().size())
    return false;
  for (size_t I = 0; I < A.steps().size(); ++I) {
    const AccessPath::Step &X = A.steps()[I], &Y = B.steps()[I];
    if (X.K != Y.K || X.F != Y.F)
      return false;
    if (isNumber(X.IndexText) && isNumber(Y.IndexText) &&
        X.IndexText != Y.IndexText)
      return false;
  }
  return true;
}

bool MappingSite::isKeptIn(const FieldDecl *Member) const {
  return llvm::any_of(
      Homes, [&](const AccessPath &H) { return H.lastField() == Member; });
}

void MappingSites::addHomes(MappingSite &Site) {
  auto Add = [&](std::optional<AccessPath> P, const Expr *At) {
    if (!P)
      return;
    Site.Homes.push_back(std::move(*P));
    Site.StoredAt.push_back(At);
  };
  const DmaCall &Row = *Site.Row;
  if (Row.Role == DmaRole::MapSg || Row.Role == DmaRole::UnmapSg) {
    if (const Expr *List = Site.argument(Row.Object))
      Add(listOf(*Site.Fn, List), Site.Call);
    return;
  }
  if (!isMap(Row)) {
    if (const Expr *Handle = Row.handle(Site.Call))
      Add(Site.Fn->paths().lvalue(Handle), Site.Call);
    return;
  }
  if (Row.Role == DmaRole::Alloc) {
    if (const Expr *Handle = Row.handle(Site.Call))
      Add(Site.Fn->paths().pointee(Handle), Site.Call);
  } else {
    Add(destinationOf(*Site.Fn, Site.Call), Site.Call);
  }
  if (Site.Homes.empty())
    return;
  // Copies of what the handle is in first.
  for (const Assignment &Each : Site.Fn->assignments().All)
    if (auto From = Site.Fn->paths().lvalue(strip(Each.From));
        From && *From == Site.Homes.front())
      Add(Site.Fn->paths().lvalue(Each.To), Each.To);
}

/// What is stored in members and comes from no map of this function.
void MappingSites::noteForeign(const Function &Fn) {
  auto IsHandle = [&](const Expr *Value) {
    Value = strip(Value);
    auto P = Fn.paths().lvalue(Value);
    return llvm::any_of(Maps, [&](const MappingSite &M) {
      return M.Fn == &Fn &&
             (M.Call == Value || (P && llvm::is_contained(M.Homes, *P)));
    });
  };
  for (const Assignment &Each : Fn.assignments().All) {
    const FieldDecl *F = accessedField(Each.To);
    Expr::EvalResult R;
    if (F && F->getType()->isIntegerType() && !IsHandle(Each.From) &&
        !Each.From->EvaluateAsInt(R, Fn.decl().getASTContext()))
      Foreign.insert(F);
  }
  for (const CallExpr *Call : Fn.calls()) {
    if (DmaApi::get().find(Call))
      continue;
    for (const Expr *Arg : Call->arguments())
      if (const auto *U = dyn_cast<UnaryOperator>(Arg->IgnoreParenCasts());
          U && U->getOpcode() == UO_AddrOf)
        if (const FieldDecl *F = accessedField(U->getSubExpr());
            F && F->getType()->isIntegerType())
          Foreign.insert(F);
  }
}

MappingSites::MappingSites(const TranslationUnit &TU) {
  for (const auto &Fn : TU.functions()) {
    // What a call of the table is made of stands for that call.
    if (DmaApi::get().find(Fn->decl().getNameAsString()))
      continue;
    for (const CallExpr *Call : Fn->calls()) {
      const DmaCall *Row = DmaApi::get().find(Call);
      if (!Row)
        continue;
      std::vector<MappingSite> *To = isMap(*Row)    ? &Maps
                                     : isUndo(*Row) ? &Undos
                                     : Row->Role == DmaRole::SyncForCpu ||
                                             Row->Role == DmaRole::SyncForDevice
                                         ? &Syncs
                                         : nullptr;
      if (!To)
        continue;
      To->push_back({Fn.get(), Call, Row, {}, {}});
      addHomes(To->back());
    }
  }
  if (Maps.empty())
    return;
  for (const auto &Fn : TU.functions())
    noteForeign(*Fn);
}

/// True if something else than a map puts another handle there on the way.
static bool isReplaced(const MappingSite &Map, size_t Home,
                       const MappingSite &Undo, const Assignments &A) {
  return llvm::any_of(A.All, [&](const Assignment &Each) {
    auto To = Map.Fn->paths().lvalue(Each.To);
    if (!To || !samePlace(*To, Map.Homes[Home]) ||
        Each.To == Map.StoredAt[Home])
      return false;
    const auto *Call = dyn_cast<CallExpr>(strip(Each.From));
    const DmaCall *Row = Call ? DmaApi::get().find(Call) : nullptr;
    Expr::EvalResult R;
    if ((Row && isMap(*Row)) ||
        (Each.From->getType()->isIntegerType() &&
         Each.From->EvaluateAsInt(R, Map.Fn->decl().getASTContext())))
      return false;
    return canReach(*Map.Fn, Map.StoredAt[Home], Each.To) &&
           canReach(*Map.Fn, Each.To, Undo.Call);
  });
}

std::vector<const MappingSite *>
MappingSites::mapsBefore(const MappingSite &Undo) const {
  std::vector<const MappingSite *> Out;
  const Assignments &A = Undo.Fn->assignments();
  for (const AccessPath &Taken : Undo.Homes)
    for (const MappingSite &M : Maps) {
      if (M.Fn != Undo.Fn)
        continue;
      for (size_t I = 0; I < M.Homes.size(); ++I)
        if (samePlace(M.Homes[I], Taken) &&
            canReach(*M.Fn, M.StoredAt[I], Undo.Call) &&
            !isReplaced(M, I, Undo, A)) {
          Out.push_back(&M);
          break;
        }
    }
  return Out;
}

/// The members on the way to a place, the last one first, and what it starts
/// from: a parameter, a global, or what a call returned.
static std::optional<std::vector<const Decl *>>
wayTo(const Function &Fn, const AccessPath &Place, unsigned Depth = 0) {
  std::vector<const Decl *> Way;
  for (const AccessPath::Step &S : llvm::reverse(Place.steps()))
    if (S.K == AccessPath::Step::Field)
      Way.push_back(S.F);
  const VarDecl *Base = Place.base();
  if (isa<ParmVarDecl>(Base) || !Base->hasLocalStorage() ||
      !Base->getType()->isPointerType())
    return Way;
  if (Depth > 4)
    return std::nullopt;
  const Assignments &A = Fn.assignments();
  std::vector<const Expr *> Values;
  for (const Assignment &Each : A.All)
    if (auto To = Fn.paths().lvalue(Each.To);
        To && *To == AccessPath::ofVariable(Base))
      Values.push_back(Each.From);
  for (auto [V, Init] : A.Inits)
    if (V->getCanonicalDecl() == Base)
      Values.push_back(Init);
  std::optional<std::vector<const Decl *>> Before;
  for (const Expr *Value : Values) {
    Value = strip(Value);
    while (const auto *B = dyn_cast<BinaryOperator>(Value)) {
      if (!B->isAdditiveOp() || !B->getLHS()->getType()->isPointerType())
        break;
      Value = strip(B->getLHS());
    }
    auto From = Fn.paths().pointee(Value);
    if (!From)
      continue; // what a call returned
    if (From->base() == Base)
      continue;
    auto Each = wayTo(Fn, *From, Depth + 1);
    if (!Each || (Before && *Before != *Each))
      return std::nullopt;
    Before = Each;
  }
  if (Before)
    Way.insert(Way.end(), Before->begin(), Before->end());
  return Way;
}

std::vector<const MappingSite *>
MappingSites::mapsFor(const MappingSite &Undo, const FieldDecl *Member) const {
  auto Way = wayTo(*Undo.Fn, Undo.Homes.front());
  std::vector<const MappingSite *> Out = mapsInto(Member);
  bool Known = Way && llvm::any_of(Out, [&](const MappingSite *M) {
                 return llvm::any_of(M->Homes, [&](const AccessPath &H) {
                   return H.lastField() == Member && wayTo(*M->Fn, H) == Way;
                 });
               });
  return Known ? Out : std::vector<const MappingSite *>{};
}

static std::vector<const MappingSite *>
sitesOf(const std::vector<MappingSite> &Sites, const FieldDecl *Member) {
  std::vector<const MappingSite *> Out;
  for (const MappingSite &S : Sites)
    if (S.isKeptIn(Member))
      Out.push_back(&S);
  return Out;
}

std::vector<const MappingSite *>
MappingSites::mapsInto(const FieldDecl *Member) const {
  if (Foreign.contains(Member))
    return {};
  return sitesOf(Maps, Member);
}

std::vector<const MappingSite *>
MappingSites::undosOf(const FieldDecl *Member) const {
  return sitesOf(Undos, Member);
}
