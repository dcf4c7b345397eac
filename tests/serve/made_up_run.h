// A run folder with a made-up model, for the tests of the server.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "model/model.h"
#include "noise.h"
#include "serve/service.h"

namespace evenkeel::testing {

// 40 users u0.., 200 items i0..; u39 has no interactions. `seed` makes another model of the shape.
inline model::Model made_up_model(std::uint64_t seed = 1) {
  constexpr std::size_t kUsers = 40, kItems = 200, kDim = 12;
  model::Model model;
  model.users = noise(kUsers, kDim, seed);
  model.items = noise(kItems, kDim, seed + 1000);
  model.temperature = 0.2;
  for (std::size_t u = 0; u < kUsers; ++u) model.user_ids.insert("u" + std::to_string(u));
  for (std::size_t i = 0; i < kItems; ++i) model.item_ids.insert("i" + std::to_string(i));
  model.item_popularity.assign(kItems, 0);
  for (std::size_t u = 0; u < kUsers; ++u) {
    for (std::size_t i = u % 5; u + 1 < kUsers && i < kItems; i += 7 + u % 11) {
      model.known.columns.push_back(static_cast<Row>(i));
      ++model.item_popularity[i];
    }
    model.known.offsets.push_back(model.known.columns.size());
    model.user_popularity.push_back(static_cast<std::uint32_t>(model.known.count(u)));
  }
  return model;
}

// A folder of its own that goes away with it.
class MadeUpRun {
 public:
  explicit MadeUpRun(std::uint64_t seed = 1) {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("evenkeel-serve-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
    put(seed);
  }
  ~MadeUpRun() { std::filesystem::remove_all(path_); }
  MadeUpRun(const MadeUpRun&) = delete;
  MadeUpRun& operator=(const MadeUpRun&) = delete;

  std::string path() const { return path_.string(); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  void put(std::uint64_t seed) const {
    model::save_model(made_up_model(seed), file("model.safetensors"));
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }
  serve::ServeOptions options() const {
    serve::ServeOptions options;
    options.source.run = path();
    options.source.threads = 2;
    options.threads = 2;
    options.http.port = 0;
    options.http.workers = 8;
    return options;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace evenkeel::testing
