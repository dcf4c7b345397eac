// Prepared data: the same data set that the text gives, whole or split, from one file or several;
// damage is told in one sentence, and a folder appears whole or not at all.
#include "data/prepared.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "data/load.h"
#include "data/options.h"
#include "data/prepare.h"
#include "data/prepared_writer.h"
#include "data/split.h"
#include "io/json_text.h"

namespace evenkeel::data {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::pair<std::string_view, std::string_view>>;

std::string log_text(int from, int to) {
  std::string text;
  for (int n = from; n < to; ++n) {
    text += "user" + std::to_string(n * 7 % 23) + ",\"item, " + std::to_string(n * n % 31) + "\"," +
            std::to_string(n % 5 + 1) + "," + std::to_string(1000 - n % 97) + "\n";
  }
  return text;
}

class PreparedData : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() /
            ("evenkeel_prepared_" + std::to_string(::getpid()) + "_" +
             ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
    write("log.csv", "user_id,item_id,rating,timestamp\n" + log_text(0, 400));
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string place(const std::string& name) const { return (root_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(place(name), std::ios::binary) << text;
  }
  static Settings settings(const Words& words) {
    Settings made(data_fields());
    const Field more[] = {validation_field()};
    made.add(more);
    for (const auto& [name, value] : words) made.set(name, value);
    return made;
  }
  PrepareOutcome make(const Words& words, bool split = false, bool times = false,
                      std::vector<std::string> files = {"log.csv"}) {
    PrepareRequest request;
    for (const std::string& file : files) request.files.push_back(place(file));
    request.out = place("ready");
    request.split = split;
    request.times = times;
    return prepare(request, settings(words), threads());
  }
  Dataset load(const std::string& name, const Words& words) {
    return load_for_training(place(name), settings(words), threads());
  }
  std::string failure_of(const std::string& name, const Words& words = {}) {
    try {
      load(name, words);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  void flip(const std::string& name, std::size_t at) {
    std::fstream file(place("ready/" + name), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }

  // Made when first asked for: a child may only be forked off while there is one thread.
  Threads& threads() {
    if (!threads_) threads_.emplace(2);
    return *threads_;
  }

  fs::path root_;

 private:
  std::optional<Threads> threads_;
};

void expect_same(const Dataset& a, const Dataset& b, const std::string& what) {
  EXPECT_EQ(fingerprint(a), fingerprint(b)) << what;
  EXPECT_EQ(a.name, b.name) << what;
  EXPECT_EQ(a.users_of.offsets, b.users_of.offsets) << what;
  EXPECT_EQ(a.users_of.columns, b.users_of.columns) << what;
  EXPECT_EQ(a.user_popularity, b.user_popularity) << what;
  EXPECT_EQ(a.item_popularity, b.item_popularity) << what;
}

TEST_F(PreparedData, AWholeLogIsCutAsItsTextIs) {
  const Words reading{{"min-rating", "2"}};
  make(reading, false, true);
  for (const SplitProtocol& protocol : split_protocols()) {
    for (const char* core : {"0", "3"}) {
      for (const char* seed : {"1", "5"}) {
        const Words words{{"split", protocol.name}, {"k-core", core}, {"seed", seed}};
        Words text = words;
        text.insert(text.end(), reading.begin(), reading.end());
        expect_same(load("log.csv", text), load("ready", words), std::string(protocol.name));
      }
    }
  }
}

TEST_F(PreparedData, PartsAreThoseOfTheText) {
  for (const SplitProtocol& protocol : split_protocols()) {
    const Words words{{"split", protocol.name}, {"k-core", "2"}, {"seed", "4"}};
    make(words, true);
    expect_same(load("log.csv", words), load("ready", {{"seed", "4"}}), std::string(protocol.name));
    expect_same(load("log.csv", words), load("ready", {{"seed", "9"}}), "another training seed");
    EXPECT_TRUE(is_split_already(place("ready")));
    EXPECT_TRUE(comes_from_log(place("ready")));
  }
}

TEST_F(PreparedData, SeveralFilesAreOneLog) {
  const std::string header = "user_id,item_id,rating,timestamp\n";
  write("day-1.csv", header + log_text(0, 150));
  write("day-2.csv", header + log_text(150, 400));
  make({}, false, false, {"day-1.csv", "day-2.csv"});
  const Dataset named = load("ready", {});
  const std::string print = fingerprint(load("log.csv", {}));
  EXPECT_EQ(fingerprint(named), print);
  EXPECT_EQ(named.name, "ready");
  make({}, false, false, {"day-*.csv"});
  EXPECT_EQ(fingerprint(load("ready", {})), print);
}

TEST_F(PreparedData, WhatItWasPreparedWithHolds) {
  make({{"min-rating", "2"}, {"k-core", "3"}});
  EXPECT_EQ(data_settings(place("ready"), settings({})).text("min-rating"), "2");
  EXPECT_EQ(failure_of("ready", {{"min-rating", "4"}}),
            "--min-rating is \"4\", but " + place("ready") +
                " was prepared with \"2\"; leave it out or prepare the log again");
  EXPECT_EQ(failure_of("ready", {{"min-rating", "2"}, {"k-core", "3"}}), "");
  EXPECT_NE(failure_of("ready", {{"split", "temporal"}}).find("without times"), std::string::npos);
  make({{"split", "random"}}, true);
  EXPECT_NE(failure_of("ready", {{"split", "balanced"}}).find("--split is \"balanced\""),
            std::string::npos);
}

TEST_F(PreparedData, SplitReadsItToo) {
  make({});
  const SplitOutcome outcome =
      split_file(place("ready"), place("parts"), settings({{"split", "balanced"}}), threads());
  EXPECT_EQ(fingerprint(outcome.data), fingerprint(load("log.csv", {{"split", "balanced"}})));
  make({{"split", "random"}}, true);
  EXPECT_THROW(split_file(place("ready"), place("other"), settings({}), threads()), Error);
}

TEST_F(PreparedData, DamageIsToldInOneSentence) {
  for (const bool split : {false, true}) {
    make({}, split, false);
    const Prepared whole = open_prepared(place("ready"));
    for (const auto& [name, array] : whole.arrays) {
      if (array.bytes == 0) continue;
      for (const std::size_t at : {std::size_t{0}, std::size_t{array.bytes - 1}}) {
        flip(name, at);
        EXPECT_EQ(failure_of("ready"), place("ready") +
                                           ": damaged prepared data (the checksum of '" + name +
                                           "' is wrong); prepare it again");
        flip(name, at);
      }
      fs::resize_file(place("ready/" + name), array.bytes - 1);
      EXPECT_NE(failure_of("ready").find("'" + name + "' has " + std::to_string(array.bytes - 1)),
                std::string::npos);
      fs::remove(place("ready/" + name));
      EXPECT_NE(failure_of("ready").find("'" + name + "' is missing"), std::string::npos);
      make({}, split, false);  // an earlier one is replaced, also a damaged one
    }
    EXPECT_EQ(failure_of("ready"), "");
  }
}

TEST_F(PreparedData, ADamagedManifestIsToldToo) {
  make({});
  const nlohmann::json manifest = io::read_json_file(place("ready/prepared.json"));
  const auto with = [&](const char* key, const nlohmann::json& value) {
    nlohmann::json changed = manifest;
    changed[key] = value;
    write("ready/prepared.json", changed.dump());
    return failure_of("ready");
  };
  EXPECT_NE(with("users", 3).find("checksum of its manifest"), std::string::npos);
  EXPECT_NE(with("format_version", 2).find("another version"), std::string::npos);
  EXPECT_NE(with("format", "x").find("cannot be read"), std::string::npos);
  write("ready/prepared.json", "{");
  EXPECT_NE(failure_of("ready").find("cannot be read"), std::string::npos);
  write("ready/prepared.json", manifest.dump());
  EXPECT_EQ(failure_of("ready"), "");
}

TEST_F(PreparedData, AFailedOrKilledCommandLeavesNoFolder) {
  const pid_t child = ::fork();
  if (child == 0) {
    Threads alone(1);
    PreparedWriter writer(place("ready"), alone);
    ::_exit(0);  // as a kill: nothing is cleaned up
  }
  ::waitpid(child, nullptr, 0);
  const std::string left = place("ready.partial-" + std::to_string(child));
  EXPECT_TRUE(fs::exists(left));
  EXPECT_FALSE(fs::exists(place("ready")));
  make({});
  EXPECT_FALSE(fs::exists(left)) << "the next command clears it away";
  EXPECT_EQ(failure_of("ready"), "");

  fs::remove_all(place("ready"));
  write("bad.csv", "user_id,item_id\nu,i\nonly-one\n");
  EXPECT_THROW(make({}, false, false, {"bad.csv"}), Error);
  for (const fs::directory_entry& entry : fs::directory_iterator(root_)) {
    EXPECT_EQ(entry.path().extension(), ".csv") << entry.path();
  }
}

TEST_F(PreparedData, LittleMemoryGivesTheSameBytes) {
  const auto bytes_of = [&](std::uint64_t memory, bool times) {
    PrepareRequest request;
    request.files = {place("log.csv")};
    request.out = place("ready");
    request.times = times;
    request.memory = memory;
    prepare(request, settings({}), threads());
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(request.out)) {
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      files[entry.path().filename().string()] = text.str();
    }
    return files;
  };
  for (const bool times : {false, true}) {
    EXPECT_EQ(bytes_of(1, times), bytes_of(std::uint64_t{1} << 30, times));
  }
  PrepareRequest request;
  request.files = {place("log.csv")};
  request.out = place("other");
  request.memory = 1;
  request.split = true;
  EXPECT_THROW(prepare(request, settings({}), threads()), Error);
  EXPECT_FALSE(fs::exists(request.out));
}

// A limit on the size of files fails as a full disk does, in the middle of a write.
TEST_F(PreparedData, AFullDiskLeavesNothing) {
  for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{1} << 30}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{1000, 1000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      Threads alone(1);
      PrepareRequest request;
      request.files = {place("log.csv")};
      request.out = place("ready");
      request.memory = memory;
      try {
        prepare(request, settings({}), alone);
      } catch (const Error& error) {
        ::_exit(error.kind() == ErrorKind::kRun ? 7 : 8);
      }
      ::_exit(9);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7) << "a failed run";
    for (const fs::directory_entry& entry : fs::directory_iterator(root_)) {
      EXPECT_EQ(entry.path().extension(), ".csv") << entry.path();
    }
  }
}

TEST_F(PreparedData, AFolderOfOthersIsRefused) {
  fs::create_directories(place("ready"));
  write("ready/mine.txt", "x");
  EXPECT_THROW(make({}), Error);
  EXPECT_TRUE(fs::exists(place("ready/mine.txt")));
}

}  // namespace
}  // namespace evenkeel::data
