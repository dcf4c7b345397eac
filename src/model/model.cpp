// In: a model, or a file that says it is one. Out: model.safetensors, or a model whose every part
// fits the others (docs/formats.md).
#include "model/model.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/settings.h"
#include "io/safetensors.h"
#include "model/save_held.h"

namespace evenkeel::model {
namespace {

constexpr std::string_view kFormat = "evenkeel-model";
constexpr std::string_view kVersion = "1";
constexpr std::string_view kNote = "note.";
constexpr std::string_view kExtra = "extra.";
constexpr std::string_view kHeld = "held.";
constexpr std::string_view kCandidates = "candidates.";  // of a held part
constexpr std::string_view kOwn = "own";
constexpr std::string_view kOption = "data.";
constexpr std::string_view kFingerprint = "fingerprint";
constexpr const char* kTemperature = "temperature";
constexpr const char* kDebias = "debias";
constexpr std::array<std::string_view, 2> kScores{"cosine", "dot"};

[[noreturn]] void fail_model(const std::string& path, const std::string& what) {
  fail_data("{}: not a usable model ({}); train again or restore the file", path, what);
}

void check_table(const std::string& path, const std::string& name, const Matrix& table) {
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (const float value : table.values(r)) {
      if (!std::isfinite(value)) {
        fail_model(path, fmt::format("table '{}' holds {} in row {}", name, value, r));
      }
    }
  }
}

data::Ids read_ids(const io::SafetensorsFile& file, const std::string& path,
                   const std::string& name) {
  auto offsets = file.vector<std::uint64_t>(name + ".offsets");
  auto bytes = file.bytes(name + ".bytes");
  try {
    return data::Ids::from_stored(std::move(bytes), std::move(offsets));
  } catch (const Error& error) {
    fail_model(path, fmt::format("'{}': {}", name, error.what()));
  }
}

data::Csr read_pairs(const io::SafetensorsFile& file, const std::string& path,
                     const std::string& name, std::size_t items) {
  data::Csr pairs;
  pairs.offsets = file.vector<std::uint64_t>(name + ".offsets");
  pairs.columns = file.vector<std::uint32_t>(name + ".columns");
  const bool ordered = std::is_sorted(pairs.offsets.begin(), pairs.offsets.end());
  if (pairs.offsets.empty() || pairs.offsets.front() != 0 || !ordered ||
      pairs.offsets.back() != pairs.columns.size()) {
    fail_model(path, fmt::format("'{0}.offsets' does not cut '{0}.columns' into rows", name));
  }
  for (std::size_t user = 0; user < pairs.rows(); ++user) {
    const auto row = pairs.row(user);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] >= items || (i > 0 && row[i] <= row[i - 1])) {
        fail_model(path, fmt::format("row {} of '{}.columns' is not a list of items", user, name));
      }
    }
  }
  return pairs;
}

bool has_own_candidates(const io::SafetensorsFile& file, const std::string& path,
                        const std::string& part) {
  const auto found = file.metadata().find(std::string(kCandidates) + part);
  if (found == file.metadata().end()) return false;
  if (found->second != kOwn) {
    fail_model(path, fmt::format("the candidates of '{}' are '{}'", part, found->second));
  }
  return true;
}

// The parts beside training, validation first and tests by name. Older files hold none.
std::vector<data::Part> read_held(const io::SafetensorsFile& file, const std::string& path,
                                  std::size_t items) {
  constexpr std::string_view kEnding = ".offsets";
  std::vector<data::Part> parts;
  for (const std::string& name : file.names()) {
    if (!name.starts_with(kHeld) || !name.ends_with(kEnding)) continue;
    const std::string stem = name.substr(0, name.size() - kEnding.size());
    const std::string part = stem.substr(kHeld.size());
    parts.push_back(
        {part, read_pairs(file, path, stem, items), has_own_candidates(file, path, part)});
  }
  std::stable_partition(parts.begin(), parts.end(),
                        [](const data::Part& part) { return part.name == data::kValidName; });
  return parts;
}

void check_size(const std::string& path, std::string_view name, std::size_t size,
                std::size_t wanted) {
  if (size == wanted) return;
  fail_model(path, fmt::format("'{}' has {} entries where {} are needed", name, size, wanted));
}

void check_whole(const std::string& path, const Model& model) {
  constexpr std::size_t kMost = std::numeric_limits<Row>::max();
  const std::size_t users = model.users.rows();
  const std::size_t items = model.items.rows();
  if (users == 0 || items == 0 || users >= kMost || items >= kMost) {
    fail_model(path, fmt::format("{} users and {} items", users, items));
  }
  if (model.users.dim() == 0 || model.users.dim() != model.items.dim()) {
    fail_model(path, fmt::format("user vectors of {} numbers and item vectors of {}",
                                 model.users.dim(), model.items.dim()));
  }
  check_size(path, "user_ids", model.user_ids.size(), users);
  check_size(path, "item_ids", model.item_ids.size(), items);
  check_size(path, "known", model.known.rows(), users);
  for (const data::Part& part : model.held)
    check_size(path, part.name, part.items_of.rows(), users);
  if (model.seen.rows() > 0) check_size(path, "seen", model.seen.rows(), users);
  check_size(path, "user_popularity", model.user_popularity.size(), users);
  check_size(path, "item_popularity", model.item_popularity.size(), items);
  check_table(path, "users", model.users);
  check_table(path, "items", model.items);
  for (const auto& [name, table] : model.extra_tables) check_table(path, name, table);
}

