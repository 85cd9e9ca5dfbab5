// SPDX-License-Identifier: GPL-2.0-only
//
// Where the compiler flags of a file come from.

#ifndef DMACHECK_ENGINE_FLAGS_H
#define DMACHECK_ENGINE_FLAGS_H

#include "engine/KernelTree.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace dmacheck {

/// How to compile one file.
struct CompileFlags {
  std::string Directory;         ///< what relative paths are relative to
  std::vector<std::string> Args; ///< without compiler, outputs and input
  std::string From;              ///< which source they come from
};

class FlagSource {
public:
  virtual ~FlagSource() = default;
  /// Called once, before flagsFor(), with all files that flags will be asked
  /// for. Fails with one line if the source as a whole is of no use.
  virtual llvm::Error prepare(const std::vector<std::string> &Files) = 0;
  /// Nothing if this source does not know the file. Called by many threads.
  virtual std::optional<CompileFlags> flagsFor(llvm::StringRef File) const = 0;
  /// Why flagsFor() has nothing.
  virtual std::string reasonFor(llvm::StringRef File) const = 0;
};

/// compile_commands.json in Dir. Null if there is none.
llvm::Expected<std::unique_ptr<FlagSource>>
compilationDatabase(const KernelTree &Tree, llvm::StringRef Dir);

/// The .<object>.cmd files that kbuild leaves beside each object below Dir, the
/// tree itself or its O= folder. Null if the folder was never built.
std::unique_ptr<FlagSource> cmdFiles(llvm::StringRef Dir);

struct ConfigOptions {
  std::string BuildDir; ///< where configurations are kept
  /// As kbuild's ARCH=. A file that the first leaves out is taken from the
  /// next that builds it.
  std::vector<std::string> Archs = {"x86_64", "arm64"};
  std::string Target = "allmodconfig"; ///< a kbuild configuration target
  /// Copied and used in place of Target, if not empty.
  std::string ConfigFile;
  bool Quiet = true; ///< no progress on stderr
};

/// Where a configuration of the tree is kept: one folder a tree, its version,
/// Kind ("arm64-allmodconfig") and whatever else tells it apart.
std::string configurationDir(const KernelTree &Tree, llvm::StringRef BuildDir,
                             const llvm::Twine &Kind,
                             llvm::StringRef Apart = "");

/// Configurations of the tree made under BuildDir by the tree's own kbuild:
/// runs the tree's Makefiles, writes nothing into the tree. A file that none of
/// them builds is compiled as the first would if told to, and its flags say so.
std::unique_ptr<FlagSource> privateConfiguration(const KernelTree &Tree,
                                                 ConfigOptions Options);

/// Flags and generated headers made up from the tree alone, below BuildDir.
/// Runs nothing that the tree contains. Of Options only BuildDir and Archs
/// count; files outside arch/ are for the first of them.
std::unique_ptr<FlagSource> madeUpFlags(const KernelTree &Tree,
                                        ConfigOptions Options);

/// The architecture that a .config is for, as kbuild's ARCH=; empty if it does
/// not say.
std::string archOfConfig(llvm::StringRef ConfigFile);

/// The architecture that alone can build the file, as kbuild's ARCH=; empty for
/// a file outside arch/.
std::string archOfFile(llvm::StringRef File);

/// Splits a command line as kbuild records it (make's $$ and $(pound) undone),
/// keeps what matters for parsing and drops what this clang does not know: GCC
/// and code generation flags, outputs, warnings. The input file is returned
/// through Input if it is not null.
std::vector<std::string> parseFlags(llvm::StringRef SavedCommand,
                                    std::string *Input);
std::vector<std::string> parseFlags(std::vector<std::string> CommandLine,
                                    std::string *Input);

} // namespace dmacheck

#endif
