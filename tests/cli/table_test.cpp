// In: cells, numbers, odd ids. Out: aligned text.
#include "cli/table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/console.h"

namespace evenkeel::cli {
namespace {

TEST(Table, AlignsAndCountsCharactersNotBytes) {
  Table table({"name", "n"});
  table.add({"\xC3\x84", "10"});
  table.add({"b", "5"});
  EXPECT_EQ(table.text(), "name   n\n\xC3\x84     10\nb      5\n");
}

TEST(Table, NumbersForPeople) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(1000), "1,000");
  EXPECT_EQ(grouped_digits(1234567), "1,234,567");
  EXPECT_EQ(duration_text(1.26), "1.3 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(245), "4 min 05 s");
  EXPECT_EQ(duration_text(7380), "2 h 03 min");
  EXPECT_EQ(duration_text(-1), "?");
}

TEST(Table, CellsHoldNoControlCharacters) {
  Table table({"na\x1bme", "x"});
  table.add({"a\nb", "\xC2\x9B"});
  EXPECT_EQ(table.text(), "na\\x1bme         x\na\\nb      \\xc2\\x9b\n");
}

TEST(Table, ClippingKeepsCharactersWhole) {
  EXPECT_EQ(clipped("abc", 2), "ab");
  EXPECT_EQ(clipped("abc", 9), "abc");
  EXPECT_EQ(clipped("\xC3\x84\xC3\x84", 1), "\xC3\x84");
  EXPECT_EQ(clipped("", 3), "");
}

TEST(Console, IdsOfAnyBytesStayOnOneLine) {
  EXPECT_EQ(tsv_text("plain \xC3\x84"), "plain \xC3\x84");
  EXPECT_EQ(tsv_text("a\tb\nc\\d\x01"), "a\\tb\\nc\\\\d\\x01");
  EXPECT_EQ(tsv_text("a\x7f\xC2\x9B\x9B"), "a\\x7f\\xc2\\x9b\\x9b");
  EXPECT_EQ(json_text(nlohmann::json("a\"b")), "\"a\\\"b\"");
  EXPECT_NO_THROW(json_text(nlohmann::json("\xff\xfe")));
  EXPECT_EQ(nlohmann::json(shortest(0.3F)).dump(), "0.3");
}

}  // namespace
}  // namespace evenkeel::cli
