// SPDX-License-Identifier: GPL-2.0-only

#include "git/Identity.h"
#include "git/GitError.h"
#include "git/Library.h"

#include "llvm/Support/Process.h"

using namespace llvm;

namespace kgit {

using ConfigHandle = Handle<git_config, git_config_free>;

static Expected<ConfigHandle> openConfig(StringRef Directory) {
  git_config *Found = nullptr;
  git_repository *Repo = nullptr;
  if (!git_repository_open_ext(&Repo, Directory.str().c_str(), 0, nullptr)) {
    Handle<git_repository, git_repository_free> Owner(Repo);
    if (git_repository_config(&Found, Repo))
      return lastError("cannot read git's configuration");
  } else if (git_config_open_default(&Found)) {
    return lastError("cannot read git's configuration");
  }
  return ConfigHandle(Found);
}

static Expected<std::optional<std::string>>
setting(git_config *Config, const char *Variable, const char *Key) {
  if (std::optional<std::string> Value = sys::Process::GetEnv(Variable))
    if (!Value->empty())
      return Value;
  git_buf Text = GIT_BUF_INIT;
  int Rc = git_config_get_string_buf(&Text, Config, Key);
  if (Rc == GIT_ENOTFOUND)
    return std::nullopt;
  if (Rc)
    return lastError(Twine("cannot read ") + Key);
  std::string Value(Text.ptr, Text.size);
  git_buf_dispose(&Text);
  if (Value.empty())
    return std::nullopt;
  return Value;
}

Expected<std::optional<Signature>> identity(StringRef Directory) {
  startLibrary();
  Expected<ConfigHandle> Config = openConfig(Directory);
  if (!Config)
    return Config.takeError();
  auto Name = setting(Config->get(), "GIT_COMMITTER_NAME", "user.name");
  if (!Name)
    return Name.takeError();
  auto Email = setting(Config->get(), "GIT_COMMITTER_EMAIL", "user.email");
  if (!Email)
    return Email.takeError();
  if (!*Name || !*Email)
    return std::nullopt;
  return Signature{**Name, **Email, 0, 0};
}

} // namespace kgit
