// Readers. In: every layout that docs/formats.md names; out: the pairs people meant.
#include "data/reader.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "base/rng.h"
#include "real_data.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::kTwo;
using testing::pair_texts;
using testing::read_text;
using testing::Scratch;
using Texts = std::vector<std::string>;

TEST(Reader, EverySeparatorWithAndWithoutHeader) {
  for (const std::string separator : {",", "\t", "::", ";", "|", " "}) {
    for (const bool header : {false, true}) {
      std::string text = header ? "user" + separator + "item" + separator + "rating\n" : "";
      text += "u1" + separator + "i1" + separator + "3\nu2" + separator + "i2" + separator + "5\n";
      EXPECT_EQ(pair_texts(read_text(text)), kTwo) << "separator '" << separator << "' " << header;
    }
  }
}

TEST(Reader, LineEndsAndByteOrderMark) {
  EXPECT_EQ(pair_texts(read_text("\xef\xbb\xbfuser,item\r\nu1,i1\r\nu2,i2")), kTwo);
  EXPECT_EQ(pair_texts(read_text("u1,i1\n\nu2,i2\n\n")), kTwo);
  EXPECT_EQ(pair_texts(read_text("\n\nuser,item\nu1,i1\nu2,i2\n")), kTwo);
}

TEST(Reader, CarriageReturnsAloneEndLines) {
  const auto log = read_text("user,item\ru1,i1\ru2,i2\r");
  EXPECT_EQ(pair_texts(log), kTwo);
  EXPECT_EQ(log.report.lines, 3u);
  EXPECT_EQ(pair_texts(read_text("u1 i1 i2\ru2 i2")), (Texts{"u1|i1", "u1|i2", "u2|i2"}));
  EXPECT_EQ(pair_texts(read_text("u1,i1\r\r\nu2,i2\r\r\n")), kTwo);  // converted twice
  EXPECT_EQ(read_text("u1,i1\r\n").report.lines, 1u);
}

TEST(Reader, AByteOrderMarkInTheMiddleIsNoPartOfAnId) {
  EXPECT_EQ(pair_texts(read_text("u1,i1\n\xef\xbb\xbfu2,i2\n")), kTwo);
}

TEST(Reader, MovieLensLayouts) {
  EXPECT_EQ(pair_texts(read_text("196\t242\t3\t881250949\n186\t302\t3\t891717742\n", {}, "u.data")),
            (Texts{"196|242", "186|302"}));
  EXPECT_EQ(
      pair_texts(read_text("1::1193::5::978300760\n1::661::3::978302109\n", {}, "ratings.dat")),
      (Texts{"1|1193", "1|661"}));
  EXPECT_EQ(pair_texts(read_text("userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n", {},
                                 "ratings.csv")),
            (Texts{"1|31"}));
}

TEST(Reader, HeaderNamesInAnyOrderAndSpelling) {
  EXPECT_EQ(pair_texts(read_text("timestamp,Product_ID,stars,User-Id\n9,i1,5,u1\n8,i2,4,u2\n")),
            kTwo);
}

TEST(Reader, UnknownHeaderAboveNumbersIsStillAHeader) {
  EXPECT_EQ(pair_texts(read_text("who,what\n1,10\n2,20\n")), (Texts{"1|10", "2|20"}));
  EXPECT_EQ(pair_texts(read_text("anna,dune\nben,emma\n")), (Texts{"anna|dune", "ben|emma"}));
}

TEST(Reader, HeaderCanBeForced) {
  ReadOptions options;
  options.header = "no";
  EXPECT_EQ(pair_texts(read_text("user,item\nu1,i1\n", options)), (Texts{"user|item", "u1|i1"}));
  options.header = "yes";
  EXPECT_EQ(pair_texts(read_text("anna,dune\nu1,i1\n", options)), (Texts{"u1|i1"}));
}

TEST(Reader, ColumnsByNameAndIndex) {
  const std::string text = "a,b,c\ni1,x,u1\ni2,x,u2\n";
  ReadOptions options;
  options.header = "yes";
  options.user_column = "c";
  options.item_column = "a";
  EXPECT_EQ(pair_texts(read_text(text, options)), kTwo);
  options.user_column = "2";
  options.item_column = "0";
  EXPECT_EQ(pair_texts(read_text(text, options)), kTwo);
}

TEST(Reader, QuotesWithinALine) {
  const auto log = read_text(
      "user,item\n\"Smith, Anna\",\"say \"\"hi\"\"\"\nu2, \"x,y\" \nplain \"q\",\"\"\"\"\n\" a "
      "\",b\n");
  EXPECT_EQ(pair_texts(log),
            (Texts{"Smith, Anna|say \"hi\"", "u2|x,y", "plain \"q\"|\"", " a |b"}));
}

