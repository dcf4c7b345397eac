// The float steps that train, against golden losses and gradients by name, for both encoders: loss
// within 1e-5, every gradient within 1e-4. Negatives come from the golden batch.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "encoder/lightgcn.h"
#include "encoder/mf.h"
#include "golden/golden_file.h"
#include "loss/registry.h"
#include "optim/adam.h"
#include "step/batch_loss_step.h"
#include "step/capture.h"
#include "step/own_negatives_step.h"
#include "step/pool_step.h"

namespace evenkeel::testing {
namespace {

using nlohmann::json;

// How a golden case is named here.
struct Setup {
  std::string loss, margin;
  double strength = 1;
  bool in_batch = false;
};

// Under lightgcn `cause` has a plain control table, `cause_graph` one in the graph.
bool is_cause(const std::string& name) {
  return name.starts_with("cause");
}

Setup setup_of(const std::string& name) {
  const bool in_batch = name.ends_with("_in_batch");
  if (name.starts_with("softmax") || name == "popularity_extractor") {
    return {"softmax", "", 1, in_batch};
  }
  if (name == "bc_angle_lambda_0.5") return {"bc", "angle", 0.5};
  if (name.starts_with("bc_angle")) return {"bc", "angle", 1, in_batch};
  if (name == "bc_sigmoid") return {"bc", "sigmoid"};
  if (name == "bc_constant_0.3") return {"bc", "constant", 0.3};
  if (name == "bc_constant_3.0_capped") return {"bc", "constant", 3.0};
  if (is_cause(name)) return {"cause", ""};
  std::string loss = name;
  std::replace(loss.begin(), loss.end(), '_', '-');
  return {loss, ""};
}

Settings settings_of(const loss::LossEntry& entry, const json& parameters,
                     const std::string& name) {
  Settings settings(entry.fields);
  const bool extractor = name == "popularity_extractor";
  const auto set = [&](const char* option, const char* key) {
    if (settings.has(option)) settings.set(option, Value(parameters[key].get<double>()));
  };
  set("tau", extractor ? "tau_extractor" : "tau");
  set("ccl-weight", "ccl_weight");
  set("ccl-margin", "ccl_margin");
  set("reg-weight", "sam_reg_weight");
  set("macr-alpha", "macr_alpha");
  set("macr-beta", "macr_beta");
  set("cf-pen", "cause_penalty");
  if (name == "cause") settings.set("control-table", std::string_view("plain"));
  return settings;
}

loss::Margins golden_margins(const json& golden, const Setup& setup, const data::Dataset& data) {
  if (setup.margin.empty() || setup.margin == "constant") {
    return loss::Margins::constant(setup.strength, data.user_count(), data.item_count());
  }
  return loss::Margins::from_vectors(loss::find_margin(setup.margin), setup.strength,
                                     loss::popularity_classes(data.user_popularity),
                                     loss::popularity_classes(data.item_popularity),
                                     matrix_of(golden["tables"]["user_pop"]),
                                     matrix_of(golden["tables"]["item_pop"]));
}

// The extra rows of a method stand behind the others: control table, branch weights.
void fill_tables(const json& golden, const GoldenCase& wanted, encoder::Encoder& encoder) {
  const json& tables = golden["tables"];
  const bool extractor = wanted.name == "popularity_extractor";
  const auto put = [](Matrix& table, std::size_t first, const json& rows) {
    const Matrix values = matrix_of(rows);
    ASSERT_LE(first + values.rows(), table.rows());
    std::copy_n(values.data(), values.size(), table.row(first));
  };
  Matrix& users = encoder.table(Side::kUser);
  Matrix& items = encoder.table(Side::kItem);
  put(users, 0, tables[extractor ? "user_pop" : "user"]);
  put(items, 0, tables[extractor ? "item_pop" : "item"]);
  if (is_cause(wanted.name)) put(items, tables["item"].size(), tables["item_control"]);
  if (wanted.name == "macr") {
    put(users, tables["user"].size(), json::array({tables["w_item"]}));
    put(items, tables["item"].size(), json::array({tables["w_user"]}));
  }
}

void expect_gradients(const json& golden, const GoldenCase& wanted, const json& expected,
                      const Matrix& users, const Matrix& items) {
  const std::string suffix = wanted.name == "popularity_extractor" ? "_pop" : "";
  const std::size_t user_rows = golden["tables"]["user" + suffix].size();
  const std::size_t item_rows = golden["tables"]["item" + suffix].size();
  expect_close(users.first_rows(user_rows), expected["user" + suffix], "user gradient");
  expect_close(items.first_rows(item_rows), expected["item" + suffix], "item gradient");
  if (is_cause(wanted.name)) {
    expect_close(items.last_rows(item_rows), expected["item_control"], "control gradient");
  }
  if (wanted.name == "macr") {
    expect_close(users.last_rows(1), json::array({expected["w_item"]}), "w_item gradient");
    expect_close(items.last_rows(1), json::array({expected["w_user"]}), "w_user gradient");
  }
}

// CausE chooses its control samples itself; the golden batch brings its own choice.
class GivenControl final : public loss::BatchLoss {
 public:
  GivenControl(loss::BatchLoss& loss, const json& is_control, std::size_t items)
      : loss_(loss), is_control_(is_control), items_(static_cast<Row>(items)) {}
  Layout layout() const override { return loss_.layout(); }
  std::size_t partner(std::size_t slot) const override { return loss_.partner(slot); }
  void place(Pair positive, Row negative, std::span<Row> users,
             std::span<Row> items) const override {
    loss_.place(positive, negative, users, items);
    const Row shift = is_control_[sample_++].get<bool>() ? items_ : 0;
    items[0] = positive.item + shift;
    items[1] = negative + shift;
  }
  double compute(std::size_t samples, std::span<const Row> items, const Matrix& vectors,
                 float* dots) override {
    return loss_.compute(samples, items, vectors, dots);
  }
  void add_pair_term(std::span<const float> own, std::span<const float> partner,
                     std::size_t occurrences, float* gradient) const override {
    loss_.add_pair_term(own, partner, occurrences, gradient);
  }

