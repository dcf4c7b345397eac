// In: a small model, and files that are damaged or lie. Out: the same model, or one clear error.
#include "model/model.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

#include "base/error.h"
#include "base/rng.h"
#include "io/safetensors.h"
#include "model/small_model.h"

namespace evenkeel::model {
namespace {

namespace fs = std::filesystem;
using testing::small_model;

class ModelFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::temp_directory_path() /
             ("evenkeel_model_" + std::to_string(::getpid()) + "_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                .string();
  }
  void TearDown() override { fs::remove(path_); }
  std::string error_of_load() {
    try {
      load_model(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 3);
      EXPECT_NE(std::string(error.what()).find(path_), std::string::npos);
      return error.what();
    }
    return "";
  }
  std::string error_after(const std::function<void(Model&)>& change) {
    Model model = small_model();
    change(model);
    save_model(model, path_);
    return error_of_load();
  }
  std::string path_;
};

TEST_F(ModelFile, ThousandsOfExtraTablesAreRefused) {
  Model model = small_model();
  for (int k = 0; k < 5000; ++k) model.extra_tables[std::to_string(k)] = Matrix(0, 4);
  save_model(model, path_);
  EXPECT_NE(error_of_load().find("more than 4096 arrays"), std::string::npos) << error_of_load();
}

TEST_F(ModelFile, ComesBackWhole) {
  Model model = small_model();
  model.extra_tables["control"] = Matrix(2, 7);
  model.extra_tables["control"].row(1)[6] = 4;
  save_model(model, path_);
  const Model back = load_model(path_);
  EXPECT_EQ(back.score, Score::kCosine);
  ASSERT_EQ(back.users.size(), model.users.size());
  EXPECT_EQ(std::memcmp(back.users.data(), model.users.data(), model.users.size() * 4), 0);
  EXPECT_EQ(std::memcmp(back.items.data(), model.items.data(), model.items.size() * 4), 0);
  EXPECT_EQ(back.user_ids.text(1), "b ö");
  EXPECT_EQ(back.item_ids.find("last"), Row{3});
  EXPECT_EQ(back.known.offsets, model.known.offsets);
  EXPECT_EQ(back.known.columns, model.known.columns);
  EXPECT_EQ(back.user_popularity, model.user_popularity);
  EXPECT_EQ(back.item_popularity, model.item_popularity);
  EXPECT_EQ(back.notes, model.notes);
  EXPECT_EQ(back.extra_tables.at("control").row(1)[6], 4.0F);
}

TEST_F(ModelFile, SameModelSameBytes) {
  const auto bytes = [&] {
    save_model(small_model(), path_);
    std::ifstream in(path_, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  };
  EXPECT_EQ(bytes(), bytes());
}

TEST_F(ModelFile, PartsThatDoNotFitAreNamed) {
  const auto has = [](const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
  };
  EXPECT_TRUE(has(error_after([](Model& m) { m.users.row(1)[2] = std::nanf(""); }), "'users'"));
  EXPECT_TRUE(
      has(error_after([](Model& m) { m.items.row(0)[0] = std::numeric_limits<float>::infinity(); }),
          "'items'"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.user_ids.insert("extra"); }), "user_ids"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.item_ids.insert("extra"); }), "item_ids"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.known.columns[2] = 4; }), "known"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.known.columns[2] = 0; }), "known"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.known.offsets[1] = 9; }), "known"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.known.offsets.push_back(3); }), "known"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.item_popularity.pop_back(); }), "item_popularity"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.user_popularity.clear(); }), "user_popularity"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.items = Matrix(4, 5); }), "vectors of"));
  EXPECT_TRUE(has(error_after([](Model& m) { m.users = Matrix(0, 3); }), "0 users"));
}

TEST_F(ModelFile, AnotherSafetensorsFileIsNoModel) {
  const std::vector<float> users{1};
  io::SafetensorsWriter writer;
  writer.add("users", users);
  writer.write(path_);
  EXPECT_NE(error_of_load().find("evenkeel model"), std::string::npos);
}

TEST_F(ModelFile, TruncatedAndDamagedFilesNeverCrash) {
  save_model(small_model(), path_);
  std::ifstream in(path_, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const std::string bytes = text.str();
  const auto put = [&](std::string_view content) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  };
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    put(std::string_view(bytes).substr(0, size));
    EXPECT_NE(error_of_load(), "");
  }
  const Random random(11, Purpose::kMarket);
  for (std::uint32_t round = 0; round < 1500; ++round) {
    std::string damaged = bytes;
    Draws draws(random, round);
    damaged[draws.below(static_cast<std::uint32_t>(bytes.size()))] =
        static_cast<char>(draws.below(256));
    put(damaged);
    error_of_load();  // checks that nothing but a data error that names the file comes out
  }
}

TEST(ScoreName, BothWays) {
  EXPECT_EQ(parse_score(score_name(Score::kDot)), Score::kDot);
  EXPECT_EQ(parse_score("cosine"), Score::kCosine);
  try {
    parse_score("cosin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_NE(std::string(error.what()).find("cosine"), std::string::npos);
  }
}

}  // namespace
}  // namespace evenkeel::model
