// In: saved models. Out: per-user figures, averaged over seeds, and what separates two methods.
#include "experiment/compare.h"

#include <map>

#include "base/error.h"
#include "eval/evaluate.h"
#include "eval/significance.h"
#include "eval/test_parts.h"
#include "model/model_data.h"
#include "rank/correction.h"
#include "train/run_folder.h"

namespace evenkeel::experiment {
namespace {

using nlohmann::json;

model::Model model_of(const std::string& folder, const data::Dataset& data) {
  model::Model model = model::load_model(train::run_file(folder, train::run_files::kModel));
  if (model.users.rows() != data.user_count() || model.items.rows() != data.item_count()) {
    fail_data(
        "{}: the model has other users or items than the data; remove the folder and run "
        "the experiment again",
        folder);
  }
  return model;
}

const data::Part& part_of(const data::Dataset& data, const std::string& test) {
  for (const data::Part& part : data.tests) {
    if (part.name == test) return part;
  }
  fail_internal("the tests were checked", __FILE__, __LINE__);
}

// Figures of every user, the mean over the seeds.
eval::Evaluation users_over_seeds(const Plan& plan, const PreparedData& data,
                                  const FinishedCell& cell, const std::string& test,
                                  Threads& threads) {
  eval::Evaluation mean;
  const auto seeds = static_cast<double>(cell.folders.size());
  for (const std::string& folder : cell.folders) {
    const model::Model model = model_of(folder, data.data);
    const data::Dataset own = model::dataset_of(model);
    const eval::EvaluateOptions options{plan.k, false, true};
    const rank::ModelRanking ranking(model, threads);
    const eval::Evaluation one =
        eval::evaluate_part(ranking.view(), own, part_of(own, test), options, threads);
    if (mean.per_user.empty()) {
      for (const eval::UserResult& user : one.per_user) mean.per_user.push_back({user.user, 0, 0});
    }
    for (std::size_t i = 0; i < one.per_user.size(); ++i) {
      mean.per_user[i].recall += one.per_user[i].recall / seeds;
      mean.per_user[i].ndcg += one.per_user[i].ndcg / seeds;
    }
  }
  return mean;
}

double mean_of(const json& row, const std::string& test, const char* metric) {
  return row["tests"][test][metric]["mean"].get<double>();
}

}  // namespace

std::vector<json> figures_at(const Plan& plan, const PreparedData& data, const FinishedCell& cell,
                             Threads& threads) {
  const std::size_t recorded = eval::EvaluateOptions().k;
  std::vector<json> figures;
  for (std::size_t run = 0; run < cell.runs.size(); ++run) {
    const json& result = cell.runs[run].result;
    if (plan.k == recorded) {
      figures.push_back({{"evaluations", result["evaluations"]}, {"groups", result["groups"]}});
      continue;
    }
    const model::Model model = model_of(cell.folders[run], data.data);
    json one{{"evaluations", json::object()}, {"groups", json::object()}};
    const rank::ModelRanking ranking(model, threads);
    for (const eval::PartEvaluation& part : eval::evaluate_parts(
             ranking.view(), model::dataset_of(model), {}, {plan.k, true, false}, threads)) {
      one["evaluations"][part.part] = eval::to_json(part.evaluation, plan.k);
      one["groups"][part.part] = eval::groups_to_json(part.evaluation, plan.k);
    }
    figures.push_back(std::move(one));
  }
  return figures;
}

std::optional<std::size_t> our_row(const json& rows) {
  bool marked = false;
  for (const json& row : rows) marked = marked || row["ours"].get<bool>();
  std::optional<std::size_t> best;
  double best_figure = -1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].contains("valid") || rows[i]["ours"].get<bool>() != marked) continue;
    const double figure = rows[i]["valid"]["recall"]["mean"].get<double>();
    if (figure > best_figure) {
      best = i;
      best_figure = figure;
    }
  }
  return best;
}

std::optional<std::size_t> strongest_baseline(const json& rows, std::size_t ours,
                                              const std::string& test, const char* metric) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == ours || rows[i]["ours"].get<bool>() || !rows[i].contains("tests")) continue;
    if (!best || mean_of(rows[i], test, metric) > mean_of(rows[*best], test, metric)) best = i;
  }
  return best;
}

json compare_with_baselines(const Plan& plan, const PreparedData& data,
                            const std::vector<FinishedCell>& cells, const json& rows,
                            Threads& threads) {
  constexpr std::uint64_t kBootstrapSeed = 1;
  json comparison = json::object();
  const auto ours = our_row(rows);
  if (!ours) return comparison;
  for (const std::string& test : data.tests) {
    std::map<std::size_t, eval::Evaluation> users;  // of the rows that are compared
    const auto users_of = [&](std::size_t row) -> const eval::Evaluation& {
      if (!users.contains(row)) {
        users[row] = users_over_seeds(plan, data, cells[row], test, threads);
      }
      return users[row];
    };
    for (const auto& [metric, field] : {std::pair{"recall", &eval::UserResult::recall},
                                        std::pair{"ndcg", &eval::UserResult::ndcg}}) {
      const auto baseline = strongest_baseline(rows, *ours, test, metric);
      if (!baseline) continue;
      const eval::PairedFigures pairs =
          eval::pair_users(users_of(*ours), users_of(*baseline), field);
      const eval::PairedTest t_test = eval::paired_t_test(pairs.a, pairs.b);
      const eval::Interval interval = eval::bootstrap_interval(pairs.a, pairs.b, kBootstrapSeed);
      const double before = mean_of(rows[*baseline], test, metric);
      json entry{{"ours", rows[*ours]["method"]},
                 {"baseline", rows[*baseline]["method"]},
                 {"users", t_test.pairs},
                 {"difference", t_test.mean_difference},
                 {"p", t_test.p},
                 {"wilcoxon_p", eval::signed_rank_test(pairs.a, pairs.b).p},
                 {"low", interval.low},
                 {"high", interval.high}};
      if (before > 0) {
        entry["improvement"] = 100 * (mean_of(rows[*ours], test, metric) - before) / before;
      }
      comparison[test][metric] = std::move(entry);
    }
  }
  return comparison;
}

void adjust_comparisons(json& table) {
  for (const char* key : {"p", "wilcoxon_p"}) {
    std::vector<json*> entries;
    std::vector<double> raw;
    for (json& block : table["blocks"]) {
      if (!block.contains("comparison")) continue;
      for (const auto& [test, metrics] : block["comparison"].items()) {
        for (const auto& [metric, entry] : metrics.items()) {
          if (!entry.contains(key)) continue;
          entries.push_back(&entry);
          raw.push_back(entry[key].get<double>());
        }
      }
    }
    const std::vector<double> adjusted = eval::holm_adjusted(raw);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      (*entries[i])[std::string(key) + "_holm"] = adjusted[i];
      (*entries[i])["family"] = entries.size();
    }
  }
}

}  // namespace evenkeel::experiment
