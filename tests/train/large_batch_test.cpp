// In: batches larger than the data. Out: the bits of one batch for all of it, in the memory of one.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::train {
namespace {

using testing::kGoOn;

using Words = std::vector<std::pair<std::string_view, std::string_view>>;

model::Model model_of(const data::Dataset& data, const Words& words, std::string_view batch) {
  Settings settings = run_settings();
  settings.set("dim", std::string_view("8"));
  settings.set("epochs", std::string_view("3"));
  settings.set("threads", std::string_view("2"));
  settings.set("batch", batch);
  for (const auto& [name, value] : words) settings.set(name, value);
  Observer silent;
  return fit_model({}, data, settings, silent, kGoOn).model;
}

std::string bytes_of(const model::Model& model) {
  std::string bytes;
  for (const Matrix* table : {&model.users, &model.items}) {
    for (std::size_t r = 0; r < table->rows(); ++r) {
      bytes.append(reinterpret_cast<const char*>(table->row(r)), table->dim() * sizeof(float));
    }
  }
  return bytes;
}

std::size_t peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) / 1024;
}

TEST(LargeBatch, IsOneBatchOfTheWholeEpochInItsMemory) {
  const data::Dataset data = testing::small_world(40, 40);
  const std::string all = std::to_string(data.interactions());
  const std::size_t before = peak_megabytes();
  for (const Words& words :
       {Words{{"loss", "bc"}}, Words{{"loss", "softmax"}, {"negatives", "1000"}},
        Words{{"loss", "bpr"}}, Words{{"loss", "macr"}}, Words{{"loss", "cause"}},
        Words{{"loss", "sam-reg"}}, Words{{"loss", "softmax"}, {"negatives", "in-batch"}},
        Words{{"loss", "softmax"}, {"negatives", "all"}, {"tile", "65536"}},
        Words{{"loss", "bc"}, {"negatives", "64"}, {"shared-negatives", "true"}},
        Words{{"loss", "bc"}, {"negatives", "64"}, {"shared-negatives", "true"}, {"tile", "65536"}},
        Words{{"loss", "softmax"}, {"encoder", "lightgcn"}},
        Words{{"loss", "softmax"}, {"samples", "user"}}}) {
    EXPECT_EQ(bytes_of(model_of(data, words, "1048576")), bytes_of(model_of(data, words, all)))
        << words.front().second;
  }
  EXPECT_LT(peak_megabytes(), before + 200);
}

}  // namespace
}  // namespace evenkeel::train
