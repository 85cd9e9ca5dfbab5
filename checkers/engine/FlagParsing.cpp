// SPDX-License-Identifier: GPL-2.0-only

#include "engine/Flags.h"
#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace dmacheck;
namespace options = clang::driver::options;

static std::string undoMake(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    if (Text.consume_front("$$"))
      Out += '$';
    else if (Text.consume_front("$(pound)"))
      Out += '#';
    else {
      Out += Text.front();
      Text = Text.drop_front();
    }
  }
  return Out;
}

/// Options that say nothing about what the source means.
static bool isIrrelevant(const opt::Arg &Arg) {
  const opt::Option &O = Arg.getOption();
  if (O.matches(options::OPT_M_Group) || O.matches(options::OPT_W_Group) ||
      O.matches(options::OPT_g_Group) || O.matches(options::OPT_mllvm) ||
      O.matches(options::OPT_o) || O.matches(options::OPT_c) ||
      O.matches(options::OPT_S) || O.matches(options::OPT_pg) ||
      O.matches(options::OPT_mfentry) ||
      O.matches(options::OPT_mrecord_mcount) ||
      O.matches(options::OPT_mnop_mcount) ||
      O.matches(options::OPT_fplugin_EQ) ||
      O.matches(options::OPT_frandomize_layout_seed_file_EQ) ||
      O.matches(options::OPT_frandomize_layout_seed_EQ) ||
      O.matches(options::OPT_Wp_COMMA) || O.matches(options::OPT_Wa_COMMA) ||
      O.matches(options::OPT_Wl_COMMA))
    return true;
  // Instrumentation; GCC has kinds of it that clang refuses.
  if (Arg.getSpelling().starts_with("-fsanitize") ||
      Arg.getSpelling().starts_with("-fno-sanitize"))
    return true;
  // Depends on the machine that checks, and decides nothing in the kernel.
  return O.matches(options::OPT_march_EQ) &&
         StringRef(Arg.getValue()) == "native";
}

/// "aarch64-linux-gnu" of "/opt/bin/aarch64-linux-gnu-gcc-12"; a cross GCC has
/// its target in its name and clang in an option.
static StringRef targetOfCompiler(StringRef Compiler) {
  StringRef Name = Compiler.rsplit('/').second;
  if (Name.empty())
    Name = Compiler;
  size_t End = Name.rfind("-gcc");
  return End == StringRef::npos ? "" : Name.substr(0, End);
}

std::vector<std::string>
dmacheck::parseFlags(std::vector<std::string> CommandLine, std::string *Input) {
  // "ccache clang", "scripts/gcc-wrapper gcc": the compiler is the last word
  // before the first option.
  auto FirstOption = llvm::find_if(
      CommandLine, [](StringRef Arg) { return Arg.starts_with("-"); });
  SmallVector<const char *, 128> Argv;
  for (auto It = FirstOption; It != CommandLine.end(); ++It)
    Argv.push_back(It->c_str());
  unsigned MissingIndex, MissingCount;
  opt::InputArgList Parsed = clang::driver::getDriverOptTable().ParseArgs(
      Argv, MissingIndex, MissingCount, opt::Visibility(options::ClangOption));
  std::vector<std::string> Out;
  if (FirstOption != CommandLine.begin())
    if (StringRef Target = targetOfCompiler(FirstOption[-1]); !Target.empty())
      Out.push_back("--target=" + Target.str());
  for (const opt::Arg *Arg : Parsed) {
    if (Arg->getOption().matches(options::OPT_INPUT)) {
      if (Input)
        *Input = Arg->getValue();
      continue;
    }
    if (Arg->getOption().matches(options::OPT_UNKNOWN) || isIrrelevant(*Arg))
      continue;
    opt::ArgStringList Words;
    Arg->render(Parsed, Words);
    Out.insert(Out.end(), Words.begin(), Words.end());
  }
  return Out;
}

std::vector<std::string> dmacheck::parseFlags(StringRef SavedCommand,
                                              std::string *Input) {
  // Kbuild may chain steps behind the compiler: "clang ... ; objtool ...".
  std::string Command = undoMake(SavedCommand.split(" ; ").first);
  BumpPtrAllocator Alloc;
  StringSaver Saver(Alloc);
  SmallVector<const char *, 128> Argv;
  cl::TokenizeGNUCommandLine(Command, Saver, Argv);
  return parseFlags(std::vector<std::string>(Argv.begin(), Argv.end()), Input);
}
