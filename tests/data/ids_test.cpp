// Ids and CSR. In: texts and pairs; out: rows, and the same texts and sorted rows back.
#include "data/ids.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/csr.h"

namespace evenkeel::data {
namespace {

TEST(Ids, NumbersInOrderOfFirstInsertion) {
  Ids ids;
  EXPECT_EQ(ids.insert("b"), 0u);
  EXPECT_EQ(ids.insert("a"), 1u);
  EXPECT_EQ(ids.insert("b"), 0u);
  EXPECT_EQ(ids.size(), 2u);
  EXPECT_EQ(ids.text(1), "a");
  EXPECT_EQ(ids.find("a"), Row{1});
  EXPECT_FALSE(ids.find("c").has_value());
  EXPECT_FALSE(Ids().find("a").has_value());
}

TEST(Ids, KeepsAnyBytesOfAnyLength) {
  Ids ids;
  std::vector<std::string> texts;
  for (std::size_t length = 0; length < 40; ++length) texts.emplace_back(length, 'x');
  texts.push_back(std::string("a\0b", 3));
  texts.push_back(std::string("a\0c", 3));
  texts.push_back("\xc3\xbc, \"quoted\"");
  for (int n = 0; n < 50000; ++n) texts.push_back("user_" + std::to_string(n));
  for (const std::string& text : texts) ids.insert(text);
  ASSERT_EQ(ids.size(), texts.size());
  for (Row row = 0; row < texts.size(); ++row) {
    ASSERT_EQ(ids.text(row), texts[row]);
    ASSERT_EQ(ids.find(texts[row]), row);
  }
}

TEST(Ids, ReserveKeepsWhatIsThere) {
  Ids ids;
  ids.insert("a");
  ids.reserve(1000);
  EXPECT_EQ(ids.find("a"), Row{0});
  EXPECT_EQ(ids.insert("b"), 1u);
}

TEST(Ids, StoredFormRoundTrips) {
  Ids ids;
  for (const char* text : {"x", "", "long id with spaces", "\xe6\x97\xa5"}) ids.insert(text);
  const Ids back = Ids::from_stored(ids.bytes(), ids.offsets());
  ASSERT_EQ(back.size(), ids.size());
  for (Row row = 0; row < ids.size(); ++row) EXPECT_EQ(back.find(ids.text(row)), row);
}

TEST(Ids, DamagedStoredFormIsADataError) {
  const auto stored = [](std::string bytes, std::vector<std::uint64_t> offsets) {
    try {
      Ids::from_stored(std::move(bytes), std::move(offsets));
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kData;
    }
    return false;
  };
  EXPECT_TRUE(stored("ab", {}));
  EXPECT_TRUE(stored("ab", {1, 2}));
  EXPECT_TRUE(stored("ab", {0, 2, 1, 2}));
  EXPECT_TRUE(stored("ab", {0, 1}));
  EXPECT_TRUE(stored("ab", {0, 1, 5}));
  EXPECT_TRUE(stored("aa", {0, 1, 2}));  // the same id twice
  EXPECT_FALSE(stored("ab", {0, 1, 2}));
}

TEST(Csr, SortsAndDropsRepeats) {
  const std::vector<Pair> pairs{{2, 1}, {0, 3}, {2, 0}, {0, 3}, {2, 1}};
  const Csr items_of = make_csr(pairs, 4, Side::kUser);
  EXPECT_EQ(items_of.offsets, (std::vector<std::uint64_t>{0, 1, 1, 3, 3}));
  EXPECT_EQ(items_of.columns, (std::vector<Row>{3, 0, 1}));
  EXPECT_TRUE(items_of.contains(2, 1));
  EXPECT_FALSE(items_of.contains(1, 1));
  const Csr users_of = make_csr(pairs, 4, Side::kItem);
  EXPECT_EQ(users_of.columns, (std::vector<Row>{2, 2, 0}));
  EXPECT_EQ(make_csr({}, 2, Side::kUser).rows(), 2u);
}

}  // namespace
}  // namespace evenkeel::data
