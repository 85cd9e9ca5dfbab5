# SPDX-License-Identifier: GPL-2.0-only
#
# Writes OUT, a C++ file with the text of TABLE and of each of PAGES.

set(TEXT "// Generated from ast/dma-api.yaml and checks/*/*.md.\n")
string(APPEND TEXT "#include \"ast/DmaApi.h\"\n#include \"checks/Pages.h\"\n")
string(APPEND TEXT "#include \"llvm/ADT/StringSwitch.h\"\n\n")
file(READ ${TABLE} BODY)
string(APPEND TEXT "llvm::StringRef dmacheck::dmaApiYaml() {\n"
                   "  return R\"~~~(${BODY})~~~\";\n}\n\n")
string(APPEND TEXT "llvm::StringRef dmacheck::pageOf(llvm::StringRef Check) {\n"
                   "  return llvm::StringSwitch<llvm::StringRef>(Check)\n")
foreach(PAGE IN LISTS PAGES)
  get_filename_component(NAME ${PAGE} NAME_WE)
  file(READ ${PAGE} BODY)
  string(APPEND TEXT "      .Case(\"${NAME}\", R\"~~~(${BODY})~~~\")\n")
endforeach()
string(APPEND TEXT "      .Default(\"\");\n}\n")
file(WRITE ${OUT} "${TEXT}")
