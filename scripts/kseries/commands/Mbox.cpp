// SPDX-License-Identifier: GPL-2.0-only

#include "commands/Commands.h"
#include "git/Identity.h"
#include "patch/MailHeader.h"
#include "patch/PatchError.h"
#include "patch/PatchPrinter.h"
#include "queue/Queue.h"
#include "queue/Transaction.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

#include <algorithm>

using namespace llvm;

namespace kseries {

static bool isTag(StringRef Line) {
  StringRef Key = Line.split(": ").first;
  return Key.size() < Line.size() &&
         (Key.ends_with("-by") || Key == "Fixes" || Key == "Link" ||
          Key == "Closes" || Key == "Cc");
}

/// The body with the tags that others gave, below the patch's own. The last
/// paragraph is one of tags when it holds any: maintainers' remarks in
/// brackets stand among them.
static std::string bodyWithTags(const Queue &In, const QueuePatch &Of) {
  const std::string &Body = Of.Parsed.Body;
  std::string Added;
  for (const Trailer &Tag : In.validTrailers(Of))
    if (("\n" + Body + "\n").find("\n" + Tag.Tag + "\n") == std::string::npos)
      Added += "\n" + Tag.Tag;
  if (Added.empty() || Body.empty())
    return Body + Added.substr(Added.empty() ? 0 : 1);
  SmallVector<StringRef, 16> Lines;
  StringRef(Body).split(Lines, '\n');
  auto LastParagraph = std::find(Lines.rbegin(), Lines.rend(), "");
  bool EndsWithTags = std::any_of(Lines.rbegin(), LastParagraph, isTag);
  return Body + (EndsWithTags ? "" : "\n") + Added;
}

/// Bytes that do not survive an mbox as they are: git am takes CR LF for LF,
/// and a line that starts with "From " for the next mail.
static bool needsBase64(StringRef Text) {
  return Text.contains("\r\n") || Text.starts_with("From ") ||
         Text.contains("\nFrom ");
}

static std::string base64Lines(StringRef Text) {
  constexpr size_t Columns = 76;
  std::string Coded = encodeBase64(Text);
  std::string Out;
  for (StringRef Rest = Coded; !Rest.empty();
       Rest = Rest.drop_front(std::min(Columns, Rest.size())))
    Out += (Rest.take_front(Columns) + "\n").str();
  return Out;
}

static std::string printMail(const Queue &In, const QueuePatch &Of,
                             const Person &Sender, size_t Number) {
  const Patch &Content = Of.Parsed;
  std::string Text;
  if (Content.From && *Content.From != Sender)
    Text += "From: " + printPerson(*Content.From) + "\n\n";
  std::string Body = bodyWithTags(In, Of);
  Text += Body.empty() ? "" : Body + "\n";
  Text += "---\n";
  Text += Content.Notes.empty() ? "\n" : Content.Notes + "\n\n";
  Text += printDiffs(Content.Files);
  Text += "-- \nkseries\n";

  size_t Count = In.Patches.size();
  std::string Tag = "[PATCH]";
  if (Count > 1) {
    std::string Total = utostr(Count), This = utostr(Number);
    Tag = "[PATCH " + std::string(Total.size() - This.size(), '0') + This +
          "/" + Total + "]";
  }
  // git format-patch --zero-commit: the date is magic, not a date.
  std::string Mail =
      "From " + std::string(40, '0') + " Mon Sep 17 00:00:00 2001\n";
  Mail += printPersonHeader("From", Sender);
  if (Content.Date)
    Mail += printHeader("Date", printDate(*Content.Date));
  Mail += printHeader("Subject", Tag + " " + Content.Subject);
  bool Coded = needsBase64(Text);
  if (Coded || !isAscii(Text))
    Mail += (Twine("MIME-Version: 1.0\n") +
             "Content-Type: text/plain; charset=UTF-8\n" +
             "Content-Transfer-Encoding: " + (Coded ? "base64" : "8bit") + "\n")
                .str();
  return Mail + "\n" + (Coded ? base64Lines(Text) : Text) + "\n";
}

Expected<int> printMails(const Workspace &Where, StringRef Name, Streams To) {
  if (!Where.hasQueue(Name))
    return inputError("no queue '" + Name + "' in " + Where.seriesDirectory());
  Expected<QueueLock> Lock = settle(Where, To.Err);
  if (!Lock)
    return Lock.takeError();
  Expected<Queue> Loaded = loadQueue(Where, Name);
  if (!Loaded)
    return Loaded.takeError();
  Expected<std::optional<kgit::Signature>> User =
      kgit::identity(Where.seriesDirectory());
  if (!User)
    return User.takeError();
  if (!*User)
    return inputError("no sender: set user.name and user.email with git "
                      "config");
  Person Sender{(*User)->Name, (*User)->Email};
  for (const QueuePatch &Patch : Loaded->Patches)
    if (Patch.Parsed.isEmpty())
      return inputError(Patch.Path + ": changes nothing yet, and no mail can "
                                     "carry that: refresh it or drop it");
  for (const Trailer &Tag : Loaded->staleTrailers())
    To.Err << "kseries: " << Loaded->Directory << "/trailers:" << Tag.Line
           << ": left out, " << Tag.PatchFile
           << " has changed since: " << Tag.Tag << '\n';
  for (size_t I = 0; I < Loaded->Patches.size(); ++I)
    To.Out << printMail(*Loaded, Loaded->Patches[I], Sender, I + 1);
  return 0;
}

} // namespace kseries