TEST(Reader, UnicodeIdsAndTrimmedBlanks) {
  EXPECT_EQ(pair_texts(read_text("\xe6\x97\xa5\xe6\x9c\xac , \xc3\xa9t\xc3\xa9\n")),
            (Texts{"\xe6\x97\xa5\xe6\x9c\xac|\xc3\xa9t\xc3\xa9"}));
}

TEST(Reader, InterFiles) {
  const std::string text =
      "user_id:token\titem_id:token\trating:float\ttimestamp:"
      "float\nu1\t\"i1\t4\t10\nu2\ti2\t2\t5\n";
  EXPECT_EQ(pair_texts(read_text(text, {}, "ml.inter")), (Texts{"u1|\"i1", "u2|i2"}));
  ReadOptions options;
  options.min_rating = 3;
  options.times = Times::kRequired;
  const auto log = read_text(text, options, "anything.txt");
  EXPECT_EQ(pair_texts(log), (Texts{"u1|\"i1"}));
  EXPECT_EQ(log.times, (std::vector<double>{10}));
}

TEST(Reader, AdjacencyIsFoundByVaryingLengths) {
  const auto log = read_text("u1 a b c\nu2 b\r\nu3\nu1 d\n", {}, "interactions.txt");
  EXPECT_EQ(pair_texts(log), (Texts{"u1|a", "u1|b", "u1|c", "u2|b", "u1|d"}));
  EXPECT_EQ(log.report.format, "adjacency");
  EXPECT_EQ(log.users.size(), 2u);  // u3 has no item
  ReadOptions options;
  options.format = "adjacency";
  EXPECT_EQ(read_text("u1 a b\nu2 c d\n", options).pairs.size(), 4u);
}

TEST(Reader, RatingThresholdKeepsEqualAndDropsIds) {
  ReadOptions options;
  options.min_rating = 4;
  const auto log = read_text("u1,i1,4\nu2,i2,3.9\nu3,i3,4.5e0\n", options);
  EXPECT_EQ(pair_texts(log), (Texts{"u1|i1", "u3|i3"}));
  EXPECT_EQ(log.report.below_threshold, 1u);
  EXPECT_FALSE(log.users.find("u2").has_value());
}

TEST(Reader, RatingsAndTimesThatNobodyAskedForAreNotRead) {
  EXPECT_EQ(read_text("u1,i1,good,yesterday\nu2,i2,bad,today\n").pairs.size(), 2u);
}

TEST(Reader, DuplicatesKeepTheFirstRowAndTheEarliestTime) {
  ReadOptions options;
  options.times = Times::kRequired;
  const auto log = read_text("u1,i1,1,50\nu2,i1,1,7\nu1,i2,1,9\nu1,i1,1,20\nu1,i1,1,30\n", options);
  EXPECT_EQ(pair_texts(log), (Texts{"u1|i1", "u2|i1", "u1|i2"}));
  EXPECT_EQ(log.times, (std::vector<double>{20, 7, 9}));
  EXPECT_EQ(log.report.duplicates, 2u);
}

TEST(Reader, TimesMayBeDates) {
  ReadOptions options;
  options.times = Times::kRequired;
  const auto log = read_text(
      "user,item,date\na,x,1970-01-02\na,y,1970-01-01T00:01:30Z\na,z,1970-01-01 02:00:00+02:00\n",
      options);
  EXPECT_EQ(log.times, (std::vector<double>{86400, 90, 0}));
}

TEST(Reader, SkippedRowsAreCountedAndTheFirstTenShown) {
  std::string text = "user,item,rating\n";
  for (int n = 0; n < 30; ++n) {
    text += "u" + std::to_string(n) + ",i1," + (n % 2 == 0 ? "5" : "oops") + "\n";
  }
  ReadOptions options;
  options.min_rating = 1;
  options.skip_bad_rows = true;
  options.piece_bytes = 40;
  const auto log = read_text(text, options);
  EXPECT_EQ(log.pairs.size(), 15u);
  EXPECT_EQ(log.report.bad_rows, 15u);
  ASSERT_EQ(log.report.shown.size(), 10u);
  EXPECT_EQ(log.report.shown[0].line, 3u);
  EXPECT_EQ(log.report.shown[9].line, 21u);
  testing::expect_holds(log.report.shown[0].reason, {"'oops'", "rating"});
  EXPECT_EQ(log.report.lines, 31u);
}

