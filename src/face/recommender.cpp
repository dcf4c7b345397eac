// In: a model. Out: lists, vectors and ids of the public Recommender.
#include "evenkeel/recommender.h"

#include <filesystem>

#include "base/error.h"
#include "eval/ranker.h"
#include "face/state.h"
#include "rank/model_lists.h"
#include "train/run_folder.h"

namespace evenkeel {
namespace {

std::vector<std::string> texts_of(const data::Ids& ids) {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (Row row = 0; row < ids.size(); ++row) texts.emplace_back(ids.text(row));
  return texts;
}

Row row_of(const data::Ids& ids, std::string_view id, std::string_view what) {
  const auto row = ids.find(id);
  if (!row) {
    fail_data("{} '{}' is not in the model ({} {}s); check the id, or train with its interactions",
              what, id, ids.size(), what);
  }
  return *row;
}

std::vector<float> vector_of(const Matrix& table, Row row) {
  return {table.row(row), table.row(row) + table.dim()};
}

std::vector<ScoredItem> named(const model::Model& model, std::span<const kernels::Ranked> list) {
  std::vector<ScoredItem> items;
  items.reserve(list.size());
  for (const kernels::Ranked& entry : list) {
    items.push_back({std::string(model.item_ids.text(entry.item)), entry.score});
  }
  return items;
}

std::vector<ScoredItem> popular_list(const rank::ModelLists& lists, const std::optional<Row>& user,
                                     const ListOptions& options) {
  std::vector<Row> seen;
  if (user && !options.include_seen) seen = lists.seen(*user);
  return named(lists.model(), lists.popular().list(options.k, seen));
}

// Lists of users that the model knows.
std::vector<rank::List> ranked_lists(const rank::ModelLists& lists, std::span<const Row> users,
                                     const ListOptions& options) {
  const model::Model& model = lists.model();
  const double debias = lists.checked_debias(options.debias.value_or(model.debias));
  const rank::Reranking reranking = lists.reranking(rerank_ask(options.rerank));
  const std::size_t k = reranking.candidates(options.k);
  std::vector<rank::List> made(users.size());
  Threads threads(users.size() <= eval::Ranker::kBlock ? 1 : options.threads);
  threads.for_chunks(
      users.size(), eval::Ranker::kBlock, [&](std::size_t begin, std::size_t end, int) {
        std::vector<std::vector<Row>> seen(end - begin);
        std::vector<rank::ListQuery> queries;
        for (std::size_t u = begin; u < end; ++u) {
          if (!options.include_seen) seen[u - begin] = lists.seen(users[u]);
          queries.push_back({model.users.values(users[u]), k, debias, seen[u - begin], {}});
        }
        std::vector<rank::List> some = lists.ranking().rank(queries);
        for (std::size_t u = begin; u < end; ++u) {
          reranking.apply(model.known.row(users[u]), options.k, some[u - begin]);
          made[u] = std::move(some[u - begin]);
        }
      });
  return made;
}

std::vector<std::vector<ScoredItem>> lists_of(const rank::ModelLists& lists,
                                              std::span<const std::string> users,
                                              const ListOptions& options) {
  const model::Model& model = lists.model();
  if (options.k == 0) fail_config("k is 0; ask for at least 1 item per user");
  std::vector<std::optional<Row>> wanted;
  std::vector<Row> ranked;
  const auto asks_popular = [&](const std::optional<Row>& row) {
    return options.popular_for_unknown && (!row || model.user_popularity[*row] == 0);
  };
  for (const std::string& user : users) {
    wanted.push_back(options.popular_for_unknown ? model.user_ids.find(user)
                                                 : row_of(model.user_ids, user, "user"));
    if (!asks_popular(wanted.back())) ranked.push_back(*wanted.back());
  }
  const std::vector<rank::List> made = ranked_lists(lists, ranked, options);
  std::vector<std::vector<ScoredItem>> result;
  result.reserve(wanted.size());
  auto next = made.begin();
  for (const auto& row : wanted) {
    result.push_back(asks_popular(row) ? popular_list(lists, row, options) : named(model, *next++));
  }
  return result;
}

std::vector<ScoredItem> list_for_items(const rank::ModelLists& lists,
                                       std::span<const std::string> items,
                                       const ListOptions& options) {
  const model::Model& model = lists.model();
  if (options.k == 0) fail_config("k is 0; ask for at least 1 item");
  if (items.empty()) fail_data("no item is given; name at least one that the user has used");
  std::vector<Pair> pairs;
  for (const std::string& item : items) pairs.push_back({0, row_of(model.item_ids, item, "item")});
  const data::Csr used = data::make_csr(pairs, 1, Side::kUser);
  Threads one(1);
  const Matrix user = lists.fold_in().users(used, one);
  const rank::Reranking reranking = lists.reranking(rerank_ask(options.rerank));
  const double debias = lists.checked_debias(options.debias.value_or(model.debias));
  rank::ListQuery query{user.values(0), reranking.candidates(options.k), debias, {}, {}};
  if (!options.include_seen) query.masked = used.row(0);
  rank::List list = lists.ranking().rank(std::span(&query, 1)).front();
  reranking.apply(used.row(0), options.k, list);
  return named(model, list);
}

std::vector<ScoredItem> list_like(const rank::ModelLists& lists, const std::string& item,
                                  std::size_t k, double debias) {
  const model::Model& model = lists.model();
  if (k == 0) fail_config("k is 0; ask for at least 1 item");
  const Row row = row_of(model.item_ids, item, "item");
  const double strength = lists.checked_likeness_debias(debias);
  const rank::ListQuery query{model.items.values(row), k, strength, std::span(&row, 1), {}};
  return named(model, lists.likeness().rank(std::span(&query, 1)).front());
}

std::string model_file(const std::string& path) {
  std::error_code ignored;
  const bool file = std::filesystem::is_regular_file(path, ignored);
  std::string found = file ? path : train::run_file(path, train::run_files::kModel);
  if (!std::filesystem::exists(found, ignored)) {
    fail_data("{}: there is no such model; name a model.safetensors or a run folder", path);
  }
  return found;
}

}  // namespace

Recommender::Recommender(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Recommender RecommenderAccess::made_of(model::Model model) {
  return Recommender(std::make_shared<const Recommender::State>(std::move(model)));
}

Recommender Recommender::load(const std::string& path) {
  return RecommenderAccess::made_of(model::load_model(model_file(path)));
}
void Recommender::save(const std::string& path) const {
  model::save_model(state_->model, path);
}

std::size_t Recommender::users() const {
  return state_->model.users.rows();
}
std::size_t Recommender::items() const {
  return state_->model.items.rows();
}
std::size_t Recommender::dim() const {
  return state_->model.items.dim();
}
std::string Recommender::score() const {
  return std::string(model::score_name(state_->model.score));
}
double Recommender::debias() const {
  return state_->model.debias;
}
bool Recommender::knows_user(std::string_view user) const {
  return state_->model.user_ids.find(user).has_value();
}
bool Recommender::knows_item(std::string_view item) const {
  return state_->model.item_ids.find(item).has_value();
}
std::vector<std::string> Recommender::user_ids() const {
  return texts_of(state_->model.user_ids);
}
std::vector<std::string> Recommender::item_ids() const {
  return texts_of(state_->model.item_ids);
}
std::vector<float> Recommender::user_vector(std::string_view user) const {
  return vector_of(state_->model.users, row_of(state_->model.user_ids, user, "user"));
}
std::vector<float> Recommender::item_vector(std::string_view item) const {
  return vector_of(state_->model.items, row_of(state_->model.item_ids, item, "item"));
}

std::vector<ScoredItem> Recommender::recommend(const std::string& user,
                                               const ListOptions& options) const {
  return lists_of(state_->lists(), std::span(&user, 1), options).front();
}
std::vector<std::vector<ScoredItem>> Recommender::recommend_many(std::span<const std::string> users,
                                                                 const ListOptions& options) const {
  return lists_of(state_->lists(), users, options);
}
std::vector<ScoredItem> Recommender::recommend_for_items(std::span<const std::string> items,
                                                         const ListOptions& options) const {
  return list_for_items(state_->lists(), items, options);
}
std::vector<ScoredItem> Recommender::similar_items(const std::string& item, std::size_t k,
                                                   double debias) const {
  return list_like(state_->lists(), item, k, debias);
}

}  // namespace evenkeel
