// In: a data set. Out: the same users and items for every run, chosen by popularity alone.
#include "report/page_selection.h"

#include <algorithm>

#include "data/groups.h"
#include "report/numbers.h"

namespace evenkeel::report {
namespace {

constexpr std::size_t kPickedPerGroup = 2, kExplore = 200;
constexpr std::size_t kShownPositive = 150, kShownHeldOut = 75, kShownNegative = 300;
constexpr std::size_t kShownHistory = 50;

std::vector<Row> at_places(const std::vector<Row>& rows, std::size_t most) {
  std::vector<Row> out;
  for (const std::size_t place : spread_places(rows.size(), most)) out.push_back(rows[place]);
  return out;
}

// Users worth looking at, most active first: with training items and, where the data has them at
// all, held-out items, so that hits can be seen.
std::vector<Row> candidates(const data::Dataset& data) {
  std::vector<Row> all, tested;
  for (const Row user : data::rows_by_popularity(data.user_popularity)) {
    if (data.user_popularity[user] == 0) continue;
    all.push_back(user);
    if (!held_out_items(data, user).empty()) tested.push_back(user);
  }
  return tested.empty() ? all : tested;
}

PickedUser pick(const data::Dataset& data, Row user) {
  PickedUser picked;
  picked.user = user;
  const auto own = data.items_of.row(user);
  picked.positive.assign(own.begin(), own.end());
  picked.held_out = held_out_items(data, user);
  for (Row item = 0; item < data.item_count(); ++item) {
    if (data.items_of.contains(user, item) ||
        std::binary_search(picked.held_out.begin(), picked.held_out.end(), item)) {
      continue;
    }
    picked.negative.push_back(item);
  }
  picked.shown_positive = at_places(picked.positive, kShownPositive);
  picked.shown_held_out = at_places(picked.held_out, kShownHeldOut);
  picked.shown_negative = at_places(picked.negative, kShownNegative);
  return picked;
}

// The first `most` items, the most popular before the others.
std::vector<Row> most_popular(std::vector<Row> items, const data::Dataset& data, std::size_t most) {
  std::stable_sort(items.begin(), items.end(),
                   [&](Row a, Row b) { return data.item_popularity[a] > data.item_popularity[b]; });
  if (items.size() > most) items.resize(most);
  return items;
}

std::optional<std::vector<Row>> find_all(const data::Ids& ids, const data::Ids& in) {
  std::vector<Row> rows;
  for (Row row = 0; row < ids.size(); ++row) {
    const auto found = in.find(ids.text(row));
    if (!found) return std::nullopt;
    rows.push_back(*found);
  }
  return rows;
}

}  // namespace

ItemTable::ItemTable(const data::Dataset& data, const data::Titles& titles)
    : data_(data), titles_(titles), group_(data::popularity_thirds(data.item_popularity)) {}

std::size_t ItemTable::index(Row item) {
  const auto [place, fresh] = index_.try_emplace(item, items_.size());
  if (fresh) items_.push_back(item);
  return place->second;
}

nlohmann::json ItemTable::indices(const std::vector<Row>& items) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row item : items) list.push_back(index(item));
  return list;
}

nlohmann::json ItemTable::values(const std::vector<std::uint64_t>& by_row) const {
  nlohmann::json list = nlohmann::json::array();
  for (const Row item : items_) list.push_back(by_row[item]);
  return list;
}

nlohmann::json ItemTable::to_json() const {
  nlohmann::json ids = nlohmann::json::array(), popularity = ids, group = ids, title = ids;
  for (const Row item : items_) {
    ids.push_back(short_id(data_.items.text(item)));
    popularity.push_back(data_.item_popularity[item]);
    group.push_back(group_[item]);
    if (titles_.found > 0) title.push_back(short_id(titles_.of(item)));
  }
  return {{"id", std::move(ids)},
          {"title", std::move(title)},
          {"popularity", std::move(popularity)},
          {"group", std::move(group)}};
}

std::vector<Row> held_out_items(const data::Dataset& data, Row user) {
  std::vector<Row> items;
  const auto append = [&](const data::Csr& part) {
    if (user >= part.rows()) return;
    for (const Row item : part.row(user)) {
      if (!data.items_of.contains(user, item)) items.push_back(item);
    }
  };
  append(data.valid.items_of);
  for (const data::Part& test : data.tests) append(test.items_of);
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

PageSelection::PageSelection(const data::Dataset& given, const data::Titles& titles)
    : data(given),
      user_group(data::popularity_thirds(given.user_popularity)),
      items(given, titles) {
  const std::vector<Row> ordered = candidates(data);
  for (std::uint8_t group = 0; group < 3; ++group) {
    std::vector<Row> members;
    for (const Row user : ordered) {
      if (user_group[user] == group) members.push_back(user);
    }
    // At one and three quarters of the group: neither its extremes nor its borders.
    std::size_t last = members.size();
    for (std::size_t n = 0; n < kPickedPerGroup && !members.empty(); ++n) {
      const std::size_t place = members.size() * (2 * n + 1) / (2 * kPickedPerGroup);
      if (place == last) continue;
      last = place;
      users.push_back(pick(data, members[place]));
    }
  }
  for (const PickedUser& picked : users) explore.push_back(picked.user);
  for (const std::size_t place : spread_places(ordered.size(), kExplore - explore.size())) {
    if (std::find(explore.begin(), explore.end(), ordered[place]) == explore.end()) {
      explore.push_back(ordered[place]);
    }
  }
}

nlohmann::json PageSelection::users_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const PickedUser& picked : users) {
    list.push_back({{"id", short_id(data.users.text(picked.user))},
                    {"group", user_group[picked.user]},
                    {"popularity", data.user_popularity[picked.user]},
                    {"positive", items.indices(picked.shown_positive)},
                    {"held_out", items.indices(picked.shown_held_out)},
                    {"negative", items.indices(picked.shown_negative)},
                    {"positives", picked.positive.size()},
                    {"held_outs", picked.held_out.size()},
                    {"negatives", picked.negative.size()}});
  }
  return list;
}

nlohmann::json PageSelection::explore_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const Row user : explore) {
    const auto own = data.items_of.row(user);
    const std::vector<Row> history(own.begin(), own.end());
    const std::vector<Row> held_out = held_out_items(data, user);
    list.push_back({{"id", short_id(data.users.text(user))},
                    {"group", user_group[user]},
                    {"popularity", data.user_popularity[user]},
                    {"history", items.indices(most_popular(history, data, kShownHistory))},
                    {"held_out", items.indices(most_popular(held_out, data, kShownHistory))},
                    {"histories", history.size()},
                    {"held_outs", held_out.size()}});
  }
  return list;
}

std::optional<RowMap> map_rows(const data::Dataset& data, const model::Model& model) {
  auto users = find_all(data.users, model.user_ids);
  auto items = find_all(data.items, model.item_ids);
  if (!users || !items || model.item_ids.size() != items->size()) return std::nullopt;
  RowMap map{std::move(*users), std::move(*items), std::vector<Row>(model.item_ids.size())};
  for (Row row = 0; row < map.items.size(); ++row) map.items_back[map.items[row]] = row;
  return map;
}

}  // namespace evenkeel::report
