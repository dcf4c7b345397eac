// From wishes to answers. In: the model in use and a checked wish; out: JSON. The items of a list
// are those of the command line, to the bit.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/error.h"
#include "serve/asks.h"
#include "serve/batcher.h"
#include "serve/model_slot.h"

namespace evenkeel::serve {

// An error of a client with a status of its own.
struct ClientError : Error {
  ClientError(int code, const std::string& text, bool popular_helps = false)
      : Error(ErrorKind::kData, text), sentence(text), status(code), fallback(popular_helps) {}
  std::string sentence;  // what() ends at a NUL byte, and an id that was asked for may hold one
  int status;
  bool fallback;  // fallback=popular would have answered
};

nlohmann::json recommend_answer(const Served& served, const ListAsk& ask, Batcher& batcher);
nlohmann::json batch_answer(const Served& served, const ListAsk& ask, Batcher& batcher);
nlohmann::json similar_answer(const Served& served, const SimilarAsk& ask, Batcher& batcher);
nlohmann::json find_answer(const Served& served, const FindAsk& ask);
nlohmann::json history_answer(const Served& served, const std::string& user);

}  // namespace evenkeel::serve
