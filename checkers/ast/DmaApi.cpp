// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/SourceText.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/YAMLTraits.h"
#include <vector>

using namespace clang;
using namespace dmacheck;

LLVM_YAML_IS_SEQUENCE_VECTOR(dmacheck::DmaCall)

template <> struct llvm::yaml::ScalarEnumerationTraits<DmaRole> {
  static void enumeration(IO &Io, DmaRole &Role) {
    Io.enumCase(Role, "map", DmaRole::Map);
    Io.enumCase(Role, "unmap", DmaRole::Unmap);
    Io.enumCase(Role, "map-sg", DmaRole::MapSg);
    Io.enumCase(Role, "unmap-sg", DmaRole::UnmapSg);
    Io.enumCase(Role, "alloc", DmaRole::Alloc);
    Io.enumCase(Role, "free", DmaRole::Free);
    Io.enumCase(Role, "sync-cpu", DmaRole::SyncForCpu);
    Io.enumCase(Role, "sync-device", DmaRole::SyncForDevice);
    Io.enumCase(Role, "mapping-error", DmaRole::MappingError);
    Io.enumCase(Role, "iova-alloc", DmaRole::IovaAlloc);
    Io.enumCase(Role, "iova-in-use", DmaRole::IovaInUse);
    Io.enumCase(Role, "iova-link", DmaRole::IovaLink);
    Io.enumCase(Role, "iova-sync", DmaRole::IovaSync);
    Io.enumCase(Role, "iova-unlink", DmaRole::IovaUnlink);
    Io.enumCase(Role, "iova-free", DmaRole::IovaFree);
    Io.enumCase(Role, "table-alloc", DmaRole::TableAlloc);
    Io.enumCase(Role, "table-free", DmaRole::TableFree);
    Io.enumCase(Role, "free-memory", DmaRole::FreeMemory);
    Io.enumCase(Role, "copies", DmaRole::Copies);
    Io.enumCase(Role, "no-capture", DmaRole::NoCapture);
  }
};

template <> struct llvm::yaml::ScalarEnumerationTraits<DmaResult> {
  static void enumeration(IO &Io, DmaResult &Result) {
    Io.enumCase(Result, "nothing", DmaResult::Nothing);
    Io.enumCase(Result, "handle", DmaResult::Handle);
    Io.enumCase(Result, "address", DmaResult::Address);
    Io.enumCase(Result, "entries", DmaResult::Entries);
    Io.enumCase(Result, "status", DmaResult::Status);
    Io.enumCase(Result, "table", DmaResult::Table);
  }
};

template <> struct llvm::yaml::MappingTraits<DmaCall> {
  static void mapping(IO &Io, DmaCall &Call) {
    Io.mapRequired("name", Call.Name);
    Io.mapRequired("role", Call.Role);
    Io.mapOptional("kind", Call.Kind);
    Io.mapOptional("returns", Call.Returns, DmaResult::Nothing);
    Io.mapOptional("device", Call.Device, -1);
    Io.mapOptional("handle", Call.Handle, -1);
    Io.mapOptional("size", Call.Size, -1);
    Io.mapOptional("state", Call.State, -1);
    Io.mapOptional("offset", Call.Offset, -1);
    Io.mapOptional("object", Call.Object, -1);
    Io.mapOptional("direction", Call.Direction, -1);
    Io.mapOptional("attrs", Call.Attrs, -1);
    Io.mapOptional("entries", Call.Entries, -1);
    Io.mapOptional("address", Call.Address, -1);
  }
};

DmaApi::DmaApi(llvm::StringRef Yaml) {
  std::vector<DmaCall> Rows;
  llvm::yaml::Input In(Yaml);
  In >> Rows;
  if (In.error())
    llvm::report_fatal_error("dma-api.yaml: not valid");
  for (DmaCall &Row : Rows)
    Calls.try_emplace(Row.Name, std::move(Row));
}

const DmaApi &DmaApi::get() {
  static const DmaApi Api(dmaApiYaml());
  return Api;
}

const DmaCall *DmaApi::find(llvm::StringRef Name) const {
  auto It = Calls.find(Name);
  return It == Calls.end() ? nullptr : &It->second;
}

const DmaCall *DmaApi::find(const CallExpr *Call) const {
  return find(calleeName(Call));
}

const DmaCall *DmaApi::find(const CallExpr *Call, DmaRole Role) const {
  const DmaCall *Row = find(Call);
  return Row && Row->Role == Role ? Row : nullptr;
}