// A number of the metadata; files of earlier versions have none of them: 0.
double read_number(const io::SafetensorsFile& file, const std::string& path, const char* name,
                   double most) {
  const auto found = file.metadata().find(name);
  if (found == file.metadata().end()) return 0;
  const std::string& text = found->second;
  double value = -1;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !(value >= 0) ||
      !(value <= most)) {
    fail_model(path, fmt::format("its {} is '{}'", name, text));
  }
  return value;
}

void check_kind(const io::SafetensorsFile& file, const std::string& path) {
  const auto& notes = file.metadata();
  const auto format = notes.find("format");
  if (format == notes.end() || format->second != kFormat) {
    fail_model(path, "it does not call itself an evenkeel model");
  }
  const auto version = notes.find("version");
  if (version == notes.end() || version->second != kVersion) {
    fail_data(
        "{}: a model of version '{}' where this program reads version {}; use a newer evenkeel",
        path, version == notes.end() ? "?" : version->second, kVersion);
  }
}

}  // namespace

Score parse_score(std::string_view text) {
  if (text == kScores[0]) return Score::kCosine;
  if (text == kScores[1]) return Score::kDot;
  throw Error(ErrorKind::kConfig, unknown_name("score", text, kScores));
}

std::string_view score_name(Score score) {
  return kScores[score == Score::kCosine ? 0 : 1];
}

namespace {

void save(const Model& model, const std::string& path, io::SafetensorsWriter::FetchedRows* users) {
  io::SafetensorsWriter writer;
  writer.metadata("format", std::string(kFormat));
  writer.metadata("version", std::string(kVersion));
  writer.metadata("score", std::string(score_name(model.score)));
  if (model.temperature > 0) writer.metadata(kTemperature, fmt::format("{}", model.temperature));
  if (model.debias > 0) writer.metadata(kDebias, fmt::format("{}", model.debias));
  if (!model.origin.fingerprint.empty()) {
    writer.metadata(std::string(kFingerprint), model.origin.fingerprint);
  }
  for (const auto& [key, value] : model.origin.options) {
    writer.metadata(std::string(kOption) + key, value);
  }
  for (const data::Part& part : model.held) {
    if (part.own_candidates) {
      writer.metadata(std::string(kCandidates) + part.name, std::string(kOwn));
    }
  }
  for (const auto& [key, value] : model.notes) writer.metadata(std::string(kNote) + key, value);
  users != nullptr ? writer.add("users", std::move(*users)) : writer.add("users", model.users);
  writer.add("items", model.items);
  writer.add("user_ids.bytes", std::string_view(model.user_ids.bytes()));
  writer.add("user_ids.offsets", model.user_ids.offsets());
  writer.add("item_ids.bytes", std::string_view(model.item_ids.bytes()));
  writer.add("item_ids.offsets", model.item_ids.offsets());
  writer.add("known.offsets", model.known.offsets);
  writer.add("known.columns", model.known.columns);
  for (const data::Part& part : model.held) {
    writer.add(std::string(kHeld) + part.name + ".offsets", part.items_of.offsets);
    writer.add(std::string(kHeld) + part.name + ".columns", part.items_of.columns);
  }
  if (model.seen.size() > 0) {
    writer.add("seen.offsets", model.seen.offsets);
    writer.add("seen.columns", model.seen.columns);
  }
  writer.add("user_popularity", model.user_popularity);
  writer.add("item_popularity", model.item_popularity);
  for (const auto& [name, table] : model.extra_tables)
    writer.add(std::string(kExtra) + name, table);
  writer.write(path);
}

}  // namespace

void save_model(const Model& model, const std::string& path) {
  save(model, path, nullptr);
}

void save_model(const Model& model, const std::string& path,
                io::SafetensorsWriter::FetchedRows users) {
  save(model, path, &users);
}

Model load_model(const std::string& path) {
  const io::SafetensorsFile file = io::SafetensorsFile::open(path);
  check_kind(file, path);
  Model model;
  const auto& notes = file.metadata();
  const auto score = notes.find("score");
  if (score == notes.end() ||
      std::find(kScores.begin(), kScores.end(), score->second) == kScores.end()) {
    fail_model(path, "its score is neither cosine nor dot");
  }
  model.score = parse_score(score->second);
  model.temperature = read_number(file, path, kTemperature, std::numeric_limits<double>::max());
  model.debias = read_number(file, path, kDebias, kMostDebias);
  for (const auto& [key, value] : notes) {
    if (key.starts_with(kNote)) model.notes[key.substr(kNote.size())] = value;
    if (key.starts_with(kOption)) model.origin.options[key.substr(kOption.size())] = value;
    if (key == kFingerprint) model.origin.fingerprint = value;
  }
  model.users = file.matrix("users");
  model.items = file.matrix("items");
  model.user_ids = read_ids(file, path, "user_ids");
  model.item_ids = read_ids(file, path, "item_ids");
  model.known = read_pairs(file, path, "known", model.items.rows());
  model.held = read_held(file, path, model.items.rows());
  const std::vector<std::string> names = file.names();
  if (std::find(names.begin(), names.end(), "seen.offsets") != names.end()) {
    model.seen = read_pairs(file, path, "seen", model.items.rows());
  }
  model.user_popularity = file.vector<std::uint32_t>("user_popularity");
  model.item_popularity = file.vector<std::uint32_t>("item_popularity");
  for (const std::string& name : file.names()) {
    if (name.starts_with(kExtra))
      model.extra_tables[name.substr(kExtra.size())] = file.matrix(name);
  }
  check_whole(path, model);
  return model;
}

}  // namespace evenkeel::model
