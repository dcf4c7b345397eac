// In: files. Out: one folder of arrays.
#include "data/prepare.h"

#include <fmt/format.h>
#include <glob.h>

#include <chrono>
#include <filesystem>

#include "base/error.h"
#include "data/kcore.h"
#include "data/options.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "data/split.h"

namespace evenkeel::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A shell leaves a pattern alone that stands in quotes or matches nothing.
std::vector<std::string> expanded(const std::vector<std::string>& patterns) {
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) {
    std::error_code ignored;
    glob_t found{};
    if (fs::exists(pattern, ignored) || ::glob(pattern.c_str(), 0, nullptr, &found) != 0) {
      files.push_back(pattern);  // what does not exist is told by who opens it
    } else {
      files.insert(files.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
  }
  return files;
}

std::string plain_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : to_text(value);
}

// File after file into one log; ids go on from one to the next, and so do unclear lines.
void read_files(const std::vector<std::string>& files, ReadOptions options, Threads& threads,
                Interactions& log) {
  for (std::size_t n = 0; n < files.size(); ++n) {
    const TextFile file(files[n]);
    if (file.text().empty())
      fail_data("{}: the file is empty; it must hold interactions", files[n]);
    const Reader& reader = pick_reader(file, options);
    reader.read(file, options, threads, log);
    options.lean_adjacency = reader.name == "adjacency";
  }
}

json manifest_of(const std::string& name, const Settings& settings, const PrepareRequest& request,
                 const std::vector<std::string>& files) {
  json options = json::object();
  for (const Field& field : reading_fields()) {
    options[std::string(field.name)] = plain_text(settings.value(field.name));
  }
  if (settings.integer("k-core") > 0 || request.split) {
    options["k-core"] = plain_text(settings.value("k-core"));
  }
  if (request.split) {
    for (const char* name_of : {"split", "seed"}) {
      options[name_of] = plain_text(settings.value(name_of));
    }
  }
  json sources = json::array();
  for (const std::string& file : files) sources.push_back(fs::path(file).filename().string());
  return {{"name", name},       {"split", request.split}, {"times", false}, {"options", options},
          {"sources", sources}, {"parts", json::array()}, {"lines", 0U}};
}

void write_parts(const Dataset& data, PreparedWriter& writer, json& manifest) {
  writer.add_ids("users", data.users);
  writer.add_ids("items", data.items);
  std::uint64_t total = data.interactions() + data.valid.interactions();
  manifest["parts"] = {"train", kValidName};
  writer.add_rows("train", data.items_of);
  writer.add_rows("train.by-item", data.users_of);
  writer.add_rows(std::string(kValidName), data.valid.items_of);
  for (const Part& test : data.tests) {
    manifest["parts"].push_back(test.name);
    writer.add_rows(test.name, test.items_of);
    total += test.interactions();
  }
  manifest["users"] = data.user_count();
  manifest["items"] = data.item_count();
  manifest["interactions"] = total;
}

void write_log(const Interactions& log, PreparedWriter& writer, json& manifest) {
  writer.add_ids("users", log.users);
  writer.add_ids("items", log.items);
  writer.add("log.pairs",
             {reinterpret_cast<const char*>(log.pairs.data()), log.pairs.size() * sizeof(Pair)});
  manifest["times"] = !log.times.empty();
  if (!log.times.empty()) {
    writer.add("log.times", {reinterpret_cast<const char*>(log.times.data()),
                             log.times.size() * sizeof(double)});
  }
  manifest["users"] = log.users.size();
  manifest["items"] = log.items.size();
  manifest["interactions"] = log.pairs.size();
}

}  // namespace

PrepareOutcome prepare(const PrepareRequest& request, const Settings& settings, Threads& threads) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> files = expanded(request.files);
  const SplitProtocol& protocol = find_protocol(settings.text("split"));
  ReadOptions options = read_options(settings);
  options.times = request.split   ? protocol.times
                  : request.times ? Times::kRequired
                                  : Times::kIgnore;
  const std::string name = data_name(files.size() == 1 ? files[0] : request.out);
  json manifest = manifest_of(name, settings, request, files);
  PreparedWriter writer(request.out, threads);
  Interactions log;
  read_files(files, options, threads, log);
  refuse_nothing(files.front(), options, log);
  merge_duplicates(log);
  PrepareOutcome outcome;
  outcome.report.read_users = log.users.size();
  outcome.report.read_items = log.items.size();
  outcome.report.read_interactions = log.pairs.size();
  keep_core(log, settings.integer("k-core"));
  manifest["lines"] = log.report.lines;
  if (request.split) {
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
    write_parts(make_dataset(cut(name, log, protocol.split(log, seed))), writer, manifest);
  } else {
    write_log(log, writer, manifest);
  }
  outcome.users = manifest["users"].get<std::uint64_t>();
  outcome.items = manifest["items"].get<std::uint64_t>();
  outcome.interactions = manifest["interactions"].get<std::uint64_t>();
  outcome.bytes = writer.bytes();
  writer.commit(std::move(manifest));
  outcome.report.read = std::move(log.report);
  outcome.report.read.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace evenkeel::data
