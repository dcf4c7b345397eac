// In: wishes. Out: lists with ids, titles and scores.
#include "serve/answers.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/csr.h"
#include "rank/fold_in.h"

namespace evenkeel::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kMostToldUnknown = 100;
constexpr std::string_view kTrain = "or train again with this user's interactions",
                           kTrainOrFallBack =
                               "train again with this user's interactions, or give "
                               "fallback=popular";

// The double that prints as shortly as the float does.
double shortest(float score) {
  return std::strtod(fmt::format("{}", score).c_str(), nullptr);
}

json item_entry(const Served& served, Row item) {
  json entry{{"item", served.model.item_ids.text(item)}};
  if (const auto title = served.titles.of(item); !title.empty()) entry["title"] = title;
  return entry;
}

json list_json(const Served& served, const rank::List& list) {
  json items = json::array();
  for (const kernels::Ranked& ranked : list) {
    json entry = item_entry(served, ranked.item);
    entry["score"] = shortest(ranked.score);
    items.push_back(std::move(entry));
  }
  return items;
}

// Rows of ids, ascending; those that are not in the model go to `unknown`.
std::vector<Row> rows_of(const Served& served, const std::vector<std::string>& ids,
                         std::vector<std::string>& unknown) {
  std::vector<Row> rows;
  for (const std::string& id : ids) {
    if (const auto row = served.model.item_ids.find(id)) {
      rows.push_back(*row);
    } else if (unknown.size() < kMostToldUnknown) {
      unknown.push_back(id);
    }
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// The filters of a wish, by row.
struct Filters {
  Filters(const Served& served, const ListAsk& ask) {
    exclude = rows_of(served, ask.exclude, unknown);
    if (ask.only) only = rows_of(served, *ask.only, unknown);
  }
  std::vector<Row> masked(std::vector<Row> seen) const {
    std::vector<Row> both;
    std::set_union(seen.begin(), seen.end(), exclude.begin(), exclude.end(),
                   std::back_inserter(both));
    return both;
  }
  std::optional<std::span<const Row>> limit() const {
    if (!only) return std::nullopt;
    return std::span<const Row>(*only);
  }
  std::vector<Row> exclude;
  std::optional<std::vector<Row>> only;
  std::vector<std::string> unknown;  // ids that are not in the model
};

rank::List popular_list(const Served& served, const ListAsk& ask, const Filters& filters,
                        const std::vector<Row>& masked) {
  const std::size_t k = std::min(ask.k, served.model.items.rows());
  if (!filters.only) return served.lists.popular().list(k, masked);
  rank::List list;
  for (const kernels::Ranked& entry :
       served.lists.popular().list(served.model.items.rows(), masked)) {
    if (list.size() == k) break;
    if (std::binary_search(filters.only->begin(), filters.only->end(), entry.item)) {
      list.push_back(entry);
    }
  }
  return list;
}

// What is asked for once k is cut to the catalogue must fit into one answer.
void refuse_too_much(const Served& served, std::size_t k, std::size_t lists) {
  const std::size_t most = std::min(k, served.model.items.rows());
  if (lists * most > kMostListed) {
    fail_config("k is {} for {} list{}, which makes {} items; ask for at most {} at once", k, lists,
                lists == 1 ? "" : "s", lists * most, kMostListed);
  }
}

void tell_unknown(json& answer, const std::vector<std::string>& unknown) {
  if (!unknown.empty()) answer["unknown_items"] = unknown;
}

std::string unknown_user(const Served& served, const std::string& user,
                         std::string_view remedy = kTrainOrFallBack) {
  return fmt::format("user '{}' is not in the model ({} users); check the id, {}", user,
                     served.model.user_ids.size(), remedy);
}

// A person without a row, known by items.
json fold_in_answer(const Served& served, const ListAsk& ask, Batcher& batcher) {
  Filters filters(served, ask);
  const std::vector<Row> used = rows_of(served, ask.items, filters.unknown);
  const std::vector<Row> masked = filters.masked(ask.include_seen ? std::vector<Row>{} : used);
  json answer;
  tell_unknown(answer, filters.unknown);
  if (used.empty()) {
    if (!ask.popular) {
      throw ClientError(422,
                        ask.items.empty()
                            ? std::string("no item is given; name at least one that the user has "
                                          "used, or give fallback=popular")
                            : fmt::format("none of the {} items is in the model ({} items); check "
                                          "the ids, or give fallback=popular",
                                          ask.items.size(), served.model.item_ids.size()),
                        true);
    }
    answer["items"] = list_json(served, popular_list(served, ask, filters, masked));
    answer["fallback"] = "popular";
    return answer;
  }
  data::Csr history;
  history.columns = used;
  history.offsets.push_back(used.size());
  Threads one(1);
  const Matrix user = served.lists.fold_in().users(history, one);
  const double debias = served.lists.checked_debias(ask.debias.value_or(served.model.debias));
  const rank::Reranking reranking = served.lists.reranking(ask.rerank);
  const rank::ListQuery query{user.values(0), reranking.candidates(ask.k), debias, masked,
                              filters.limit()};
  rank::List list = batcher.rank(served.ranking(), std::span(&query, 1)).front();
  reranking.apply(used, ask.k, list);
  answer["items"] = list_json(served, list);
  answer["debias"] = debias;
  return answer;
}

// One user of a request: what it asks of the index, or why it asks nothing.
struct Person {
  std::optional<Row> row;
  bool popular = false;
  std::vector<Row> masked;
};

Person person_of(const Served& served, const ListAsk& ask, const Filters& filters,
                 const std::string& user) {
  Person person;
  person.row = served.model.user_ids.find(user);
  const bool trained = person.row && served.model.user_popularity[*person.row] > 0;
  person.popular = ask.popular && !trained;
  std::vector<Row> seen;
  if (person.row && !ask.include_seen) seen = served.lists.seen(*person.row);
  person.masked = filters.masked(std::move(seen));
  return person;
}

}  // namespace

json batch_answer(const Served& served, const ListAsk& ask, Batcher& batcher) {
  refuse_too_much(served, ask.k, ask.users.size());
  const Filters filters(served, ask);
  const double debias = served.lists.checked_debias(ask.debias.value_or(served.model.debias));
  const rank::Reranking reranking = served.lists.reranking(ask.rerank);
  json lists = json::array();
  for (std::size_t begin = 0; begin < ask.users.size(); begin += kQueriesAtOnce) {
    const std::size_t end = std::min(ask.users.size(), begin + kQueriesAtOnce);
    std::vector<Person> people;
    std::vector<rank::ListQuery> queries;
    for (std::size_t u = begin; u < end; ++u) {
      people.push_back(person_of(served, ask, filters, ask.users[u]));
    }
    for (const Person& person : people) {
      if (!person.row || person.popular) continue;
      queries.push_back({served.model.users.values(*person.row), reranking.candidates(ask.k),
                         debias, person.masked, filters.limit()});
    }
    auto ranked =
        queries.empty() ? std::vector<rank::List>{} : batcher.rank(served.ranking(), queries);
    auto next = ranked.begin();
    for (std::size_t u = begin; u < end; ++u) {
      const Person& person = people[u - begin];
      json entry{{"user", ask.users[u]}};
      if (person.popular) {
        entry["items"] = list_json(served, popular_list(served, ask, filters, person.masked));
        entry["fallback"] = "popular";
      } else if (!person.row) {
        entry["error"] = unknown_user(served, ask.users[u]);
      } else {
        reranking.apply(served.model.known.row(*person.row), ask.k, *next);
        entry["items"] = list_json(served, *next++);
      }
      lists.push_back(std::move(entry));
    }
  }
  json answer{{"lists", std::move(lists)}, {"debias", debias}};
  tell_unknown(answer, filters.unknown);
  return answer;
}

json recommend_answer(const Served& served, const ListAsk& ask, Batcher& batcher) {
  refuse_too_much(served, ask.k, 1);
  if (ask.folds_in) return fold_in_answer(served, ask, batcher);
  const std::string& user = ask.users.front();
  const Filters filters(served, ask);
  const Person person = person_of(served, ask, filters, user);
  json answer{{"user", user}};
  tell_unknown(answer, filters.unknown);
  if (person.popular) {
    answer["items"] = list_json(served, popular_list(served, ask, filters, person.masked));
    answer["fallback"] = "popular";
    return answer;
  }
  if (!person.row) throw ClientError(404, unknown_user(served, user), true);
  const double debias = served.lists.checked_debias(ask.debias.value_or(served.model.debias));
  const rank::Reranking reranking = served.lists.reranking(ask.rerank);
  const rank::ListQuery query{served.model.users.values(*person.row), reranking.candidates(ask.k),
                              debias, person.masked, filters.limit()};
  rank::List list = batcher.rank(served.ranking(), std::span(&query, 1)).front();
  reranking.apply(served.model.known.row(*person.row), ask.k, list);
  answer["items"] = list_json(served, list);
  answer["debias"] = debias;
  if (served.model.user_popularity[*person.row] == 0) {
    answer["note"] =
        "the user had no training interactions, so the list is arbitrary; fallback=popular gives "
        "the popular items";
  }
  return answer;
}

json similar_answer(const Served& served, const SimilarAsk& ask, Batcher& batcher) {
  const auto row = served.model.item_ids.find(ask.item);
  if (!row) {
    throw ClientError(404, fmt::format("item '{}' is not in the model ({} items); check the id, or "
                                       "train again with this item's interactions",
                                       ask.item, served.model.item_ids.size()));
  }
  refuse_too_much(served, ask.k, 1);
  const double debias = served.lists.checked_likeness_debias(ask.debias);
  const rank::ListQuery query{
      served.model.items.values(*row), ask.k, debias, std::span(&*row, 1), {}};
  json answer = item_entry(served, *row);
  answer["items"] =
      list_json(served, batcher.rank(served.likeness(), std::span(&query, 1)).front());
  return answer;
}

json find_answer(const Served& served, const FindAsk& ask) {
  json hits = json::array();
  if (ask.users) {
    for (const Row row : data::find_rows(served.model.user_ids, {}, ask.text, ask.most)) {
      hits.push_back({{"user", served.model.user_ids.text(row)},
                      {"interactions", served.model.user_popularity[row]}});
    }
  } else {
    for (const Row row :
         data::find_rows(served.model.item_ids, served.titles, ask.text, ask.most)) {
      json entry = item_entry(served, row);
      entry["interactions"] = served.model.item_popularity[row];
      hits.push_back(std::move(entry));
    }
  }
  return {{"q", ask.text}, {"hits", std::move(hits)}};
}

json history_answer(const Served& served, const std::string& user) {
  const auto row = served.model.user_ids.find(user);
  if (!row) throw ClientError(404, unknown_user(served, user, kTrain));
  json items = json::array();
  for (const Row item : served.model.known.row(*row)) {
    json entry = item_entry(served, item);
    entry["interactions"] = served.model.item_popularity[item];
    items.push_back(std::move(entry));
  }
  return {{"user", user}, {"items", std::move(items)}};
}

}  // namespace evenkeel::serve
