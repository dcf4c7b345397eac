// In: checkpoints with every field damaged in turn. Out: one sentence that calls it damaged; only
// what a training left is taken.
#include "train/checkpoint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "base/error.h"
#include "train/checkpoint_file.h"
#include "train/complete_settings.h"
#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;
using testing::CheckpointFile;
using testing::kGoOn;
using testing::StoredArray;

using Words = std::vector<std::pair<std::string_view, std::string_view>>;

class Checkpoints : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() /
             ("evenkeel_damaged_" + std::to_string(::getpid()) + "_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                .string();
    make({{"loss", "bc"}});
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // Three epochs and one step of the fourth.
  void make(const Words& words) {
    settings_ = run_settings();
    for (const auto& [name, value] : Words{{"dim", "4"},
                                           {"batch", "64"},
                                           {"negatives", "3"},
                                           {"eval-every", "1"},
                                           {"lr", "0.02"},
                                           {"extractor-epochs", "1"}}) {
      settings_.set(name, value);
    }
    for (const auto& [name, value] : words) settings_.set(name, value);
    resolve_defaults(settings_);
    Trainer trainer(data_, settings_, threads_);
    Observer silent;
    trainer.prepare(silent, kGoOn);
    for (int epoch = 0; epoch < 3; ++epoch) trainer.run_epoch(silent, kGoOn);
    trainer.run_epoch(silent, stop_);
    save_checkpoint(trainer, settings_, data_, "", path_);
    good_ = CheckpointFile::read(path_);
  }

  // "" where the checkpoint is taken and trains on.
  std::string refusal() {
    Trainer trainer(data_, settings_, threads_);
    try {
      restore_checkpoint(trainer, settings_, data_, path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.what();
      return error.what();
    }
    Observer silent;
    trainer.run_epoch(silent, kGoOn);
    return "";
  }
  void expect_damaged(const std::string& what) {
    const std::string sentence = refusal();
    EXPECT_TRUE(sentence.starts_with(path_ + ": damaged checkpoint (")) << what << ": " << sentence;
    EXPECT_TRUE(sentence.ends_with("); start anew without --resume")) << what << ": " << sentence;
    EXPECT_EQ(sentence.find("internal"), std::string::npos) << sentence;
  }
  void damaged(const std::string& what, const std::function<void(CheckpointFile&)>& change) {
    CheckpointFile bad = good_;
    change(bad);
    bad.write(path_);
    expect_damaged(what);
  }
  void damaged_standing(const std::string& what, const std::function<void(json&)>& change) {
    damaged("standing: " + what, [&](CheckpointFile& file) {
      json state = json::parse(file.notes["standing"]);
      change(state);
      file.notes["standing"] = state.dump();
    });
  }
  void damaged_event(const std::string& what, const std::function<void(json&)>& change) {
    damaged_standing("event: " + what, [&](json& state) {
      json event = json::parse(state["events"][1].get<std::string>());
      change(event);
      state["events"][1] = event.dump();
    });
  }

  const data::Dataset data_ = testing::small_world(40, 40);
  const std::atomic<bool> stop_{true};
  Threads threads_{1};
  Settings settings_;
  std::string path_;
  CheckpointFile good_;
};

TEST_F(Checkpoints, WhatTrainingLeftIsTaken) {
  for (const Words& words :
       {Words{{"loss", "bc"}}, Words{{"loss", "macr"}, {"negatives", "1"}},
        Words{{"loss", "cause"}, {"negatives", "1"}}, Words{{"encoder", "lightgcn"}},
        Words{{"loss", "bc"}, {"margin", "constant"}}, Words{{"samples", "user"}},
        Words{{"loss", "softmax"}, {"batch", "1048576"}}, Words{{"eval-every", "2"}},
        Words{{"eval-every", "50"}},
        Words{{"loss", "sl-at-k"}, {"margin-strength", "0"}, {"threshold-epochs", "2"}},
        Words{{"loss", "softmax"}, {"negatives", "in-batch"}}}) {
    make(words);
    good_.write(path_);
    EXPECT_EQ(refusal(), "") << words[0].second;
  }
}

TEST_F(Checkpoints, WithoutValidationTheLastEpochIsTheBest) {
  std::vector<Pair> pairs;
  for (Row u = 0; u < data_.user_count(); ++u) {
    for (const Row i : data_.items_of.row(u)) pairs.push_back({u, i});
  }
  const data::Dataset data =
      data::make_dataset("no validation", data_.users, data_.items, pairs, {}, {});
  Trainer trainer(data, settings_, threads_);
  Observer silent;
  trainer.prepare(silent, kGoOn);
  for (int epoch = 0; epoch < 3; ++epoch) trainer.run_epoch(silent, kGoOn);
  save_checkpoint(trainer, settings_, data, "", path_);
  Trainer fresh(data, settings_, threads_);
  restore_checkpoint(fresh, settings_, data, path_);
  EXPECT_EQ(fresh.state().best_epoch, 3);
}

TEST_F(Checkpoints, OptionsInAnyEncodingAreCompared) {
  make({{"user-column", "na\xEFve"}});
  good_.write(path_);
  EXPECT_EQ(refusal(), "");
}

TEST_F(Checkpoints, DamagedNotes) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const char* note : {"format", "settings", "data", "standing"}) {
    damaged(std::string("without ") + note, [&](CheckpointFile& file) { file.notes.erase(note); });
  }
  for (const char* note : {"format", "settings", "standing"}) {
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]"), std::string("null"), deep}) {
      damaged(std::string(note) + " " + text.substr(0, 9),
              [&](CheckpointFile& file) { file.notes[note] = text; });
    }
  }
  for (const json& value : {json(), json(8), json::array({"8"})}) {
    damaged("settings", [&](CheckpointFile& file) {
      json settings = json::parse(file.notes["settings"]);
      settings["dim"] = value;
      file.notes["settings"] = settings.dump();
    });
  }
  damaged("settings without dim", [&](CheckpointFile& file) {
    json settings = json::parse(file.notes["settings"]);
    settings.erase("dim");
    file.notes["settings"] = settings.dump();
  });
}

