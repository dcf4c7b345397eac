// In: counts of lines, bytes and bad rows. Out: a few sentences on stderr.
#include "cli/read_summary.h"

#include "base/error.h"
#include "cli/console.h"
#include "cli/table.h"
#include "data/prepared.h"
#include "data/read_messages.h"

namespace evenkeel::cli {

void refuse_for_folder(const BoundOptions& bound, const std::string& data,
                       std::initializer_list<std::string_view> options) {
  if (!data::is_split_already(data)) return;
  for (const std::string_view option : options) {
    if (!bound.given(option)) continue;
    fail_config(
        "--{} is of no use for {}, a folder that is split already; leave it out or give one "
        "interactions file",
        option, data);
  }
}

double megabytes_per_second(const data::ReadReport& report) {
  return report.seconds > 0 ? static_cast<double>(report.bytes) / 1e6 / report.seconds : 0.0;
}

void say_read(const data::LoadReport& report) {
  const data::ReadReport& read = report.read;
  say("evenkeel: read {} lines ({}), {:.1f} MB in {:.2f} s: {:.0f} MB/s",
      grouped_digits(read.lines), read.format, static_cast<double>(read.bytes) / 1e6, read.seconds,
      megabytes_per_second(read));
  for (const std::string& note : data::read_notes(read)) say("evenkeel: {}", note);
  if (read.bad_rows == 0) return;
  say("evenkeel: {} rows could not be read and were skipped; the first:",
      grouped_digits(read.bad_rows));
  for (const data::BadRow& row : read.shown) say("  {}:{}: {}", row.file, row.line, row.reason);
}

nlohmann::json read_json(const data::LoadReport& report) {
  const data::ReadReport& read = report.read;
  nlohmann::json shown = nlohmann::json::array();
  for (const data::BadRow& row : read.shown) {
    shown.push_back({{"file", row.file}, {"line", row.line}, {"reason", row.reason}});
  }
  const auto name = [](const std::string& column) {
    return column.empty() ? nlohmann::json(nullptr) : nlohmann::json(column);
  };
  const data::ReadColumns& columns = read.columns;
  return {{"format", read.format},
          {"columns",
           {{"user", name(columns.user)},
            {"item", name(columns.item)},
            {"rating", name(columns.rating)},
            {"rating_read", columns.rating_read},
            {"time", name(columns.time)},
            {"time_read", columns.time_read}}},
          {"doubts", read.doubts},
          {"comments", read.comments},
          {"repeated_headers", read.headers},
          {"bytes", read.bytes},
          {"lines", read.lines},
          {"bad_rows", read.bad_rows},
          {"bad_rows_shown", std::move(shown)},
          {"duplicates", read.duplicates},
          {"below_threshold", read.below_threshold},
          {"seconds", read.seconds},
          {"megabytes_per_second", megabytes_per_second(read)}};
}

}  // namespace evenkeel::cli
