// SPDX-License-Identifier: GPL-2.0-only
//
// The command line of the commands that work on patches and compare queues.

#ifndef KSERIES_EDITCOMMANDLINE_H
#define KSERIES_EDITCOMMANDLINE_H

#include "commands/Commands.h"

#include "llvm/Support/CommandLine.h"

/// The options of kseries, as --help groups them.
extern llvm::cl::OptionCategory Options;

namespace kseries {

std::vector<llvm::cl::SubCommand *> editCommands();

/// Runs the one of them that was given, if it was one.
std::optional<llvm::Expected<int>> runEditCommand(const Workspace &Where,
                                                  Streams To);

} // namespace kseries

#endif // KSERIES_EDITCOMMANDLINE_H
