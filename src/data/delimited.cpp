// In: rows of a table. Out: pairs and times; the rows that cannot be read, each with its reason.
#include "data/delimited.h"

#include <cstring>

#include "base/error.h"
#include "data/chunks.h"
#include "data/layout.h"
#include "data/numbers.h"
#include "data/row_slot.h"
#include "data/shape.h"

namespace evenkeel::data {
namespace {

constexpr std::size_t kLongestBare = 4096;  // bytes of an id in a line that is passed quickly
constexpr std::size_t kLongestRecord = std::size_t{1} << 18;  // a row with line ends in its quotes

// Parses the lines of one piece.
class RowParser {
 public:
  RowParser(const Layout& layout, const ReadOptions& options, ParsedChunk& chunk)
      : layout_(layout), options_(options), chunk_(chunk) {
    wanted_.add(layout.user, kUser);
    wanted_.add(layout.item, kItem);
    if (layout.rating) wanted_.add(*layout.rating, kRating);
    if (layout.time) wanted_.add(*layout.time, kTime);
    // Ratings may be the weights, too.
    weight_slot_ = layout.weight == layout.rating ? kRating : kWeight;
    if (layout.weight && weight_slot_ == kWeight) wanted_.add(*layout.weight, kWeight);
    wanted_.width = layout.width;
    plain_ = layout.separator.text.size() == 1 && !layout.separator.blanks();
  }

  void parse(LineCursor& lines) {
    quotes_ = layout_.separator.quotes && lines.rest().find('"') != std::string_view::npos;
    const bool bare = plain_ && !quotes_ && wanted_.count == 2 && wanted_.columns[1].column == 1 &&
                      layout_.width <= 2;
    std::string_view line;
    while (true) {
      if (bare) pass_bare_lines(lines);
      if (!lines.next(line)) break;
      if (line.empty() || passed_over(line)) continue;
      const std::uint64_t at = lines.taken();
      std::string reason;
      if (!row(line, lines, reason) && !reason.empty() && !chunk_.bad_row(at, reason)) break;
    }
  }

 private:
  // Lines of two ids and nothing else, `u12,i345`: stops in front of the first that needs a closer
  // look.
  void pass_bare_lines(LineCursor& lines) {
    const char separator = layout_.separator.text.front();
    const std::string_view text = lines.rest();
    const char *at = text.data(), *const end = at + text.size();
    std::uint64_t passed = 0;
    while (true) {
      const char* const cut = find_either(at, end, separator, '\n');
      if (cut == end || *cut == '\n') break;
      const char* const stop = find_either(cut + 1, end, separator, '\n');
      if (stop == end || *stop != '\n') break;
      const std::string_view first(at, cut);
      std::string_view second(cut + 1, stop);
      if (second.ends_with('\r')) second.remove_suffix(1);
      const std::string_view line(at, second.data() + second.size());
      if (!is_bare(first) || !is_bare(second) || line == layout_.header_line) break;
      const bool user_first = wanted_.columns[0].slot == kUser;
      chunk_.add(user_first ? first : second, user_first ? second : first);
      at = stop + 1;
      ++passed;
    }
    lines.pass(static_cast<std::size_t>(at - text.data()), passed);
  }

  // Not empty, nothing to trim, no comment, no byte order mark.
  static bool is_bare(std::string_view field) {
    if (field.empty() || field.size() > kLongestBare) return false;
    const auto first = static_cast<unsigned char>(field.front());
    const auto last = static_cast<unsigned char>(field.back());
    return first > '#' && first != 0xef && last > ' ';
  }

  // Joined files bring their headers along; comments say nothing.
  bool passed_over(std::string_view line) {
    if (layout_.header && line == layout_.header_line) {
      ++chunk_.headers;
      return true;
    }
    if (line.front() != '#' || !layout_.is_comment(line)) return false;
    ++chunk_.comments;
    return true;
  }

