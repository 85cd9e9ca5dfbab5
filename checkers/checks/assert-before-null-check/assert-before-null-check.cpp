// SPDX-License-Identifier: GPL-2.0-only

#include "ast/Facts.h"
#include "ast/Loops.h"
#include "ast/SourceText.h"
#include "checks/Check.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;
using namespace dmacheck;

namespace {

/// lockdep_assert_held*(), dma_resv_assert_held(), assert_spin_locked(),
/// mmap_assert_write_locked() and whatever else follows their pattern.
bool isLockAssertion(llvm::StringRef Name) {
  if (Name == "lockdep_assert" || Name == "lockdep_assert_once")
    return true;
  return Name.contains("assert") &&
         (Name.contains("held") || Name.contains("locked"));
}

/// Where the source invokes a lock assertion, if the token at Loc comes from
/// one: out of its body or out of its argument, whatever it expands to.
SourceLocation assertionAt(SourceLocation Loc, const SourceManager &SM) {
  bool Found = false;
  llvm::StringRef Outermost;
  SourceLocation At = Loc;
  while (At.isMacroID()) {
    if (SM.isMacroBodyExpansion(At)) {
      Outermost = Lexer::getImmediateMacroName(At, SM, LangOptions());
      Found |= isLockAssertion(Outermost);
    }
    At = SM.getImmediateExpansionRange(At).getBegin();
  }
  // A larger macro with an assertion somewhere inside is not an assertion.
  return Found && Outermost.contains("assert") ? At : SourceLocation();
}

/// The pointer that this expression dereferences, or null.
const Expr *dereferenced(const Stmt *S) {
  if (const auto *M = dyn_cast<MemberExpr>(S))
    return M->isArrow() ? M->getBase() : nullptr;
  if (const auto *U = dyn_cast<UnaryOperator>(S))
    return U->getOpcode() == UO_Deref ? U->getSubExpr() : nullptr;
  return nullptr;
}

class Dereferences : public RecursiveASTVisitor<Dereferences> {
public:
  std::vector<const Expr *> Pointers;
  bool VisitExpr(Expr *E) {
    if (const Expr *P = dereferenced(E))
      Pointers.push_back(P);
    return true;
  }
};

SourceLocation tokenOf(const Stmt *Dereference) {
  const auto *M = dyn_cast<MemberExpr>(Dereference);
  return M ? M->getOperatorLoc()
           : cast<UnaryOperator>(Dereference)->getOperatorLoc();
}

/// All assertions that are macros, with every pointer that they dereference: on
/// some configurations that is behind "debug_locks &&", and is asserted all the
/// same. A pointer that the assertion itself tests is not among them.
class AssertionMacros : public RecursiveASTVisitor<AssertionMacros> {
public:
  AssertionMacros(const Function &Fn, const SourceManager &SM)
      : Fn(Fn), SM(SM) {
    TraverseStmt(const_cast<Stmt *>(Fn.body()));
    for (auto &[Site, Pointers] : BySite)
      llvm::erase_if(Pointers, [&](const AccessPath &P) {
        return TestedInside.contains({Site, P.key()});
      });
  }
  /// By raw encoding of the site.
  std::map<unsigned, std::vector<AccessPath>> BySite;

