// SPDX-License-Identifier: GPL-2.0-only
//
// Names for memory: "the field state of what dma points to". Two expressions
// with equal access paths name the same object as long as nothing that the
// path depends on was assigned in between.

#ifndef DMACHECK_AST_ACCESSPATH_H
#define DMACHECK_AST_ACCESSPATH_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace dmacheck {

class AccessPath {
public:
  struct Step {
    enum Kind { Deref, Field, Index } K;
    const clang::FieldDecl *F = nullptr;
    std::string IndexText;
    bool operator==(const Step &O) const {
      return K == O.K && F == O.F && IndexText == O.IndexText;
    }
  };

  static AccessPath ofVariable(const clang::VarDecl *V);

  const clang::VarDecl *base() const { return Base; }
  llvm::ArrayRef<Step> steps() const { return Steps; }

  /// As C would write it: "dma->state", "map->frags[i].len".
  std::string text() const;
  /// As one speaks of it: what the pointer p points to is called p.
  std::string objectText() const;
  /// text(), told apart from other variables of the same name.
  std::string key() const;

  bool operator==(const AccessPath &O) const {
    return Base == O.Base && Steps == O.Steps;
  }
  /// True if this path names O or something that O lies in or behind.
  bool isPrefixOf(const AccessPath &O) const;
  /// True if an assignment to `Written` may change what this path names.
  bool changesWith(const AccessPath &Written) const;
  bool mentions(const clang::VarDecl *V) const;
  /// This path as the callee names it when its parameter points to At, a prefix
  /// of this path.
  AccessPath seenThrough(const AccessPath &At,
                         const clang::VarDecl *Parameter) const;
  /// The last field on the path, or null.
  const clang::FieldDecl *lastField() const;

private:
  friend class PathBuilder;
  const clang::VarDecl *Base = nullptr;
  llvm::SmallVector<Step, 4> Steps;
  llvm::SmallVector<const clang::VarDecl *, 2> IndexVars;
};

/// Local pointers that are set once, to an address, and never again: another
/// name for what they point to.
using AliasMap = llvm::DenseMap<const clang::VarDecl *, const clang::Expr *>;
AliasMap aliasesIn(const clang::FunctionDecl &Fn);

/// The access of a field that E is, or null.
const clang::MemberExpr *fieldAccess(const clang::Expr *E);
/// The field that E accesses, or null.
const clang::FieldDecl *accessedField(const clang::Expr *E);

/// Builds access paths, looking through casts, parentheses and aliases.
class PathBuilder {
public:
  explicit PathBuilder(const AliasMap &Aliases) : Aliases(Aliases) {}

  /// The path of an lvalue (or of the lvalue that an rvalue was read from).
  std::optional<AccessPath> lvalue(const clang::Expr *E) const;
  /// The path of what the pointer E points to.
  std::optional<AccessPath> pointee(const clang::Expr *E) const;
  /// The path of what the member lies in.
  std::optional<AccessPath> objectOf(const clang::MemberExpr *M) const {
    return M->isArrow() ? pointee(M->getBase()) : lvalue(M->getBase());
  }

private:
  std::optional<AccessPath> append(std::optional<AccessPath> P,
                                   AccessPath::Step S) const;
  const AliasMap &Aliases;
};

} // namespace dmacheck

#endif
