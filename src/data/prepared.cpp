// In: arrays and their manifest. Out: the folder, and back.
#include "data/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <span>

#include "base/error.h"
#include "base/huge_pages.h"
#include "data/hash.h"
#include "data/options.h"
#include "data/row_counts.h"
#include "data/text_file.h"
#include "io/atomic_file.h"
#include "io/json_text.h"
#include "io/mapped_file.h"

namespace evenkeel::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void fail_damaged(const std::string& folder, const std::string& what) {
  fail_data("{}: damaged prepared data ({}); prepare it again", folder, what);
}

// Room for `size` values, whose pages all threads bring in: one thread alone would take longer for
// that than all of them for what is read into it.
template <typename Container>
Container room_for(std::size_t size, Threads& threads) {
  using T = typename Container::value_type;
  Container values;
  values.reserve(size);
  char* const memory = reinterpret_cast<char*>(values.data());
  prefer_huge_pages(memory, size * sizeof(T));
  threads.for_chunks(size * sizeof(T), kChecksumBlock,
                     [&](std::size_t begin, std::size_t end, int) {
                       bring_in_pages(memory + begin, end - begin);
                     });
  values.resize(size);
  return values;
}

// Whether `good` holds for every stretch of [0, size).
template <typename Good>
bool all_good(std::size_t size, Threads& threads, Good good) {
  std::atomic<bool> all{true};
  threads.for_chunks(size, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end, int) {
    if (!good(begin, end)) all.store(false, std::memory_order_relaxed);
  });
  return all;
}

// Copies an array of the folder and checks what it copied: the file is read once, and may change
// behind our back.
template <typename Container>
Container read_array(const Prepared& prepared, const std::string& name, Threads& threads) {
  using T = typename Container::value_type;
  const auto known = prepared.arrays.find(name);
  if (known == prepared.arrays.end()) {
    fail_damaged(prepared.folder, fmt::format("it lists no '{}'", name));
  }
  const io::MappedFile file((fs::path(prepared.folder) / name).string());
  const std::string_view bytes = file.bytes();
  if (bytes.size() != known->second.bytes || bytes.size() % sizeof(T) != 0) {
    fail_damaged(prepared.folder, fmt::format("'{}' has {} bytes where {} are needed", name,
                                              bytes.size(), known->second.bytes));
  }
  auto values = room_for<Container>(bytes.size() / sizeof(T), threads);
  char* const copy = reinterpret_cast<char*>(values.data());
  const auto copied = [&](std::size_t begin, std::size_t end) {
    std::memcpy(copy + begin, bytes.data() + begin, end - begin);
    return std::string_view(copy + begin, end - begin);
  };
  if (checksum_of(bytes.size(), copied, threads) != known->second.checksum) {
    fail_damaged(prepared.folder, fmt::format("the checksum of '{}' is wrong", name));
  }
  return values;
}

// Both sides; their tables are made side by side.
std::array<Ids, 2> read_ids(const Prepared& prepared, Threads& threads) {
  const std::array<std::string, 2> names{"users", "items"};
  const std::array<std::uint64_t, 2> counts{prepared.users, prepared.items};
  std::array<std::string, 2> bytes;
  std::array<std::vector<std::uint64_t>, 2> offsets;
  for (std::size_t n = 0; n < 2; ++n) {
    bytes[n] = read_array<std::string>(prepared, names[n] + ".bytes", threads);
    offsets[n] = read_array<std::vector<std::uint64_t>>(prepared, names[n] + ".offsets", threads);
    if (offsets[n].size() != counts[n] + 1) {
      fail_damaged(prepared.folder,
                   fmt::format("'{}.offsets' does not count {} rows", names[n], counts[n]));
    }
  }
  std::array<Ids, 2> ids;
  threads.for_chunks(2, 1, [&](std::size_t n, std::size_t, int) {
    try {
      ids[n] = Ids::from_stored(std::move(bytes[n]), std::move(offsets[n]));
    } catch (const Error& error) {
      fail_damaged(prepared.folder, error.what());
    }
  });
  return ids;
}

Csr read_rows(const Prepared& prepared, const std::string& name, std::uint64_t rows,
              std::uint64_t columns, Threads& threads) {
  Csr csr;
  csr.offsets = read_array<std::vector<std::uint64_t>>(prepared, name + ".rows", threads);
  csr.columns = read_array<std::vector<Row>>(prepared, name + ".columns", threads);
  bool good = csr.offsets.size() == rows + 1 && csr.offsets.front() == 0 &&
              csr.offsets.back() == csr.columns.size() &&
              std::is_sorted(csr.offsets.begin(), csr.offsets.end());
  good = good && all_good(rows, threads, [&](std::size_t begin, std::size_t end) {
           bool fine = true;
           for (std::size_t r = begin; fine && r < end; ++r) {
             const auto row = csr.row(r);
             fine = row.empty() || row.back() < columns;
             for (std::size_t k = 1; fine && k < row.size(); ++k) fine = row[k - 1] < row[k];
           }
           return fine;
         });
  if (!good) fail_damaged(prepared.folder, fmt::format("the rows of '{}' are none", name));
  return csr;
}

