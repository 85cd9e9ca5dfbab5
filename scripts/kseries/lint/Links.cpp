// SPDX-License-Identifier: GPL-2.0-only

#include "lint/PatchText.h"
#include "lint/Rule.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

using namespace llvm;

namespace kseries {

/// Archives of mails whose addresses have no message id in them or will not
/// last.
static constexpr std::array<StringRef, 5> OtherArchives = {
    "lkml.org", "www.lkml.org", "lkml.kernel.org", "marc.info",
    "www.spinics.net"};

static std::string wrongWith(StringRef Url) {
  if (Url.starts_with("http://"))
    return "write it with https://";
  if (!Url.consume_front("https://"))
    return "not an https:// address";
  auto [Host, Path] = Url.split('/');
  if (is_contained(OtherArchives, Host))
    return "for a mail write https://lore.kernel.org/r/MESSAGE-ID or "
           "https://patch.msgid.link/MESSAGE-ID";
  bool IsMail = Host == "lore.kernel.org" || Host == "patch.msgid.link";
  if (IsMail && !Path.contains('@'))
    return "no message id in the address of a mail";
  return "";
}

Error checkLinks(const LintInput &Input, LintReport &Report) {
  for (const QueuePatch &Patch : Input.Checked.Patches) {
    for (const TagLine &Tag : tagLines(Patch)) {
      if (!Tag.Key.equals_insensitive("link") &&
          !Tag.Key.equals_insensitive("closes"))
        continue;
      std::string Wrong = wrongWith(Tag.Value.split(' ').first);
      if (!Wrong.empty())
        Report.add(Input.nameOf(Patch), Tag.Number,
                   (Tag.Key + ": " + Wrong).str());
    }
  }
  return Error::success();
}

} // namespace kseries