TEST_F(Checkpoints, DamagedCounts) {
  const json state = json::parse(good_.notes["standing"]);
  for (const auto& [key, value] : state.items()) {
    damaged_standing(key + " missing", [&](json& s) { s.erase(key); });
    for (const json& bad : {json(), json("1"), json(true), json::array(), json::object()}) {
      damaged_standing(key + " = " + bad.dump(), [&](json& s) { s[key] = bad; });
    }
  }
  for (const char* key : {"epoch", "epoch_samples", "epoch_capped", "best_epoch", "without_gain",
                          "samples", "epoch_seconds", "train_seconds", "evaluate_seconds"}) {
    for (const json& bad : {json(-1), json(-1e300)}) {
      damaged_standing(key + (" = " + bad.dump()), [&](json& s) { s[key] = bad; });
    }
  }
  for (const char* key :
       {"epoch", "epoch_samples", "epoch_capped", "best_epoch", "without_gain", "samples"}) {
    for (const json& bad : {json(1.5), json(1e300), json(2147483647), json(4294967295U),
                            json(std::numeric_limits<std::uint64_t>::max())}) {
      damaged_standing(key + (" = " + bad.dump()), [&](json& s) { s[key] = bad; });
    }
  }
  for (const char* key : {"epoch", "epoch_samples", "best_epoch", "without_gain", "samples"}) {
    damaged_standing(std::string(key) + " + 1",
                     [&](json& s) { s[key] = s[key].get<std::uint64_t>() + 1; });
  }
  damaged_standing("epoch 0", [](json& s) { s["epoch"] = 0; });
  damaged_standing("epoch_samples 0", [](json& s) { s["epoch_samples"] = 0; });
  damaged_standing("best_figure", [](json& s) { s["best_figure"] = 0.999; });
  damaged_standing("best_figure", [](json& s) { s["best_figure"] = -1.0; });
  damaged_standing("no best", [](json& s) {
    s["best_figure"] = -1.0;
    s["best_epoch"] = 0;
  });
}