  bool VisitExpr(Expr *E) {
    const Expr *Pointer = dereferenced(E);
    SourceLocation Site =
        Pointer ? assertionAt(tokenOf(E), SM) : SourceLocation();
    if (auto P = Site.isValid() ? Fn.paths().lvalue(Pointer) : std::nullopt)
      BySite[Site.getRawEncoding()].push_back(*P);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    return U->getOpcode() == UO_LNot ? test(U->getSubExpr()) : true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
    return B->isLogicalOp() || B->isEqualityOp()
               ? test(B->getLHS()) && test(B->getRHS())
               : true;
  }

private:
  bool test(const Expr *E) {
    E = strip(E);
    SourceLocation Site = assertionAt(E->getBeginLoc(), SM);
    if (Site.isValid() && E->getType()->isPointerType())
      if (auto P = Fn.paths().lvalue(E))
        TestedInside.insert({Site.getRawEncoding(), P->key()});
    return true;
  }
  const Function &Fn;
  const SourceManager &SM;
  std::set<std::pair<unsigned, std::string>> TestedInside;
};

/// Tokens that a test may come from and still be the author's own doubt:
/// written out, or an argument, or the !! of likely() and unlikely(). The test
/// inside any other macro is the macro's, made for all its callers.
bool isWrittenTest(SourceLocation Operator, const SourceManager &SM) {
  if (!SM.isMacroBodyExpansion(Operator)) {
    if (!Operator.isMacroID())
      return true;
    return isWrittenTest(SM.getImmediateSpellingLoc(Operator), SM);
  }
  llvm::StringRef Name =
      Lexer::getImmediateMacroName(Operator, SM, LangOptions());
  return Name == "likely" || Name == "unlikely";
}

/// An assertion in the source and the pointers that it dereferences.
struct Asserted {
  SourceLocation Site;
  AccessPath Pointer;
};

struct State {
  bool Reached = false;
  std::map<std::string, Asserted> Before; ///< on every path to here
  std::set<std::string> Tested;           ///< on some path to here

  /// Merges what comes in over one more edge; true if that changed anything.
  bool join(const State &O) {
    if (!O.Reached)
      return false;
    if (!Reached) {
      *this = O;
      return true;
    }
    size_t Size = Before.size(), Tests = Tested.size();
    std::erase_if(Before, [&](const auto &Item) {
      return !O.Before.contains(Item.first);
    });
    Tested.insert(O.Tested.begin(), O.Tested.end());
    return Before.size() != Size || Tested.size() != Tests;
  }
};

/// Two pointers in one assertion are one finding, at the assertion.
struct Site {
  SourceLocation Loc;
  std::vector<std::pair<AccessPath, SourceLocation>> Tests;
};

class Analysis {
public:
  Analysis(const TranslationUnit &TU, const Function &Fn)
      : TU(TU), SM(TU.sources()), Fn(Fn), Macros(Fn, SM) {}

  std::map<unsigned, Site> run() {
    const CFG *Graph = Fn.cfg();
    if (!Graph)
      return {};
    std::vector<State> In(Graph->getNumBlockIDs());
    In[Graph->getEntry().getBlockID()].Reached = true;
    for (bool Changed = true; Changed;) {
      Changed = false;
      // Reverse of the vector is roughly top down in clang's numbering.
      for (const CFGBlock *B : llvm::reverse(*Graph)) {
        State S = In[B->getBlockID()];
        if (!S.Reached)
          continue;
        block(*B, S, /*Report=*/false);
        for (const CFGBlock *Next : B->succs())
          if (Next)
            Changed |= In[Next->getBlockID()].join(S);
      }
    }
    for (const CFGBlock *B : llvm::reverse(*Graph)) {
      State S = In[B->getBlockID()];
      if (S.Reached)
        block(*B, S, /*Report=*/true);
    }
    return std::move(Sites);
  }

private:
  void block(const CFGBlock &B, State &S, bool Report) {
    for (const CFGElement &E : B)
      if (auto AsStmt = E.getAs<CFGStmt>())
        element(AsStmt->getStmt(), S, Report);
    const Stmt *T = B.getTerminatorStmt();
    if (!T || B.succ_size() < 2)
      return;
    if (const auto *C = dyn_cast_or_null<Expr>(B.getTerminatorCondition()))
      if (!isa<SwitchStmt>(T) && isWrittenTest(testLocation(T), SM))
        pointerTest(C, S, Report);
  }

  /// The token that makes a condition one: "if", "?", "&&".
  static SourceLocation testLocation(const Stmt *T) {
    if (const auto *C = dyn_cast<ConditionalOperator>(T))
      return C->getQuestionLoc();
    if (const auto *B = dyn_cast<BinaryOperator>(T))
      return B->getOperatorLoc();
    return T->getBeginLoc();
  }

