// SPDX-License-Identifier: GPL-2.0-only
//
// Preloaded into kseries by interrupt.sh: counts the calls that change the disk
// and makes one of them the last, or all from one on fail for want of space.
//
//   FAULT=kill:N    the process is killed before its Nth call
//   FAULT=full:N    from the Nth on nothing can be created or written, by the
//                   programs that it runs neither
//   FAULT=count:F   the number of calls goes into the file F

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

enum class Fault { None, Kill, Full, Count };

class Shim {
public:
  Shim() {
    const char *Asked = std::getenv("FAULT");
    if (!Asked)
      return;
    const char *Value = std::strchr(Asked, ':') + 1;
    Kind = Asked[0] == 'k'   ? Fault::Kill
           : Asked[0] == 'f' ? Fault::Full
                             : Fault::Count;
    if (Kind != Fault::Full)
      ::unsetenv("LD_PRELOAD");
    if (Kind == Fault::Count)
      File = Value;
    else
      At = std::atol(Value);
  }

  ~Shim() {
    if (Kind != Fault::Count)
      return;
    Kind = Fault::None;
    if (FILE *Out = std::fopen(File, "w")) {
      std::fprintf(Out, "%ld\n", Calls.load());
      std::fclose(Out);
    }
  }

  /// Whether the call is to fail; \p TakesSpace ones do on a full disk.
  bool fails(bool TakesSpace) {
    if (Kind == Fault::None)
      return false;
    long Number = ++Calls;
    if (Kind == Fault::Kill && Number == At)
      ::kill(::getpid(), SIGKILL);
    if (Kind != Fault::Full || Number < At || !TakesSpace)
      return false;
    errno = ENOSPC;
    return true;
  }

private:
  Fault Kind = Fault::None;
  const char *File = nullptr;
  long At = 0;
  std::atomic<long> Calls{0};
};

Shim &shim() {
  static Shim Only;
  return Only;
}

template <typename Function> Function *next(const char *Name) {
  return reinterpret_cast<Function *>(::dlsym(RTLD_NEXT, Name));
}

} // namespace

// What the program writes to its terminal is no change of the disk.
#define WRITER(NAME, PARAMETERS, ARGUMENTS)                                    \
  extern "C" ssize_t NAME PARAMETERS {                                         \
    static auto *Real = next<ssize_t PARAMETERS>(#NAME);                       \
    return Number > 2 && shim().fails(true) ? -1 : Real ARGUMENTS;             \
  }
WRITER(write, (int Number, const void *Data, size_t Size), (Number, Data, Size))
WRITER(pwrite, (int Number, const void *Data, size_t Size, off_t At),
       (Number, Data, Size, At))
WRITER(pwrite64, (int Number, const void *Data, size_t Size, off64_t At),
       (Number, Data, Size, At))

#define CHANGER(NAME, TAKES_SPACE, PARAMETERS, ARGUMENTS)                      \
  extern "C" int NAME PARAMETERS {                                             \
    static auto *Real = next<int PARAMETERS>(#NAME);                           \
    return shim().fails(TAKES_SPACE) ? -1 : Real ARGUMENTS;                    \
  }
CHANGER(mkdir, true, (const char *Path, mode_t Mode), (Path, Mode))
CHANGER(rename, false, (const char *From, const char *To), (From, To))
CHANGER(renameat2, false,
        (int FromAt, const char *From, int ToAt, const char *To,
         unsigned Flags),
        (FromAt, From, ToAt, To, Flags))
CHANGER(link, true, (const char *From, const char *To), (From, To))
CHANGER(unlink, false, (const char *Path), (Path))
CHANGER(rmdir, false, (const char *Path), (Path))
CHANGER(remove, false, (const char *Path), (Path))
CHANGER(fsync, false, (int Number), (Number))

#define OPENER(NAME)                                                           \
  extern "C" int NAME(const char *Path, int Flags, ...) {                      \
    static auto *Real = next<int(const char *, int, ...)>(#NAME);              \
    va_list Rest;                                                              \
    va_start(Rest, Flags);                                                     \
    mode_t Mode = Flags & O_CREAT ? va_arg(Rest, mode_t) : 0;                  \
    va_end(Rest);                                                              \
    bool Creates = Flags & O_CREAT && ::access(Path, F_OK) != 0;               \
    return Creates && shim().fails(true) ? -1 : Real(Path, Flags, Mode);       \
  }
OPENER(open)
OPENER(open64)
