// SPDX-License-Identifier: GPL-2.0-only

#include "git/ObjectStage.h"
#include "git/GitError.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace llvm;

namespace kgit {

// As many as git itself keeps loose when it receives them (transfer.unpackLimit
// in git-config(1)). A pack is synced to the disk once, a loose object twice.
static constexpr size_t PackFrom = 100;

static ObjectStage *stageOf(git_odb_backend *Backend) {
  return static_cast<ObjectStage *>(Backend);
}

static const ObjectStage::Object *lookUp(git_odb_backend *Backend,
                                         const git_oid *Id) {
  auto &Objects = stageOf(Backend)->Objects;
  auto Found = Objects.find(Oid(*Id));
  return Found == Objects.end() ? nullptr : &Found->second;
}

static int giveOut(void **Buffer, size_t *Size, git_object_t *Type,
                   git_odb_backend *Backend, const void *Data, size_t Length,
                   git_object_t Kind) {
  *Buffer = git_odb_backend_data_alloc(Backend, Length + 1);
  if (!*Buffer)
    return GIT_ERROR;
  std::memcpy(*Buffer, Data, Length);
  static_cast<char *>(*Buffer)[Length] = '\0';
  *Size = Length;
  *Type = Kind;
  return GIT_OK;
}

static int giveOut(void **Buffer, size_t *Size, git_object_t *Type,
                   git_odb_backend *Backend, git_odb_object *Object) {
  Handle<git_odb_object, git_odb_object_free> Owner(Object);
  return giveOut(Buffer, Size, Type, Backend, git_odb_object_data(Object),
                 git_odb_object_size(Object), git_odb_object_type(Object));
}

static int readObject(void **Buffer, size_t *Size, git_object_t *Type,
                      git_odb_backend *Backend, const git_oid *Id) {
  if (const ObjectStage::Object *Found = lookUp(Backend, Id))
    return giveOut(Buffer, Size, Type, Backend, Found->Content.data(),
                   Found->Content.size(), Found->Type);
  git_odb_object *Object = nullptr;
  if (int Failed = git_odb_read(&Object, stageOf(Backend)->Disk.get(), Id))
    return Failed;
  return giveOut(Buffer, Size, Type, Backend, Object);
}

/// An abbreviated id comes from a command line: it names nothing that was only
/// just made.
static int readAbbreviated(git_oid *Whole, void **Buffer, size_t *Size,
                           git_object_t *Type, git_odb_backend *Backend,
                           const git_oid *Id, size_t Length) {
  git_odb_object *Object = nullptr;
  if (int Failed = git_odb_read_prefix(&Object, stageOf(Backend)->Disk.get(),
                                       Id, Length))
    return Failed;
  git_oid_cpy(Whole, git_odb_object_id(Object));
  return giveOut(Buffer, Size, Type, Backend, Object);
}

static int readHeader(size_t *Size, git_object_t *Type,
                      git_odb_backend *Backend, const git_oid *Id) {
  const ObjectStage::Object *Found = lookUp(Backend, Id);
  if (!Found)
    return git_odb_read_header(Size, Type, stageOf(Backend)->Disk.get(), Id);
  *Size = Found->Content.size();
  *Type = Found->Type;
  return GIT_OK;
}

static int objectExists(git_odb_backend *Backend, const git_oid *Id) {
  return lookUp(Backend, Id) ||
         git_odb_exists(stageOf(Backend)->Disk.get(), Id);
}

static int abbreviatedExists(git_oid *Whole, git_odb_backend *Backend,
                             const git_oid *Id, size_t Length) {
  return git_odb_exists_prefix(Whole, stageOf(Backend)->Disk.get(), Id, Length);
}

/// Before it writes, libgit2 asks whether the object is there. To the disk that
/// question is left for the flush: each no costs a look into every directory of
/// packs.
static int isStaged(git_odb_backend *Backend, const git_oid *Id) {
  return lookUp(Backend, Id) ? GIT_OK : GIT_ENOTFOUND;
}

static int writeObject(git_odb_backend *Backend, const git_oid *Id,
                       const void *Data, size_t Size, git_object_t Type) {
  ObjectStage *Stage = stageOf(Backend);
  std::string Content(static_cast<const char *>(Data), Size);
  if (Stage->Objects.try_emplace(Oid(*Id), ObjectStage::Object{Type, Content})
          .second)
    Stage->Order.push_back(Oid(*Id));
  return GIT_OK;
}

static void freeStage(git_odb_backend *Backend) { delete stageOf(Backend); }

ObjectStage::ObjectStage(Handle<git_odb, git_odb_free> Disk)
    : git_odb_backend(), Disk(std::move(Disk)) {
  git_odb_init_backend(this, GIT_ODB_BACKEND_VERSION);
  read = readObject;
  read_prefix = readAbbreviated;
  read_header = readHeader;
  exists = objectExists;
  exists_prefix = abbreviatedExists;
  freshen = isStaged;
  write = writeObject;
  free = freeStage;
}

Expected<ObjectStage *> ObjectStage::attach(git_repository *Repo) {
  git_odb *RawDisk = nullptr, *RawFront = nullptr;
  if (git_repository_odb(&RawDisk, Repo))
    return lastError("cannot open the object database");
  auto Stage =
      std::make_unique<ObjectStage>(Handle<git_odb, git_odb_free>(RawDisk));
  if (git_odb_new(&RawFront))
    return lastError("cannot keep objects in memory");
  Handle<git_odb, git_odb_free> Front(RawFront);
  if (git_odb_add_backend(RawFront, Stage.get(), /*priority=*/1))
    return lastError("cannot keep objects in memory");
  ObjectStage *Attached = Stage.release();
  if (git_repository_set_odb(Repo, RawFront))
    return lastError("cannot keep objects in memory");
  return Attached;
}

Error ObjectStage::writeLoose(git_repository *Repo, ArrayRef<Oid> New) const {
  std::string Directory = git_repository_commondir(Repo);
  git_odb *RawLoose = nullptr;
  git_odb_backend *Backend = nullptr;
  if (git_odb_new(&RawLoose))
    return lastError("cannot write objects");
  Handle<git_odb, git_odb_free> Loose(RawLoose);
  if (git_odb_backend_loose(&Backend, (Directory + "objects").c_str(),
                            /*compression_level=*/-1, /*do_fsync=*/1,
                            /*dir_mode=*/0, /*file_mode=*/0) ||
      git_odb_add_backend(RawLoose, Backend, /*priority=*/1))
    return lastError("cannot write objects");
  for (const Oid &Id : New) {
    const Object &Staged = Objects.at(Id);
    git_oid Written;
    if (git_odb_write(&Written, RawLoose, Staged.Content.data(),
                      Staged.Content.size(), Staged.Type))
      return lastError("cannot write object " + Id.str(12));
  }
  return Error::success();
}

Error ObjectStage::writePack(git_repository *Repo, ArrayRef<Oid> New) {
  git_packbuilder *RawBuilder = nullptr;
  if (git_packbuilder_new(&RawBuilder, Repo))
    return lastError("cannot write a pack");
  Handle<git_packbuilder, git_packbuilder_free> Builder(RawBuilder);
  // Commits first: what is read together lies together.
  for (const Oid &Id : llvm::reverse(New))
    if (git_packbuilder_insert(RawBuilder, Id.raw(), nullptr))
      return lastError("cannot pack object " + Id.str(12));
  if (git_packbuilder_write(RawBuilder, nullptr, 0, nullptr, nullptr))
    return lastError("cannot write a pack");
  return Error::success();
}

Error ObjectStage::flush(git_repository *Repo) {
  std::vector<Oid> New;
  for (const Oid &Id : Order) {
    if (!git_odb_exists_ext(Disk.get(), Id.raw(), GIT_ODB_LOOKUP_NO_REFRESH)) {
      New.push_back(Id);
      continue;
    }
    // There already: made young again, so that no gc takes it away.
    const Object &Staged = Objects.at(Id);
    git_oid Written;
    if (git_odb_write(&Written, Disk.get(), Staged.Content.data(),
                      Staged.Content.size(), Staged.Type))
      return lastError("cannot write object " + Id.str(12));
  }
  if (Error E =
          New.size() < PackFrom ? writeLoose(Repo, New) : writePack(Repo, New))
    return E;
  Order.clear();
  Objects.clear();
  return Error::success();
}

} // namespace kgit
