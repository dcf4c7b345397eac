// In: counts of lines, bytes and bad rows. Out: a few sentences on stderr.
#include "cli/read_summary.h"

#include "cli/console.h"
#include "cli/table.h"

namespace evenkeel::cli {

double megabytes_per_second(const ReadReport& report) {
  return report.seconds > 0 ? static_cast<double>(report.bytes) / 1e6 / report.seconds : 0.0;
}

void say_read(const LoadReport& report) {
  const ReadReport& read = report.read;
  say("evenkeel: read {} lines ({}), {:.1f} MB in {:.2f} s: {:.0f} MB/s",
      grouped_digits(read.lines), read.format, static_cast<double>(read.bytes) / 1e6, read.seconds,
      megabytes_per_second(read));
  if (read.duplicates > 0) {
    say("evenkeel: {} repeated pairs merged", grouped_digits(read.duplicates));
  }
  if (read.below_threshold > 0) {
    say("evenkeel: {} rows below --min-rating left out", grouped_digits(read.below_threshold));
  }
  if (read.bad_rows == 0) return;
  say("evenkeel: {} rows could not be read and were skipped; the first:",
      grouped_digits(read.bad_rows));
  for (const BadRow& row : read.shown) say("  {}:{}: {}", row.file, row.line, row.reason);
}

nlohmann::json read_json(const LoadReport& report) {
  const ReadReport& read = report.read;
  nlohmann::json shown = nlohmann::json::array();
  for (const BadRow& row : read.shown) {
    shown.push_back({{"file", row.file}, {"line", row.line}, {"reason", row.reason}});
  }
  return {{"format", read.format},
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
