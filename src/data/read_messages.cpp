// In: counts and names of columns. Out: a sentence for each that matters.
#include "data/read_messages.h"

#include <fmt/format.h>

#include "base/digits.h"

namespace evenkeel::data {

std::vector<std::string> read_notes(const ReadReport& report) {
  std::vector<std::string> notes = report.doubts;
  if (!report.columns.rating.empty() && !report.columns.rating_read) {
    notes.push_back(
        fmt::format("ratings (column {}) are not looked at: every row counts as positive; "
                    "--min-rating X keeps those with at least X",
                    report.columns.rating));
  }
  if (report.duplicates > 0) {
    notes.push_back(fmt::format("{} repeated pairs merged", grouped_digits(report.duplicates)));
  }
  if (report.below_threshold > 0) {
    notes.push_back(
        fmt::format("{} rows below --min-rating left out", grouped_digits(report.below_threshold)));
  }
  if (report.comments > 0) {
    notes.push_back(
        fmt::format("comments (lines with # in front): {}", grouped_digits(report.comments)));
  }
  if (report.headers > 0) {
    notes.push_back(fmt::format("the header comes {} more time{} and is passed over",
                                grouped_digits(report.headers), report.headers == 1 ? "" : "s"));
  }
  return notes;
}

std::vector<std::string> read_messages(const LoadReport& report) {
  const ReadReport& read = report.read;
  std::vector<std::string> messages{
      fmt::format("read {} lines as {}", grouped_digits(read.lines), read.format)};
  for (std::string& note : read_notes(read)) messages.push_back(std::move(note));
  if (read.bad_rows > 0 && !read.shown.empty()) {
    const BadRow& first = read.shown.front();
    messages.push_back(
        fmt::format("{} rows could not be read and were skipped; the first is {}:{}: {}",
                    grouped_digits(read.bad_rows), first.file, first.line, first.reason));
  }
  return messages;
}

}  // namespace evenkeel::data