std::uint64_t count_of(const json& manifest, const char* key, const std::string& folder) {
  const auto found = manifest.find(key);
  if (found == manifest.end() || !found->is_number_unsigned()) {
    fail_damaged(folder, fmt::format("its manifest has no number '{}'", key));
  }
  return found->get<std::uint64_t>();
}

json manifest_of(const std::string& folder) {
  const std::string path = (fs::path(folder) / kPreparedKind.manifest).string();
  json manifest = io::read_json_file(path);
  if (!manifest.is_object() || manifest.value("format", json()) != kPreparedKind.format) {
    fail_damaged(folder, "its manifest cannot be read");
  }
  if (manifest.value("format_version", json()) != kPreparedVersion) {
    fail_data(
        "{}: prepared by another version of evenkeel (format {}, this one reads {}); prepare "
        "it again",
        folder, manifest.value("format_version", json()).dump(), kPreparedVersion);
  }
  return manifest;
}

// What is prepared cannot be read differently.
void refuse_other_reading(const Prepared& prepared, const ReadOptions& wanted) {
  Settings settings(reading_fields());
  for (const auto& [name, text] : prepared.options) {
    if (settings.has(name)) settings.set(name, std::string_view(text));
  }
  const ReadOptions known = read_options(settings), none;
  const auto check = [&](const char* name, const auto& asked, const auto& was, const auto& unset) {
    if (asked == unset || asked == was) return;
    fail_config(
        "--{} is of no use for {}, which was prepared with another value; leave it out or "
        "prepare the log again",
        name, prepared.folder);
  };
  check("format", wanted.format, known.format, none.format);
  check("user-column", wanted.user_column, known.user_column, none.user_column);
  check("item-column", wanted.item_column, known.item_column, none.item_column);
  check("rating-column", wanted.rating_column, known.rating_column, none.rating_column);
  check("time-column", wanted.time_column, known.time_column, none.time_column);
  check("min-rating", wanted.min_rating, known.min_rating, none.min_rating);
  check("separator", wanted.separator, known.separator, none.separator);
  check("header", wanted.header, known.header, none.header);
  check("on-bad-row", wanted.skip_bad_rows, known.skip_bad_rows, none.skip_bad_rows);
}

}  // namespace

bool is_prepared(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && fs::exists(fs::path(path) / kPreparedKind.manifest, ignored);
}

Prepared open_prepared(const std::string& folder) {
  const json manifest = manifest_of(folder);
  Prepared prepared;
  prepared.folder = folder;
  if (manifest.value("checksum", json()) != checksum_of(manifest)) {
    fail_damaged(folder, "the checksum of its manifest is wrong");
  }
  try {
    prepared.name = manifest.at("name").get<std::string>();
    prepared.split = manifest.at("split").get<bool>();
    prepared.times = manifest.at("times").get<bool>();
    prepared.options = manifest.at("options").get<std::map<std::string, std::string>>();
    prepared.parts = manifest.at("parts").get<std::vector<std::string>>();
    for (const auto& [name, array] : manifest.at("arrays").items()) {
      prepared.arrays[name] = {array.at("bytes").get<std::uint64_t>(),
                               array.at("checksum").get<std::string>()};
    }
  } catch (const json::exception& error) {
    fail_damaged(folder, error.what());
  }
  prepared.users = count_of(manifest, "users", folder);
  prepared.items = count_of(manifest, "items", folder);
  prepared.interactions = count_of(manifest, "interactions", folder);
  prepared.lines = count_of(manifest, "lines", folder);
  for (const auto& [name, array] : prepared.arrays) {
    std::error_code failure;
    const auto size = fs::file_size(fs::path(folder) / name, failure);
    if (failure) fail_damaged(folder, fmt::format("'{}' is missing", name));
    if (size != array.bytes) {
      fail_damaged(folder,
                   fmt::format("'{}' has {} bytes where {} are needed", name, size, array.bytes));
    }
  }
  return prepared;
}