  void element(const Stmt *St, State &S, bool Report) {
    if (SourceLocation At = assertionAt(St->getBeginLoc(), SM); At.isValid())
      for (const AccessPath &Pointer : Macros.BySite[At.getRawEncoding()])
        assertion(Pointer, At, S);
    if (const auto *Call = dyn_cast<CallExpr>(St)) {
      if (isLockAssertion(calleeName(Call)))
        assertionCall(Call, S);
      if (calleeName(Call) == "IS_ERR_OR_NULL" && Call->getNumArgs() == 1)
        pointerTest(Call->getArg(0), S, Report);
    }
    if (const auto *U = dyn_cast<UnaryOperator>(St);
        U && U->getOpcode() == UO_LNot &&
        isWrittenTest(U->getOperatorLoc(), SM))
      pointerTest(U->getSubExpr(), S, Report);
    if (const auto *B = dyn_cast<BinaryOperator>(St))
      binary(B, S, Report);
    written(St, S);
  }

  void binary(const BinaryOperator *B, State &S, bool Report) {
    if (!isWrittenTest(B->getOperatorLoc(), SM))
      return;
    if (B->isLogicalOp())
      pointerTest(B->getRHS(), S, Report);
    if (!B->isEqualityOp())
      return;
    auto IsNull = [&](const Expr *E) {
      return E->isNullPointerConstant(TU.context(),
                                      Expr::NPC_ValueDependentIsNotNull) !=
             Expr::NPCK_NotNull;
    };
    if (IsNull(B->getRHS()))
      pointerTest(B->getLHS(), S, Report);
    else if (IsNull(B->getLHS()))
      pointerTest(B->getRHS(), S, Report);
  }

  static void assertion(const AccessPath &P, SourceLocation At, State &S) {
    if (!S.Tested.contains(P.key()))
      S.Before.try_emplace(P.key(), Asserted{At, P});
  }
  void assertion(const Expr *Pointer, SourceLocation At, State &S) {
    if (auto P = Fn.paths().lvalue(Pointer))
      assertion(*P, At, S);
  }

  /// An assertion that is a function: it dereferences what it does not test.
  void assertionCall(const CallExpr *Call, State &S) {
    SourceLocation At = SM.getExpansionLoc(Call->getBeginLoc());
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      Dereferences D;
      D.TraverseStmt(const_cast<Expr *>(Call->getArg(I)));
      for (const Expr *Pointer : D.Pointers)
        assertion(Pointer, At, S);
      if (calleeDereferences(Call, I))
        assertion(Call->getArg(I), At, S);
    }
  }

  bool calleeDereferences(const CallExpr *Call, unsigned I) const {
    const Function *Callee = TU.definition(Call->getDirectCallee());
    if (!Callee || I >= Callee->decl().getNumParams())
      return false;
    const ParmVarDecl *Param = Callee->decl().getParamDecl(I);
    class Uses : public RecursiveASTVisitor<Uses> {
    public:
      explicit Uses(const ParmVarDecl *Param) : Param(Param) {}
      bool Dereferenced = false, Tested = false;
      bool VisitExpr(Expr *E) {
        if (const Expr *P = dereferenced(E))
          Dereferenced |= isParam(P);
        return true;
      }
      bool VisitUnaryOperator(UnaryOperator *U) {
        Tested |= U->getOpcode() == UO_LNot && isParam(U->getSubExpr());
        return true;
      }
      bool VisitBinaryOperator(BinaryOperator *B) {
        if (B->isLogicalOp() || B->isEqualityOp())
          Tested |= isParam(B->getLHS()) || isParam(B->getRHS());
        return true;
      }
      bool VisitIfStmt(IfStmt *S) { return test(S->getCond()); }
      bool VisitConditionalOperator(ConditionalOperator *C) {
        return test(C->getCond());
      }
      bool VisitCallExpr(CallExpr *Call) {
        if (calleeName(Call) == "IS_ERR_OR_NULL" && Call->getNumArgs() == 1)
          Tested |= isParam(Call->getArg(0));
        return true;
      }

    private:
      bool test(const Expr *E) {
        Tested |= isParam(E);
        return true;
      }
      bool isParam(const Expr *E) const {
        const auto *Ref = dyn_cast<DeclRefExpr>(strip(E));
        return Ref && Ref->getDecl() == Param;
      }
      const ParmVarDecl *Param;
    };
    Uses U(Param);
    U.TraverseStmt(const_cast<Stmt *>(Callee->body()));
    return U.Dereferenced && !U.Tested;
  }

