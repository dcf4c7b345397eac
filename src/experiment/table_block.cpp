// In: result.json of every run. Out: means over seeds, and whether ours is more than luck.
#include "experiment/table_block.h"

#include <cmath>

#include "base/error.h"
#include "eval/evaluate.h"
#include "experiment/compare.h"

namespace evenkeel::experiment {
namespace {

using nlohmann::json;

json spread_json(const Spread& spread) {
  return {{"mean", spread.mean}, {"sd", spread.sd}, {"values", spread.values}};
}

// One metric over the seeds; `pick` finds the entry ({"recall@20": x}) of a run.
template <typename Pick>
json metrics_json(const std::vector<json>& runs, std::size_t k, Pick pick) {
  json metrics = json::object();
  for (const char* metric : kTableMetrics) {
    std::vector<double> values;
    for (const json& run : runs) {
      const json& entry = pick(run);
      values.push_back(entry.at(fmt::format("{}@{}", metric, k)).template get<double>());
    }
    metrics[metric] = spread_json(spread_of(std::move(values)));
  }
  return metrics;
}

// Exposure and popularity over the seeds; a figure that an older run did not record is left out.
json popularity_json(const std::vector<json>& runs, std::size_t k, const std::string& test) {
  json figures = json::object();
  for (const eval::ExposureEntry& exposure : eval::exposure_table()) {
    const std::string key = fmt::format("{}@{}", exposure.name, k);
    std::vector<double> values;
    for (const json& run : runs) {
      const json& entry = run["evaluations"].at(test);
      if (entry.contains(key)) values.push_back(entry[key].get<double>());
    }
    if (values.size() != runs.size()) continue;
    figures[std::string(exposure.name)] = spread_json(spread_of(std::move(values)));
  }
  return figures;
}

json options_json(const Options& options) {
  json chosen = json::object();
  for (const Option& option : options) {
    std::visit([&](const auto& value) { chosen[option.name] = value; }, option.value);
  }
  return chosen;
}

json paper_json(const Plan& plan, const PreparedData& data, const EncoderPlan& encoder,
                const MethodPlan& method) {
  json paper = json::object();
  for (const PaperFigure& figure : plan.paper) {
    if (figure.data == data.plan->name && figure.encoder == encoder.name &&
        figure.method == method.name) {
      paper[figure.test] = {{"recall", figure.recall}, {"ndcg", figure.ndcg}};
    }
  }
  return paper;
}

json row_json(const Plan& plan, const PreparedData& data, const EncoderPlan& encoder,
              const FinishedCell& cell, Threads& threads) {
  const MethodPlan& method = *cell.tuned.cell.method;
  json row{{"method", method.name}, {"ours", method.ours}};
  row["paper"] = paper_json(plan, data, encoder, method);
  if (!cell.error.empty()) {
    row["error"] = cell.error;
    return row;
  }
  row["chosen"] = options_json(cell.tuned.best());
  row["candidates"] = cell.tuned.candidates.size();
  const std::vector<json> runs = figures_at(plan, data, cell, threads);
  if (runs.front()["evaluations"].contains("valid")) {
    row["valid"] = metrics_json(
        runs, plan.k, [](const json& run) -> const json& { return run["evaluations"]["valid"]; });
  } else if (cell.tuned.tunes() &&
             plan.k == eval::EvaluateOptions().k) {  // a refit: the run that was chosen
    row["valid"] =
        metrics_json({cell.tuned.best_result().result}, plan.k,
                     [](const json& run) -> const json& { return run["evaluations"]["valid"]; });
  }
  for (const std::string& test : data.tests) {
    row["tests"][test] = metrics_json(
        runs, plan.k, [&](const json& run) -> const json& { return run["evaluations"].at(test); });
    row["popularity"][test] = popularity_json(runs, plan.k, test);
    for (const std::string_view group : eval::kGroupNames) {
      const std::string name(group);
      row["groups"][test][name] = metrics_json(runs, plan.k, [&](const json& run) -> const json& {
        return run["groups"].at(test).at("items").at(name);
      });
    }
  }
  return row;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  Spread spread;
  spread.values = std::move(values);
  const auto n = static_cast<double>(spread.values.size());
  for (const double value : spread.values) spread.mean += value / n;
  double squares = 0;
  for (const double value : spread.values) squares += (value - spread.mean) * (value - spread.mean);
  if (n > 1) spread.sd = std::sqrt(squares / (n - 1));
  return spread;
}

json block_json(const Plan& plan, const PreparedData& data, const EncoderPlan& encoder,
                const std::vector<FinishedCell>& cells, Threads& threads) {
  json block{{"data", data.plan->name},
             {"encoder", encoder.name},
             {"tests", data.tests},
             {"users", data.data.user_count()},
             {"items", data.data.item_count()},
             {"interactions", data.data.interactions()},
             {"rows", json::array()}};
  for (const FinishedCell& cell : cells) {
    block["rows"].push_back(row_json(plan, data, encoder, cell, threads));
  }
  block["comparison"] = compare_with_baselines(plan, data, cells, block["rows"], threads);
  return block;
}

json block_cost(const PreparedData& data, const EncoderPlan& encoder,
                const std::vector<FinishedCell>& cells) {
  json block{{"data", data.plan->name}, {"encoder", encoder.name}, {"rows", json::array()}};
  for (const FinishedCell& cell : cells) {
    if (!cell.error.empty()) continue;
    std::vector<double> per_epoch, total, epochs, memory;
    double seconds = cell.tuned.seconds();
    for (const JobResult& run : cell.runs) {
      const json& timing = run.result.at("timing");
      per_epoch.push_back(timing.value("seconds_per_epoch", 0.0));
      total.push_back(timing.value("train_seconds", 0.0));
      epochs.push_back(run.result.value("epochs", 0.0));
      memory.push_back(run.result.value("peak_memory_bytes", 0.0));
      // The run of the tuning seed may be the tuning run itself, taken over.
      const bool counted = cell.tuned.tunes() && run.result == cell.tuned.best_result().result;
      if (!counted) seconds += seconds_of(run.result);
    }
    block["rows"].push_back({{"method", cell.tuned.cell.method->name},
                             {"seconds_per_epoch", spread_of(per_epoch).mean},
                             {"epochs", spread_of(epochs).mean},
                             {"train_seconds", spread_of(total).mean},
                             {"tuning_seconds", cell.tuned.seconds()},
                             {"tuning_runs", cell.tuned.tunes() ? cell.tuned.candidates.size() : 0},
                             {"peak_memory_bytes", spread_of(memory).mean},
                             {"seconds", seconds}});
  }
  return block;
}

}  // namespace evenkeel::experiment
