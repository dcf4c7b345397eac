// Adjacency or table. In: small files of both kinds; out: the reading that loses nothing.
#include "data/shape.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/reader.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::pair_texts;
using testing::Scratch;

TEST(Shape, RatingsAndTimesMakeATable) {
  for (const char separator : {'\t', ' '}) {
    const auto rows = [&](std::initializer_list<std::string> lines) {
      std::string text;
      for (std::string line : lines) {
        std::replace(line.begin(), line.end(), ' ', separator);
        text += line + "\n";
      }
      return shape_of(text).kind;
    };
    EXPECT_EQ(rows({"196 242 3 881250949", "186 302 3 891717742"}), Shape::kTable);
    EXPECT_EQ(rows({"196 242 37 881250949", "196 302 12 891717742"}), Shape::kTable);
    EXPECT_EQ(rows({"1 20 881250949", "1 30 881250950", "2 20 881250951"}), Shape::kTable);
    EXPECT_EQ(rows({"1 20 4.5", "1 30 5", "2 20 3", "2 40 0.5"}), Shape::kTable);
    EXPECT_EQ(rows({"1 20 5 2014-05-01", "2 30 4 2014-05-02"}), Shape::kTable);
    EXPECT_EQ(rows({"user_id item_id rating", "a b 3", "c d 4"}), Shape::kTable);
    EXPECT_EQ(rows({"who what stars when", "a b 3 881250949", "a c 4 881250950"}), Shape::kTable);
  }
}

TEST(Shape, ListsStayLists) {
  EXPECT_EQ(shape_of("1 2 3\n2 4\n").kind, Shape::kAdjacency);
  EXPECT_EQ(shape_of("1\t2 3\n2\t4\n").kind, Shape::kAdjacency);
  EXPECT_EQ(shape_of("u1 a,b c\nu2 d\n").kind, Shape::kAdjacency);
  // One comma in each user's name, any number of items.
  EXPECT_NE(shape_of("Smith,J a b\nDoe,A c\n").kind, Shape::kTable);
  // As many words by chance: each user once, or items that could be anything.
  for (const char* text : {"0 1 2 3\n1 2 3 4\n2 0 4 5\n3 1 5 0\n", "0 1 11291\n1 3 91\n",
                           "1 2 3\n1 4 5\n2 3 9\n2 1 7\n", "u i\nu j\nv i\n", "u1 a b\nu2 c d\n",
                           "u|1 i|5\nu|2 i|6\n", "1 20 3\n2 30 4\n3 20 5\n4 2 1\n",
                           "1 978300760 978300761 978300762\n2 978300763 978300764 978300765\n"}) {
    EXPECT_EQ(shape_of(text).kind, Shape::kEither) << text;
  }
}

TEST(Shape, ColumnsWithoutBlanksOrWithANamedHeaderAreATable) {
  EXPECT_EQ(shape_of("u1,i1\n").kind, Shape::kTable);
  EXPECT_EQ(shape_of("1::2::3\n4::5::6\n").kind, Shape::kTable);
  EXPECT_EQ(shape_of("user,item,title\nu1,i1,Dune\nu2,i2,The Road\n").kind, Shape::kTable);
  EXPECT_EQ(shape_of("u1,i1,Dune\nu2,i2,The Road\n").kind, Shape::kTable);
  EXPECT_EQ(shape_of("user\titem\nAnna B\tThe Road\n").kind, Shape::kTable);
}

Interactions read_words(std::string_view text, const ReadOptions& options = {}) {
  return testing::read_text(text, options, "log.txt", 1);
}

TEST(Shape, ASingleFileOfLikeWordsIsReadAsListsAndSaidSo) {
  const auto log = read_words("0 1 11291\n1 3 91\n2 4 8");
  EXPECT_EQ(log.report.format, "adjacency");
  EXPECT_EQ(log.pairs.size(), 6u);
  ASSERT_EQ(log.report.doubts.size(), 1u);
  expect_holds(log.report.doubts[0], {"log.txt", "3 words", "--format delimited"});
  const auto rated = read_words("u1 i1 3\nu2 i2 5\n");
  EXPECT_EQ(rated.pairs.size(), 2u);
  ASSERT_EQ(rated.report.doubts.size(), 1u);
  expect_holds(rated.report.doubts[0], {"3 columns", "--format adjacency"});
  EXPECT_TRUE(read_words("1 20 881250949\n1 30 881250950\n").report.doubts.empty());
  EXPECT_TRUE(read_words("a b c\nd e\n").report.doubts.empty());
}

TEST(Shape, OptionsOfTablesDecideWhereLinesDoNot) {
  ReadOptions options;
  options.item_column = "2";
  EXPECT_EQ(pair_texts(read_words("0 1 11291\n1 3 91\n", options)),
            (std::vector<std::string>{"0|11291", "1|91"}));
  options.lean_adjacency = true;
  EXPECT_EQ(read_words("0 1 11291\n1 3 91\n", options).pairs.size(), 2u);
}

// Every option that only a table can answer, given for lists.
TEST(Shape, OptionsOfTablesAreRefusedForLists) {
  const auto sentence = [](auto set) {
    ReadOptions options;
    set(options);
    return failure_of(ErrorKind::kConfig, [&] { read_words("a b c\nd e\n", options); });
  };
  expect_holds(sentence([](ReadOptions& o) { o.user_column = "0"; }), {"--user-column is 0"});
  expect_holds(sentence([](ReadOptions& o) { o.item_column = "1"; }), {"--item-column is 1"});
  expect_holds(sentence([](ReadOptions& o) { o.rating_column = "2"; }), {"--rating-column is 2"});
  expect_holds(sentence([](ReadOptions& o) { o.time_column = "3"; }), {"--time-column is 3"});
  expect_holds(sentence([](ReadOptions& o) { o.min_rating = 3; }), {"--min-rating is 3"});
  expect_holds(sentence([](ReadOptions& o) { o.separator = "tab"; }), {"--separator is tab"});
  expect_holds(sentence([](ReadOptions& o) { o.header = "no"; }),
               {"--header is no", "leave it out", "--format delimited"});
}

}  // namespace
}  // namespace evenkeel::data