  void pointerTest(const Expr *E, State &S, bool Report) {
    E = strip(E);
    if (!E->getType()->isPointerType())
      return;
    auto P = Fn.paths().lvalue(E);
    if (!P)
      return;
    auto It = S.Before.find(P->key());
    if (It == S.Before.end()) {
      S.Tested.insert(P->key());
      return;
    }
    if (!Report)
      return;
    SourceLocation Test = SM.getExpansionLoc(E->getBeginLoc());
    Site &Where = Sites[It->second.Site.getRawEncoding()];
    Where.Loc = It->second.Site;
    auto Known = llvm::find_if(Where.Tests,
                               [&](const auto &T) { return T.first == *P; });
    if (Known == Where.Tests.end())
      Where.Tests.push_back({*P, Test});
    else if (SM.isBeforeInTranslationUnit(Test, Known->second))
      Known->second = Test;
  }

  void written(const Stmt *St, State &S) {
    const auto *B = dyn_cast<BinaryOperator>(St);
    const auto *U = dyn_cast<UnaryOperator>(St);
    if (!(B && B->isAssignmentOp()) && !(U && U->isIncrementDecrementOp()) &&
        !isa<CallExpr, DeclStmt>(St))
      return;
    for (const AccessPath &Written : writesOf(St, Fn.paths())) {
      std::string Prefix = Written.key();
      std::erase_if(S.Before, [&](const auto &Item) {
        return Item.second.Pointer.changesWith(Written);
      });
      // A pointer that was set anew is as untested as any other.
      S.Tested.erase(Prefix);
    }
  }

  const TranslationUnit &TU;
  const SourceManager &SM;
  const Function &Fn;
  AssertionMacros Macros;
  std::map<unsigned, Site> Sites;
};

/// "a", "a and b", "a, b and c"
std::string listOf(const std::vector<std::string> &Names) {
  std::string Out;
  for (size_t I = 0; I < Names.size(); ++I)
    Out += (I == 0 ? "" : I + 1 == Names.size() ? " and " : ", ") + Names[I];
  return Out;
}

class AssertBeforeNullCheck : public Check {
public:
  llvm::ArrayRef<llvm::StringLiteral> identifiers() const override {
    static constexpr llvm::StringLiteral Words[] = {
        "assert_held",        "assert_not_held",        "assert_locked",
        "assert_spin_locked", "assert_raw_spin_locked", "assert_write_locked",
        "lockdep_assert"};
    return Words;
  }

  void run(TranslationUnit &TU, const Reporter &Report) const override {
    for (const auto &Fn : TU.functions())
      if (Fn->mentions(identifiers()))
        for (auto &[_, Where] : Analysis(TU, *Fn).run())
          report(TU, *Fn, Where, Report);
  }

private:
  static void report(TranslationUnit &TU, const Function &Fn, Site &Where,
                     const Reporter &Report) {
    const SourceManager &SM = TU.sources();
    llvm::sort(Where.Tests, [&](const auto &A, const auto &B) {
      return A.first.steps().size() < B.first.steps().size();
    });
    SmallString<32> Buffer;
    llvm::StringRef Macro = Lexer::getSpelling(
        SM.getSpellingLoc(Where.Loc), Buffer, SM, TU.context().getLangOpts());
    std::vector<std::string> Names;
    for (const auto &[Pointer, _] : Where.Tests)
      Names.push_back(Pointer.text());
    Defect D;
    D.Loc = Where.Loc;
    D.Function = &Fn.decl();
    D.Key = Macro.str() + "|" + listOf(Names);
    D.Message =
        (Macro + "() dereferences " + listOf(Names) + " before ").str() +
        (Names.size() == 1 ? "it is" : "they are") + " tested for NULL";
    D.Path.push_back({Where.Loc, "with CONFIG_LOCKDEP this reads the lock: a "
                                 "NULL pointer crashes here"});
    for (const auto &[Pointer, Test] : Where.Tests)
      D.Path.push_back({Test, Pointer.text() + " is tested for NULL too late"});
    Report(std::move(D));
  }
};

} // namespace

DMACHECK_REGISTER("assert-before-null-check", AssertBeforeNullCheck)
