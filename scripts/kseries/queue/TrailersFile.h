// SPDX-License-Identifier: GPL-2.0-only
//
// Tags that others gave to the patches of a queue, one a line:
//
//   patch-file  patch-id  Tag: Name <address>  message-id
//
// with two or more blanks, or a tab, between the fields. A tag belongs to the
// patch with that id only: it is not carried over to code its giver has not
// seen.

#ifndef KSERIES_QUEUE_TRAILERSFILE_H
#define KSERIES_QUEUE_TRAILERSFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kseries {

struct Trailer {
  std::string PatchFile;
  std::string PatchId;
  /// "Reviewed-by: Name <address>".
  std::string Tag;
  std::string MessageId;
  /// From 1.
  unsigned Line = 0;
};

/// \p Path names the file in errors.
llvm::Expected<std::vector<Trailer>> parseTrailers(llvm::StringRef Text,
                                                   llvm::StringRef Path);

} // namespace kseries

#endif // KSERIES_QUEUE_TRAILERSFILE_H
