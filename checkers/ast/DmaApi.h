// SPDX-License-Identifier: GPL-2.0-only
//
// The DMA API as data: what each call does and which argument is which. The
// table is dma-api.yaml, compiled in.

#ifndef DMACHECK_AST_DMAAPI_H
#define DMACHECK_AST_DMAAPI_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace dmacheck {

enum class DmaRole {
  Map,
  Unmap,
  MapSg,
  UnmapSg,
  Alloc,
  Free,
  SyncForCpu,
  SyncForDevice,
  MappingError,
  IovaAlloc,
  IovaInUse,
  IovaLink,
  IovaSync,
  IovaUnlink,
  IovaFree,
  TableAlloc,
  TableFree,
  FreeMemory,
  Copies,
  NoCapture,
};

/// What a call returns, and how a failure shows in it.
enum class DmaResult {
  Nothing,
  Handle,  ///< a DMA address: dma_mapping_error() tells
  Address, ///< a CPU address or a page: NULL
  Entries, ///< a count: 0 or less
  Status,  ///< anything but 0
  Table,   ///< an sg_table: NULL
};

/// One row of the table. Argument numbers count from 0; -1 is "has none".
struct DmaCall {
  std::string Name;
  DmaRole Role = DmaRole::NoCapture;
  std::string Kind;
  DmaResult Returns = DmaResult::Nothing;
  int Device = -1, Handle = -1, Size = -1, State = -1, Offset = -1, Object = -1;
  int Direction = -1, Attrs = -1, Entries = -1, Address = -1;

  const clang::Expr *argument(const clang::CallExpr *Call, int Index) const {
    return Index >= 0 && Index < static_cast<int>(Call->getNumArgs())
               ? Call->getArg(Index)
               : nullptr;
  }
  const clang::Expr *handle(const clang::CallExpr *C) const {
    return argument(C, Handle);
  }
  const clang::Expr *size(const clang::CallExpr *C) const {
    return argument(C, Size);
  }
  const clang::Expr *state(const clang::CallExpr *C) const {
    return argument(C, State);
  }
  const clang::Expr *offset(const clang::CallExpr *C) const {
    return argument(C, Offset);
  }
};

class DmaApi {
public:
  /// The table that is compiled in. Aborts if it is not valid YAML: a build
  /// with a broken table must not pass its first test.
  static const DmaApi &get() { return instance(); }
  /// Adds the rows of a file of the same form; a row takes the place of one of
  /// its name. To be called before any check runs. Fails with one line that
  /// names the file and the line in it.
  static llvm::Error addFile(llvm::StringRef Path);

  /// The calls that addFile() brought, and all of the text that it read.
  const std::vector<std::string> &addedNames() const { return Added; }
  llvm::StringRef addedText() const { return AddedText; }

  /// The row of what is called, or null.
  const DmaCall *find(const clang::CallExpr *Call) const;
  const DmaCall *find(llvm::StringRef Name) const;
  /// The row of the call if it has that role, or null.
  const DmaCall *find(const clang::CallExpr *Call, DmaRole Role) const;

private:
  explicit DmaApi(llvm::StringRef Yaml);
  static DmaApi &instance();
  llvm::StringMap<DmaCall> Calls;
  std::vector<std::string> Added;
  std::string AddedText;
};

/// dma-api.yaml; defined by a file that the build generates.
llvm::StringRef dmaApiYaml();

} // namespace dmacheck

#endif
