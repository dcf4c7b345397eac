// In: a protocol's name, a file. Out: the protocol; the file read, cut and written.
#include <array>
#include <filesystem>

#include "base/error.h"
#include "data/hash.h"
#include "data/kcore.h"
#include "data/options.h"
#include "data/prepared.h"
#include "data/split.h"
#include "data/text_file.h"
#include "io/mapped_file.h"

namespace evenkeel::data {
namespace {

nlohmann::json as_json(const Value& value) {
  return std::visit([](const auto& held) { return nlohmann::json(held); }, value);
}

nlohmann::json source_of(const std::string& file, const ReadReport& read) {
  if (is_prepared(file)) return {{"prepared", data_name(file)}};
  if (is_stream(file)) return {{"file", data_name(file)}, {"bytes", read.bytes}};  // gone by now
  const io::MappedFile bytes(file);
  return {{"file", std::filesystem::path(file).filename().string()},
          {"bytes", bytes.bytes().size()},
          {"hash", fmt::format("{:016x}", hash_bytes(bytes.bytes()))}};
}

}  // namespace

std::span<const SplitProtocol> split_protocols() {
  static constexpr std::array<SplitProtocol, 5> kTable{{
      {kRandomSplit, "80 : 10 : 10 at random", Times::kIgnore,
       [](const Interactions& log, std::uint64_t seed) { return split_random(log, seed); }},
      {"balanced",
       "a test uniform over items (15 %), then 60 : 10 : 15 at random: test_ood and test_id",
       Times::kIgnore, split_balanced},
      {"temporal", "the log in time order, 7 : 1 : 2", Times::kRequired, split_temporal},
      {"leave-one-out", "each user's last interaction is test, the one before validation",
       Times::kIfPresent, split_leave_one_out},
      {kNoSplit, "everything is training data; nothing is held out", Times::kIgnore, split_none},
  }};
  return kTable;
}

const SplitProtocol& find_protocol(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SplitProtocol& protocol : split_protocols()) {
    if (protocol.name == name) return protocol;
    names.push_back(protocol.name);
  }
  fail_config("{}", unknown_name("split", name, names));
}

SplitPlan split_as_asked(const SplitProtocol& protocol, const Interactions& log,
                         const Settings& settings) {
  const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
  if (protocol.name == kRandomSplit && settings.has("validation")) {
    return split_random(log, seed, settings.number("validation"));
  }
  return protocol.split(log, seed);
}

void refuse_validation(const Settings& settings) {
  const Value& asked = settings.value("validation");
  const std::string& split = settings.text("split");
  if (split == kRandomSplit || asked == settings.field("validation").default_value) return;
  if (split == kNoSplit) {
    if (settings.number("validation") == 0) return;
    fail_config("--validation is {}, but --split {} holds nothing out; leave one of them out",
                to_text(asked), split);
  }
  fail_config(
      "--validation is {}, but --split {} cuts a validation part of its own size; leave it out, or "
      "give --split {}, which obeys it",
      to_text(asked), split, kRandomSplit);
}

Parts read_and_split(const std::string& file, const Settings& settings, Threads& threads,
                     LoadReport& report) {
  const SplitProtocol& protocol = find_protocol(settings.text("split"));
  ReadOptions options = read_options(settings);
  if (!options.half_life) options.times = protocol.times;
  Interactions log = read_interactions(file, options, threads);
  report.read = log.report;
  report.read_users = log.users.size();
  report.read_items = log.items.size();
  report.read_interactions = log.pairs.size();
  filter_k_core(log, settings.integer("k-core"));
  return cut(data_name(file), log, split_as_asked(protocol, log, settings));
}

SplitOutcome split_file(const std::string& file, const std::string& out, const Settings& given,
                        Threads& threads) {
  const Settings settings = data_settings(file, given);
  SplitOutcome outcome;
  Parts parts = read_and_split(file, settings, threads, outcome.report);
  nlohmann::json options = nlohmann::json::object();
  for (const Field& field : data_fields()) {
    options[std::string(field.name)] = as_json(settings.value(field.name));
  }
  const nlohmann::json manifest = {{"protocol", settings.text("split")},
                                   {"seed", settings.integer("seed")},
                                   {"k_core", settings.integer("k-core")},
                                   {"source", source_of(file, outcome.report.read)},
                                   {"options", std::move(options)}};
  outcome.manifest = write_parts(out, parts, manifest);
  outcome.data = make_dataset(std::move(parts));
  return outcome;
}

}  // namespace evenkeel::data
