// SPDX-License-Identifier: GPL-2.0-only

#include "patch/BinaryPatch.h"
#include "patch/PatchError.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"

using namespace llvm;

namespace kseries {

// Git's alphabet (base85.c).
static constexpr StringRef Alphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    "!#$%&()*+-;<=>?@^_`{|}~";
static constexpr size_t BytesPerLine = 52;
// A block that claims more than this is not one that git would have written
// for a kernel tree; the claim is not trusted with memory.
static constexpr size_t LargestContent = size_t(1) << 28;

static bool decodeLine(StringRef Line, std::string &Out) {
  char Mark = Line.front();
  size_t Length;
  if (Mark >= 'A' && Mark <= 'Z')
    Length = Mark - 'A' + 1;
  else if (Mark >= 'a' && Mark <= 'z')
    Length = Mark - 'a' + 27;
  else
    return false;
  StringRef Coded = Line.drop_front();
  if (Coded.size() != (Length + 3) / 4 * 5)
    return false;
  for (; !Coded.empty(); Coded = Coded.drop_front(5)) {
    uint64_t Value = 0;
    for (char Letter : Coded.take_front(5)) {
      size_t Digit = Alphabet.find(Letter);
      if (Digit == StringRef::npos)
        return false;
      Value = Value * 85 + Digit;
    }
    if (Value > 0xffffffffu)
      return false;
    for (int Shift = 24; Shift >= 0 && Length; Shift -= 8, --Length)
      Out += static_cast<char>(Value >> Shift);
  }
  return true;
}

Expected<std::optional<BinaryData>> parseBinaryBlock(LineReader &Lines) {
  StringRef Head = Lines.peek();
  BinaryData Data;
  if (Head.consume_front("delta "))
    Data.IsDelta = true;
  else if (!Head.consume_front("literal "))
    return std::nullopt;
  size_t Size;
  if (Head.getAsInteger(10, Size) || Size > LargestContent)
    return inputError("binary block with an unusable size");
  Lines.skip();

  std::string Deflated;
  while (!Lines.atEnd() && !Lines.peek().empty()) {
    if (!decodeLine(Lines.peek(), Deflated))
      return inputError("line is not base 85 as git writes it");
    Lines.skip();
  }
  if (Lines.atEnd())
    return inputError("the patch ends inside a binary block: it was cut off");
  Lines.skip();

  SmallVector<uint8_t, 0> Inflated;
  if (Error E = compression::zlib::decompress(arrayRefFromStringRef(Deflated),
                                              Inflated, Size)) {
    consumeError(std::move(E));
    return inputError("binary block does not inflate");
  }
  if (Inflated.size() != Size)
    return inputError("binary block inflates to another size than it says");
  Data.Data = toStringRef(Inflated).str();
  return Data;
}

static void encodeLine(StringRef Bytes, std::string &Out) {
  size_t Length = Bytes.size();
  Out += static_cast<char>(Length <= 26 ? 'A' + Length - 1 : 'a' + Length - 27);
  for (; !Bytes.empty();
       Bytes = Bytes.drop_front(std::min<size_t>(4, Bytes.size()))) {
    uint32_t Value = 0;
    for (size_t I = 0; I < 4; ++I)
      Value = Value << 8 |
              (I < Bytes.size() ? static_cast<unsigned char>(Bytes[I]) : 0);
    char Digits[5];
    for (int I = 4; I >= 0; --I, Value /= 85)
      Digits[I] = Alphabet[Value % 85];
    Out.append(Digits, 5);
  }
  Out += '\n';
}

std::string printBinaryBlock(const BinaryData &Data) {
  SmallVector<uint8_t, 0> Deflated;
  compression::zlib::compress(arrayRefFromStringRef(Data.Data), Deflated);
  std::string Out = Data.IsDelta ? "delta " : "literal ";
  Out += utostr(Data.Data.size()) + "\n";
  for (StringRef Rest = toStringRef(Deflated); !Rest.empty();
       Rest = Rest.drop_front(std::min(BytesPerLine, Rest.size())))
    encodeLine(Rest.take_front(BytesPerLine), Out);
  return Out + "\n";
}

namespace {
/// Git's delta format (patch-delta.c): two sizes, then copy and insert steps.
class DeltaReader {
public:
  explicit DeltaReader(StringRef Delta) : Rest(Delta) {}

  std::optional<size_t> size() {
    size_t Value = 0;
    for (unsigned Shift = 0; Shift < 64; Shift += 7) {
      std::optional<uint8_t> Byte = byte();
      if (!Byte)
        return std::nullopt;
      Value |= size_t(*Byte & 0x7f) << Shift;
      if (!(*Byte & 0x80))
        return Value;
    }
    return std::nullopt;
  }

  bool apply(StringRef Old, std::string &Out) {
    while (std::optional<uint8_t> Step = byte())
      if (!(*Step & 0x80 ? copy(*Step, Old, Out) : insert(*Step, Out)))
        return false;
    return true;
  }

private:
  std::optional<uint8_t> byte() {
    if (Rest.empty())
      return std::nullopt;
    uint8_t Byte = Rest.front();
    Rest = Rest.drop_front();
    return Byte;
  }

  bool number(uint8_t Present, unsigned Bytes, size_t &Value) {
    Value = 0;
    for (unsigned I = 0; I < Bytes; ++I) {
      if (!(Present & (1u << I)))
        continue;
      std::optional<uint8_t> Byte = byte();
      if (!Byte)
        return false;
      Value |= size_t(*Byte) << (8 * I);
    }
    return true;
  }

  bool copy(uint8_t Step, StringRef Old, std::string &Out) {
    size_t Offset, Size;
    if (!number(Step & 0xf, 4, Offset) || !number((Step >> 4) & 7, 3, Size))
      return false;
    if (!Size)
      Size = 0x10000;
    if (Offset > Old.size() || Size > Old.size() - Offset ||
        Out.size() + Size > LargestContent)
      return false;
    Out += Old.substr(Offset, Size);
    return true;
  }

  bool insert(uint8_t Step, std::string &Out) {
    if (!Step || Step > Rest.size())
      return false;
    Out += Rest.take_front(Step);
    Rest = Rest.drop_front(Step);
    return true;
  }

  StringRef Rest;
};
} // namespace

Expected<std::string> applyBinary(StringRef Old, const BinaryData &Change) {
  if (!Change.IsDelta)
    return Change.Data;
  DeltaReader Delta(Change.Data);
  std::optional<size_t> OldSize = Delta.size(), NewSize = Delta.size();
  std::string New;
  if (!OldSize || !NewSize || *OldSize != Old.size() ||
      !Delta.apply(Old, New) || New.size() != *NewSize)
    return inputError("the binary delta does not fit the file");
  return New;
}

} // namespace kseries
