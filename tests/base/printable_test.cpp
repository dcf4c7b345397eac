// In: ids with every kind of control character. Out: text that cannot move a cursor.
#include "base/printable.h"

#include <gtest/gtest.h>

namespace evenkeel {
namespace {

TEST(Printable, PlainTextStays) {
  for (const char* text : {"", "plain", "C:\\path", "\xC3\x84 \xE2\x82\xAC \xF0\x9F\x9A\xA2",
                           "\xC3\x89t\xC3\xA9", "\xC2\xA0"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("a\tb\nc\rd"), "a\\tb\\nc\\x0dd");
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
}

TEST(Printable, C1IsEscapedInEveryEncoding) {
  EXPECT_EQ(printable("\xC2\x80\xC2\x9B\xC2\x9F"), "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f");
  EXPECT_EQ(printable("\x9B"
                      "31m"),
            "\\x9b31m");
  // Bytes that only look like parts of a character: cut off, overlong, a surrogate, too large.
  EXPECT_EQ(printable("\xE2\x82"), "\xE2\\x82");
  EXPECT_EQ(printable("\xC0\x9B"), "\xC0\\x9b");
  EXPECT_EQ(printable("\xE0\x80\x9B"), "\xE0\\x80\\x9b");
  EXPECT_EQ(printable("\xED\xA0\x80"), "\xED\xA0\\x80");
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\xF4\\x90\\x80\\x80");
  EXPECT_EQ(printable("latin \xE9"), "latin \xE9");
}

TEST(Printable, TwiceIsOnce) {
  const std::string once = printable("\x1b]0;title\x07 \xC2\x9B \\");
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, NoByteIsLeftThatATerminalObeys) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const char bytes[] = {static_cast<char>(first), static_cast<char>(second)};
      const std::string text = printable({bytes, 2});
      for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        EXPECT_TRUE(byte >= 0x20 && byte != 0x7f) << first << " " << second;
        const bool whole = text.size() == 2 && first >= 0xC2 && first < 0xE0;
        EXPECT_TRUE(whole || byte < 0x80 || byte > 0x9f) << first << " " << second;
      }
      EXPECT_FALSE(first == 0xC2 && second < 0xA0 && text.size() == 2 && second >= 0x80);
    }
  }
}

TEST(Printable, EscapedCanBeUndone) {
  EXPECT_EQ(escaped("a\\x1b"), "a\\\\x1b");
  EXPECT_EQ(escaped("a\x1b"), "a\\x1b");
}

TEST(Printable, OneIsNotMany) {
  EXPECT_EQ(counted(1, "epoch"), "1 epoch");
  EXPECT_EQ(counted(0, "epoch"), "0 epochs");
  EXPECT_EQ(counted(12, "interaction"), "12 interactions");
}

TEST(Printable, FolderNamesAreSafe) {
  EXPECT_EQ(slug("Yahoo!R3"), "yahoo-r3");
  EXPECT_EQ(slug("../x y/"), "x..-x-y");
  EXPECT_EQ(slug("sam+reg"), "sam-reg");
  EXPECT_EQ(slug("!"), "x");
}

}  // namespace
}  // namespace evenkeel
