// In: names, ids and run folders made to harm. Out: one printable sentence at once, files of others
// untouched.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/run_binary.h"
#include "cli/tiny_log.h"

namespace evenkeel::testing {
namespace {

constexpr const char* kEscapes = "\x1b[31m\x07\x7f\xC2\x9B\x9B\r\nx";

class Hostile : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    write_text(*folder_ / "log.csv", tiny_log(60, 36, 15));
    const Finished trained = train("run");
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string path(const std::string& name) { return *folder_ / name; }
  static Finished train(const std::string& run, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"train", path("log.csv"), "--out", path(run), "--epochs",
                                   "3",     "--dim",         "8",     "--quiet", "--batch",
                                   "64",    "--negatives",   "4",     "--loss",  "softmax"};
    words.insert(words.end(), more.begin(), more.end());
    return run_binary(words);
  }
  static TempFolder* folder_;
};

TempFolder* Hostile::folder_ = nullptr;

// The frame of a message is one line; nothing in it moves a cursor.
void expect_harmless(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    EXPECT_TRUE(c == '\n' || byte >= 0x20) << text;
    EXPECT_TRUE(byte < 0x7f || byte > 0x9f) << text;
  }
}

TEST_F(Hostile, EscapesInWordsAreEscapedInMessages) {
  const std::string bad = kEscapes;
  write_text(path("header.csv"), "user\x1b[31m,item\na\n");
  write_text(path("bad.toml"), "\"a\\u001b[31m\" = 1\n");
  const std::vector<std::vector<std::string>> commands{
      {"recommend", path("run"), "--user", bad},
      {"similar", path("run"), "--item", bad},
      {"recommend", path("no" + bad), "--user", "u1"},
      {"stats", path("no" + bad)},
      {"stats", path("header.csv"), "--user-column", bad},
      {"stats", path("header.csv"), "--on-bad-row", "error"},
      {"train", path("log.csv"), "--out", path("new"), "--loss", bad},
      {"train", path("log.csv"), "--out", path("new"), "--config", path("bad.toml")},
      {bad},
      {"train", "--" + bad},
      {"report", path("no" + bad), "--out", path("page.html")}};
  for (const auto& words : commands) {
    const Finished finished = run_binary(words);
    EXPECT_GT(finished.exit_code, 1) << words[0];
    EXPECT_LT(finished.exit_code, 4) << words[0];
    expect_harmless(finished.err);
    const std::string error = finished.err.substr(finished.err.find("evenkeel: error: "));
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
  }
}

TEST_F(Hostile, EscapesInMethodNamesAreEscapedInTables) {
  write_text(path("plan.toml"),
             "[common]\nepochs = 1\ndim = 4\nnegatives = 2\n[[data]]\nname = \"A\\u001b[31m\"\n"
             "path = \"log.csv\"\n[[encoder]]\nname = \"MF\\u009b\"\n[[method]]\n"
             "name = \"pop\\u007f\\n\"\noptions = { loss = \"most-pop\" }\n");
  const Finished finished = run_binary({"experiment", path("plan.toml"), "--out", path("tables")});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "A\\x1b[31m")) << finished.out;
  EXPECT_EQ(finished.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(finished.out.find('\x7f'), std::string::npos);
  EXPECT_EQ(finished.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(finished.err.find("\xC2\x9B"), std::string::npos);
}

// One file of a run folder is a link to a file of somebody else, then a pipe.
TEST_F(Hostile, LinksAndPipesInARunFolderAreReplaced) {
  write_text(path("precious"), "not yours");
  for (const char* name : {"config.toml", "events.jsonl", "model.safetensors", "result.json",
                           "checkpoint.safetensors"}) {
    const std::string file = path("linked/") + name;
    fs::create_directories(path("linked"));
    fs::remove(file);
    fs::create_symlink(path("precious"), file);
    const Finished linked = train("linked", {"--overwrite"});
    EXPECT_EQ(linked.exit_code, 0) << linked.err;
    EXPECT_EQ(read_text(path("precious")), "not yours") << name;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file))) << name;
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    const Finished piped = train("linked", {"--overwrite"});
    EXPECT_EQ(piped.exit_code, 0) << piped.err;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file))) << name;
  }
  EXPECT_EQ(read_text(path("linked/model.safetensors")), read_text(path("run/model.safetensors")));
}

TEST_F(Hostile, APipeInPlaceOfAFileIsASentence) {
  const auto piped = [&](const std::string& run, const std::string& name) {
    fs::copy(path("run"), path(run), fs::copy_options::recursive);
    fs::remove(path(run + "/" + name));
    EXPECT_EQ(::mkfifo(path(run + "/" + name).c_str(), 0600), 0);
  };
  piped("p1", "result.json");
  EXPECT_EQ(run_binary({"evaluate", path("p1")}).exit_code, 0) << "the model is enough";
  piped("p2", "config.toml");
  expect_error(run_binary({"train", "--resume", "--out", path("p2")}), 2,
               {"config.toml", "no regular file"});
  piped("p3", "model.safetensors");
  expect_error(run_binary({"recommend", path("p3"), "--user", "u1"}), 3, {"model.safetensors"});
  piped("p4", "checkpoint.safetensors");
  fs::remove(path("p4/result.json"));
  expect_error(train("p4", {"--resume"}), 3, {"checkpoint.safetensors", "not a file"});
}

TEST_F(Hostile, ADamagedCheckpointIsCalledDamaged) {
  fs::copy(path("run"), path("cut"), fs::copy_options::recursive);
  fs::remove(path("cut/result.json"));
  const std::string file = path("cut/checkpoint.safetensors");
  fs::resize_file(file, fs::file_size(file) - 4);
  expect_error(train("cut", {"--resume"}), 3,
               {file + ": damaged checkpoint (", "); start anew without --resume"});
  std::string bytes = read_text(path("run/checkpoint.safetensors"));
  bytes.replace(bytes.find("\\\"epoch\\\":4"), 11, "\\\"epoch\\\":9");
  write_text(file, bytes);
  expect_error(train("cut", {"--resume"}), 3, {"damaged checkpoint (", "start anew"});
}

TEST_F(Hostile, DeepFilesAreRefused) {
  std::string dotted = "a";
  for (int k = 0; k < 50000; ++k) dotted += ".a";
  write_text(path("deep.toml"), "dim = 8\n" + dotted + " = 1\n");
  expect_error(train("deep", {"--config", path("deep.toml")}), 2, {"deep.toml:2: nested deeper"});
  expect_error(run_binary({"experiment", path("deep.toml"), "--out", path("x")}), 2,
               {"deep.toml:2: nested deeper"});
  fs::copy(path("run"), path("deep-run"), fs::copy_options::recursive);
  write_text(path("deep-run/result.json"), "{\"data\":" + std::string(500'000, '['));
  EXPECT_EQ(run_binary({"evaluate", path("deep-run")}).exit_code, 0) << "the model is enough";
}

}  // namespace
}  // namespace evenkeel::testing