 private:
  loss::BatchLoss& loss_;
  const json& is_control_;
  Row items_;
  mutable std::size_t sample_ = 0;
};

struct GoldenRun {
  const json& golden;
  const GoldenCase& wanted;
  data::Dataset data = dataset_of(golden);
  Setup setup = setup_of(wanted.name);
  const loss::LossEntry& entry = loss::find_loss(setup.loss);
  bool extractor = wanted.name == "popularity_extractor";
  Settings settings = settings_of(entry, golden["parameters"], wanted.name);
  loss::Margins margins = golden_margins(golden, setup, data);
  loss::LossInputs inputs{data.user_popularity, data.item_popularity, &margins, &data.users_of, 1};
  Threads threads{2};

  std::unique_ptr<encoder::Encoder> encoder() const {
    const ExtraRows extra =
        entry.extra_rows != nullptr ? entry.extra_rows(settings, data.item_count()) : ExtraRows{};
    const std::size_t dim = golden["dim"];
    if (wanted.encoder == "lightgcn") {
      return std::make_unique<encoder::LightGcn>(data, golden["parameters"]["lightgcn_layers"], dim,
                                                 1, extra);
    }
    const std::size_t users = extractor ? golden["tables"]["user_pop"].size() : data.user_count();
    const std::size_t items = extractor ? golden["tables"]["item_pop"].size() : data.item_count();
    return std::make_unique<encoder::Mf>(users, items, dim, 1, extra);
  }
  std::vector<Pair> positives() const {
    std::vector<Pair> pairs;
    for (std::size_t b = 0; b < golden["batch_users"].size(); ++b) {
      pairs.push_back({golden["batch_users"][b], golden["batch_items"][b]});
    }
    return pairs;
  }
  sampler::RandomNegatives sampler() const { return {data.items_of, data.item_count(), 1}; }

