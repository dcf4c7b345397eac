// The float step that trains, against golden losses and gradients by name: loss and every gradient
// within 1e-4. Covers what the registry holds; the cases of other methods are listed as skipped.
#include <gtest/gtest.h>

#include <cmath>

#include "encoder/mf.h"
#include "golden/golden_file.h"
#include "loss/registry.h"
#include "optim/adam.h"
#include "train/exact_step.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

// Keeps the gradients instead of moving the table.
class Capture final : public Optimizer {
 public:
  explicit Capture(const Matrix& like) : gradients(like.rows(), like.dim()) {}
  void reserve_steps(std::size_t) override {}
  void begin_step() override {}
  void catch_up(std::span<const Row>) override {}
  void finish(Threads&) override {}
  OptimizerState state() override { return {}; }
  void consume(const RowGradients& block) override {
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      EXPECT_EQ(block.decay[k], 0.0F);
      for (std::size_t c = 0; c < gradients.dim(); ++c) {
        gradients.row(block.rows[k])[c] += block.gradients[k * block.stride + c];
      }
    }
  }
  Matrix gradients;
};

struct Setup {
  std::string loss, margin;
  double strength = 1;
  bool single_negative = false;
};

std::optional<Setup> setup_of(const std::string& name) {
  if (name == "softmax" || name == "popularity_extractor") return Setup{"softmax", ""};
  if (name == "bc_angle") return Setup{"bc", "angle"};
  if (name == "bc_angle_lambda_0.5") return Setup{"bc", "angle", 0.5};
  if (name == "bc_sigmoid") return Setup{"bc", "sigmoid"};
  if (name == "bc_constant_0.3") return Setup{"bc", "constant", 0.3};
  if (name == "bc_constant_3.0_capped") return Setup{"bc", "constant", 3.0};
  if (name == "bpr" || name == "bce") return Setup{name, "", 1, true};
  if (name == "ccl") return Setup{"ccl", ""};
  return std::nullopt;
}

Margins golden_margins(const json& golden, const Setup& setup, const Dataset& data) {
  if (setup.margin.empty() || setup.margin == "constant") {
    return Margins::constant(setup.strength, data.user_count(), data.item_count());
  }
  return Margins::from_vectors(
      find_margin(setup.margin), setup.strength, popularity_classes(data.user_popularity),
      popularity_classes(data.item_popularity), matrix_of(golden["tables"]["user_pop"]),
      matrix_of(golden["tables"]["item_pop"]));
}

class GoldenStep : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenStep, LossAndGradients) {
  const GoldenCase& wanted = GetParam();
  const json golden = read_golden(wanted.source, "losses.json");
  const json& expected = find_case(golden, wanted);
  const auto setup = setup_of(wanted.name);
  if (!setup || wanted.encoder != "mf") GTEST_SKIP() << "not in the registry yet";
  const Dataset data = dataset_of(golden);
  const bool extractor = wanted.name == "popularity_extractor";
  const std::string suffix = extractor ? "_pop" : "";

  Settings settings(find_loss(setup->loss).fields);
  if (settings.has("tau")) {
    settings.set("tau",
                 Value(golden["parameters"][extractor ? "tau_extractor" : "tau"].get<double>()));
  }
  if (settings.has("ccl-weight")) {
    settings.set("ccl-weight", Value(golden["parameters"]["ccl_weight"].get<double>()));
    settings.set("ccl-margin", Value(golden["parameters"]["ccl_margin"].get<double>()));
  }
  const Margins margins = golden_margins(golden, *setup, data);
  const auto loss =
      find_loss(setup->loss).make(settings, {data.user_popularity, data.item_popularity, &margins});

  const Matrix users = matrix_of(golden["tables"]["user" + suffix]);
  const Matrix items = matrix_of(golden["tables"]["item" + suffix]);
  Mf encoder(users.rows(), items.rows(), users.dim(), 1);
  encoder.table(Side::kUser) = users;
  encoder.table(Side::kItem) = items;
  Capture user_gradients(users), item_gradients(items);
  Threads threads(2);
  const std::size_t batch = golden["batch_users"].size();
  const std::size_t negatives = setup->single_negative ? 1 : golden["batch_negatives"][0].size();
  ExactStep step({encoder, *loss, user_gradients, item_gradients, threads}, batch, negatives, 0.0);
  const auto row = [&](const char* side, std::size_t id) {
    return extractor ? golden[std::string(side) + "_popularity_index"][id].get<Row>()
                     : static_cast<Row>(id);
  };
  for (std::size_t b = 0; b < batch; ++b) {
    step.users()[b] = row("user", golden["batch_users"][b]);
    step.items(b)[0] = row("item", golden["batch_items"][b]);
    for (std::size_t k = 0; k < negatives; ++k) {
      step.items(b)[k + 1] = row("item", golden["batch_negatives"][b][k]);
    }
  }
  const StepResult result = step.run(batch);
  const double value = expected["loss"];
  EXPECT_NEAR(result.loss / static_cast<double>(batch), value, 1e-5 * std::abs(value));
  expect_close(user_gradients.gradients, expected["grad"]["user" + suffix], "user gradient");
  expect_close(item_gradients.gradients, expected["grad"]["item" + suffix], "item gradient");
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenStep, ::testing::ValuesIn(golden_cases()),
                         [](const auto& info) { return case_label(info.param); });

// Three steps of Adam on softmax, all rows, against the shared trajectory.
TEST(GoldenAdam, ThreeStepsOnSoftmax) {
  EVENKEEL_NEEDS_SHARED("golden/adam.json");
  const json golden = read_golden("shared", "losses.json");
  const json trajectory = read_golden("shared", "adam.json");
  Settings settings(find_loss("softmax").fields);
  settings.set("tau", Value(golden["parameters"]["tau"].get<double>()));
  const auto loss = find_loss("softmax").make(settings, {});
  const Matrix users = matrix_of(golden["tables"]["user"]);
  const Matrix items = matrix_of(golden["tables"]["item"]);
  Mf encoder(users.rows(), items.rows(), users.dim(), 1);
  encoder.table(Side::kUser) = users;
  encoder.table(Side::kItem) = items;
  Adam update_users(encoder.table(Side::kUser), 0.01),
      update_items(encoder.table(Side::kItem), 0.01);
  Threads threads(2);
  const std::size_t batch = golden["batch_users"].size();
  const std::size_t negatives = golden["batch_negatives"][0].size();
  ExactStep step({encoder, *loss, update_users, update_items, threads}, batch, negatives, 0.0);
  for (const auto& expected : trajectory["losses"]) {
    for (std::size_t b = 0; b < batch; ++b) {
      step.users()[b] = golden["batch_users"][b];
      step.items(b)[0] = golden["batch_items"][b];
      for (std::size_t k = 0; k < negatives; ++k) {
        step.items(b)[k + 1] = golden["batch_negatives"][b][k];
      }
    }
    const double value = step.run(batch).loss / static_cast<double>(batch);
    EXPECT_NEAR(value, expected.get<double>(), 1e-5 * expected.get<double>());
  }
  update_users.finish(threads);
  update_items.finish(threads);
  expect_close(encoder.table(Side::kUser), trajectory["user"], "user table");
  expect_close(encoder.table(Side::kItem), trajectory["item"], "item table");
}

}  // namespace
}  // namespace evenkeel::testing