TEST(Reader, PackedFilesReadLikePlainOnes) {
  const std::string text = "user,item\nu1,i1\nu2,i2\n";
  const Scratch scratch;
  Threads threads(1);
  const std::string gzip = scratch.path("log.csv.gz");
  gzFile out = gzopen(gzip.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), int(text.size()));
  gzclose(out);
  EXPECT_EQ(pair_texts(read_interactions(gzip, {}, threads)), kTwo);
  std::string zstd(ZSTD_compressBound(text.size()), '\0');
  zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), text.data(), text.size(), 1));
  EXPECT_EQ(pair_texts(read_interactions(scratch.write("log.csv.zst", zstd), {}, threads)), kTwo);
}

std::string random_log(std::uint32_t rows) {
  const Random random(7, Purpose::kPool);
  std::string text = "user,item,rating,time\n";
  for (std::uint32_t n = 0; n < rows; ++n) {
    const auto w = random.words(n, 0);
    text +=
        w[3] % 50 == 0 ? fmt::format("\"u\"\"{}\"", w[0] % 900) : fmt::format("u{}", w[0] % 900);
    text += fmt::format(",item_{},{},{}\n", w[1] % 400, w[2] % 6, w[3] % 1000);
  }
  return text;
}

TEST(Reader, PiecesAndThreadsDoNotChangeTheResult) {
  const std::string text = random_log(20000);
  ReadOptions options;
  options.min_rating = 2;
  options.times = Times::kRequired;
  const auto whole = read_text(text, options, "log.csv", 1);
  EXPECT_GT(whole.report.duplicates, 0u);
  for (const std::size_t piece : {1000u, 7777u, 100000u}) {
    options.piece_bytes = piece;
    for (const int threads : {1, 2, 5}) {
      const auto log = read_text(text, options, "log.csv", threads);
      ASSERT_EQ(log.pairs, whole.pairs);
      ASSERT_EQ(log.times, whole.times);
      ASSERT_EQ(log.users.bytes(), whole.users.bytes());
      ASSERT_EQ(log.items.offsets(), whole.items.offsets());
      ASSERT_EQ(log.report.lines, whole.report.lines);
      ASSERT_EQ(log.report.below_threshold, whole.report.below_threshold);
    }
  }
}

TEST(Reader, TableIsCompleteAndUnknownNamesSuggest) {
  EXPECT_EQ(readers().back().name, "delimited");
  const std::string sentence =
      testing::failure_of(ErrorKind::kConfig, [] { find_reader("adjacancy"); });
  testing::expect_holds(sentence, {"adjacancy", "did you mean 'adjacency'"});
}

TEST(Reader, RealFiles) {
  EVENKEEL_NEEDS_SHARED("data/anime");
  const auto folder = testing::shared_folder() / "data";
  Threads threads(2);
  const auto anime = read_interactions((folder / "anime/interactions.txt").string(), {}, threads);
  EXPECT_EQ(anime.users.size(), 5000u);
  EXPECT_EQ(anime.items.size(), 7390u);
  EXPECT_EQ(anime.pairs.size(), 520609u);
  const auto movies =
      read_interactions((folder / "ml-100k/interactions.tsv").string(), {}, threads);
  EXPECT_EQ(movies.users.size(), 943u);
  EXPECT_EQ(movies.items.size(), 1682u);
  EXPECT_EQ(movies.pairs.size(), 100000u);
}

TEST(Reader, RowsBelowTheRatingAreKeptAsSeen) {
  // An id that such a row names first is still numbered by the rows that count.
  const std::string text =
      "user,item,rating\nu9,i1,1\nu1,i2,1\nu2,i3,5\nu1,i1,5\nu2,i2,2\nu2,i1,3\nu1,i3,5\n";
  for (const std::size_t piece : {std::size_t{0}, std::size_t{8}}) {
    ReadOptions options;
    options.min_rating = 4;
    options.piece_bytes = piece;
    const Interactions log = testing::read_text(text, options);
    EXPECT_EQ(pair_texts(log), (std::vector<std::string>{"u2|i3", "u1|i1", "u1|i3"}));
    EXPECT_EQ(log.users.size(), 2U);
    EXPECT_EQ(log.users.text(0), "u2");
    EXPECT_EQ(log.items.size(), 2U);
    EXPECT_EQ(log.report.below_threshold, 4U);
    EXPECT_EQ(log.seen, (std::vector<Pair>{{0, 1}})) << "u2 with i1; the others have no row";
    options.all_seen = true;
    const Interactions all = testing::read_text(text, options);
    EXPECT_EQ(pair_texts(all), pair_texts(log));
    EXPECT_EQ(all.seen.size(), 4U);
    EXPECT_EQ(all.users.text(2), "u9");
  }
}

}  // namespace
}  // namespace evenkeel::data
