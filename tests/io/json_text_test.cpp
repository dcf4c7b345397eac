// In: JSON of every depth. Out: a value that can be copied and dumped, or a discarded one.
#include "io/json_text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace evenkeel::io {
namespace {

namespace fs = std::filesystem;

std::string nested(std::size_t levels, const char* open, const char* close) {
  std::string text;
  for (std::size_t k = 0; k < levels; ++k) text += open;
  text += "1";
  for (std::size_t k = 0; k < levels; ++k) text += close;
  return text;
}

TEST(JsonText, DepthIsBounded) {
  EXPECT_EQ(parse_json(nested(64, "[", "]")).dump(), nested(64, "[", "]"));
  for (const std::size_t levels : {65U, 500'000U}) {
    EXPECT_TRUE(parse_json(nested(levels, "[", "]")).is_discarded());
    EXPECT_TRUE(parse_json(nested(levels, "{\"a\":", "}")).is_discarded());
  }
  EXPECT_TRUE(parse_json("[[1]]", 1).is_discarded());
}

TEST(JsonText, BracketsInTextDoNotCount) {
  const std::string open(500, '[');
  EXPECT_EQ(parse_json("\"" + open + "\"").get<std::string>(), open);
  EXPECT_EQ(parse_json(R"(["\"[[[\\", {"[": "]"}])", 2).size(), 2U);
  EXPECT_EQ(parse_json("[[1], [2], [3]]", 2).size(), 3U);
}

TEST(JsonText, WhatIsNoJsonIsDiscarded) {
  for (const char* text : {"", "{", "[1,]", "nul", "\xff", "\"\\", "]]]", "1 2"}) {
    EXPECT_TRUE(parse_json(text).is_discarded()) << text;
  }
}

TEST(JsonText, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(dump_json({{"a", "\xff"}}), "{\"a\":\"\xEF\xBF\xBD\"}");
}

TEST(JsonText, AFileThatIsNoneIsDiscarded) {
  const fs::path folder =
      fs::temp_directory_path() / ("evenkeel_json_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "good") << "{\"a\": 1}";
  EXPECT_EQ(read_json_file((folder / "good").string())["a"], 1);
  EXPECT_TRUE(read_json_file((folder / "none").string()).is_discarded());
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(read_json_file((folder / "pipe").string()).is_discarded());
  fs::remove_all(folder);
}

TEST(JsonText, ControlsThatATerminalObeysAreEscaped) {
  const nlohmann::json value{{"item",
                              "a\x7f\xc2\x9b"
                              "31m\xc2\xa0\xc3\xa9"}};
  const std::string text = dump_json(value);
  EXPECT_EQ(text, "{\"item\":\"a\\u007f\\u009b31m\xc2\xa0\xc3\xa9\"}");
  EXPECT_EQ(parse_json(text), value);
}

}  // namespace
}  // namespace evenkeel::io
