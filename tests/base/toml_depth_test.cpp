// In: TOML nested deeper than a stack is tall. Out: one sentence with its line, before parsing.
#include "base/toml_depth.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/toml_value.h"

namespace evenkeel {
namespace {

constexpr int kMany = 50000;

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int k = 0; k < times; ++k) text += piece;
  return text;
}

TEST(TomlDepth, ParsingRefusesEveryKindOfDepthWithItsLine) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("evenkeel_deep_" + std::to_string(::getpid()) + ".toml"))
                               .string();
  const std::string dotted = repeated("a.", kMany) + "a";
  for (const std::string& deep :
       {"x = " + repeated("[", kMany) + repeated("]", kMany),
        "x = " + repeated("{ a = ", kMany) + "1" + repeated("}", kMany), dotted + " = 1",
        "[" + dotted + "]", "[[" + dotted + "]]", "x = { " + dotted + " = 1 }",
        repeated("\"a\".", kMany) + "a = 1", repeated("a . ", kMany) + "a = 1",
        // A string may end in up to two more quotes; what follows them is seen.
        "x = { a = \"\"\"b\"\"\"\"\", " + dotted + " = 1 }",
        "x = { a = '''b'''', " + dotted + " = 1 }", "x = { a = \"b\\\\\", " + dotted + " = 1 }"}) {
    std::ofstream(path) << "first = 1 # [[[\n" << deep << "\n";
    try {
      parse_toml(path);
      ADD_FAILURE() << deep.substr(0, 40);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      EXPECT_NE(std::string(error.what()).find(path + ":2: nested deeper"), std::string::npos)
          << error.what();
    }
  }
  std::filesystem::remove(path);
}

TEST(TomlDepth, StringsAndCommentsDoNotCount) {
  const std::string open = repeated("[", 200), dots = repeated(".", 200);
  for (const std::string& text :
       {"x = \"" + open + dots + "\"\n", "x = '" + open + dots + "'\n",
        "x = \"\"\"\n" + open + "\n\\\"\"\" \n" + dots + "\"\"\"\n", "# " + open + dots + "\n",
        "x = '''" + open + "'''\n", repeated("x = [[1.5, 2.5], [3.5]]\n[a.b]\n", 200),
        "x = [" + repeated("1.5, ", 200) + "]\n", std::string("\"open ") + open}) {
    EXPECT_EQ(line_nested_deeper(text), 0U) << text.substr(0, 60);
  }
  EXPECT_EQ(line_nested_deeper("x = \"\"\"\n\n\"\"\"\ny = " + open), 4U);
  EXPECT_EQ(line_nested_deeper("# c\n'open\n\n" + dots), 4U);
}

TEST(TomlDepth, TheDeepestThatIsAllowedIsParsed) {
  const std::string open = repeated("[", 32), close = repeated("]", 32);
  EXPECT_EQ(line_nested_deeper("x = " + open + close), 0U);
  EXPECT_EQ(line_nested_deeper("x = [" + open + close + "]"), 1U);
}

}  // namespace
}  // namespace evenkeel
