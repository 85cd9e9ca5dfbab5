// SPDX-License-Identifier: GPL-2.0-only

#include "ast/MappedEntries.h"
#include "ast/Assignments.h"
#include "ast/DmaApi.h"
#include "ast/Facts.h"
#include "ast/SourceText.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace dmacheck;

namespace {
/// The array that an entry lies in: the path up to its last index.
std::optional<AccessPath::Step> lastIndex(const AccessPath &P) {
  for (const auto &S : llvm::reverse(P.steps()))
    if (S.K == AccessPath::Step::Index)
      return S;
  return std::nullopt;
}

bool sameArray(const AccessPath &A, const AccessPath &B) {
  if (A.base() != B.base() || !lastIndex(A) || !lastIndex(B) ||
      A.steps().size() != B.steps().size())
    return false;
  for (size_t I = 0; I < A.steps().size(); ++I) {
    bool Index = A.steps()[I].K == AccessPath::Step::Index &&
                 B.steps()[I].K == AccessPath::Step::Index;
    if (!Index && !(A.steps()[I] == B.steps()[I]))
      return false;
  }
  return true;
}

bool isSgMember(const Expr *E, llvm::StringRef Macro, const SourceManager &SM) {
  const auto *M = dyn_cast<MemberExpr>(E->IgnoreParenCasts());
  return M && isFromMacro(M->getMemberLoc(), Macro, SM);
}
} // namespace

bool dmacheck::isSgDmaAddress(const Expr *E, const SourceManager &SM) {
  return isSgMember(E, "sg_dma_address", SM);
}

bool dmacheck::isSgDmaLength(const Expr *E, const SourceManager &SM) {
  return isSgMember(E, "sg_dma_len", SM);
}

std::optional<AccessPath> dmacheck::destinationOf(const Function &Fn,
                                                  const CallExpr *Map) {
  const Assignments &A = Fn.assignments();
  for (const Assignment &Each : A.All)
    if (strip(Each.From) == Map)
      return Fn.paths().lvalue(Each.To);
  for (auto [V, Init] : A.Inits)
    if (strip(Init) == Map)
      return AccessPath::ofVariable(V);
  return std::nullopt;
}

std::optional<SgFill> dmacheck::sgFill(const TranslationUnit &TU,
                                       const CallExpr *Call) {
  const Function *Fn = TU.definition(Call->getDirectCallee());
  if (!Fn)
    return std::nullopt;
  const Assignments &A = Fn->assignments();
  for (const Assignment &Each : A.All) {
    if (!isSgDmaAddress(Each.To, TU.sources()))
      continue;
    const auto *Ref = dyn_cast<DeclRefExpr>(strip(Each.From));
    const auto *Address = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    if (!Address)
      continue;
    SgFill Fill{Fn, Address->getFunctionScopeIndex(), false};
    // "addr += len" between entries: one range, several entries.
    for (const CompoundAssignOperator *Step : A.Steps)
      if (auto P = Fn->paths().lvalue(Step->getLHS()))
        Fill.Splits |= Step->getOpcode() == BO_AddAssign &&
                       P->base() == Address && P->steps().empty();
    return Fill;
  }
  return std::nullopt;
}

const CallExpr *dmacheck::fillOf(const TranslationUnit &TU, const Function &Fn,
                                 const CallExpr *Map, SgFill &Fill) {
  auto Handle = destinationOf(Fn, Map);
  if (!Handle)
    return nullptr;
  for (const CallExpr *Call : Fn.calls())
    if (auto Found = sgFill(TU, Call))
      if (Found->AddressParam < Call->getNumArgs())
        if (auto P = Fn.paths().lvalue(Call->getArg(Found->AddressParam));
            P && *P == *Handle) {
          Fill = *Found;
          return Call;
        }
  return nullptr;
}

std::optional<SharedEntries> dmacheck::sharedEntries(const TranslationUnit &TU,
                                                     const Function &Fn,
                                                     const CallExpr *Map,
                                                     const Loop &Mapping,
                                                     const CallExpr *Unmap) {
  const DmaCall *Row = DmaApi::get().find(Unmap, DmaRole::Unmap);
  const Expr *Handle = Row ? Row->handle(Unmap) : nullptr;
  auto Written = destinationOf(Fn, Map);
  if (!Handle || !Written)
    return std::nullopt;
  Assignments InLoop(Mapping.S);
  if (isSgDmaAddress(Handle, TU.sources())) {
    SgFill Fill;
    bool Fills =
        fillOf(TU, Fn, Map, Fill) ||
        llvm::any_of(InLoop.All, [&](const Assignment &A) {
          return isSgDmaAddress(A.To, TU.sources()) &&
                 (strip(A.From) == Map || Fn.paths().lvalue(A.From) == Written);
        });
    return Fills ? std::optional(SharedEntries{}) : std::nullopt;
  }
  auto Taken = Fn.paths().lvalue(Handle);
  if (!Taken)
    return std::nullopt;
  if (sameArray(*Written, *Taken))
    return SharedEntries{Written, Taken};
  // addr = dma_map_...(); ... table[i].addr = addr;
  for (const Assignment &A : InLoop.All) {
    auto Source = Fn.paths().lvalue(A.From), To = Fn.paths().lvalue(A.To);
    if (Source && To && *Source == *Written && sameArray(*To, *Taken))
      return SharedEntries{To, Taken};
  }
  return std::nullopt;
}
