// Tables as people really have them: joined, commented, with text in quotes. In: such files; out:
// the rows they mean, each line accounted for.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "data/reader.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::kTwo;
using testing::pair_texts;
using testing::read_text;
using testing::Scratch;
using Texts = std::vector<std::string>;

std::string table_failure(std::string_view text, ErrorKind kind = ErrorKind::kData,
                          const ReadOptions& options = {}, const std::string& name = "log.csv") {
  const Scratch scratch;
  Threads threads(2);
  const std::string path = scratch.write(name, text);
  return failure_of(kind, [&] { read_interactions(path, options, threads); });
}

ReadOptions skipping() {
  ReadOptions options;
  options.skip_bad_rows = true;
  return options;
}

TEST(Table, TooManyColumnsAreABadRow) {
  expect_holds(table_failure("user,item\nu1,i1\nu2,i2,i3\n"),
               {":3:", "more columns than the 2 of the header", "'u2,i2,i3'"});
  expect_holds(table_failure("u1,i1,5\nu2,i2,4\nu3,Dune, Part 2,5\n"),
               {":3:", "more columns than the 3 of most rows", "quotes"});
  expect_holds(table_failure("u1::i1\nu2::i2\nu3::i3::4\n"), {":3:"});
  expect_holds(table_failure("user,item\nu1,\"i,1\"\nu2,\"i,2\",x\n"), {":3:"});
  expect_holds(table_failure("user_id:token\titem_id:token\nu1\ti1\nu2\ti2\t9\n", ErrorKind::kData,
                             {}, "x.inter"),
               {":3:", "header"});
  expect_holds(table_failure("1,2,3\n4,5\n"),
               {":1:", "most rows"});  // lists with commas: nothing lost
  const auto log = read_text("user,item\nu1,i1\nx,y,z\nu2,i2\n", skipping());
  EXPECT_EQ(pair_texts(log), kTwo);
  EXPECT_EQ(log.report.bad_rows, 1u);
}

// A quote anywhere in a piece sends all of its lines the general way.
TEST(Table, BareLinesAreReadAsTheGeneralWayReadsThem) {
  const Random random(5, Purpose::kPool);
  const Texts kinds{"u1,i1\n",
                    "u2,i1\r\n",
                    " u3 ,i2\n",
                    "u4,i2 \n",
                    "# u5,i5\n",
                    "user,item\n",
                    "\n",
                    "long user,i\n",
                    "u7,\n",
                    ",i3\n",
                    "u8\n",
                    "u9,i9,x\n",
                    "#1,#2\n",
                    "\xc3\xa9,i4\n",
                    "\xef\xbb\xbfu1,i6\n",
                    "a-user-of-24-characters,an-item-of-24-characters\n"};
  for (std::uint32_t round = 0; round < 60; ++round) {
    std::string text = "user,item\nfirst,one\n";
    for (std::uint32_t n = 0; n < 30; ++n) {
      text += kinds[bounded(random.words(n, round)[0], static_cast<std::uint32_t>(kinds.size()))];
    }
    const Interactions bare = read_text(text + "q,r", skipping());
    const Interactions general = read_text(text + "\"q\",r", skipping());
    EXPECT_EQ(pair_texts(bare), pair_texts(general)) << text;
    EXPECT_EQ(bare.report.lines, general.report.lines);
    EXPECT_EQ(bare.report.bad_rows, general.report.bad_rows);
    EXPECT_EQ(bare.report.comments, general.report.comments);
    EXPECT_EQ(bare.report.headers, general.report.headers);
  }
}

TEST(Table, EmptyColumnsAtTheEndHoldNothing) {
  EXPECT_EQ(pair_texts(read_text("user,item\nu1,i1,\nu2,i2, ,\n")), kTwo);
  EXPECT_EQ(pair_texts(read_text("user,item\n\"u1\",i1,,\nu2,i2\n")), kTwo);
}

TEST(Table, TheHeaderAgainIsNoInteraction) {
  const std::string file = "user,item,rating\nu1,i1,3\n";
  const auto log = read_text(file + file + "user,item,rating\r\nu2,i2,5\n\xef\xbb\xbf" + file);
  EXPECT_EQ(pair_texts(log), kTwo);
  EXPECT_EQ(log.report.headers, 3u);
  const std::string inter = "user_id:token\titem_id:token\nu1\ti1\n";
  EXPECT_EQ(read_text(inter + inter, {}, "x.inter").items.size(), 1u);
  ReadOptions small;
  small.piece_bytes = 20;
  EXPECT_EQ(read_text(file + file + file, small).report.headers, 2u);
}

