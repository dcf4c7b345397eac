// In: fields and good or bad words for them. Out: values, or the sentence that names the mistake.
#include "base/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace evenkeel {
namespace {

std::vector<Field> fields() {
  return {
      {"tau", 0.1, "temperature", 0.01, 10},
      {"dim", std::int64_t{64}, "vector length", 1, 4096},
      {"shared", false, "share negatives"},
      {"negatives", std::string("128"), "how many, or in-batch"},
      {"score", std::string("cosine"), "ranking score", 0, 0, {"cosine", "dot"}},
  };
}

// The sentence of the config error that `action` throws; empty if it throws none.
template <typename Action>
std::string config_error(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Settings, DefaultsHoldUntilSet) {
  Settings settings(fields());
  EXPECT_DOUBLE_EQ(settings.number("tau"), 0.1);
  EXPECT_FALSE(settings.is_set("tau"));
  settings.set("tau", std::string_view("0.2"));
  EXPECT_DOUBLE_EQ(settings.number("tau"), 0.2);
  EXPECT_TRUE(settings.is_set("tau"));
  settings.set("dim", std::string_view("1e2"));
  EXPECT_EQ(settings.integer("dim"), 100);
  settings.set("shared", std::string_view("true"));
  EXPECT_TRUE(settings.flag("shared"));
}

TEST(Settings, OutOfRangeNamesOptionValueAndRange) {
  Settings settings(fields());
  const std::string tau =
      config_error([&] { settings.set("tau", std::string_view("0"), "--tau"); });
  EXPECT_TRUE(contains(tau, "--tau is 0")) << tau;
  EXPECT_TRUE(contains(tau, "0.01")) << tau;
  EXPECT_TRUE(contains(config_error([&] { settings.set("dim", std::string_view("0")); }), "--dim"));
  EXPECT_TRUE(contains(config_error([&] { settings.set("dim", std::string_view("-3")); }), "-3"));
  EXPECT_DOUBLE_EQ(settings.number("tau"), 0.1) << "a refused value must not stay";
}

TEST(Settings, NonsenseNumbersAreRefused) {
  for (const char* text : {"", "abc", "1x", "nan", "inf", "0.1 "}) {
    Settings settings(fields());
    EXPECT_NE(config_error([&] { settings.set("tau", std::string_view(text)); }), "") << text;
  }
  for (const char* text : {"", "1.5", "99999999999999999999", "nan"}) {
    Settings settings(fields());
    EXPECT_NE(config_error([&] { settings.set("dim", std::string_view(text)); }), "") << text;
  }
}

TEST(Settings, UnknownKeyAndChoiceNameTheNearest) {
  Settings settings(fields());
  EXPECT_TRUE(contains(config_error([&] { settings.set("tua", std::string_view("1")); }), "'tau'"));
  EXPECT_TRUE(contains(config_error([&] { settings.set("score", std::string_view("cosin")); }),
                       "'cosine'"));
}

TEST(Settings, SharedFieldsMergeOnce) {
  Settings settings(fields());
  settings.add(fields());
  EXPECT_EQ(settings.fields().size(), fields().size());
  EXPECT_EQ(settings.fields().front()->name, "tau");
}

TEST(Settings, TomlLoadsAndItsErrorsNameTheLine) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "evenkeel_settings.toml";
  std::ofstream(path) << "tau = 1\nnegatives = 64\nshared = true\nscore = \"dot\"\n";
  Settings settings(fields());
  settings.load_toml(path.string());
  EXPECT_DOUBLE_EQ(settings.number("tau"), 1.0);
  EXPECT_EQ(settings.text("negatives"), "64");
  EXPECT_TRUE(settings.flag("shared"));

  std::ofstream(path) << "tau = 0.5\n\ndmi = 3\n";
  const std::string unknown = config_error([&] { settings.load_toml(path.string()); });
  EXPECT_TRUE(contains(unknown, ":3: ")) << unknown;
  EXPECT_TRUE(contains(unknown, "'dim'")) << unknown;
  std::ofstream(path) << "tau = = 1\n";
  EXPECT_TRUE(contains(config_error([&] { settings.load_toml(path.string()); }), ":1: "));
  std::ofstream(path) << "[tau]\nx = 1\n";
  EXPECT_NE(config_error([&] { settings.load_toml(path.string()); }), "");
  std::ofstream(path) << "dim = 1.5\n";
  EXPECT_NE(config_error([&] { settings.load_toml(path.string()); }), "");
  std::filesystem::remove(path);
  const std::string missing = config_error([&] { settings.load_toml(path.string()); });
  EXPECT_TRUE(contains(missing, path.string() + ": No such file")) << missing;
  EXPECT_TRUE(contains(config_error([&] { settings.load_toml(::testing::TempDir()); }), "folder"));
}

TEST(Settings, TomlRoundTrips) {
  Settings settings(fields());
  settings.set("tau", std::string_view("0.15"));
  settings.set("negatives", std::string_view("a \"quoted\"\\ \n text"));
  const auto path = std::filesystem::path(::testing::TempDir()) / "evenkeel_roundtrip.toml";
  std::ofstream(path) << settings.to_toml();
  Settings again(fields());
  again.load_toml(path.string());
  EXPECT_EQ(again.to_toml(), settings.to_toml());
  EXPECT_EQ(again.text("negatives"), "a \"quoted\"\\ \n text");
  std::filesystem::remove(path);
}

TEST(Nearest, PicksTheSmallestEditDistanceAndTheFirstOfTies) {
  const std::vector<std::string_view> words{"bc", "bce", "bpr", "softmax"};
  EXPECT_EQ(nearest("sofmax", words), "softmax");
  EXPECT_EQ(nearest("bprr", words), "bpr");
  EXPECT_EQ(nearest("bx", words), "bc");
  EXPECT_EQ(nearest("", words), "") << "nothing is near";
  const std::vector<std::string_view> columns{"--item-column", "bash"};
  EXPECT_EQ(nearest("--weight-column", columns), "") << "what they share does not make them near";
  EXPECT_EQ(nearest("--itm-colunm", columns), "--item-column");
  EXPECT_EQ(nearest("tcsh", columns), "");
  EXPECT_EQ(nearest("lightgcn", words), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), words), "");
  EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace evenkeel
