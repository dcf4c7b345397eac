// Bad input. In: files that cannot be right; out: one sentence with file, line, value and remedy.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/rng.h"
#include "data/load.h"
#include "data/reader.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::Scratch;

std::string failure(std::string_view text, const ReadOptions& options = {},
                    ErrorKind kind = ErrorKind::kData, const std::string& name = "log.csv") {
  const Scratch scratch;
  const std::string path = scratch.write(name, text);
  Threads threads(2);
  const std::string sentence = failure_of(kind, [&] { read_interactions(path, options, threads); });
  if (kind == ErrorKind::kData) expect_holds(sentence, {path});
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  return sentence;
}

ReadOptions rated() {
  ReadOptions options;
  options.min_rating = 3;
  return options;
}

ReadOptions timed() {
  ReadOptions options;
  options.times = Times::kRequired;
  return options;
}

TEST(BadInput, EmptyFiles) {
  expect_holds(failure(""), {"empty"});
  expect_holds(failure("\n \n"), {"empty"});
  expect_holds(failure("user,item\n"), {"no interactions"});
  expect_holds(failure("", {}, ErrorKind::kData, "x.inter"), {"empty"});
}

TEST(BadInput, MissingColumnsNameTheOnesThereAre) {
  ReadOptions options;
  options.user_column = "customer";
  expect_holds(failure("user,item\na,b\n", options), {"'customer'", "user, item", "user-column"});
  expect_holds(failure("movieId,title,genres\n1,x,y\n"),
               {"no user column", "movieId, title, genres"});
  expect_holds(failure("user,item\na,b\n", rated()), {"no rating column", "--rating-column"});
  expect_holds(failure("a,b,3\nc,d,4\n", timed()), {"no time column", "3 columns"});
  options.user_column = "7";
  expect_holds(failure("a,b\nc,d\n", options), {"'7'", "0 to 1"});
  options.user_column = "1";
  expect_holds(failure("a,b\nc,d\n", options, ErrorKind::kConfig), {"both column 1"});
}

TEST(BadInput, RowsThatCannotBeRead) {
  expect_holds(failure("a,b\nc\nd,e\n"), {":2:", "1 column in 'c'", "--on-bad-row skip"});
  expect_holds(failure("user,item,rating\na,b,3\na,c,four\n", rated()), {":3:", "'four'"});
  expect_holds(failure("user,item,rating\na,b,nan\n", rated()), {":2:", "'nan'", "finite"});
  expect_holds(failure("user,item,rating\na,b,inf\n", rated()), {":2:", "'inf'"});
  expect_holds(failure("user,item,rating\na,b,\n", rated()), {":2:", "''"});
  expect_holds(failure("user,item,time\na,b,NaN\n", timed()), {":2:", "'NaN'", "time"});
  expect_holds(failure("user,item,time\na,b,2024-13-01\n", timed()), {"'2024-13-01'"});
  expect_holds(failure("user,item\n,b\n"), {":2:", "empty user id"});
  expect_holds(failure("user,item\na,  \n"), {":2:", "empty item id"});
  expect_holds(failure("user,item\na,\"b\nc,d\n"), {":2:", "never closed"});
  expect_holds(failure("user,item\na,\"b\"c\n"), {":2:", "after a closing quote"});
  expect_holds(failure("u1 a 3\nu2 b 4\nu3 c 4 d e\n",
                       [] {
                         ReadOptions options;
                         options.format = "delimited";
                         return options;
                       }()),
               {":3:", "--format adjacency"});
}

TEST(BadInput, TheFirstBadRowOfTheFileIsTheOneReported) {
  std::string text = "user,item\n";
  for (int n = 0; n < 1000; ++n) text += n == 300 || n == 800 ? "broken\n" : "u,i\n";
  for (const std::size_t piece : {0u, 100u, 1500u}) {
    ReadOptions options;
    options.piece_bytes = piece;
    expect_holds(failure(text, options), {"log.csv:302:"});
  }
}

TEST(BadInput, NoSeparator) {
  expect_holds(failure("alpha\nbeta\n"), {":1:", "'alpha'", "--separator"});
  ReadOptions options;
  options.separator = "";
  expect_holds(failure("a,b\n", options, ErrorKind::kConfig), {"--separator"});
}