TEST(Table, CommentsSayNothing) {
  const auto log = read_text("# exported by hand, 2024\n#\nuser,item\nu1,i1\n# half way\nu2,i2\n");
  EXPECT_EQ(pair_texts(log), kTwo);
  EXPECT_EQ(log.report.comments, 3u);
  EXPECT_EQ(log.report.lines, 6u);
  EXPECT_EQ(pair_texts(read_text("# a log\n#second line\nu1,i1\n#third line\nu2,i2\n")), kTwo);
  EXPECT_EQ(pair_texts(read_text("# u i\nu1 i1 3\nu2 i2 5\n")), kTwo);
  expect_holds(table_failure("# one\n# two\nuser,item\nu1,i1\nbad\n"),
               {":5:"});  // lines are file lines
}

TEST(Table, AHeaderMayBeWrittenAsAComment) {
  EXPECT_EQ(pair_texts(read_text("# ratings\n# item,user,rating\ni1,u1,3\ni2,u2,4\n")), kTwo);
  EXPECT_EQ(pair_texts(read_text("#item_id\tuser_id\ni1\tu1\ni2\tu2\n")), kTwo);
}

TEST(Table, IdsThatBeginWithAHashAreIds) {
  EXPECT_EQ(pair_texts(read_text("user,item\n#cats,i1\nu2,#i2\n# dogs,i3\n")),
            (Texts{"#cats|i1", "u2|#i2", "# dogs|i3"}));
  EXPECT_EQ(pair_texts(read_text("#cats,i1,3\n#dogs,i2,4\n")), (Texts{"#cats|i1", "#dogs|i2"}));
  EXPECT_EQ(pair_texts(read_text("\"# dogs\",i1\nu2,i2\n")), (Texts{"# dogs|i1", "u2|i2"}));
}

TEST(Adjacency, CommentsAndIdsThatBeginWithAHash) {
  const auto log = read_text("# users and items\n#no blank\n\nu1 a b\n# half way\nu2 c\n");
  EXPECT_EQ(pair_texts(log), (Texts{"u1|a", "u1|b", "u2|c"}));
  EXPECT_EQ(log.report.comments, 3u);
  EXPECT_EQ(log.report.lines, 6u);
  EXPECT_EQ(pair_texts(read_text("#cats a b\n#dogs c\n")),
            (Texts{"#cats|a", "#cats|b", "#dogs|c"}));
  EXPECT_EQ(pair_texts(read_text("u1 a b\n#dogs c\n")), (Texts{"u1|a", "u1|b", "#dogs|c"}));
}

TEST(Table, TextInQuotesMayHoldLineEnds) {
  const std::string text =
      "user,item,review,rating\nu1,i1,\"good\nbook, \"\"really\"\"\r\n\n\",5\nu2,i2,short,4\n";
  EXPECT_EQ(pair_texts(read_text(text)), kTwo);
  EXPECT_EQ(read_text(text).report.lines, 6u);
  ReadOptions rated;
  rated.min_rating = 5;
  EXPECT_EQ(pair_texts(read_text(text, rated)), (Texts{"u1|i1"}));
}

TEST(Table, IdsMayNotHoldLineEnds) {
  expect_holds(table_failure("user,item\nu1,\"i\n1\"\nu2,i2\n"), {":2:", "one line"});
  const auto log = read_text("user,item\nu1,\"i\n1\"\nu2,i2\n", skipping());
  EXPECT_EQ(pair_texts(log), (Texts{"u2|i2"}));
  EXPECT_EQ(log.report.bad_rows, 1u);
}

TEST(Table, AStrayQuoteCostsItsLineOnly) {
  const std::string text = "user,item,review\nu1,i1,ok\nu2,\"i2,ok\nu3,i3,ok\nu4,i4,\"fine\"\n";
  expect_holds(table_failure(text), {":3:", "never closed"});
  const auto log = read_text(text, skipping());
  EXPECT_EQ(pair_texts(log), (Texts{"u1|i1", "u3|i3", "u4|i4"}));
  EXPECT_EQ(log.report.bad_rows, 1u);
}

