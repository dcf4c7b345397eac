// In: DATA and settings. Out: the data set, whichever way it is stored.
#include "data/load.h"

#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/rng.h"
#include "base/seconds.h"
#include "data/folder.h"
#include "data/prepared.h"
#include "data/split.h"
#include "data/value_text.h"

namespace evenkeel::data {
namespace {

// A folder of parts is filtered and cut already.
void refuse_on_folder(const std::string& path, const Settings& settings) {
  for (const char* option : {"k-core", "split"}) {
    const Value& value = settings.value(option);
    if (value == settings.field(option).default_value) continue;
    fail_config(
        "--{} is {}, but {} is a folder that is split already; leave it out or give one "
        "interactions file",
        option, plain_text(value), path);
  }
}

// What is stored as pairs has no weights.
void refuse_weights(const std::string& path, const Settings& settings) {
  if (!weighs_rows(settings)) return;
  const bool column = !settings.text("weight-column").empty();
  fail_config(
      "--{} is {}, but {} holds pairs without weights or times of rows; give the interactions "
      "file itself",
      column ? "weight-column" : "half-life", settings.text(column ? "weight-column" : "half-life"),
      path);
}

Dataset load_prepared(const Prepared& prepared, Threads& threads, LoadReport& report) {
  const auto start = std::chrono::steady_clock::now();
  Dataset data = load_prepared_parts(prepared, threads);
  report.read.format = "prepared data";
  report.read.lines = prepared.lines;
  for (const auto& [name, array] : prepared.arrays) report.read.bytes += array.bytes;
  report.read.seconds = seconds_since(start);
  report.read_users = data.user_count();
  report.read_items = data.item_count();
  report.read_interactions = prepared.interactions;
  return data;
}

}  // namespace

Dataset load_data(const std::string& path, const Settings& given, Threads& threads,
                  LoadReport* report) {
  const Settings settings = data_settings(path, given);
  const auto start = std::chrono::steady_clock::now();
  LoadReport local;
  LoadReport& filled = report != nullptr ? *report : local;
  filled = {};
  if (is_prepared(path) || is_split_already(path)) refuse_weights(path, settings);
  if (is_prepared(path)) {
    const Prepared prepared = open_prepared(path);
    if (prepared.split) return load_prepared(prepared, threads, filled);
  } else if (is_split_already(path)) {
    refuse_on_folder(path, settings);
    Dataset data = load_folder(path, read_options(settings), threads, filled);
    filled.read.seconds = seconds_since(start);
    return data;
  }
  return make_dataset(read_and_split(path, settings, threads, filled));
}

Dataset load_for_training(const std::string& path, const Settings& given, Threads& threads,
                          LoadReport* report) {
  const Settings settings = data_settings(path, given);
  const bool whole = settings.text("split") == kNoSplit && comes_from_log(path);
  const double fraction = whole ? 0.0 : settings.number("validation");
  Dataset data = load_data(path, settings, threads, report);
  set_candidates(data, settings);
  if (report != nullptr) {
    report->held_out_validation = data.valid.interactions() == 0 && fraction > 0;
  }
  return hold_out_validation(std::move(data), fraction,
                             static_cast<std::uint64_t>(settings.integer("seed")));
}

void set_candidates(Dataset& data, const Settings& settings) {
  if (!settings.has("candidates")) return;
  for (Part& test : data.tests) test.own_candidates = settings.text("candidates") == "test";
}

Dataset merge_into_train(Dataset data, bool tests) {
  PairList pairs;
  pairs.add(data.items_of);
  pairs.add(data.valid.items_of);
  if (tests) {
    for (const Part& test : data.tests) pairs.add(test.items_of);
    data.tests.clear();
  }
  Csr train = make_csr(pairs, data.user_count());
  Csr none = make_csr({}, data.user_count(), Side::kUser);
  Dataset all = dataset_of_rows(std::move(data.name), std::move(data.users), std::move(data.items),
                                std::move(train), std::move(none), std::move(data.tests));
  all.seen = std::move(data.seen);
  return all;
}

Dataset hold_out_validation(Dataset data, double fraction, std::uint64_t seed) {
  if (data.valid.interactions() > 0 || fraction <= 0) return data;
  const Random random(seed, Purpose::kHoldout);
  auto users_left = data.user_popularity, items_left = data.item_popularity;
  PairList train, valid;
  for (Row user = 0; user < data.user_count(); ++user) {
    for (std::uint64_t at = data.items_of.offsets[user]; at < data.items_of.offsets[user + 1];
         ++at) {
      const Pair pair{user, data.items_of.columns[at]};
      const bool drawn = random.uniform(static_cast<std::uint32_t>(at),
                                        static_cast<std::uint32_t>(at >> 32)) < fraction;
      if (drawn && users_left[user] > 1 && items_left[pair.item] > 1) {
        --users_left[user];
        --items_left[pair.item];
        valid.add(user, data.items_of, at);
      } else {
        train.add(user, data.items_of, at);
      }
    }
  }
  data.items_of = make_csr(train, data.user_count());
  data.users_of = make_csr(train.pairs, data.item_count(), Side::kItem);
  data.user_popularity = std::move(users_left);
  data.item_popularity = std::move(items_left);
  data.valid = {std::string(kValidName), make_csr(valid, data.user_count())};
  return data;
}

}  // namespace evenkeel::data
