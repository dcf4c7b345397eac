// In: names and values of a client. Out: wishes; k, debias and the others go through the fields
// that make the command line's options, so that both say the same of a wrong value.
#include "serve/asks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/settings.h"
#include "io/json_text.h"
#include "rank/correction.h"

namespace evenkeel::serve {
namespace {

using nlohmann::json;

Field top_field() {
  return {"k", std::int64_t{20}, "items per list", 1, 1e6};
}

Settings list_settings() {
  const Field fields[] = {
      top_field(),
      {"debias", std::string("trained"), "strength of the popularity correction"},
      {"fallback",
       std::string("error"),
       "for a user the model does not know",
       0,
       0,
       {"error", "popular"}},
      {"include_seen", false, "also items that the log holds of the user"},
      {"rerank", std::string(rank::kNoReranker), "how lists are made of the best candidates"},
      {"rerank_strength", std::string(), "how far it may leave the ranking"},
      {"rerank_candidates", std::int64_t{100}, "candidates that it chooses from", 1, 1e6},
  };
  return Settings(fields);
}

// An unknown name is refused with those that are known.
void refuse_unknown(std::string_view name, std::vector<std::string_view> known) {
  fail_config("{}", unknown_name("parameter", name, known));
}

void apply(const Settings& settings, ListAsk& ask) {
  ask.k = static_cast<std::size_t>(settings.integer("k"));
  if (settings.text("debias") != "trained") {
    ask.debias = rank::parse_debias(settings.text("debias"), "debias");
  }
  rank::RerankWords words{settings.text("rerank")};
  if (settings.is_set("rerank_strength")) words.strength = settings.text("rerank_strength");
  if (settings.is_set("rerank_candidates")) {
    words.candidates = static_cast<std::size_t>(settings.integer("rerank_candidates"));
  }
  ask.rerank = rank::rerank_ask(words);
  ask.popular = settings.text("fallback") == "popular";
  ask.include_seen = settings.flag("include_seen");
}

// The settings of a query; `own` are the names that the caller reads itself.
void read_query(const HttpRequest& request, Settings& settings,
                const std::vector<std::string_view>& own) {
  std::vector<std::string_view> known = own;
  for (const Field* field : settings.fields()) known.push_back(field->name);
  for (const auto& [name, value] : request.parameters) {
    if (settings.has(name)) {
      settings.set(name, std::string_view(value), name);
    } else if (std::find(own.begin(), own.end(), name) == own.end()) {
      refuse_unknown(name, known);
    }
  }
}

std::string needed(const HttpRequest& request, const std::string& name, std::string_view example) {
  const std::string* value = request.parameter(name);
  if (value == nullptr || value->empty()) fail_config("{} is missing; ask {}", name, example);
  return *value;
}

// Ids are texts; whole numbers are taken for the text they print as.
std::string id_of(const json& value, std::string_view name) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  fail_config("{} holds {}; ids are texts or whole numbers", name,
              io::dump_json(value).substr(0, 80));
}

std::vector<std::string> ids_of(const json& value, std::string_view name) {
  if (!value.is_array()) fail_config("{} is no list; give a list of ids", name);
  std::vector<std::string> ids;
  ids.reserve(value.size());
  for (const json& one : value) ids.push_back(id_of(one, name));
  return ids;
}

std::string scalar_text(const json& value, std::string_view name) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  fail_config("{} is {}; give one value", name, io::dump_json(value).substr(0, 80));
}