// Quotes that span lines, stray quotes, comments and headers: whatever the pieces are, the result
// is that of one piece.
TEST(Table, PiecesDoNotChangeRowsThatSpanLines) {
  const Random random(5, Purpose::kPool);
  for (std::uint32_t trial = 0; trial < 40; ++trial) {
    std::string text = "user,item,review\n";
    for (std::uint32_t n = 0; n < 60; ++n) {
      const auto w = random.words(n, trial);
      text += fmt::format("u{},i{},", w[0] % 9, w[1] % 9);
      switch (w[2] % 8) {
        case 0:
          text += "\"long\n and, \"\"wide\"\"\nu9,i9,x\"\n";
          break;
        case 1:
          text += w[3] % 4 == 0 ? "\"stray\n" : "\"a\nb\"\n";
          break;
        case 2:
          text += "plain\n# a comment\n";
          break;
        default:
          text += "plain\n";
      }
    }
    ReadOptions options = skipping();
    options.piece_bytes = std::size_t{1} << 20;
    const auto whole = read_text(text, options);
    for (const std::size_t piece : {15u, 64u, 300u}) {
      options.piece_bytes = piece;
      const auto log = read_text(text, options);
      ASSERT_EQ(pair_texts(log), pair_texts(whole));
      ASSERT_EQ(log.report.lines, whole.report.lines);
      ASSERT_EQ(log.report.bad_rows, whole.report.bad_rows);
      ASSERT_EQ(log.report.comments, whole.report.comments);
    }
  }
}

TEST(Table, TheColumnsFoundAreNamed) {
  const auto named = read_text("user,movie,stars,when,timestamp\nu1,i1,3,x,100\nu2,i2,4,y,200\n");
  EXPECT_EQ(named.report.columns.user, "'user'");
  EXPECT_EQ(named.report.columns.item, "'movie'");
  EXPECT_EQ(named.report.columns.rating, "'stars'");
  EXPECT_EQ(named.report.columns.time, "'timestamp'");
  EXPECT_FALSE(named.report.columns.rating_read || named.report.columns.time_read);
  expect_holds(named.report.format, {"rating 'stars' (not read)", "time 'timestamp' (not read)"});
  ReadOptions options;
  options.min_rating = 4;
  options.times = Times::kRequired;
  const auto read = read_text("u1\ti1\t3\t881250949\nu2\ti2\t4\t881250950\n", options);
  EXPECT_EQ(read.report.columns.rating, "2 (from 0)");
  EXPECT_EQ(read.report.columns.time, "3 (from 0)");
  EXPECT_TRUE(read.report.columns.rating_read && read.report.columns.time_read);
  const auto words = read_text("u1,i1,good,old\nu2,i2,bad,new\n");
  EXPECT_EQ(words.report.columns.rating + words.report.columns.time, "");
}

TEST(Table, AThirdColumnOfTimesHoldsNoRatings) {
  const std::string text = "u1,i1,881250949\nu2,i2,881250950\n";
  EXPECT_EQ(read_text(text).report.columns.time, "2 (from 0)");
  EXPECT_EQ(read_text(text).report.columns.rating, "");
  ReadOptions options;
  options.min_rating = 4;
  expect_holds(table_failure(text, ErrorKind::kData, options), {"no rating column"});
  options.min_rating.reset();
  options.times = Times::kRequired;
  EXPECT_EQ(read_text(text, options).times, (std::vector<double>{881250949, 881250950}));
}

TEST(Table, AColumnThatIsAskedForMustBeThereAndBeOnlyOneThing) {
  ReadOptions options;
  options.rating_column = "starz";
  expect_holds(table_failure("user,item,stars\nu1,i1,5\n", ErrorKind::kData, options),
               {"'starz'", "--rating-column", "stars"});
  options = {};
  options.time_column = "7";
  expect_holds(table_failure("u1,i1,5\n", ErrorKind::kData, options), {"'7'", "--time-column"});
  options.time_column = options.rating_column = "stars";
  expect_holds(table_failure("user,item,stars\nu1,i1,5\n", ErrorKind::kConfig, options),
               {"rating and time are both column 'stars'"});
  options = {};
  options.item_column = "2";
  options.min_rating = 1;  // the usual place of ratings is taken
  expect_holds(table_failure("u1,x,5\nu2,y,4\n", ErrorKind::kData, options), {"no rating column"});
}

}  // namespace
}  // namespace evenkeel::data