  // A quoted field may hold line ends: takes lines from `lines` until the quote is closed. The row
  // must then be complete, or else the quote is a stray one and its line a bad row.
  FieldStatus join_lines(std::string_view& line, LineCursor& lines) {
    LineCursor ahead = lines;
    std::string_view next;
    while (ahead.next(next)) {
      const std::string_view record(line.data(), next.data() + next.size());
      if (record.size() > kLongestRecord) return FieldStatus::kOpenQuote;
      if (next.find('"') == std::string_view::npos) continue;
      const FieldStatus status = split_general(record, layout_.separator, wanted_, fields_);
      if (status == FieldStatus::kOpenQuote) continue;
      if (status != FieldStatus::kGood) return FieldStatus::kOpenQuote;
      line = record;
      lines = ahead;
      return status;
    }
    chunk_.open_end = true;
    return FieldStatus::kOpenQuote;
  }

  bool row(std::string_view line, LineCursor& lines, std::string& reason) {
    FieldStatus status = split(line);
    const bool open = status == FieldStatus::kOpenQuote;
    if (open) status = join_lines(line, lines);
    if (status != FieldStatus::kGood) {
      if (!trimmed(line).empty()) reason = broken(status, line);
      return false;
    }
    const std::string_view user = fields_.slots[kUser], item = fields_.slots[kItem];
    const auto broken_off = [](std::string_view id) { return id.find('\n') != id.npos; };
    if (open && (broken_off(user) || broken_off(item))) {
      reason = fmt::format("an id in quotes goes on in the next line in '{}'; keep it on one line",
                           excerpt(line));
      return false;
    }
    if (user.empty() || item.empty()) {
      reason = fmt::format("empty {} id in column {}; give it one", user.empty() ? "user" : "item",
                           layout_.column_name(user.empty() ? layout_.user : layout_.item));
      return false;
    }
    if (layout_.rating) {
      const auto rating = parse_finite(fields_.slots[kRating]);
      if (!rating) {
        reason = fmt::format("rating '{}' in column {} is not a finite number; mend it",
                             excerpt(fields_.slots[kRating]), layout_.column_name(*layout_.rating));
        return false;
      }
      if (*rating < *options_.min_rating) {
        // A late bad time in such a row is of no interest.
        add_seen(user, item);
        return false;
      }
    }
    if (layout_.weight && !has_weight(reason)) return false;
    if (layout_.time) {
      const auto time = parse_time(fields_.slots[kTime]);
      if (!time) {
        reason = fmt::format(
            "time '{}' in column {} is neither a finite number nor an ISO date; "
            "mend it",
            excerpt(fields_.slots[kTime]), layout_.column_name(*layout_.time));
        return false;
      }
      chunk_.times.push_back(*time);
    }
    if (layout_.weight) chunk_.weights.push_back(weight_);
    add(user, item);
    return true;
  }

  bool has_weight(std::string& reason) {
    if (const auto weight = parse_weight(fields_.slots[weight_slot_])) {
      weight_ = static_cast<float>(*weight);
      return true;
    }
    reason = fmt::format("weight '{}' in column {} is not a number from 0 to {:g}; mend it",
                         excerpt(fields_.slots[weight_slot_]), layout_.column_name(*layout_.weight),
                         kMostWeight);
    return false;
  }

  FieldStatus split(std::string_view line) {
    const bool quoted = quotes_ && std::memchr(line.data(), '"', line.size()) != nullptr;
    if (plain_ && !quoted) {
      fields_.copied = false;
      return split_plain(line, layout_.separator.text.front(), wanted_, fields_);
    }
    return split_general(line, layout_.separator, wanted_, fields_);
  }

  std::string broken(FieldStatus status, std::string_view line) const {
    if (status == FieldStatus::kOpenQuote) {
      return fmt::format("a quote is never closed in '{}'; close it, or double it inside a field",
                         excerpt(line));
    }
    if (status == FieldStatus::kTooMany) {
      return fmt::format("more columns than the {} {} in '{}'; {}", layout_.width,
                         layout_.header ? "of the header" : "of most rows", excerpt(line),
                         layout_.separator.blanks()
                             ? "for lines `user item item ...` give --format adjacency"
                             : "put quotes around a field that holds the separator");
    }
    if (status == FieldStatus::kTextAfterQuote) {
      return fmt::format("text after a closing quote in '{}'; double the quotes inside a field",
                         excerpt(line));
    }
    const std::size_t last = wanted_.columns[wanted_.count - 1].column;
    return fmt::format("{} column{} in '{}', but column {} is needed; complete the row",
                       fields_.found, fields_.found == 1 ? "" : "s", excerpt(line),
                       layout_.column_name(last));
  }

