// JSON lines. In: objects as programs write them, and broken ones; out: the pairs people meant, or
// one sentence with file, line, value and remedy.
#include "data/json_lines.h"

#include <gtest/gtest.h>

#include "data/json_object.h"
#include "data/load.h"
#include "scratch.h"

namespace evenkeel::data {
namespace {

using testing::expect_holds;
using testing::failure_of;
using testing::kTwo;
using testing::pair_texts;
using testing::Scratch;
using Texts = std::vector<std::string>;

Interactions read_lines(std::string_view text, const ReadOptions& options = {},
                        const std::string& name = "log.jsonl", int thread_count = 2) {
  return testing::read_text(text, options, name, thread_count);
}

std::string lines_failure(std::string_view text, const ReadOptions& options = {},
                          ErrorKind kind = ErrorKind::kData,
                          const std::string& name = "log.jsonl") {
  return failure_of(kind, [&] { read_lines(text, options, name); });
}

constexpr std::string_view kPlain =
    "{\"user\": \"u1\", \"item\": \"i1\", \"rating\": 3, \"timestamp\": 20}\n"
    "{\"user\": \"u2\", \"item\": \"i2\", \"rating\": 5, \"timestamp\": \"1970-01-01\"}\n";

TEST(JsonLines, AreFoundByNameAndByContent) {
  for (const char* name : {"log.jsonl", "log.ndjson", "log.json", "log", "log.csv"}) {
    const Interactions log = read_lines(kPlain, {}, name);
    EXPECT_EQ(pair_texts(log), kTwo) << name;
    expect_holds(log.report.format, {"jsonl", "user 'user'", "rating 'rating' (not read)"});
  }
}

TEST(JsonLines, KeysInAnyOrderAndEveryLineEnd) {
  EXPECT_EQ(pair_texts(read_lines("\xef\xbb\xbf{\"item_id\":\"i1\",\"x\":{\"a\":[1,\"]}\"]},"
                                  "\"userId\":\"u1\"}\r\n\r\n  {\"userId\":\"u2\" , \"item_id\" "
                                  ": \"i2\"}")),
            kTwo);
}

TEST(JsonLines, IdsAreTextsOrWholeNumbers) {
  EXPECT_EQ(
      pair_texts(read_lines("{\"user\":12345678901234567890123,\"item\":-7}\n"
                            "{\"user\":\"a \\\"b\\\" \\u00e9\\ud83d\\ude00\",\"item\":\"\\/\"}\n")),
      (Texts{"12345678901234567890123|-7", "a \"b\" \xc3\xa9\xf0\x9f\x98\x80|/"}));
}

TEST(JsonLines, WeightsAreReadWhenAskedFor) {
  ReadOptions options;
  EXPECT_TRUE(read_lines(kPlain, options).weights.empty());
  options.weight_column = "rating";
  EXPECT_EQ(read_lines(kPlain, options).weights, (std::vector<float>{3, 5}));
  options.min_rating = 4;  // of the same key
  EXPECT_EQ(read_lines(kPlain, options).weights, std::vector<float>{5});
  options = {};
  options.weight_column = "n";
  expect_holds(lines_failure(kPlain, options), {"no key 'n'", "--weight-column"});
  expect_holds(
      lines_failure("{\"user\":1,\"item\":2,\"n\":3}\n{\"user\":1,\"item\":3,\"n\":-1}\n", options),
      {":2:", "weight -1 of 'n'", "from 0 to"});
  expect_holds(lines_failure("{\"user\":1,\"item\":2,\"n\":3}\n{\"user\":1,\"item\":3}\n", options),
               {":2:", "no 'n' (the weight)"});
}

TEST(JsonLines, TheLastOfAKeyThatIsThereTwiceCounts) {
  EXPECT_EQ(pair_texts(read_lines("{\"user\":\"x\",\"user\":\"u1\",\"item\":\"i1\"}")),
            (Texts{"u1|i1"}));
}

TEST(JsonLines, RatingsAndTimes) {
  ReadOptions options;
  options.min_rating = 4;
  options.times = Times::kIfPresent;
  const Interactions log = read_lines(kPlain, options);
  EXPECT_EQ(pair_texts(log), (Texts{"u2|i2"}));
  EXPECT_EQ(log.times, (std::vector<double>{0}));
  EXPECT_EQ(log.report.below_threshold, 1U);
}

TEST(JsonLines, KeysCanBeNamed) {
  ReadOptions options;
  options.user_column = "who";
  options.item_column = "WHAT";
  EXPECT_EQ(pair_texts(read_lines("{\"who\":\"u1\",\"what\":\"i1\"}\n", options)),
            (Texts{"u1|i1"}));
  options.item_column = "where";
  expect_holds(lines_failure("{\"who\":\"u1\",\"what\":\"i1\"}\n", options),
               {"no key 'where'", "--item-column", "who, what"});
  expect_holds(lines_failure("{\"who\":\"u1\",\"what\":\"i1\"}\n"), {"no user key", "who, what"});
}

TEST(JsonLines, AnyNumberOfThreadsReadsTheSame) {
  std::string text;
  for (int n = 0; n < 400; ++n) {
    text += "{\"user\":\"u\\u00e9" + std::to_string(n * 7 % 31) +
            "\",\"item\":" + std::to_string(n * 13 % 57) + "}\n";
  }
  ReadOptions options;
  options.piece_bytes = 100;
  EXPECT_EQ(pair_texts(read_lines(text, options, "a", 1)),
            pair_texts(read_lines(text, options, "a", 3)));
}

TEST(JsonLines, BadRowsSayWhereAndWhy) {
  const std::string good = "{\"user\":\"u1\",\"item\":\"i1\"}\n";
  const std::pair<std::string, std::string> cases[] = {
      {"{\"user\":\"u2\"}", "no 'item'"},
      {"{\"user\":null,\"item\":1}", "no 'user'"},
      {"{\"user\":\"\",\"item\":1}", "empty user id"},
      {"{\"user\":1.5,\"item\":1}", "neither text nor a whole number"},
      {"{\"user\":[1],\"item\":1}", "neither text nor a whole number"},
      {"{\"user\":\"a\\ud800\",\"item\":1}", "broken escape"},
      {"{\"user\":\"a\\q\",\"item\":1}", "broken escape"},
      {"{\"user\":\"a\\n\",\"item\":1}", "line end"},
      {"{\"user\":\"a\\u0000\",\"item\":1}", "NUL"},
      {"{\"user\":\"a\tb\",\"item\":1}", "control character"},
      {"{\"user\":1,\"item\":1", "does not end"},
      {"{\"user\":1,\"item\":\"x}", "quote is never closed"},
      {"{\"user\":1,\"item\":1}}", "behind its }"},
      {"{\"user\":1,\"item\":1,}", "key is not in quotes"},
      {"{\"user\":1 \"item\":1}", "comma is missing"},
      {"{\"user\" 1}", "colon is missing"},
      {"{\"user\":01,\"item\":1}", "number is malformed"},
      {"{\"user\":-,\"item\":1}", "number is malformed"},
      {"{\"user\":nil,\"item\":1}", "neither text, number"},
      {"{\"user\":{\"a\":[1}],\"item\":1}", "closed by another"},
      {"{\"a\":" + std::string(100, '[') + "}", "too deeply"},
      {"user,item", "does not begin with {"},
  };
  for (const auto& [line, reason] : cases) {
    SCOPED_TRACE(line);
    expect_holds(lines_failure(good + line + "\n" + good), {"log.jsonl:2", "--on-bad-row skip"});
    EXPECT_NE(lines_failure(good + line + "\n").find(reason), std::string::npos)
        << lines_failure(good + line + "\n");
    ReadOptions skip;
    skip.skip_bad_rows = true;
    const Interactions log =
        read_lines(good + line + "\n{\"user\":\"u2\",\"item\":\"i2\"}\n", skip);
    EXPECT_EQ(pair_texts(log), kTwo);
    EXPECT_EQ(log.report.bad_rows, 1U);
  }
}

TEST(JsonLines, OtherShapesAreTold) {
  expect_holds(lines_failure("[{\"user\":1,\"item\":2}]\n", {}, ErrorKind::kData, "log"),
               {"jq -c '.[]'"});
  expect_holds(lines_failure("[\n{\"user\":1,\"item\":2}\n]\n"), {"jq -c '.[]'"});
  expect_holds(lines_failure("{\n\"user\":1,\n\"item\":2\n}\n", {}, ErrorKind::kData, "log"),
               {"jq -c ."});
  expect_holds(lines_failure("user,item\na,b\n"), {"no JSON object", "--format delimited"});
  expect_holds(lines_failure("\n\n"), {"empty"});
  ReadOptions options;
  options.separator = "tab";
  expect_holds(lines_failure(std::string(kPlain), options, ErrorKind::kConfig),
               {"--separator is tab"});
  options.separator = "auto";
  options.user_column = options.item_column = "user";
  expect_holds(lines_failure(std::string(kPlain), options, ErrorKind::kConfig),
               {"both key 'user'"});
}

TEST(JsonLines, AFolderOfParts) {
  const Scratch scratch;
  scratch.write("train.jsonl", kPlain);
  scratch.write("test.jsonl", "{\"user\":\"u1\",\"item\":\"i2\"}\n");
  Threads threads(1);
  const Dataset data = load_data(scratch.path(), Settings(data_fields()), threads);
  EXPECT_EQ(data.interactions(), 2U);
  EXPECT_EQ(data.tests.at(0).interactions(), 1U);
}

// Every cut of an object is refused, and never read past its end.
TEST(JsonObject, EveryCutIsBroken) {
  const std::string whole = R"({"a":"x\u00e9","b":[{"c":-1.5e+3},null],"d":true,"":0})";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    JsonObject object(cut);
    JsonMember member;
    while (object.next(member)) {
    }
    EXPECT_EQ(object.failure().empty(), size == whole.size()) << cut;
  }
}

}  // namespace
}  // namespace evenkeel::data
