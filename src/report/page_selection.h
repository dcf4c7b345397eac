// Who and what appears on the page. In: a data set; out: users whose geometry is drawn, users to
// explore, and the table of all items that anything names.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <vector>

#include "data/dataset.h"
#include "data/titles.h"
#include "model/model.h"

namespace evenkeel::report {

// Items that the page names, numbered as they come.
class ItemTable {
 public:
  ItemTable(const data::Dataset& data, const data::Titles& titles);  // which must outlive it
  std::size_t index(Row item);
  nlohmann::json indices(const std::vector<Row>& items);
  nlohmann::json to_json() const;
  // Of every item so far, from a list with one value for each row of the data.
  nlohmann::json values(const std::vector<std::uint64_t>& by_row) const;

 private:
  const data::Dataset& data_;
  const data::Titles& titles_;
  std::vector<std::uint8_t> group_;
  std::vector<Row> items_;
  std::unordered_map<Row, std::size_t> index_;
};

struct PickedUser {
  Row user = 0;
  std::vector<Row> positive, held_out, negative;                    // all of them, ascending
  std::vector<Row> shown_positive, shown_held_out, shown_negative;  // what is drawn
};

struct PageSelection {
  PageSelection(const data::Dataset& data, const data::Titles& titles);  // which must outlive it
  const data::Dataset& data;
  std::vector<std::uint8_t> user_group;
  std::vector<PickedUser> users;
  std::vector<Row> explore;
  ItemTable items;

  nlohmann::json users_json();
  nlohmann::json explore_json();
};

// Items of validation and tests that the user has not in training, ascending.
std::vector<Row> held_out_items(const data::Dataset& data, Row user);

// Rows of the page's data set in a model whose numbering may differ (another split seed).
struct RowMap {
  std::vector<Row> users, items;  // by row of the data set
  std::vector<Row> items_back;    // by row of the model
};
std::optional<RowMap> map_rows(const data::Dataset& data, const model::Model& model);

}  // namespace evenkeel::report
