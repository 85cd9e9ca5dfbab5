// SPDX-License-Identifier: GPL-2.0-only

#include "patch/MailHeader.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <chrono>

using namespace llvm;

namespace kseries {

bool isAscii(StringRef Text) {
  return all_of(Text, [](char Byte) { return (Byte & 0x80) == 0; });
}

static std::string decodeQ(StringRef Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    unsigned Value;
    if (Text[I] == '_') {
      Out += ' ';
    } else if (Text[I] == '=' && I + 2 < Text.size() &&
               !Text.substr(I + 1, 2).getAsInteger(16, Value)) {
      Out += static_cast<char>(Value);
      I += 2;
    } else {
      Out += Text[I];
    }
  }
  return Out;
}

static std::string fromLatin1(StringRef Text) {
  std::string Out;
  for (char Byte : Text) {
    auto Value = static_cast<unsigned char>(Byte);
    if (Value < 0x80) {
      Out += Byte;
    } else {
      Out += static_cast<char>(0xc0 | (Value >> 6));
      Out += static_cast<char>(0x80 | (Value & 0x3f));
    }
  }
  return Out;
}

/// One "=?charset?Q?text?=" at the front of \p Text.
static std::optional<std::string> takeWord(StringRef &Text) {
  // It does not go on in another line, and a line ends here (RFC 5322, 2.1.1).
  StringRef Rest = Text.take_front(998);
  if (!Rest.consume_front("=?"))
    return std::nullopt;
  auto [Charset, AfterCharset] = Rest.split('?');
  auto [Encoding, AfterEncoding] = AfterCharset.split('?');
  if (Encoding.size() != 1)
    return std::nullopt;
  size_t End = AfterEncoding.find("?=");
  if (End == StringRef::npos)
    return std::nullopt;
  StringRef Coded = AfterEncoding.take_front(End);

  std::string Bytes;
  if (Encoding.equals_insensitive("q")) {
    Bytes = decodeQ(Coded);
  } else if (Encoding.equals_insensitive("b")) {
    std::vector<char> Decoded;
    if (Error E = decodeBase64(Coded, Decoded)) {
      consumeError(std::move(E));
      return std::nullopt;
    }
    Bytes.assign(Decoded.begin(), Decoded.end());
  } else {
    return std::nullopt;
  }

  if (Charset.equals_insensitive("iso-8859-1") ||
      Charset.equals_insensitive("latin1"))
    Bytes = fromLatin1(Bytes);
  else if (!Charset.equals_insensitive("utf-8") &&
           !Charset.equals_insensitive("us-ascii"))
    return std::nullopt;
  // A line break in here would end the header that the word is printed in.
  for (char &Byte : Bytes)
    if (static_cast<unsigned char>(Byte) < 0x20 || Byte == 0x7f)
      Byte = ' ';
  Text = Text.drop_front(AfterEncoding.data() + End + 2 - Text.data());
  return Bytes;
}

static std::string decodeOneLayer(StringRef Text) {
  std::string Out;
  bool AfterWord = false;
  while (!Text.empty()) {
    // Blanks between two encoded words do not count (RFC 2047, 6.2).
    StringRef Blanks = Text.take_while([](char C) { return isSpace(C); });
    StringRef Next = Text.drop_front(Blanks.size());
    if (std::optional<std::string> Word = takeWord(Next)) {
      if (!AfterWord)
        Out += Blanks;
      Out += *Word;
      Text = Next;
      AfterWord = true;
      continue;
    }
    Out += Blanks;
    Text = Text.drop_front(Blanks.size());
    if (!Text.empty()) {
      Out += Text.front();
      Text = Text.drop_front();
    }
    AfterWord = false;
  }
  return Out;
}

/// More layers than any mailer makes.
static constexpr unsigned MaxLayers = 8;

/// \p Text with nothing left that could be taken for an encoded word.
static std::string breakUp(StringRef Text) {
  std::string Out;
  for (char Byte : Text) {
    if (Byte == '?' && StringRef(Out).ends_with("="))
      Out += ' ';
    Out += Byte;
  }
  return Out;
}

std::string decodeWords(StringRef Text) {
  // Some mailers encode twice. Nothing that still looks encoded may be left, or
  // it would be another text when it is read from our own patch.
  std::string Decoded = Text.str();
  for (unsigned Layer = 0; Layer < MaxLayers; ++Layer) {
    std::string Before = std::move(Decoded);
    Decoded = decodeOneLayer(Before);
    if (Decoded == Before)
      return Decoded;
  }
  return breakUp(Decoded);
}

std::optional<Person> parsePerson(StringRef Text) {
  size_t Open = Text.rfind('<'), Close = Text.rfind('>');
  if (Open == StringRef::npos || Close == StringRef::npos || Close < Open)
    return std::nullopt;
  Person Who;
  Who.Email = Text.slice(Open + 1, Close).trim().str();
  StringRef Name = Text.take_front(Open).trim();
  if (Name.size() >= 2 && Name.front() == '"' && Name.back() == '"') {
    for (size_t I = 1; I + 1 < Name.size(); ++I) {
      if (Name[I] == '\\' && I + 2 < Name.size())
        ++I;
      Who.Name += Name[I];
    }
    Who.Name = decodeWords(Who.Name);
  } else {
    Who.Name = decodeWords(Name);
  }
  Who.Name = StringRef(Who.Name).trim().str();
  if (Who.Email.empty() || Who.Name.empty())
    return std::nullopt;
  return Who;
}