// Of the outermost object: which of two values was meant, nobody can tell.
class KeysOnce final : public nlohmann::json_sax<json> {
 public:
  const std::string& repeated() const { return repeated_; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(json::number_integer_t) override { return true; }
  bool number_unsigned(json::number_unsigned_t) override { return true; }
  bool number_float(json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool end_object() override { return depth_-- > 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_array() override { return depth_-- > 0; }
  bool key(std::string& name) override {
    if (depth_ > 1 || keys_.insert(name).second) return true;
    repeated_ = name;
    return false;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  int depth_ = 0;
  std::set<std::string> keys_;
  std::string repeated_;
};

json body_of(const HttpRequest& request) {
  json body = io::parse_json(request.body);
  if (body.is_discarded()) fail_config("the body is no JSON; send an object in UTF-8");
  if (!body.is_object()) fail_config("the body is no JSON object; send {{...}}");
  KeysOnce keys;
  if (!json::sax_parse(request.body, &keys)) {
    fail_config("the body gives {} twice; give it once", keys.repeated().substr(0, 80));
  }
  return body;
}

ListAsk read_body(const HttpRequest& request, std::string_view who) {
  if (!request.parameters.empty()) {
    fail_config("the address gives {}, but a POST is asked by its body; put it there",
                request.parameters.begin()->first.substr(0, 80));
  }
  const json body = body_of(request);
  ListAsk ask;
  Settings settings = list_settings();
  bool user = false;
  for (const auto& [name, value] : body.items()) {
    if (settings.has(name)) {
      settings.set(name, std::string_view(scalar_text(value, name)), name);
    } else if (name == "exclude") {
      ask.exclude = ids_of(value, name);
    } else if (name == "only") {
      ask.only = ids_of(value, name);
    } else if (name == "users" && who == "users") {
      ask.users = ids_of(value, name);
      user = true;
    } else if (name == "user" && who == "user") {
      ask.users = {id_of(value, name)};
      user = true;
    } else if (name == "items" && who == "user") {
      ask.items = ids_of(value, name);
      ask.folds_in = true;
    } else {
      std::vector<std::string_view> known{"exclude", "only", who};
      if (who == "user") known.push_back("items");
      for (const Field* field : settings.fields()) known.push_back(field->name);
      refuse_unknown(name, known);
    }
  }
  if (user == ask.folds_in) {
    fail_config("{}",
                who == "user" ? "give either user or items" : "users is missing; give a list");
  }
  apply(settings, ask);
  return ask;
}

}  // namespace

ListAsk ask_of_query(const HttpRequest& request) {
  Settings settings = list_settings();
  read_query(request, settings, {"user"});
  ListAsk ask;
  ask.users = {needed(request, "user", "/recommend?user=ID")};
  apply(settings, ask);
  return ask;
}

ListAsk ask_of_body(const HttpRequest& request) {
  return read_body(request, "user");
}

ListAsk ask_of_batch(const HttpRequest& request) {
  ListAsk ask = read_body(request, "users");
  if (ask.users.size() > kMostInBatch) {
    fail_config("users holds {} ids; give at most {} at once", ask.users.size(), kMostInBatch);
  }
  return ask;
}

SimilarAsk similar_ask(const HttpRequest& request) {
  const Field debias{"debias", 0.0, "strength of the popularity correction", 0.0,
                     model::kMostDebias};
  const Field fields[] = {top_field(), debias};
  Settings settings(fields);
  read_query(request, settings, {"item"});
  return {needed(request, "item", "/similar?item=ID"),
          static_cast<std::size_t>(settings.integer("k")), settings.number("debias")};
}

FindAsk find_ask(const HttpRequest& request) {
  const Field kind{"kind", std::string("item"), "what to look for", 0, 0, {"item", "user"}};
  const Field most{"k", std::int64_t{20}, "hits to give", 1, 1000};
  const Field fields[] = {kind, most};
  Settings settings(fields);
  read_query(request, settings, {"q"});
  const std::string* text = request.parameter("q");
  if (text == nullptr) fail_config("q is missing; ask /find?q=TEXT");
  return {*text, settings.text("kind") == "user", static_cast<std::size_t>(settings.integer("k"))};
}

std::string history_ask(const HttpRequest& request) {
  Settings settings;
  read_query(request, settings, {"user"});
  return needed(request, "user", "/history?user=ID");
}

}  // namespace evenkeel::serve