TEST(BadInput, BinaryFiles) {
  expect_holds(failure(std::string_view("user,item\na,b\nc\0d,e\n", 20)), {":3:", "NUL"});
  expect_holds(failure("PAR1xxxxxxxx"), {"Parquet"});
  expect_holds(failure(std::string("PK\x03\x04zip")), {"zip"});
  expect_holds(failure(std::string_view("\xff\xfeu\0,\0", 6)), {"UTF-16"});
  std::string junk;
  const Random random(1, Purpose::kPool);
  for (std::uint32_t n = 0; n < 4000; ++n) junk.push_back(static_cast<char>(random.word(n, 0)));
  junk[0] = 'j';
  expect_holds(failure(junk), {"binary"});
}

TEST(BadInput, AnEndlessLineIsRefusedEarly) {
  std::string text = "user,item\na,b\n";
  text.append(kLongestLine + 5, 'x');
  expect_holds(failure(text), {":3:", "longer than 64 MiB"});
  ReadOptions skip;
  skip.skip_bad_rows = true;
  expect_holds(failure(text, skip), {"longer than 64 MiB"});
}

TEST(BadInput, AnEndlessLineInAPackedFileToo) {
  const Scratch scratch;
  const std::string path = scratch.path("log.csv.gz");
  gzFile out = gzopen(path.c_str(), "wb1");
  const std::string block(std::size_t{1} << 20, 'x');
  for (std::size_t n = 0; n < 66; ++n) gzwrite(out, block.data(), unsigned(block.size()));
  gzclose(out);
  Threads threads(1);
  expect_holds(failure_of(ErrorKind::kData, [&] { read_interactions(path, {}, threads); }),
               {path, "longer than 64 MiB"});
}

TEST(BadInput, NothingReachesTheThreshold) {
  expect_holds(failure("a,b,1\nc,d,2\n", rated()), {"none of the 2", "--min-rating 3"});
}

TEST(BadInput, OptionsThatDoNotFitTheFormat) {
  expect_holds(failure("a b c\nd e\n", rated(), ErrorKind::kConfig), {"--min-rating"});
  expect_holds(failure("a b c\nd e\n", timed(), ErrorKind::kConfig), {"time"});
  expect_holds(failure("user\titem\na\tb\n", {}, ErrorKind::kData, "x.inter"),
               {":1:", "user_id:token"});
  EXPECT_THROW(testing::settings_with({{"k-core", "-1"}}), Error);
  EXPECT_THROW(testing::settings_with({{"split", "holdout"}}), Error);
  expect_holds(failure_of(ErrorKind::kConfig,
                          [] {
                            read_options(testing::settings_with({{"min-rating", "high"}}));
                          }),
               {"--min-rating", "'high'"});
}

TEST(BadInput, PathsThatCannotBeData) {
  const Scratch scratch;
  Threads threads(1);
  const Settings settings(data_fields());
  const auto load = [&](const std::string& path) {
    return failure_of(ErrorKind::kData, [&] { load_data(path, settings, threads); });
  };
  expect_holds(load(scratch.path("none.csv")), {"none.csv", "no such file"});
  expect_holds(load(scratch.path()), {scratch.path(), "train.txt"});
  const std::string alone = scratch.write("d/log.csv", "user,item\na,b\n");
  expect_holds(load(scratch.path("d")), {"train.txt", "or " + alone});
  scratch.write("a/train.txt", "");
  expect_holds(load(scratch.path("a")), {"train.txt", "empty"});
  scratch.write("b/train.txt", "1,2,3\n4,5\n");
  expect_holds(load(scratch.path("b")), {"train.txt:1", "'1,2,3'"});
  scratch.write("c/train.txt", "1 2\n");
  scratch.write("c/users.csv", "row,id\n0,x\n");
  expect_holds(load(scratch.path("c")), {"items.csv"});
  scratch.write("c/items.csv", "row,id\n0,x\n2,y\n");
  expect_holds(load(scratch.path("c")), {"items.csv:3", "'2,y'"});
  scratch.write("c/items.csv", "row,id\n0,x\n1,y\n");
  expect_holds(load(scratch.path("c")), {"'1'", "id map"});
}

