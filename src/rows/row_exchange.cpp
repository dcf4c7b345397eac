// In: rows and gradients by rank. Out: those of the others.
#include "rows/row_exchange.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "kernels/rows.h"

namespace evenkeel::rows {
namespace {

std::span<const std::size_t> owned_rows(const StepParts& parts, Side side) {
  const bool divided = !parts.ranks.alone() && parts.encoder.vectors_are_tables();
  return divided ? parts.encoder.owned_rows(side) : std::span<const std::size_t>();
}

float* row_at(char* place) {
  return reinterpret_cast<float*>(place);
}

constexpr std::size_t kAtOnce = 64;  // rows

}  // namespace

RowExchange::RowExchange(const StepParts& parts)
    : parts_(parts),
      owned_users_(owned_rows(parts, Side::kUser)),
      owned_items_(owned_rows(parts, Side::kItem)),
      users_(static_cast<std::size_t>(parts.ranks.rank()), owned_users_),
      items_(static_cast<std::size_t>(parts.ranks.rank()), owned_items_),
      messages_(parts.ranks, parts.threads) {
  const auto cuts = static_cast<std::size_t>(parts.ranks.size()) + 1;
  EVENKEEL_CHECK(owned_users_.empty() || owned_users_.size() == cuts);
  EVENKEEL_CHECK(owned_items_.empty() || owned_items_.size() == cuts);
}

RowRange RowExchange::moved(Side side) const {
  if (!divides(side)) return {0, parts_.encoder.vectors(side).rows()};
  const auto rank = static_cast<std::size_t>(parts_.ranks.rank());
  return {owned(side)[rank], owned(side)[rank + 1]};
}

void RowExchange::fetch(const Entries& users, Compare compare, Matrix& compared,
                        const Entries& items, float* item_norms) {
  users_.list_entries(users.rows, users.work);
  items_.list_rows(items.rows, items.work);
  Matrix& table = parts_.encoder.table(Side::kItem);
  const std::size_t stride = table.stride(), bytes = stride * sizeof(float);
  const auto &asked_users = users_.wanted_there(), &asked_items = items_.wanted_there();
  const auto &new_users = users_.wanted_here(), &new_items = items_.wanted_here();
  const auto send_users = [&](std::size_t begin, std::size_t end, char* place) {
    std::array<Row, kAtOnce> rows;
    for (std::size_t k = begin; k < end; k += kAtOnce, place += kAtOnce * bytes) {
      const std::size_t count = std::min(kAtOnce, end - k);
      for (std::size_t i = 0; i < count; ++i) rows[i] = users.rows[asked_users.ids[k + i]];
      compare({rows.data(), count}, row_at(place));
    }
  };
  const auto take_users = [&](std::size_t begin, std::size_t end, char* place) {
    kernels::scatter_rows(row_at(place), stride, new_users.ids.data() + begin, end - begin,
                          compared.data());
  };
  const auto send_items = [&](std::size_t begin, std::size_t end, char* place) {
    kernels::gather_rows(table.data(), stride, asked_items.ids.data() + begin, end - begin, nullptr,
                         row_at(place));
  };
  const auto take_items = [&](std::size_t begin, std::size_t end, char* place) {
    kernels::scatter_rows(row_at(place), stride, new_items.ids.data() + begin, end - begin,
                          table.data());
    if (item_norms == nullptr) return;
    kernels::inverse_norms(table.data(), stride, new_items.ids.data() + begin, end - begin,
                           item_norms);
  };
  std::array<cluster::MessagePart, 2> sent{
      {{bytes, asked_users.cuts, send_users}, {bytes, asked_items.cuts, send_items}}};
  std::array<cluster::MessagePart, 2> received{
      {{bytes, new_users.cuts, take_users}, {bytes, new_items.cuts, take_items}}};
  // Sides that are divided: both, the users alone, or (few users) the items alone.
  const std::size_t first = divides(Side::kUser) ? 0 : 1;
  const std::size_t count = (divides(Side::kItem) ? 2U : 1U) - first;
  if (count == 0) return;
  messages_.exchange(std::span(sent).subspan(first, count),
                     std::span(received).subspan(first, count), {});
}

void RowExchange::fetch_all_items(cluster::Shares& shares, float* item_norms) {
  if (!divides(Side::kItem)) return;
  Matrix& table = parts_.encoder.table(Side::kItem);
  shares.share({cluster::share_of(table, owned_items_)});
  if (item_norms == nullptr) return;
  const RowRange own = moved(Side::kItem);
  parts_.threads.for_chunks(table.rows(), kAtOnce, [&](std::size_t begin, std::size_t end, int) {
    std::array<Row, kAtOnce> rows;
    std::size_t count = 0;
    for (std::size_t row = begin; row < end; ++row) {
      if (row < own.begin || row >= own.end) rows[count++] = static_cast<Row>(row);
    }
    kernels::inverse_norms(table.data(), table.stride(), rows.data(), count, item_norms);
  });
}

void RowExchange::return_gradients(const Gradients& users, const Gradients& items,
                                   std::span<const cluster::Share> shares) {
  const std::size_t stride = parts_.encoder.vectors(Side::kItem).stride();
  const std::size_t bytes = stride * sizeof(float);
  shares_.assign(shares.begin(), shares.end());
  // Users go back the way they came; items came row by row and go back entry by entry.
  items_.list_entries(items.entries.rows, items.entries.work);
  for (const Side side : {Side::kUser, Side::kItem}) {
    const Gradients& gradients = side == Side::kUser ? users : items;
    if (gradients.rows == nullptr || divides(side)) continue;
    for (const Worked& work : gradients.entries.work) {
      shares_.push_back({gradients.rows + work.first * stride, bytes, work.cuts});
    }
  }
  const auto sender = [&](const Gradients& gradients, const RowRoutes& routes) {
    return [&gradients, &ids = routes.wanted_here().ids, stride](std::size_t begin, std::size_t end,
                                                                 char* place) {
      kernels::gather_rows(gradients.rows, stride, ids.data() + begin, end - begin, nullptr,
                           row_at(place));
    };
  };
  const auto taker = [&](const Gradients& gradients, const RowRoutes& routes) {
    return [&gradients, &ids = routes.wanted_there().ids, stride](std::size_t begin,
                                                                  std::size_t end, char* place) {
      kernels::scatter_rows(row_at(place), stride, ids.data() + begin, end - begin, gradients.rows);
    };
  };
  const auto send_users = sender(users, users_), send_items = sender(items, items_);
  const auto take_users = taker(users, users_), take_items = taker(items, items_);
  std::array<cluster::MessagePart, 2> sent{{{bytes, users_.wanted_here().cuts, send_users},
                                            {bytes, items_.wanted_here().cuts, send_items}}};
  std::array<cluster::MessagePart, 2> received{{{bytes, users_.wanted_there().cuts, take_users},
                                                {bytes, items_.wanted_there().cuts, take_items}}};
  const std::size_t first = divides(Side::kUser) ? 0 : 1;
  const std::size_t count = (divides(Side::kItem) ? 2U : 1U) - first;
  messages_.exchange(std::span(sent).subspan(first, count),
                     std::span(received).subspan(first, count), shares_);
}

}  // namespace evenkeel::rows
