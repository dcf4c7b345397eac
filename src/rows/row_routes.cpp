// In: entries, work and owners. Out: lists by rank, in the order of the batch.
#include "rows/row_routes.h"

namespace evenkeel::rows {
namespace {

RowRange entries_of(std::size_t rank, const Worked& work, std::size_t all) {
  if (work.cuts.empty()) return {work.first, all};
  return {work.first + work.cuts[rank], work.first + work.cuts[rank + 1]};
}

}  // namespace

RowRoutes::RowRoutes(std::size_t rank, std::span<const std::size_t> owned)
    : rank_(rank), owned_(owned) {
  here_.cuts.resize(owned.size());
  there_.cuts.resize(owned.size());
  if (owned.empty()) return;
  own_ = rows_of(rank);
  listed_.resize(owned.back() / 32 + 1);
}

void RowRoutes::list_entries(std::span<const Row> row_of_entry, std::span<const Worked> work) {
  list(row_of_entry, work, false);
}

void RowRoutes::list_rows(std::span<const Row> row_of_entry, std::span<const Worked> work) {
  list(row_of_entry, work, true);
}

void RowRoutes::list(std::span<const Row> row_of_entry, std::span<const Worked> work, bool once) {
  if (owned_.empty()) return;
  std::size_t here = 0, there = 0;
  for (std::size_t r = 0; r + 1 < owned_.size(); ++r) {
    here_.cuts[r] = here;
    there_.cuts[r] = there;
    if (r == rank_) continue;
    for (const Worked& part : work) {
      const RowRange own = entries_of(rank_, part, row_of_entry.size());
      const RowRange others = entries_of(r, part, row_of_entry.size());
      here = once ? add_rows(row_of_entry, own, rows_of(r), here_, here)
                  : add_entries(row_of_entry, own, rows_of(r), here_, here);
      there = once ? add_rows(row_of_entry, others, own_, there_, there)
                   : add_entries(row_of_entry, others, own_, there_, there);
    }
    if (!once) continue;
    for (std::size_t k = here_.cuts[r]; k < here; ++k) listed_[here_.ids[k] / 32] = 0;
    for (std::size_t k = there_.cuts[r]; k < there; ++k) listed_[there_.ids[k] / 32] = 0;
  }
  here_.cuts.back() = here;
  there_.cuts.back() = there;
}

// Both write always and keep only what is one of `rows`: no branch to mispredict.
std::size_t RowRoutes::add_entries(std::span<const Row> row_of_entry, RowRange entries, Rows rows,
                                   List& list, std::size_t place) {
  list.make_room(place + entries.size());
  for (std::size_t e = entries.begin; e < entries.end; ++e) {
    list.ids[place] = static_cast<std::uint32_t>(e);
    place += rows.have(row_of_entry[e]) ? 1 : 0;
  }
  return place;
}

std::size_t RowRoutes::add_rows(std::span<const Row> row_of_entry, RowRange entries, Rows rows,
                                List& list, std::size_t place) {
  list.make_room(place + entries.size());
  for (std::size_t e = entries.begin; e < entries.end; ++e) {
    const Row row = row_of_entry[e];
    std::uint32_t& word = listed_[row / 32];
    const std::uint32_t one = rows.have(row) ? 1 : 0;
    list.ids[place] = row;
    place += one & ~(word >> (row % 32));
    word |= one << (row % 32);
  }
  return place;
}

}  // namespace evenkeel::rows
