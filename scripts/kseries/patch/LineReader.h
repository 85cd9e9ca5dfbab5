// SPDX-License-Identifier: GPL-2.0-only
//
// A text read line by line, with line numbers for messages.

#ifndef KSERIES_PATCH_LINEREADER_H
#define KSERIES_PATCH_LINEREADER_H

#include "llvm/ADT/StringRef.h"

namespace kseries {

class LineReader {
public:
  explicit LineReader(llvm::StringRef Text) : Rest(Text) {}

  bool atEnd() const { return Rest.empty(); }
  /// The next line with its newline; empty at the end of the text.
  llvm::StringRef peekRaw() const {
    size_t End = Rest.find('\n');
    return End == llvm::StringRef::npos ? Rest : Rest.take_front(End + 1);
  }
  /// The next line without its newline.
  llvm::StringRef peek() const {
    llvm::StringRef Line = peekRaw();
    Line.consume_back("\n");
    return Line;
  }
  void skip() {
    Rest = Rest.drop_front(peekRaw().size());
    ++Number;
  }
  llvm::StringRef next() {
    llvm::StringRef Line = peek();
    skip();
    return Line;
  }
  /// Of the line that peek() shows, from 1.
  unsigned lineNumber() const { return Number; }
  llvm::StringRef remaining() const { return Rest; }

private:
  llvm::StringRef Rest;
  unsigned Number = 1;
};

} // namespace kseries

#endif // KSERIES_PATCH_LINEREADER_H
