// SPDX-License-Identifier: GPL-2.0-only
//
// Saved mails, as b4 reads them: the patches in them and the tags that were
// given in reply. The program kseries-thread, which lies beside this one, has
// b4 do it.

#ifndef KSERIES_TRAILERS_THREAD_H
#define KSERIES_TRAILERS_THREAD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kseries {

struct GivenTag {
  /// "Reviewed-by: Name <address>".
  std::string Tag;
  /// Of the mail that gives it.
  std::string MessageId;
};

/// A mail with a patch, and what was given to it or to its cover letter.
struct PostedPatch {
  /// Without "[PATCH n/m]".
  std::string Subject;
  std::string PatchId;
  std::vector<GivenTag> Tags;
};

/// A tag or a mail that counts for nothing, and why.
struct LeftOut {
  std::string What;
  std::string Reason;
};

struct Thread {
  /// Only those that were given tags.
  std::vector<PostedPatch> Patches;
  std::vector<LeftOut> Ignored;
};

/// \p Mails is an mbox, a Maildir, a folder of mails, or one mail.
llvm::Expected<Thread> readThread(llvm::StringRef Mails);

/// What kseries-thread prints.
llvm::Expected<Thread> parseThread(llvm::StringRef JsonLines);

} // namespace kseries

#endif // KSERIES_TRAILERS_THREAD_H
