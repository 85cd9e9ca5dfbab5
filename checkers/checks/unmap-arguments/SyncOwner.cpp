// SPDX-License-Identifier: GPL-2.0-only

#include "ast/ArgumentValue.h"
#include "ast/Facts.h"
#include "ast/SourceText.h"
#include "checks/unmap-arguments/Mismatch.h"

using namespace clang;
using namespace dmacheck;
using namespace dmacheck::unmap_arguments;

namespace {

/// DMA_FROM_DEVICE of enum dma_data_direction.
constexpr int64_t FromDevice = 2;

/// The members that hold the CPU addresses of what is mapped into Member.
llvm::DenseSet<const FieldDecl *> buffersOf(const MappingSites &Sites,
                                            const FieldDecl *Member) {
  llvm::DenseSet<const FieldDecl *> Out;
  for (const MappingSite *M : Sites.mapsInto(Member)) {
    const Expr *Address = M->argument(M->Row->Address);
    if (const FieldDecl *F = Address ? accessedField(Address) : nullptr)
      Out.insert(F);
  }
  return Out;
}

/// The first call after Sync that is given one of the buffers to read.
const CallExpr *readAfter(const TranslationUnit &TU, const MappingSite &Sync,
                          const llvm::DenseSet<const FieldDecl *> &Buffers) {
  for (const CallExpr *Call : Sync.Fn->calls()) {
    const DmaCall *Row = DmaApi::get().find(Call);
    if (Row && Row->Role != DmaRole::Copies)
      continue;
    if (!TU.sources().isBeforeInTranslationUnit(Sync.Call->getEndLoc(),
                                                Call->getBeginLoc()) ||
        !canReach(*Sync.Fn, Sync.Call, Call))
      continue;
    for (int I = 0; I < static_cast<int>(Call->getNumArgs()); ++I) {
      if (Row && I != Row->Object)
        continue;
      const FieldDecl *F = accessedField(Call->getArg(I));
      if (F && Buffers.contains(F))
        return Call;
    }
  }
  return nullptr;
}

} // namespace

void unmap_arguments::syncOwner(const TranslationUnit &TU,
                                const MappingSites &Sites,
                                const Reporter &Report) {
  for (const MappingSite &Sync : Sites.syncs()) {
    const Expr *Direction = Sync.argument(Sync.Row->Direction);
    if (Sync.Row->Role != DmaRole::SyncForDevice || Sync.Homes.empty() ||
        !Direction ||
        possibleConstants(TU, *Sync.Fn, Direction) !=
            std::set<int64_t>{FromDevice})
      continue;
    const FieldDecl *Member = Sync.Homes.front().lastField();
    // A buffer that some code takes back for the CPU has its owners in order,
    // as far as can be seen from here.
    if (!Member || llvm::any_of(Sites.syncs(), [&](const MappingSite &S) {
          return S.Row->Role == DmaRole::SyncForCpu && S.isKeptIn(Member);
        }))
      continue;
    const CallExpr *Read = readAfter(TU, Sync, buffersOf(Sites, Member));
    if (!Read)
      continue;
    Defect D;
    D.Loc = Sync.Call->getBeginLoc();
    D.Function = &Sync.Fn->decl();
    D.Key = "owner|" + Sync.Row->Name + "|" + Sync.Homes.front().text();
    D.Message = nameOf(TU, Sync.Call) + "() gives " +
                Sync.Homes.front().text() +
                " to the device, and then the CPU reads the buffer: it has to "
                "be synced for the CPU";
    D.Path.push_back({D.Loc, "handed to the device"});
    D.Path.push_back({Read->getBeginLoc(), "read here"});
    Report(std::move(D));
  }
}
