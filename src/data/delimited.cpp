// In: rows of a table. Out: pairs and times; the rows that cannot be read, each with its reason.
#include "data/delimited.h"

#include <array>
#include <cstring>

#include "base/error.h"
#include "data/chunks.h"
#include "data/layout.h"
#include "data/numbers.h"

namespace evenkeel {
namespace {

enum Slot : std::size_t { kUser, kItem, kRating, kTime };

// Parses the lines of one piece. Ids go through the hash tables in batches: by the time a batch is
// full, the slots of its first rows have arrived in cache.
class RowParser {
 public:
  RowParser(const Layout& layout, const ReadOptions& options, ParsedChunk& chunk)
      : layout_(layout), options_(options), chunk_(chunk) {
    wanted_.add(layout.user, kUser);
    wanted_.add(layout.item, kItem);
    if (layout.rating) wanted_.add(*layout.rating, kRating);
    if (layout.time) wanted_.add(*layout.time, kTime);
    plain_ = layout.separator.text.size() == 1 && !layout.separator.blanks();
  }

  void parse(LineCursor& lines) {
    std::string_view line;
    while (lines.next(line)) {
      if (line.empty()) continue;
      std::string reason;
      if (!row(line, reason) && !reason.empty() && !chunk_.bad_row(lines.taken(), reason)) break;
    }
    flush();
  }

 private:
  struct Pending {
    std::string_view user, item;
    std::uint64_t user_hash, item_hash;
  };

  bool row(std::string_view line, std::string& reason) {
    const FieldStatus status = split(line);
    if (status != FieldStatus::kGood) {
      if (!trimmed(line).empty()) reason = broken(status, line);
      return false;
    }
    const std::string_view user = fields_.slots[kUser], item = fields_.slots[kItem];
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
        ++chunk_.below_threshold;
        return false;
      }
    }
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
    add(user, item);
    return true;
  }

  FieldStatus split(std::string_view line) {
    const bool quoted =
        layout_.separator.quotes && std::memchr(line.data(), '"', line.size()) != nullptr;
    if (plain_ && !quoted) {
      fields_.copied = false;
      return split_plain(line, layout_.separator.text.front(), wanted_, fields_);
    }
    // Blanks also cut adjacency lines: never drop their items in silence.
    if (layout_.separator.blanks() && count_fields(line, layout_.separator) > layout_.width) {
      return FieldStatus::kTooMany;
    }
    return split_general(line, layout_.separator, wanted_, fields_);
  }

  std::string broken(FieldStatus status, std::string_view line) const {
    if (status == FieldStatus::kOpenQuote) {
      return fmt::format("a quote is never closed in '{}'; close it on the same line",
                         excerpt(line));
    }
    if (status == FieldStatus::kTooMany) {
      return fmt::format(
          "more than {} columns in '{}'; for lines `user item item ...` give "
          "--format adjacency",
          layout_.width, excerpt(line));
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

  void add(std::string_view user, std::string_view item) {
    Pending& next = pending_[waiting_++];
    next = {user, item, Ids::hash_of(user), Ids::hash_of(item)};
    chunk_.users.prefetch(next.user_hash);
    chunk_.items.prefetch(next.item_hash);
    if (waiting_ == pending_.size() || fields_.copied) flush();
  }

  void flush() {
    for (std::size_t n = 0; n < waiting_; ++n) {
      chunk_.users.prefetch_offset(pending_[n].user_hash);
      chunk_.items.prefetch_offset(pending_[n].item_hash);
    }
    for (std::size_t n = 0; n < waiting_; ++n) {
      chunk_.users.prefetch_text(pending_[n].user_hash);
      chunk_.items.prefetch_text(pending_[n].item_hash);
    }
    for (std::size_t n = 0; n < waiting_; ++n) {
      const Pending& next = pending_[n];
      const Row user = chunk_.users.insert(next.user, next.user_hash);
      chunk_.pairs.push_back({user, chunk_.items.insert(next.item, next.item_hash)});
    }
    waiting_ = 0;
  }

  const Layout& layout_;
  const ReadOptions& options_;
  ParsedChunk& chunk_;
  WantedColumns wanted_;
  LineFields fields_;
  bool plain_ = false;
  std::array<Pending, 64> pending_{};
  std::size_t waiting_ = 0;
};

std::string described(const Layout& layout) {
  std::string_view name = layout.separator.text;
  if (name == "\t") name = "tab";
  if (name == " ") name = "blanks";
  return fmt::format("separator {}, {}, user {}, item {}", name,
                     layout.header ? "header" : "no header", layout.column_name(layout.user),
                     layout.column_name(layout.item));
}

void read_table(const TextFile& file, const ReadOptions& options, bool typed_header,
                Threads& threads, Interactions& log) {
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
  log.report.format =
      fmt::format("{} ({})", typed_header ? "inter" : "delimited", described(layout));
}

}  // namespace

bool recognises_delimited(const TextFile&) {
  return true;
}

void read_delimited(const TextFile& file, const ReadOptions& options, Threads& threads,
                    Interactions& log) {
  read_table(file, options, false, threads, log);
}

bool recognises_inter(const TextFile& file) {
  std::string_view name = file.path();
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name.ends_with(".inter") || has_typed_header(file.text());
}

void read_inter(const TextFile& file, const ReadOptions& options, Threads& threads,
                Interactions& log) {
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

}  // namespace evenkeel
