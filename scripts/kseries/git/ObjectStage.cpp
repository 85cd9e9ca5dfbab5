// SPDX-License-Identifier: GPL-2.0-only

#include "git/ObjectStage.h"
#include "git/GitError.h"

#include <cstring>
#include <memory>

using namespace llvm;

namespace kgit {

// Above libgit2's own backends (loose 1, packed 2).
static constexpr int StagePriority = 100;

static ObjectStage *stageOf(git_odb_backend *Backend) {
  return static_cast<ObjectStage *>(Backend);
}

static const ObjectStage::Object *lookUp(git_odb_backend *Backend,
                                         const git_oid *Id) {
  auto &Objects = stageOf(Backend)->Objects;
  auto Found = Objects.find(Oid(*Id));
  return Found == Objects.end() ? nullptr : &Found->second;
}

static int readObject(void **Buffer, size_t *Size, git_object_t *Type,
                      git_odb_backend *Backend, const git_oid *Id) {
  const ObjectStage::Object *Found = lookUp(Backend, Id);
  if (!Found)
    return GIT_ENOTFOUND;
  *Buffer = git_odb_backend_data_alloc(Backend, Found->Content.size() + 1);
  if (!*Buffer)
    return GIT_ERROR;
  std::memcpy(*Buffer, Found->Content.c_str(), Found->Content.size() + 1);
  *Size = Found->Content.size();
  *Type = Found->Type;
  return GIT_OK;
}

static int readHeader(size_t *Size, git_object_t *Type,
                      git_odb_backend *Backend, const git_oid *Id) {
  const ObjectStage::Object *Found = lookUp(Backend, Id);
  if (!Found)
    return GIT_ENOTFOUND;
  *Size = Found->Content.size();
  *Type = Found->Type;
  return GIT_OK;
}

static int objectExists(git_odb_backend *Backend, const git_oid *Id) {
  return lookUp(Backend, Id) != nullptr;
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

ObjectStage::ObjectStage() : git_odb_backend() {
  git_odb_init_backend(this, GIT_ODB_BACKEND_VERSION);
  read = readObject;
  read_header = readHeader;
  exists = objectExists;
  write = writeObject;
  free = freeStage;
}

Expected<ObjectStage *> ObjectStage::attach(git_odb *Database) {
  auto Stage = std::make_unique<ObjectStage>();
  if (git_odb_add_backend(Database, Stage.get(), StagePriority))
    return lastError("cannot keep objects in memory");
  return Stage.release();
}

Error ObjectStage::flushTo(git_odb *Database) {
  for (const Oid &Id : Order) {
    const Object &Staged = Objects.at(Id);
    git_oid Written;
    if (git_odb_write(&Written, Database, Staged.Content.data(),
                      Staged.Content.size(), Staged.Type))
      return lastError("cannot write object " + Id.str(12));
  }
  Order.clear();
  Objects.clear();
  return Error::success();
}

} // namespace kgit
