// In: data whose pairs count more or less. Out: trainings that go by it, whatever the loss and the
// order of samples.
#include <gtest/gtest.h>

#include "data/load.h"
#include "data/scratch.h"
#include "loss/registry.h"
#include "sampler/registry.h"
#include "train/checkpoint.h"
#include "train/run.h"
#include "train/small_world.h"

namespace evenkeel::testing {
namespace {

Settings settings_for(std::string_view loss, std::string_view samples = "interaction") {
  Settings settings = train::run_settings();
  for (const auto& [name, text] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"dim", "4"},
                                                                  {"epochs", "1"},
                                                                  {"batch", "128"},
                                                                  {"lr", "0.02"},
                                                                  {"loss", loss},
                                                                  {"samples", samples}}) {
    settings.set(name, text);
  }
  return settings;
}

data::Dataset weighted(data::Dataset data, float even, float odd) {
  for (data::Csr* rows : {&data.items_of, &data.valid.items_of}) {
    for (std::size_t n = 0; n < rows->size(); ++n) {
      rows->weights.push_back(rows->columns[n] % 2 == 0 ? even : odd);
    }
  }
  return data;
}

model::Model fit(data::Dataset data, const Settings& settings) {
  train::Observer silent;
  return train::fit_model({}, std::move(data), settings, silent, kGoOn).model;
}

TEST(TrainingWeights, EveryLossAndSampleOrderGoesByThem) {
  const data::Dataset data = small_world(60, 24);
  for (const loss::LossEntry& loss : loss::losses()) {
    for (const sampler::SamplerEntry& order : sampler::samplers()) {
      const Settings settings = settings_for(loss.name, order.name);
      const model::Model one = fit(weighted(data, 1, 4), settings);
      EXPECT_FALSE(same(one.items, fit(data, settings).items)) << loss.name << order.name;
      // Only proportions count.
      EXPECT_EQ(loss.trains(), same(one.items, fit(weighted(data, 2, 8), settings).items))
          << loss.name << order.name;
    }
  }
}

TEST(TrainingWeights, EqualOnesChangeNothing) {
  const data::Dataset data = small_world(60, 24);
  EXPECT_TRUE(same(fit(data, settings_for("bc")).users,
                   fit(weighted(data, 1, 1), settings_for("bc")).users));
}

TEST(TrainingWeights, OfOtherDataAreNoticedWhenATrainingGoesOn) {
  const Scratch scratch;
  const data::Dataset data = weighted(small_world(60, 24), 1, 4);
  train::RunRequest request;
  request.out = scratch.path("run");
  train::Observer silent;
  train::fit_model(request, data, settings_for("softmax"), silent, kGoOn);
  request.resume = true;
  Settings more = settings_for("softmax");
  more.set("epochs", std::string_view("2"));
  EXPECT_NO_THROW(train::fit_model(request, data, more, silent, kGoOn));
  more.set("epochs", std::string_view("3"));
  data::Dataset other = weighted(small_world(60, 24), 2, 4);
  expect_holds(failure_of(ErrorKind::kConfig,
                          [&] { train::fit_model(request, other, more, silent, kGoOn); }),
               {"the data is not what"});
}

TEST(TrainingWeights, ColumnsOfAFileAreRefusedForDataInMemory) {
  Settings settings = settings_for("bc");
  settings.set("half-life", std::string_view("30d"));
  expect_holds(failure_of(ErrorKind::kConfig, [&] { fit(small_world(60, 24), settings); }),
               {"--half-life", "memory"});
}

}  // namespace
}  // namespace evenkeel::testing
