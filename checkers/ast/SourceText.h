// SPDX-License-Identifier: GPL-2.0-only
//
// Expressions as text, and what they are called where they were written: the
// kernel hides much behind macros, and a macro's name outlives its expansion.

#ifndef DMACHECK_AST_SOURCETEXT_H
#define DMACHECK_AST_SOURCETEXT_H

#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace dmacheck {

/// Pretty-printed without casts or parentheses: the same for the same
/// expression whatever its spacing and line breaks.
std::string normalisedText(const clang::Expr *E);

/// As the author wrote it: macros unexpanded, white space folded to one blank.
std::string writtenText(const clang::Stmt *S, const clang::SourceManager &SM);

void forEachVariable(const clang::Stmt *S,
                     llvm::function_ref<void(const clang::VarDecl *)> Fn);

/// The name of the function that is called, or empty.
llvm::StringRef calleeName(const clang::CallExpr *Call);

/// True if the token at Loc comes from the body of macro Name, at any depth of
/// expansion.
bool isFromMacro(clang::SourceLocation Loc, llvm::StringRef Name,
                 const clang::SourceManager &SM);

/// Calls Fn for each macro whose body the token at Loc comes from, innermost
/// first, with the place where that macro was invoked. Stops when Fn returns
/// true, and returns whether it did.
bool anyMacroAt(
    clang::SourceLocation Loc, const clang::SourceManager &SM,
    llvm::function_ref<bool(llvm::StringRef Name, clang::SourceLocation Call)>
        Fn);

/// The value of a GNU statement expression: its last expression, or null.
const clang::Expr *resultOf(const clang::StmtExpr *S);

} // namespace dmacheck

#endif