  step::StepResult step(const rows::StepParts& parts) {
    if (entry.make_batch != nullptr) return batch_step(parts);
    const auto loss = entry.make(settings, inputs);
    if (setup.in_batch) {
      step::PoolStep step(parts, *loss, data.items_of, step::PoolStep::Kind::kInBatch,
                          data.item_count(), positives().size(), 0, 4, 0.0);
      return step.run(positives(), 0);
    }
    return exact_step(parts, *loss);
  }
  step::StepResult batch_step(const rows::StepParts& parts) {
    const auto loss = entry.make_batch(settings, inputs);
    GivenControl given(*loss, golden["cause_is_control"], data.item_count());
    std::vector<Row> negatives;
    for (const auto& row : golden["batch_negatives"]) negatives.push_back(row[0]);
    const std::vector<Pair> pairs = positives();
    step::BatchLossStep step(parts, is_cause(wanted.name) ? given : *loss, sampler(), pairs.size(),
                             0.0);
    return step.step(pairs, negatives);
  }
  step::StepResult exact_step(const rows::StepParts& parts, const loss::Loss& loss) {
    const bool single = entry.negatives == "1";
    const std::size_t negatives = single ? 1 : golden["batch_negatives"][0].size();
    const std::vector<Pair> pairs = positives();
    step::OwnNegativesStep step(parts, loss, sampler(), pairs.size(), negatives, 0.0);
    const auto row = [&](const char* side, std::size_t id) {
      return extractor ? golden[std::string(side) + "_popularity_index"][id].get<Row>()
                       : static_cast<Row>(id);
    };
    for (std::size_t b = 0; b < pairs.size(); ++b) {
      step.users()[b] = row("user", pairs[b].user);
      step.items(b)[0] = row("item", pairs[b].item);
      for (std::size_t k = 0; k < negatives; ++k) {
        step.items(b)[k + 1] = row("item", golden["batch_negatives"][b][k]);
      }
    }
    return step.step(pairs.size());
  }
};

class GoldenStep : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenStep, LossAndGradients) {
  const json golden = read_golden(GetParam().source, "losses.json");
  const json& expected = find_case(golden, GetParam());
  GoldenRun run{golden, GetParam()};
  const auto encoder = run.encoder();
  fill_tables(golden, GetParam(), *encoder);
  Capture users(encoder->table(Side::kUser)), items(encoder->table(Side::kItem));
  const step::StepResult result = run.step({*encoder, users, items, run.threads});
  const double value = expected["loss"];
  EXPECT_NEAR(result.loss / static_cast<double>(result.samples), value, 1e-5 * std::abs(value));
  expect_gradients(golden, GetParam(), expected["grad"], users.gradients, items.gradients);
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenStep, ::testing::ValuesIn(golden_cases()),
                         [](const auto& info) { return case_label(info.param); });

class GoldenAdam : public ::testing::TestWithParam<std::string> {};

// Three steps of Adam on softmax, all rows, against a trajectory in double.
TEST_P(GoldenAdam, ThreeStepsOnSoftmax) {
  const json golden = read_golden(GetParam(), "losses.json");
  const json trajectory = read_golden(GetParam(), "adam.json");
  ASSERT_EQ(trajectory["losses"].size(), 3U);
  const GoldenCase wanted{GetParam(), "softmax", "mf"};
  GoldenRun run{golden, wanted};
  const auto encoder = run.encoder();
  fill_tables(golden, wanted, *encoder);
  optim::Adam users(encoder->table(Side::kUser), 0.01), items(encoder->table(Side::kItem), 0.01);
  for (const auto& expected : trajectory["losses"]) {
    const step::StepResult result = run.step({*encoder, users, items, run.threads});
    EXPECT_NEAR(result.loss / static_cast<double>(result.samples), expected.get<double>(),
                1e-5 * expected.get<double>());
  }
  users.finish(run.threads);
  items.finish(run.threads);
  expect_close(encoder->table(Side::kUser), trajectory["user"], "user table");
  expect_close(encoder->table(Side::kItem), trajectory["item"], "item table");
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenAdam, ::testing::ValuesIn(golden_sources("adam.json")),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace evenkeel::testing
