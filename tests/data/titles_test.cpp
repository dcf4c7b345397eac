// In: tables of titles as people have them, and parts of names. Out: titles by row, and rows.
#include "data/titles.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace evenkeel::data {
namespace {

Ids some_ids() {
  Ids ids;
  for (const char* id : {"1", "2", "31", "b|ue"}) ids.insert(id);
  return ids;
}

Titles titles_of(const std::string& text) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "evenkeel_titles.csv";
  std::ofstream(path, std::ios::binary) << text;
  return read_titles(path.string(), some_ids());
}

TEST(Titles, FormatsPeopleHave) {
  const std::string wanted = "Toy Story (1995)";
  for (const std::string text : {
           "movieId,title,genres\n1,Toy Story (1995),Animation\n",
           "title,item_id\nToy Story (1995),1\n",
           "1,Toy Story (1995)\n2,Heat\n",
           "1::Toy Story (1995)::Animation\n2::Heat::Action\n",
           "1|Toy Story (1995)|01-Jan-1995||x\n",
           "1,Toy Story (1995),Animation|Children\n",
           "item_id\tname\n1\tToy Story (1995)\n",
           "id,\"movie title\"\r\n1,\"Toy Story (1995)\"\r\n",
       }) {
    const Titles titles = titles_of(text);
    EXPECT_EQ(titles.of(0), wanted) << text;
    EXPECT_GE(titles.found, 1U);
  }
}

TEST(Titles, OddRowsAreNoTitles) {
  const Titles titles = titles_of("item,title\n1,First\n1,Second\n2\n31,\nzzz,Other\n");
  EXPECT_EQ(titles.of(0), "First");
  EXPECT_EQ(titles.of(1), "");
  EXPECT_EQ(titles.of(2), "");
  EXPECT_EQ(titles.found, 1U);
  EXPECT_THROW(titles_of("item,title\nx,y\n"), Error);
  EXPECT_THROW(titles_of(""), Error);
}

TEST(Titles, QuotedTitlesGoOnInTheNextLine) {
  const Titles titles =
      titles_of("item,title\n1,\"Toy\nStory, \"\"the\"\"\r\nfilm\"\n2,\"Heat\"\n31,\"7 inch\n");
  EXPECT_EQ(titles.of(0), "Toy Story, \"the\"  film");
  EXPECT_EQ(titles.of(1), "Heat");
  EXPECT_EQ(titles.of(2), "") << "a quote that is never closed";
  EXPECT_EQ(titles_of("1,\"7 inch\n2,\"Heat\"\n").of(1), "Heat");
}

TEST(Titles, FindsPartsOfIdsAndTitles) {
  const Ids ids = some_ids();
  const Titles titles = titles_of("item,title\n1,A Toy\n2,toy story\n31,Heat\n");
  EXPECT_EQ(find_rows(ids, titles, "TOY", 10), (std::vector<Row>{1, 0})) << "its beginning first";
  EXPECT_EQ(find_rows(ids, titles, "1", 10), (std::vector<Row>{0, 2}));
  EXPECT_EQ(find_rows(ids, {}, "B|", 10), (std::vector<Row>{3}));
  EXPECT_EQ(find_rows(ids, titles, "", 2).size(), 2U) << "everything holds nothing";
  EXPECT_TRUE(find_rows(ids, titles, "none", 10).empty());
}

}  // namespace
}  // namespace evenkeel::data