static std::string quoteName(StringRef Name) {
  if (Name.find_first_of("()<>[]:;@\\,.\"") == StringRef::npos)
    return Name.str();
  std::string Quoted = "\"";
  for (char Byte : Name) {
    if (Byte == '"' || Byte == '\\')
      Quoted += '\\';
    Quoted += Byte;
  }
  return Quoted + "\"";
}

std::string printPerson(const Person &Who) {
  return quoteName(Who.Name) + " <" + Who.Email + ">";
}

static constexpr std::array<StringRef, 12> Months = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun",
    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
static constexpr std::array<StringRef, 7> Days = {"Sun", "Mon", "Tue", "Wed",
                                                  "Thu", "Fri", "Sat"};

std::optional<PatchDate> parseDate(StringRef Text) {
  if (Text.contains(','))
    Text = Text.split(',').second;
  SmallVector<StringRef, 6> Fields;
  Text.split(Fields, ' ', -1, false);
  if (Fields.size() < 5)
    return std::nullopt;
  const auto *Month = find(Months, Fields[1]);
  SmallVector<StringRef, 3> Clock;
  Fields[3].split(Clock, ':');
  unsigned Day, Hour, Minute, Second = 0, Zone;
  int Year;
  StringRef ZoneText = Fields[4];
  bool West = ZoneText.starts_with("-");
  if (Month == Months.end() || Clock.size() < 2 ||
      Fields[0].getAsInteger(10, Day) || Fields[2].getAsInteger(10, Year) ||
      Clock[0].getAsInteger(10, Hour) || Clock[1].getAsInteger(10, Minute) ||
      (Clock.size() > 2 && Clock[2].getAsInteger(10, Second)) ||
      ZoneText.size() != 5 || ZoneText.drop_front().getAsInteger(10, Zone))
    return std::nullopt;

  using namespace std::chrono;
  year_month_day Civil(year(Year),
                       month(static_cast<unsigned>(Month - Months.begin()) + 1),
                       day(Day));
  if (!Civil.ok())
    return std::nullopt;
  PatchDate Date;
  Date.OffsetMinutes = static_cast<int>(Zone / 100 * 60 + Zone % 100);
  if (West)
    Date.OffsetMinutes = -Date.OffsetMinutes;
  int64_t DayCount = sys_days(Civil).time_since_epoch().count();
  Date.Seconds = DayCount * 86400 + Hour * 3600 + Minute * 60 + Second -
                 int64_t(Date.OffsetMinutes) * 60;
  return Date;
}

std::string printDate(const PatchDate &Date) {
  using namespace std::chrono;
  sys_seconds Local{seconds(Date.Seconds + int64_t(Date.OffsetMinutes) * 60)};
  auto Midnight = floor<days>(Local);
  year_month_day Civil(Midnight);
  hh_mm_ss Clock(Local - Midnight);
  int Offset = std::abs(Date.OffsetMinutes);
  std::string Out;
  raw_string_ostream(Out)
      << Days[weekday(Midnight).c_encoding()] << ", " << unsigned(Civil.day())
      << ' ' << Months[unsigned(Civil.month()) - 1] << ' ' << int(Civil.year())
      << format(" %02d:%02d:%02d %c%02d%02d", int(Clock.hours().count()),
                int(Clock.minutes().count()), int(Clock.seconds().count()),
                Date.OffsetMinutes < 0 ? '-' : '+', Offset / 60, Offset % 60);
  return Out;
}

/// The bytes of the UTF-8 character at the front of \p Text.
static size_t characterSize(StringRef Text) {
  size_t Size = 1;
  while (Size < Text.size() && (Text[Size] & 0xc0) == 0x80)
    ++Size;
  return Size;
}

/// \p Text as encoded words, none longer than RFC 2047's 75 bytes, the first
/// one after \p Column columns of the line.
static std::string encodeWords(StringRef Text, size_t Column) {
  static constexpr StringRef Open = "=?UTF-8?q?", Close = "?=";
  std::string Out = Open.str();
  size_t Length = Column + Open.size();
  while (!Text.empty()) {
    StringRef Character = Text.take_front(characterSize(Text));
    Text = Text.drop_front(Character.size());
    std::string Coded;
    for (char Byte : Character) {
      if (isAlnum(Byte))
        Coded += Byte;
      else
        Coded += "=" + utohexstr(static_cast<unsigned char>(Byte), false, 2);
    }
    if (Length + Coded.size() + Close.size() > 75) {
      Out += Close;
      Out += "\n ";
      Out += Open;
      Length = 1 + Open.size();
    }
    Out += Coded;
    Length += Coded.size();
  }
  Out += Close;
  return Out;
}

std::string printHeader(StringRef Name, StringRef Value) {
  std::string Out = (Name + ": ").str();
  if (!isAscii(Value))
    return Out + encodeWords(Value, Out.size()) + "\n";
  size_t Column = Out.size();
  SmallVector<StringRef, 16> Words;
  Value.split(Words, ' ');
  for (size_t I = 0; I < Words.size(); ++I) {
    if (I && Column + 1 + Words[I].size() > 78) {
      Out += "\n ";
      Column = 1;
    } else if (I) {
      Out += ' ';
      ++Column;
    }
    Out += Words[I];
    Column += Words[I].size();
  }
  return Out + "\n";
}

std::string printPersonHeader(StringRef Name, const Person &Who) {
  std::string Out = (Name + ": ").str();
  if (isAscii(Who.Name))
    return Out + printPerson(Who) + "\n";
  return Out + encodeWords(Who.Name, Out.size()) + " <" + Who.Email + ">\n";
}

} // namespace kseries
