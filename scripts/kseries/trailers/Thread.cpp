// SPDX-License-Identifier: GPL-2.0-only

#include "trailers/Thread.h"
#include "patch/LineReader.h"
#include "patch/PatchError.h"
#include "process/Program.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kseries {

static bool fromJSON(const json::Value &Value, GivenTag &Into, json::Path At) {
  json::ObjectMapper Map(Value, At);
  return Map && Map.map("tag", Into.Tag) &&
         Map.map("message_id", Into.MessageId);
}

static bool fromJSON(const json::Value &Value, PostedPatch &Into,
                     json::Path At) {
  json::ObjectMapper Map(Value, At);
  return Map && Map.map("patch", Into.Subject) &&
         Map.map("patch_id", Into.PatchId) && Map.map("tags", Into.Tags);
}

static bool fromJSON(const json::Value &Value, LeftOut &Into, json::Path At) {
  json::ObjectMapper Map(Value, At);
  return Map && Map.map("left_out", Into.What) &&
         Map.map("reason", Into.Reason);
}

Expected<Thread> parseThread(StringRef JsonLines) {
  Thread Read;
  for (LineReader Lines(JsonLines); !Lines.atEnd(); Lines.skip()) {
    Expected<json::Value> Value = json::parse(Lines.peek());
    if (!Value)
      return Value.takeError();
    json::Path::Root Root("kseries-thread");
    const json::Object *Fields = Value->getAsObject();
    bool Understood;
    if (Fields && Fields->get("left_out"))
      Understood = fromJSON(*Value, Read.Ignored.emplace_back(), Root);
    else
      Understood = fromJSON(*Value, Read.Patches.emplace_back(), Root);
    if (!Understood)
      return Root.getError();
  }
  return Read;
}

Expected<Thread> readThread(StringRef Mails) {
  if (!sys::fs::exists(Mails))
    return inputError(Mails + ": no such file or folder of mails");
  // The address of any function finds the program it is part of.
  std::string Self = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&parseThread));
  std::string Reader = (sys::path::parent_path(Self) + "/kseries-thread").str();
  if (!sys::fs::exists(Reader))
    return inputError(Reader + ": not there, it reads the mails: build kseries "
                               "again");
  Expected<ProgramOutput> Output = runProgram(Reader, {Mails.str()});
  if (!Output)
    return Output.takeError();
  if (Output->Code) {
    std::string Complaint = complaintOf(*Output);
    StringRef Text = Complaint;
    Text.consume_front("kseries-thread: ");
    return inputError(Text);
  }
  return parseThread(Output->Out);
}

} // namespace kseries
