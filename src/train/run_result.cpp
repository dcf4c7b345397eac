// In: what a training made. Out: its records.
#include "train/run_result.h"

#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "data/options.h"
#include "data/prepared.h"
#include "data/text_file.h"
#include "eval/test_parts.h"
#include "io/json_text.h"
#include "rank/correction.h"

namespace evenkeel::train {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

bool cuts(std::string_view option) {
  return option == "split" || option == "k-core";
}

std::string plain_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : to_text(value);
}

}  // namespace

void describe_model(model::Model& model, const data::Dataset& data, const Settings& settings,
                    const std::string& source) {
  model.user_ids = data.users;
  model.item_ids = data.items;
  model.known = data.items_of;
  model.held.clear();
  if (data.valid.interactions() > 0) model.held.push_back(data.valid);
  for (const data::Part& test : data.tests) model.held.push_back(test);
  model.seen = data.seen;
  model.item_popularity = data.item_popularity;
  model.user_popularity = data.user_popularity;
  model.origin.fingerprint = data::fingerprint(data);
  const auto record = [&](const Field& field) {
    if (!source.empty() && !data::comes_from_log(source) && cuts(field.name)) return;
    model.origin.options[std::string(field.name)] = plain_text(settings.value(field.name));
  };
  for (const Field& field : data::data_fields()) record(field);
  for (const Field& field : data::weight_fields()) {
    if (!settings.text(field.name).empty()) record(field);
  }
  record(data::validation_field());
  // Data that was cut when it was prepared was cut with a seed of its own.
  if (!source.empty() && data::is_prepared(source)) {
    const data::Prepared prepared = data::open_prepared(source);
    if (prepared.split) model.origin.options["seed"] = prepared.options.at("seed");
  }
  model.notes["loss"] = settings.text("loss");
  model.notes["encoder"] = settings.text("encoder");
  model.notes["data"] = data.name;
}

json evaluations_of(model::Model& model, const data::Dataset& data, const eval::UserLimit& users,
                    Threads& threads, Observer& observer, cluster::Cluster& ranks) {
  eval::EvaluateOptions options;
  options.users = users;
  bool said = false;
  options.progress = [&](const eval::EvaluationProgress& news) {
    if (!said && news.users < news.all_users) observer.on_message(eval::sample_sentence(news));
    said = said || news.users < news.all_users;
    observer.on_evaluation(news);
  };
  json result{{"evaluations", json::object()}, {"groups", json::object()}};
  rank::ModelRanking ranking(model, threads);
  Matrix* ranked = ranking.corrected_users() != nullptr ? ranking.corrected_users() : &model.users;
  for (const eval::PartEvaluation& part :
       eval::evaluate_parts(ranking.view(), data, {}, options, threads, nullptr, {ranks, ranked})) {
    result["evaluations"][part.part] = eval::to_json(part.evaluation, options.k);
    result["groups"][part.part] = eval::groups_to_json(part.evaluation, options.k);
  }
  return result;
}

double held_out_share(const model::Model& model) {
  std::size_t held = 0;
  for (const data::Part& part : model.held) held += part.interactions();
  return static_cast<double>(held) / static_cast<double>(held + model.known.size());
}

void Effort::add(const TrainingState& state) {
  train_seconds += state.train_seconds;
  evaluate_seconds += state.evaluate_seconds;
  samples += state.samples;
  epochs += state.events.size();
}

json timing_json(const Effort& effort) {
  const auto per = [](double value, double by) { return by > 0 ? value / by : 0.0; };
  return {{"train_seconds", effort.train_seconds},
          {"seconds_per_epoch", per(effort.train_seconds, static_cast<double>(effort.epochs))},
          {"samples_per_second", per(static_cast<double>(effort.samples), effort.train_seconds)},
          {"evaluate_seconds", effort.evaluate_seconds}};
}

json read_result(const std::string& path) {
  json result = io::read_json_file(path);
  if (!result.is_object()) fail_data("{}: not a result of evenkeel train; train again", path);
  return result;
}

json value_json(const Value& value) {
  return std::visit([](const auto& held) { return json(held); }, value);
}

json config_json(const Settings& settings) {
  json config = json::object();
  for (const Field* field : settings.fields()) {
    config[std::string(field->name)] = value_json(settings.value(field->name));
  }
  return config;
}

std::string config_text(const Settings& settings, const std::string& source) {
  const bool folder = !source.empty() && !data::comes_from_log(source);
  return settings.to_toml([&](const Field& field) { return !folder || !cuts(field.name); });
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string absolute_path(const std::string& path) {
  if (path.empty() || data::is_stream(path)) return path;
  return fs::absolute(path).lexically_normal().string();
}

}  // namespace evenkeel::train
