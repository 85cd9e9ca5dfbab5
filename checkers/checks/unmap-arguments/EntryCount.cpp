// SPDX-License-Identifier: GPL-2.0-only

#include "ast/ArgumentValue.h"
#include "ast/Facts.h"
#include "ast/SourceText.h"
#include "checks/unmap-arguments/Mismatch.h"

using namespace clang;
using namespace dmacheck;
using namespace dmacheck::unmap_arguments;

namespace {

/// A value that is written to one place.
struct Write {
  const Expr *To, *Value;
};

std::vector<Write> writesTo(const Function &Fn, const AccessPath &Place) {
  std::vector<Write> Out;
  const Assignments &A = Fn.assignments();
  for (const Assignment &Each : A.All)
    if (auto To = Fn.paths().lvalue(Each.To); To && *To == Place)
      Out.push_back({Each.To, Each.From});
  for (auto [V, Init] : A.Inits)
    if (Place == AccessPath::ofVariable(V))
      Out.push_back({Init, Init});
  return Out;
}

/// The map whose return Value is.
const MappingSite *returnOf(const MappingSites &Sites, const Expr *Value) {
  Value = strip(Value);
  for (const MappingSite &M : Sites.maps())
    if (M.Call == Value && M.Row->Returns == DmaResult::Entries &&
        M.Row->Entries >= 0)
      return &M;
  return nullptr;
}

/// The map whose return the place holds at At: every write that can reach At
/// without another one in between is one.
const MappingSite *heldAt(const MappingSites &Sites, const Function &Fn,
                          const AccessPath &Place, const Expr *At) {
  std::vector<Write> Writes = writesTo(Fn, Place);
  const MappingSite *Found = nullptr;
  for (const Write &W : Writes) {
    if (!canReach(Fn, W.To, At))
      continue;
    const MappingSite *M = returnOf(Sites, W.Value);
    if (M) {
      Found = M;
      continue;
    }
    // Overwritten by the return of the map on the way?
    bool Overwritten = llvm::any_of(Writes, [&](const Write &Later) {
      return returnOf(Sites, Later.Value) && Later.To != W.To &&
             canReach(Fn, W.To, Later.To) && canReach(Fn, Later.To, At) &&
             !canReach(Fn, Later.To, W.To);
    });
    if (!Overwritten)
      return nullptr;
  }
  return Found;
}

bool isOne(const TranslationUnit &TU, const MappingSite &M) {
  auto Given = possibleConstants(TU, *M.Fn, M.argument(M.Row->Entries));
  return Given == std::set<int64_t>{1};
}

/// The map whose return the file stores in the member. What else is stored
/// there belongs to another way through the same function, without a mapping.
const MappingSite *storedIn(const TranslationUnit &TU,
                            const MappingSites &Sites,
                            const FieldDecl *Member) {
  const MappingSite *Found = nullptr;
  for (const auto &Fn : TU.functions()) {
    std::vector<const Expr *> Returns, Others;
    for (const Assignment &Each : Fn->assignments().All) {
      if (accessedField(Each.To) != Member ||
          !possibleConstants(TU, *Fn, Each.From).empty())
        continue;
      const MappingSite *M = returnOf(Sites, Each.From);
      if (!M)
        if (auto From = Fn->paths().lvalue(strip(Each.From)))
          M = heldAt(Sites, *Fn, *From, Each.To);
      (M ? Returns : Others).push_back(Each.To);
      if (M)
        Found = M;
    }
    for (const Expr *Other : Others)
      if (llvm::none_of(Returns, [&](const Expr *Return) {
            return canLeave(*Fn, Return, Other);
          }))
        return nullptr;
  }
  return Found;
}

} // namespace

std::optional<Mismatch> unmap_arguments::entryCount(const TranslationUnit &TU,
                                                    const MappingSites &Sites,
                                                    const MappingSite &Undo) {
  const Expr *Count = Undo.argument(Undo.Row->Entries);
  auto Place = Count ? Undo.Fn->paths().lvalue(strip(Count)) : std::nullopt;
  if (!Place)
    return std::nullopt;
  const MappingSite *M = heldAt(Sites, *Undo.Fn, *Place, Undo.Call);
  if (!M && writesTo(*Undo.Fn, *Place).empty())
    if (const FieldDecl *Member = accessedField(strip(Count)))
      M = storedIn(TU, Sites, Member);
  if (!M || isOne(TU, *M))
    return std::nullopt;
  return Mismatch{"entry count",
                  writtenText(M->argument(M->Row->Entries), TU.sources()),
                  writtenText(Count, TU.sources()), M};
}
