// SPDX-License-Identifier: GPL-2.0-only
//
// Where a file maps memory and where it undoes that, and which of the two
// belong together: by the variable or the member that the handle is kept in.

#ifndef DMACHECK_AST_MAPPINGSITES_H
#define DMACHECK_AST_MAPPINGSITES_H

#include "ast/Assignments.h"
#include "ast/DmaApi.h"
#include "ast/TranslationUnit.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace dmacheck {

/// A call that maps, allocates, unmaps, frees or syncs.
struct MappingSite {
  const Function *Fn;
  const clang::CallExpr *Call;
  const DmaCall *Row;
  /// Every place that the handle is kept in (of a scatterlist: the list
  /// itself). Of an undo: the one place that it is taken from.
  std::vector<AccessPath> Homes;
  /// Where the handle comes to the home of that number: the call, or a copy.
  std::vector<const clang::Expr *> StoredAt;

  const clang::Expr *argument(int Index) const {
    return Row->argument(Call, Index);
  }
  /// True if one of the homes is that member, of whatever object.
  bool isKeptIn(const clang::FieldDecl *Member) const;
};

class MappingSites {
public:
  explicit MappingSites(const TranslationUnit &TU);

  /// Sites of role map, map-sg and alloc; of unmap, unmap-sg and free; of
  /// sync-cpu and sync-device. In source order.
  const std::vector<MappingSite> &maps() const { return Maps; }
  const std::vector<MappingSite> &undos() const { return Undos; }
  const std::vector<MappingSite> &syncs() const { return Syncs; }

  /// Maps of Undo's own function that keep the handle where Undo takes it from,
  /// from where control can reach Undo.
  std::vector<const MappingSite *> mapsBefore(const MappingSite &Undo) const;

  /// Maps of the whole file that keep their handle in that member. None if
  /// something else is stored there too, or if none of them is known to reach
  /// it as Undo does: by the same members, from the same type. Two rings of one
  /// type are not taken for each other.
  std::vector<const MappingSite *>
  mapsFor(const MappingSite &Undo, const clang::FieldDecl *Member) const;
  std::vector<const MappingSite *>
  mapsInto(const clang::FieldDecl *Member) const;
  std::vector<const MappingSite *>
  undosOf(const clang::FieldDecl *Member) const;

private:
  void addHomes(MappingSite &Site);
  void noteForeign(const Function &Fn);

  std::vector<MappingSite> Maps, Undos, Syncs;
  /// Members that get their value from elsewhere too.
  llvm::DenseSet<const clang::FieldDecl *> Foreign;
};

} // namespace dmacheck

#endif
