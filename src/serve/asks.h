// What a client asks for. In: the query of an address or a JSON body; out: a checked wish, or a
// config error with the sentence of the command line. Whatever is not known is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rank/reranking.h"
#include "serve/http_message.h"

namespace evenkeel::serve {

struct ListAsk {
  std::vector<std::string> users;  // one of GET /recommend, many of a batch
  bool folds_in = false;           // `items` instead of a user
  std::vector<std::string> items;
  std::size_t k = 20;
  std::optional<double> debias;  // as trained unless given
  rank::RerankAsk rerank;        // none unless given
  bool popular = false;          // the popular items answer for people nothing is known of
  bool include_seen = false;
  std::vector<std::string> exclude;
  std::optional<std::vector<std::string>> only;
};

ListAsk ask_of_query(const HttpRequest& request);  // GET /recommend
ListAsk ask_of_body(const HttpRequest& request);   // POST /recommend
ListAsk ask_of_batch(const HttpRequest& request);  // POST /recommend/batch

struct SimilarAsk {
  std::string item;
  std::size_t k = 20;
  double debias = 0;
};
SimilarAsk similar_ask(const HttpRequest& request);

struct FindAsk {
  std::string text;
  bool users = false;
  std::size_t most = 20;
};
FindAsk find_ask(const HttpRequest& request);

std::string history_ask(const HttpRequest& request);  // the user

inline constexpr std::size_t kMostInBatch = 10000;
// Items of all lists of an answer: it takes some 400 bytes of memory for each while it is made.
inline constexpr std::size_t kMostListed = 200000;

}  // namespace evenkeel::serve