TEST_F(Checkpoints, DamagedEvents) {
  damaged_standing("one less", [](json& s) { s["events"].erase(0); });
  damaged_standing("one more", [](json& s) { s["events"].push_back(s["events"][0]); });
  damaged_standing("in another order", [](json& s) { std::swap(s["events"][0], s["events"][2]); });
  for (const json& bad : {json(), json(1), json::object(), json(""), json("{"), json("[]"),
                          json("null"), json(std::string(100'000, '['))}) {
    damaged_standing("event", [&](json& s) { s["events"][1] = bad; });
  }
  damaged_standing("two lines",
                   [](json& s) { s["events"][1] = "\n" + s["events"][1].get<std::string>(); });
  for (const char* key :
       {"epoch", "loss", "seconds", "samples_per_second", "evaluate_seconds", "best"}) {
    damaged_event(key, [&](json& event) { event.erase(key); });
    for (const json& bad : {json("1"), json::array()}) {
      damaged_event(key, [&](json& event) { event[key] = bad; });
    }
  }
  for (const json& bad : {json(), json(3), json(-1), json(1.5), json(1e300)}) {
    damaged_event("epoch", [&](json& event) { event["epoch"] = bad; });
  }
  damaged_event("loss", [](json& event) { event["loss"] = nullptr; });
  damaged_event("best", [](json& event) { event["best"] = !event["best"].get<bool>(); });
  damaged_event("valid", [](json& event) { event["valid"] = 0.5; });
  damaged_event("recall", [](json& event) { event["valid"].erase("recall@20"); });
  damaged_event("recall", [](json& event) { event["valid"]["recall@20"] = nullptr; });
  damaged_event("ndcg", [](json& event) { event["valid"]["ndcg@20"] = "x"; });
  damaged_event("capped", [](json& event) { event["capped_share"] = "x"; });
}

TEST_F(Checkpoints, DamagedThresholds) {
  const auto also = [&](const char* name) { return good_.arrays.at(name); };
  make({{"loss", "sl-at-k"}, {"threshold-epochs", "1"}});
  ASSERT_EQ(also("thresholds").shape, (std::vector<std::uint64_t>{40}));
  damaged("missing", [](CheckpointFile& file) { file.arrays.erase("thresholds"); });
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), 1.1F, -2.0F}) {
    damaged("no cosine", [&](CheckpointFile& file) { file.arrays["thresholds"].set(7, value); });
  }
  damaged("too many", [](CheckpointFile& file) {
    file.arrays["thresholds"].bytes.append(4, '\0');
    ++file.arrays["thresholds"].shape[0];
  });
  const StoredArray thresholds = also("thresholds");
  make({{"loss", "bc"}});
  damaged("for a loss without",
          [&](CheckpointFile& file) { file.arrays["thresholds"] = thresholds; });
}

TEST_F(Checkpoints, DamagedArrays) {
  for (const auto& [name, array] : good_.arrays) {
    damaged(name + " missing", [&](CheckpointFile& file) { file.arrays.erase(name); });
    damaged(name + " of another type", [&](CheckpointFile& file) {
      file.arrays[name].type = array.type == "F32" ? "U32" : "F32";
    });
    damaged(name + " with another axis",
            [&](CheckpointFile& file) { file.arrays[name].shape.push_back(1); });
    damaged(name + " without rows", [&](CheckpointFile& file) {
      file.arrays[name].shape[0] = 0;
      file.arrays[name].bytes.clear();
    });
    damaged(name + " with a row more", [&](CheckpointFile& file) {
      StoredArray& longer = file.arrays[name];
      longer.bytes.append(longer.bytes.size() / longer.shape[0], '\0');
      ++longer.shape[0];
    });
    if (array.shape.size() != 2) continue;
    if (array.shape[0] != array.shape[1]) {
      damaged(name + " turned around", [&](CheckpointFile& file) {
        std::swap(file.arrays[name].shape[0], file.arrays[name].shape[1]);
      });
    }
    for (const float value :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity()}) {
      damaged(name + " not finite", [&](CheckpointFile& file) {
        file.arrays[name].set(array.bytes.size() / sizeof(float) - 1, value);
      });
    }
  }
  for (const char* name : {"user.v", "item.v"}) {
    damaged(name, [&](CheckpointFile& file) { file.arrays[name].set(3, -1e-9F); });
  }
  for (const char* name : {"user.last", "item.last"}) {
    damaged(name, [&](CheckpointFile& file) { file.arrays[name].set(2, 4'000'000'000U); });
  }
  for (const std::size_t place : {0U, 1U}) {
    for (const std::uint32_t step : {0U, 1U, 4'294'967'295U}) {
      damaged("steps", [&](CheckpointFile& file) { file.arrays["steps"].set(place, step); });
    }
  }
  damaged("both steps", [&](CheckpointFile& file) {
    for (const std::size_t place : {0U, 1U}) file.arrays["steps"].set(place, 4'294'967'295U);
  });
  for (const char* what : {"best", "extractor"}) {
    damaged(what, [&](CheckpointFile& file) {
      std::erase_if(file.arrays,
                    [&](const auto& array) { return array.first.find(what) != std::string::npos; });
    });
  }
}

TEST_F(Checkpoints, AnExtractorThatNobodyAskedForIsDamage) {
  make({{"loss", "softmax"}});
  EXPECT_FALSE(good_.arrays.contains("extractor.user"));
  damaged("extractor", [](CheckpointFile& file) {
    file.arrays["extractor.user"] = file.arrays["extractor.item"] = file.arrays["user.table"];
  });
}

// A checkpoint that is older than --extractor has a sampled one.
TEST_F(Checkpoints, SettingsOlderThanAnOptionHaveItsOldMeaning) {
  const auto older = [&] {
    json settings = json::parse(good_.notes["settings"]);
    settings.erase("extractor");
    good_.notes["settings"] = settings.dump();
    good_.write(path_);
  };
  make({{"loss", "bc"}, {"extractor", "sampled"}});
  older();
  EXPECT_EQ(refusal(), "");
  make({{"loss", "bc"}, {"extractor", "classes"}, {"extractor-epochs", "5"}});
  older();
  Trainer trainer(data_, settings_, threads_);
  try {
    restore_checkpoint(trainer, settings_, data_, path_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kConfig);
    EXPECT_NE(std::string(error.what()).find("--extractor is \"classes\" but"), std::string::npos)
        << error.what();
  }
}

TEST_F(Checkpoints, EveryCutIsDamage) {
  good_.write(path_);
  const auto size = std::filesystem::file_size(path_);
  for (const auto bytes : {size - 1, size / 2, size / 8, std::uintmax_t{9}, std::uintmax_t{8},
                           std::uintmax_t{3}, std::uintmax_t{0}}) {
    good_.write(path_);
    std::filesystem::resize_file(path_, bytes);
    expect_damaged("cut");
  }
}

// A row no step moves any more could become infinite where nobody looks.
TEST_F(Checkpoints, NoModelIsMadeOfVectorsThatAreNotFinite) {
  Trainer trainer(data_, settings_, threads_);
  good_.write(path_);
  restore_checkpoint(trainer, settings_, data_, path_);
  trainer.best(Side::kItem).row(1)[2] = std::numeric_limits<float>::infinity();
  Observer silent;
  try {
    trainer.result(silent);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRun);
    EXPECT_NE(std::string(error.what()).find("vector of item 1 holds inf"), std::string::npos);
  }
}

}  // namespace
}  // namespace evenkeel::train