Interactions load_prepared_log(const std::string& folder, const ReadOptions& options,
                               Threads& threads) {
  const Times times = options.times;
  const Prepared prepared = open_prepared(folder);
  refuse_other_reading(prepared, options);
  if (prepared.split) {
    fail_config(
        "{} is split already; name it where parts are read, or prepare the log without "
        "--split",
        folder);
  }
  if (times == Times::kRequired && !prepared.times) {
    fail_data("{}: it was prepared without times; prepare it again with --times", folder);
  }
  Interactions log;
  std::array<Ids, 2> ids = read_ids(prepared, threads);
  log.users = std::move(ids[0]);
  log.items = std::move(ids[1]);
  log.pairs = read_array<std::vector<Pair>>(prepared, "log.pairs", threads);
  if (times != Times::kIgnore && prepared.times) {
    log.times = read_array<std::vector<double>>(prepared, "log.times", threads);
  }
  if (prepared.arrays.contains(kSeenPairs)) {
    log.seen = read_array<std::vector<Pair>>(prepared, kSeenPairs, threads);
  }
  const auto good = [&](const std::vector<Pair>& pairs) {
    return all_good(pairs.size(), threads, [&](std::size_t begin, std::size_t end) {
      return std::all_of(pairs.begin() + static_cast<std::ptrdiff_t>(begin),
                         pairs.begin() + static_cast<std::ptrdiff_t>(end), [&](const Pair& pair) {
                           return pair.user < prepared.users && pair.item < prepared.items;
                         });
    });
  };
  if (!good(log.pairs) || !good(log.seen) || log.pairs.size() != prepared.interactions ||
      (!log.times.empty() && log.times.size() != log.pairs.size())) {
    fail_damaged(folder, "its pairs are not those of its ids");
  }
  log.report.format = "prepared data";
  log.report.lines = prepared.lines;
  for (const auto& [name, array] : prepared.arrays) log.report.bytes += array.bytes;
  return log;
}

Dataset load_prepared_parts(const Prepared& prepared, Threads& threads) {
  if (prepared.parts.size() < 2 || prepared.parts[0] != "train" ||
      prepared.parts[1] != kValidName) {
    fail_damaged(prepared.folder, "its first parts are not train and valid");
  }
  Dataset data;
  data.name = prepared.name;
  std::array<Ids, 2> ids = read_ids(prepared, threads);
  data.users = std::move(ids[0]);
  data.items = std::move(ids[1]);
  const auto part = [&](const std::string& name) {
    return read_rows(prepared, name, prepared.users, prepared.items, threads);
  };
  data.items_of = part("train");
  data.users_of = read_rows(prepared, "train.by-item", prepared.items, prepared.users, threads);
  if (data.users_of.size() != data.items_of.size()) {
    fail_damaged(prepared.folder, "its two tables of training pairs differ");
  }
  data.valid = {std::string(kValidName), part(std::string(kValidName))};
  for (std::size_t n = 2; n < prepared.parts.size(); ++n) {
    data.tests.push_back({prepared.parts[n], part(prepared.parts[n])});
  }
  const std::string seen(kSeenName);
  if (prepared.arrays.contains(seen + ".rows")) data.seen = part(seen);
  data.user_popularity = row_counts(data.items_of);
  data.item_popularity = row_counts(data.users_of);
  return data;
}

Settings data_settings(const std::string& path, const Settings& settings) {
  if (!is_prepared(path)) return settings;
  const Prepared prepared = open_prepared(path);
  Settings adopted = settings;
  for (const auto& [name, text] : prepared.options) {
    if (name == "seed" || !settings.has(name)) continue;  // a training has a seed of its own
    Settings then = settings;
    then.set(name, std::string_view(text));
    if (settings.is_set(name) && settings.value(name) != then.value(name)) {
      fail_config("--{} is {}, but {} was prepared with {}; leave it out or prepare the log again",
                  name, to_text(settings.value(name)), path, to_text(then.value(name)));
    }
    adopted.set(name, then.value(name));
  }
  return adopted;
}

std::map<std::string, std::string> prepared_options(const std::string& path) {
  if (!is_prepared(path)) return {};
  return open_prepared(path).options;
}

std::string data_name(const std::string& path) {
  return is_prepared(path) ? open_prepared(path).name : stem_of(path);
}

std::string stem_of(const std::string& path) {
  if (is_stream(path)) return "stdin";
  fs::path name(path);
  name = (name.has_filename() ? name : name.parent_path()).filename();  // "out/" is "out"
  while (name.has_extension() && !name.stem().empty()) name = name.stem();
  return name.string();
}

bool is_split_already(const std::string& path) {
  if (is_prepared(path)) return open_prepared(path).split;
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool comes_from_log(const std::string& path) {
  std::error_code ignored;
  return is_prepared(path) || !fs::is_directory(path, ignored);
}

}  // namespace evenkeel::data
