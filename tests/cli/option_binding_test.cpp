// In: fields and command lines. Out: settings in the right order of precedence.
#include "cli/option_binding.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace evenkeel::cli {
namespace {

std::vector<Field> fields() {
  return {{"tau", 0.1, "temperature", 0.01, 10},
          {"dim", std::int64_t{64}, "length", 1, 4096},
          {"shared", false, "share"},
          {"shuffle", true, "shuffle"},
          {"score", std::string("cosine"), "score", 0, 0, {"cosine", "dot"}}};
}

Settings resolved(const std::string& words, const std::string& toml = "") {
  CLI::App app;
  BoundOptions options{Settings(fields())};
  options.add_to(app, "Settings");
  app.parse(words);
  return options.resolve(toml);
}

TEST(OptionBinding, TheCommandLineBeatsTheFileBeatsTheDefault) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "evenkeel_binding.toml";
  std::ofstream(path) << "tau = 0.5\ndim = 8\n";
  const Settings settings = resolved("--tau 0.25", path.string());
  EXPECT_DOUBLE_EQ(settings.number("tau"), 0.25);
  EXPECT_EQ(settings.integer("dim"), 8);
  EXPECT_EQ(settings.text("score"), "cosine");
  std::filesystem::remove(path);
}

TEST(OptionBinding, FlagsCanBeSetBothWays) {
  EXPECT_TRUE(resolved("--shared").flag("shared"));
  EXPECT_FALSE(resolved("--shared=false").flag("shared"));
  EXPECT_TRUE(resolved("").flag("shuffle"));
  EXPECT_FALSE(resolved("--no-shuffle").flag("shuffle"));
  EXPECT_TRUE(resolved("--shuffle").flag("shuffle"));
}

TEST(OptionBinding, TheLastOfRepeatedOptionsWinsAndNegativeNumbersAreValues) {
  EXPECT_EQ(resolved("--dim 3 --dim 4").integer("dim"), 4);
  try {
    resolved("--dim -4");
    FAIL() << "must be refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--dim is -4"), std::string::npos) << error.what();
  }
}

TEST(OptionBinding, HelpShowsDefaultRangeAndChoices) {
  CLI::App app;
  BoundOptions options{Settings(fields())};
  options.add_to(app, "Settings");
  const std::string help = app.help();
  for (const char* part : {"--tau", "0.1", "0.01 to 10", "cosine|dot", "--no-shuffle"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part << " in\n" << help;
  }
}

}  // namespace
}  // namespace evenkeel::cli