// A folder of parts is full of names: none of them may be something that waits or never ends.
TEST(BadInput, OnlyRegularFilesAreOpened) {
  const Scratch scratch;
  Threads threads(1);
  const Settings settings(data_fields());
  const auto load = [&](const std::string& path) {
    return failure_of(ErrorKind::kData, [&] { load_data(path, settings, threads); });
  };
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  expect_holds(load(scratch.path("pipe")), {"pipe", "is a pipe", "to a file"});
  expect_holds(load("/dev/null"), {"/dev/null", "is a device"});
  scratch.write("a/train.txt", "1 2\n");
  ASSERT_EQ(::mkfifo(scratch.path("a/test.txt").c_str(), 0600), 0);
  expect_holds(load(scratch.path("a")), {"test.txt", "is a pipe"});
  scratch.write("b/train.txt", "0 0\n");
  ASSERT_EQ(::mkfifo(scratch.path("b/users.csv").c_str(), 0600), 0);
  expect_holds(load(scratch.path("b")), {"users.csv", "is a pipe"});
  scratch.write("c/train.txt", "0 0\n");
  std::filesystem::create_directory(scratch.path("c/items.csv"));
  expect_holds(load(scratch.path("c")), {"items.csv", "is a folder"});
}

// Mutations of good files: the reader may accept or refuse, but only with a sentence.
TEST(BadInput, MutatedFilesParseOrThrow) {
  const std::vector<std::string> seeds{
      "user,item,rating,time\n\"a,1\",x,5,10\nb,\"y\"\"z\",3,2020-01-01\n",
      "1::2::3::4\n5::6::7::8\n",
      "u1 a b c\nu2 d\nu3 e f\n",
      "user_id:token\titem_id:token\tx:float\na\tb\t1\nc\td\t2\n",
      "\xef\xbb\xbf"
      "a\tb\r\nc\td\r\n",
      "# by hand\nuser,item,review\na,x,\"p,\nq\"\nuser,item,review\n#b,y,z\n# end\n",
      "1\t20\t3\t881250949\r2\t30\t4\t881250950\r2\t20\t5\t881250951\r",
      std::string("\x1f\x8b\x08\0\0\0\0\0\0\3", 10)};
  using namespace std::string_view_literals;
  const std::string_view spice =
      "\"\",:\t\n\r |;\0\xff\x80"sv
      "0-9.eEnaif\x1f\x8b\xef\xbb\xbf"sv;
  const Scratch scratch;
  Threads threads(2);
  const Random random(11, Purpose::kPool);
  int accepted = 0, refused = 0;
  for (std::uint32_t n = 0; n < 3000; ++n) {
    Draws draws(random, n);
    std::string text = seeds[draws.below(std::uint32_t(seeds.size()))];
    for (std::uint32_t change = draws.below(6); change-- > 0 && !text.empty();) {
      const std::size_t at = draws.below(std::uint32_t(text.size()));
      switch (draws.below(4)) {
        case 0:
          text.erase(at, 1 + draws.below(4));
          break;
        case 1:
          text.insert(at, 1, spice[draws.below(std::uint32_t(spice.size()))]);
          break;
        case 2:
          text[at] = static_cast<char>(draws.word());
          break;
        default:
          text.insert(at, text.substr(draws.below(std::uint32_t(text.size())), 20));
      }
    }
    ReadOptions options;
    if (draws.below(2) == 0) options.min_rating = 2;
    if (draws.below(2) == 0) options.times = Times::kIfPresent;
    options.skip_bad_rows = draws.below(2) == 0;
    options.piece_bytes = draws.below(2) * 8;
    options.lean_adjacency = draws.below(2) == 0;
    constexpr const char* kFormats[] = {"auto", "auto", "delimited", "inter", "adjacency"};
    options.format = kFormats[draws.below(5)];
    try {
      const auto log = read_interactions(scratch.write("f", text), options, threads);
      ASSERT_FALSE(log.pairs.empty());
      for (const Pair& pair : log.pairs) {
        ASSERT_LT(pair.user, log.users.size());
        ASSERT_LT(pair.item, log.items.size());
      }
      ++accepted;
    } catch (const Error& error) {
      ASSERT_NE(std::string(error.what()), "");
      ++refused;
    }
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace evenkeel::data
