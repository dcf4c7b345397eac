// In: lines with quotes, long separators or runs of blanks. Out: their fields.
#include "data/fields.h"

#include <algorithm>

#include "base/error.h"

namespace evenkeel::data {
namespace {

// Walks a line field by field.
class FieldWalk {
 public:
  FieldWalk(std::string_view line, const Separator& separator)
      : line_(line), separator_(separator) {
    if (separator_.blanks()) skip_blanks();
  }

  // The next field; `copy` takes it when doubled quotes must be resolved (`copied` says so).
  FieldStatus next(std::string_view& field, std::string& copy, bool& copied) {
    std::size_t start = at_;
    if (separator_.quotes && !separator_.blanks()) {
      while (start < line_.size() && line_[start] == ' ') ++start;
    }
    if (separator_.quotes && start < line_.size() && line_[start] == '"') {
      at_ = start + 1;
      return quoted(field, copy, copied);
    }
    const std::size_t stop = std::min(find_separator(at_), line_.size());
    field = trimmed(line_.substr(at_, stop - at_));
    step_over(stop);
    return FieldStatus::kGood;
  }
  bool done() const { return done_; }
  // Behind text after a closing quote: goes on at the next separator.
  void forgive() { step_over(std::min(find_separator(at_), line_.size())); }

 private:
  bool is_blank(std::size_t at) const { return line_[at] == ' ' || line_[at] == '\t'; }
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(at_)) ++at_;
  }
  std::size_t find_separator(std::size_t from) const {
    if (separator_.blanks()) return line_.find_first_of(" \t", from);
    return line_.find(separator_.text, from);
  }

  // `stop` is where the field ended: at a separator or at the end of the line.
  void step_over(std::size_t stop) {
    if (stop >= line_.size()) {
      done_ = true;
      return;
    }
    at_ = stop + separator_.text.size();
    if (!separator_.blanks()) return;
    skip_blanks();
    done_ = at_ == line_.size();  // blanks at the end are no further field
  }

  FieldStatus quoted(std::string_view& field, std::string& copy, bool& copied) {
    const std::size_t first = at_;
    bool doubled = false;
    std::size_t close = first;
    for (;; close += 2) {
      close = line_.find('"', close);
      if (close == std::string_view::npos) return FieldStatus::kOpenQuote;
      if (close + 1 >= line_.size() || line_[close + 1] != '"') break;
      doubled = true;
    }
    field = line_.substr(first, close - first);
    if (doubled) {
      copy.clear();
      for (std::size_t i = 0; i < field.size(); ++i) {
        copy.push_back(field[i]);
        if (field[i] == '"') ++i;
      }
      field = copy;
      copied = true;
    }
    std::size_t after = close + 1;
    if (!separator_.blanks()) {
      while (after < line_.size() && line_[after] == ' ') ++after;
    }
    if (after < line_.size() && find_separator(after) != after) {
      at_ = after;
      return FieldStatus::kTextAfterQuote;
    }
    step_over(after);
    return FieldStatus::kGood;
  }

  std::string_view line_;
  const Separator& separator_;
  std::size_t at_ = 0;
  bool done_ = false;
};

// The columns behind the last wanted one. Careless quotes there harm nobody, but an open one means
// that the row goes on in the next line.
FieldStatus pass_rest(FieldWalk& walk, std::size_t passed, std::size_t width) {
  std::string copy;
  bool copied = false, too_many = false;
  while (!walk.done()) {
    std::string_view field;
    const FieldStatus status = walk.next(field, copy, copied);
    if (status == FieldStatus::kOpenQuote) return status;
    if (status == FieldStatus::kTextAfterQuote) walk.forgive();
    too_many = too_many || (++passed > width && !field.empty());
  }
  return too_many && width > 0 ? FieldStatus::kTooMany : FieldStatus::kGood;
}

}  // namespace

void WantedColumns::add(std::size_t column, std::size_t slot) {
  EVENKEEL_CHECK(count < kMost);
  columns[count++] = {column, slot};
  std::sort(columns.begin(), columns.begin() + count,
            [](const Column& a, const Column& b) { return a.column < b.column; });
}

FieldStatus split_general(std::string_view line, const Separator& separator,
                          const WantedColumns& wanted, LineFields& out) {
  FieldWalk walk(line, separator);
  std::size_t next = 0;
  out.copied = false;
  for (std::size_t column = 0;; ++column) {
    const std::size_t slot = wanted.columns[next].slot;
    std::string_view field;
    const FieldStatus status = walk.next(field, out.unescaped[slot], out.copied);
    if (status != FieldStatus::kGood) return status;
    if (column == wanted.columns[next].column) {
      out.slots[slot] = field;
      if (++next == wanted.count) return pass_rest(walk, column + 1, wanted.width);
    }
    if (walk.done()) {
      out.found = column + 1;
      return FieldStatus::kTooFew;
    }
  }
}

std::size_t count_fields(std::string_view line, const Separator& separator) {
  FieldWalk walk(line, separator);
  std::string copy;
  bool copied = false;
  for (std::size_t count = 1;; ++count) {
    std::string_view field;
    if (walk.next(field, copy, copied) != FieldStatus::kGood) return 0;
    if (walk.done()) return count;
  }
}

std::vector<std::string> all_fields(std::string_view line, const Separator& separator) {
  std::vector<std::string> fields;
  FieldWalk walk(line, separator);
  std::string copy;
  bool copied = false;
  do {
    std::string_view field;
    if (walk.next(field, copy, copied) != FieldStatus::kGood) {
      fields.emplace_back(line);
      break;
    }
    fields.emplace_back(field);
  } while (!walk.done());
  return fields;
}

}  // namespace evenkeel::data
