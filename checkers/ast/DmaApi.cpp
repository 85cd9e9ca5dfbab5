// SPDX-License-Identifier: GPL-2.0-only

#include "ast/DmaApi.h"
#include "ast/SourceText.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/YAMLTraits.h"

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

  /// A row without these arguments says nothing.
  static std::string validate(IO &, DmaCall &Call) {
    switch (Call.Role) {
    case DmaRole::Map:
      return Call.Returns == DmaResult::Handle
                 ? ""
                 : "a row of role map says \"returns: handle\"";
    case DmaRole::Unmap:
    case DmaRole::Alloc:
    case DmaRole::MappingError:
      return Call.Handle >= 0 || Call.Returns == DmaResult::Table
                 ? ""
                 : "a row of this role says which argument is the handle";
    case DmaRole::MapSg:
    case DmaRole::UnmapSg:
    case DmaRole::TableAlloc:
    case DmaRole::TableFree:
    case DmaRole::FreeMemory:
    case DmaRole::Copies:
      return Call.Object >= 0
                 ? ""
                 : "a row of this role says which argument is the object";
    case DmaRole::IovaAlloc:
    case DmaRole::IovaInUse:
    case DmaRole::IovaLink:
    case DmaRole::IovaSync:
    case DmaRole::IovaUnlink:
    case DmaRole::IovaFree:
      return Call.State >= 0
                 ? ""
                 : "a row of this role says which argument is the state";
    case DmaRole::Free:
    case DmaRole::SyncForCpu:
    case DmaRole::SyncForDevice:
    case DmaRole::NoCapture:
      return "";
    }
    llvm_unreachable("no such role");
  }
};

namespace {
/// What is wrong with a table, as "file:line: what".
struct FirstComplaint {
  std::string Text;
  static void take(const llvm::SMDiagnostic &D, void *Self) {
    std::string &Text = static_cast<FirstComplaint *>(Self)->Text;
    if (Text.empty())
      Text = (D.getFilename() + ":" + llvm::Twine(D.getLineNo()) + ": " +
              D.getMessage())
                 .str();
  }
};
} // namespace

static llvm::Expected<std::vector<DmaCall>>
readRows(llvm::MemoryBufferRef Yaml) {
  FirstComplaint Complaint;
  std::vector<DmaCall> Rows;
  llvm::yaml::Input In(Yaml, nullptr, FirstComplaint::take, &Complaint);
  In >> Rows;
  if (In.error())
    return llvm::createStringError(In.error(),
                                   "%s; the rows are those of dma-api.yaml",
                                   Complaint.Text.c_str());
  return Rows;
}

DmaApi::DmaApi(llvm::StringRef Yaml) {
  auto Rows = readRows({Yaml, "dma-api.yaml"});
  if (!Rows)
    llvm::report_fatal_error(Rows.takeError());
  for (DmaCall &Row : *Rows)
    Calls.try_emplace(Row.Name, std::move(Row));
}

DmaApi &DmaApi::instance() {
  static DmaApi Api(dmaApiYaml());
  return Api;
}

llvm::Error DmaApi::addFile(llvm::StringRef Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return llvm::createStringError(Buffer.getError(),
                                   "%s: %s; --api takes a "
                                   "file of rows like those of dma-api.yaml",
                                   Path.str().c_str(),
                                   Buffer.getError().message().c_str());
  auto Rows = readRows(**Buffer);
  if (!Rows)
    return Rows.takeError();
  DmaApi &Api = instance();
  Api.AddedText += (*Buffer)->getBuffer();
  for (DmaCall &Row : *Rows) {
    Api.Added.push_back(Row.Name);
    Api.Calls[Row.Name] = std::move(Row);
  }
  return llvm::Error::success();
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
