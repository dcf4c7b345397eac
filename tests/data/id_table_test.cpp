// Ids while files are read. In: rounds of random texts; out: the rows that a plain map gives, at
// any number of shards.
#include "data/id_table.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"

namespace evenkeel::data {
namespace {

// Texts of 1 to 40 bytes, many of them repeated, some equal in their first and last bytes.
std::vector<std::string> texts(std::uint32_t count) {
  const Random random(3, Purpose::kPool);
  std::vector<std::string> out;
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::uint32_t number = bounded(random.word(n, 0), 1 + bounded(random.word(n, 1), 5000));
    const std::uint32_t length = 1 + number % 40;
    std::string text = std::to_string(number * 7919U);
    if (text.size() < length) text.insert(text.size() / 2, length - text.size(), '-');
    out.push_back(text);
  }
  return out;
}

// The rows of `all` when they come in rounds of pieces.
std::vector<Row> rows_of(const std::vector<std::string>& all, std::size_t shards, std::size_t piece,
                         std::size_t pieces, IdTable& table) {
  std::vector<Row> rows(all.size());
  for (std::size_t round = 0; round < all.size(); round += piece * pieces) {
    std::vector<std::vector<std::vector<IdToken>>> tokens(
        pieces, std::vector<std::vector<IdToken>>(shards));
    for (std::size_t n = round; n < std::min(all.size(), round + piece * pieces); ++n) {
      const std::size_t place = (n - round) / piece;
      const IdToken token = id_token(all[n], static_cast<std::uint32_t>((n - round) % piece));
      tokens[place][IdTable::shard_of(token, shards)].push_back(token);
    }
    for (std::size_t s = shards; s-- > 0;) {
      for (std::size_t p = 0; p < pieces; ++p) table.look_up(s, tokens[p][s], p * piece);
    }
    table.number();
    for (std::size_t s = 0; s < shards; ++s) table.store_rows(s);
    for (std::size_t p = 0; p < pieces; ++p) {
      for (std::size_t s = 0; s < shards; ++s) {
        for (const IdToken& token : tokens[p][s]) {
          rows[round + p * piece + token.at] = table.row(s, token);
        }
      }
    }
    table.end_round();
  }
  return rows;
}

TEST(IdTable, NumbersByFirstAppearance) {
  const std::vector<std::string> all = texts(40000);
  std::map<std::string, Row> known;
  std::vector<Row> wanted;
  for (const std::string& text : all) {
    wanted.push_back(known.emplace(text, static_cast<Row>(known.size())).first->second);
  }
  for (const std::size_t shards : {1U, 2U, 16U}) {
    for (const std::size_t piece : {1U, 37U, 5000U}) {
      IdTable table(shards);
      EXPECT_EQ(rows_of(all, shards, piece, 3, table), wanted) << shards << " " << piece;
      ASSERT_EQ(table.size(), known.size());
      const Ids ids = table.take();
      EXPECT_EQ(table.size(), 0U);
      for (const auto& [text, row] : known) {
        ASSERT_EQ(ids.text(row), text);
        ASSERT_EQ(ids.find(text), row);
      }
    }
  }
}

Row known_row(const IdTable& table, const std::string& text) {
  const IdToken token = id_token(text, 0);
  return table.known(token, hash_of(token));
}

TEST(IdTable, KnowsWhatEarlierRoundsBrought) {
  const std::vector<std::string> all = texts(20000);
  for (const std::size_t shards : {1U, 8U}) {
    IdTable table(shards);
    const std::vector<Row> rows = rows_of(all, shards, 500, 3, table);
    for (std::size_t n = 0; n < all.size(); ++n) ASSERT_EQ(known_row(table, all[n]), rows[n]);
    EXPECT_EQ(known_row(table, "never"), IdTable::kNoRow);
    EXPECT_EQ(known_row(table, std::string(41, '7')), IdTable::kNoRow);
    // A round under way: what is new has no number before it is settled.
    for (const std::string& fresh : {std::string("fresh"), std::string(30, 'f')}) {
      IdToken token = id_token(fresh, 0);
      const std::size_t shard = IdTable::shard_of(token, shards);
      table.look_up(shard, {&token, 1}, 0);
      EXPECT_EQ(known_row(table, fresh), IdTable::kNoRow);
      table.make_room();
      const Row next = static_cast<Row>(table.size());
      table.number();
      EXPECT_EQ(known_row(table, fresh), IdTable::kNoRow);
      table.store_rows(shard);
      EXPECT_EQ(known_row(table, fresh), next);
      table.end_round();
    }
  }
}

TEST(IdTable, ATokenDoesNotDependOnWhatFollows) {
  const std::string text = "0123456789abcdefghij";
  for (std::size_t length = 1; length <= text.size(); ++length) {
    for (const char next : {'\0', '\n', 'x', '\xff'}) {
      const std::string line = text.substr(0, length) + std::string(kInlineId, next);
      const std::string_view id = std::string_view(line).substr(0, length);
      const IdToken one = id_token(id, 3), other = id_token_of_readable(id, 3);
      EXPECT_EQ(one.first, other.first) << length;
      EXPECT_EQ(one.second, other.second) << length;
      EXPECT_EQ(other.length, length);
      EXPECT_EQ(other.at, 3U);
      EXPECT_EQ(other.text, line.data());
    }
  }
}

TEST(IdTable, InsertsOneByOneToo) {
  IdTable table(4);
  const std::string odd("a\0b", 3);
  EXPECT_EQ(table.insert("x"), 0U);
  EXPECT_EQ(table.insert(odd), 1U);
  EXPECT_EQ(table.insert("a"), 2U);
  EXPECT_EQ(table.insert(odd), 1U);
  EXPECT_EQ(table.insert(std::string(100, 'q')), 3U);
  EXPECT_EQ(table.insert(std::string(101, 'q')), 4U);
  EXPECT_EQ(table.insert(std::string(100, 'q')), 3U);
  EXPECT_EQ(table.text(1), odd);
}

}  // namespace
}  // namespace evenkeel::data