  void add_seen(std::string_view user, std::string_view item) {
    if (fields_.copied) {
      chunk_.add_seen(chunk_.keep(user), chunk_.keep(item));
    } else {
      chunk_.add_seen(user, item);
    }
  }

  void add(std::string_view user, std::string_view item) {
    if (fields_.copied) {
      chunk_.add(chunk_.keep(user), chunk_.keep(item));
    } else {
      chunk_.add(user, item);
    }
  }

  const Layout& layout_;
  const ReadOptions& options_;
  ParsedChunk& chunk_;
  WantedColumns wanted_;
  LineFields fields_;
  bool plain_ = false, quotes_ = false;
  RowSlot weight_slot_ = kWeight;
  float weight_ = 0;  // of the row that is read
};

ReadColumns columns_of(const Layout& layout) {
  const auto name = [&](const std::optional<std::size_t>& read,
                        const std::optional<std::size_t>& idle) {
    return read ? layout.column_name(*read) : idle ? layout.column_name(*idle) : std::string();
  };
  return {layout.column_name(layout.user),
          layout.column_name(layout.item),
          name(layout.rating, layout.idle_rating),
          name(layout.time, layout.idle_time),
          name(layout.weight, {}),
          layout.rating.has_value(),
          layout.time.has_value()};
}

std::string described(const Layout& layout, const ReadColumns& columns) {
  std::string_view name = layout.separator.text;
  if (name == "\t") name = "tab";
  if (name == " ") name = "blanks";
  std::string text =
      fmt::format("separator {}, {}, user {}, item {}", name,
                  layout.header ? "header" : "no header", columns.user, columns.item);
  if (!columns.rating.empty()) {
    text += fmt::format(", rating {}{}", columns.rating, columns.rating_read ? "" : " (not read)");
  }
  if (!columns.time.empty()) {
    text += fmt::format(", time {}{}", columns.time, columns.time_read ? "" : " (not read)");
  }
  if (!columns.weight.empty()) text += fmt::format(", weight {}", columns.weight);
  return text;
}

void read_table(const TextFile& file, const ReadOptions& options, bool typed_header,
                Threads& threads, LogBuilder& log) {
  const Layout layout = detect_layout(file, options, typed_header);
  ChunkPlan plan;
  plan.path = file.path();
  plan.text = layout.body;
  plan.first_line = layout.first_line;
  plan.skip_bad_rows = options.skip_bad_rows;
  plan.piece_bytes = options.piece_bytes;
  const auto parse = [&](LineCursor& lines, ParsedChunk& chunk) {
    RowParser(layout, options, chunk).parse(lines);
  };
  parse_in_chunks(plan, parse, threads, log);
  const ReadColumns columns = columns_of(layout);
  log.report.format =
      fmt::format("{} ({})", typed_header ? "inter" : "delimited", described(layout, columns));
  if (log.report.columns.user.empty()) log.report.columns = columns;
  log.report.comments += layout.comments_above;
  if (options.format != "auto" || !layout.separator.blanks() || layout.width < 3) return;
  if (layout.header || shape_of(file.text()).kind == Shape::kTable) return;
  log.report.doubts.push_back(
      fmt::format("{}: the {} columns of every line were read as user, item and more; for lines "
                  "`user item item ...` give --format adjacency",
                  file.path(), layout.width));
}

}  // namespace

bool recognises_delimited(const TextFile&, const ReadOptions&) {
  return true;
}

void read_delimited(const TextFile& file, const ReadOptions& options, Threads& threads,
                    LogBuilder& log) {
  read_table(file, options, false, threads, log);
}

bool recognises_inter(const TextFile& file, const ReadOptions&) {
  return unpacked_name(file.path()).ends_with(".inter") || has_typed_header(file.text());
}

void read_inter(const TextFile& file, const ReadOptions& options, Threads& threads,
                LogBuilder& log) {
  if (!file.text().empty() && !has_typed_header(file.text())) {
    std::string_view line;
    LineCursor(file.text()).next(line);
    fail_data(
        "{}:1: the header '{}' of an .inter file must name types, like user_id:token, with "
        "tabs between; mend it or give --format delimited",
        file.path(), excerpt(line));
  }
  read_table(file, options, true, threads, log);
}

}  // namespace evenkeel::data
