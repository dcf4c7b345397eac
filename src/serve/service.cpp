// In: requests. Out: answers; what goes wrong is JSON with one sentence.
#include "serve/service.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <new>
#include <nlohmann/json.hpp>

#include "base/regular_file.h"
#include "base/threads.h"
#include "io/json_text.h"
#include "kernels/rows.h"
#include "serve/page.h"

namespace evenkeel::serve {
namespace {

using nlohmann::json;

HttpResponse json_response(const json& body, int status = 200) {
  HttpResponse response;
  response.status = status;
  response.body = io::dump_json(body) + "\n";
  return response;
}

HttpResponse error_response(int status, const std::string& sentence) {
  return json_response({{"error", sentence}}, status);
}

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kConfig:
      return 400;
    case ErrorKind::kData:
      return 422;
    default:
      return 500;
  }
}

// Takes as long for a wrong token as for a right one of the same length.
bool same_secret(std::string_view given, std::string_view wanted) {
  unsigned difference = given.size() == wanted.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = wanted[i % wanted.size()];
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0;
}

std::string time_text(WallClock::time_point time) {
  const std::time_t seconds = WallClock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), size};
}

double seconds_since(WallClock::time_point time) {
  return std::chrono::duration<double>(WallClock::now() - time).count();
}

// Browsers let any site send a POST to this machine, and say which one did.
bool foreign_page(const HttpRequest& request) {
  const std::string* origin = request.header("origin");
  const std::string* host = request.header("host");
  if (origin == nullptr) return false;
  const std::size_t scheme = origin->find("://");
  return host == nullptr || scheme == origin->npos || origin->substr(scheme + 3) != *host;
}

std::string in_small_letters(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// A page whose own name leads here (DNS rebinding) sends that name along. Programs that name no
// host are no browsers.
bool names_this_machine(const HttpRequest& request) {
  const std::string* host = request.header("host");
  if (host == nullptr) return true;
  const std::string name = in_small_letters(*host);
  const std::size_t colon = name.find(':', name.starts_with('[') ? name.find(']') : 0);
  const std::string bare = name.substr(0, colon);
  return bare == "localhost" || bare == "127.0.0.1" || bare == "[::1]";
}

struct Route {
  std::string_view path, method;
};
// Every path and what may be asked of it; the order is that of the documentation.
constexpr std::array kRoutes{
    Route{"/recommend", "GET"},    Route{"/recommend", "POST"}, Route{"/recommend/batch", "POST"},
    Route{"/similar", "GET"},      Route{"/find", "GET"},       Route{"/history", "GET"},
    Route{"/health", "GET"},       Route{"/metrics", "GET"},    Route{"/reload", "POST"},
    Route{"/openapi.json", "GET"}, Route{"/", "GET"},
};

HttpResponse page_response() {
  HttpResponse response;
  response.type = "text/html; charset=utf-8";
  response.body = search_page();
  response.headers.emplace_back(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src "
      "'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  return response;
}

HttpResponse wrong_route(const HttpRequest& request) {
  std::string allowed;
  for (const Route& route : kRoutes) {
    if (route.path != request.path) continue;
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
  }
  if (allowed.empty()) {
    return error_response(404, fmt::format("there is no {}; /openapi.json lists what there is",
                                           request.path.substr(0, 100)));
  }
  HttpResponse response = error_response(
      405, fmt::format("{} does not take {}; send {}", request.path, request.method, allowed));
  response.headers.emplace_back("Allow", allowed);
  return response;
}

}  // namespace

std::string read_token(const std::string& path) {
  std::string token = read_regular_file(path, std::uint64_t{64} << 10);
  token.resize(std::min(token.find('\n'), token.size()));
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  const bool visible =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!visible || token.size() < 16) {
    fail_data("{}: its first line is no token; write at least 16 letters, digits or signs", path);
  }
  return token;
}

Service::Service(const ServeOptions& options)
    : token_(options.token),
      models_(options.source),
      batcher_(options.threads > 0 ? options.threads : available_cores()) {
  http_.emplace(options.http, [this](const HttpRequest& request) { return answer(request); });
}

bool Service::trusted(const HttpRequest& request) const {
  if (token_.empty()) return true;
  constexpr std::string_view kBearer = "bearer ";  // schemes are the same in any case
  const std::string* given = request.header("authorization");
  return given != nullptr && in_small_letters(given->substr(0, kBearer.size())) == kBearer &&
         same_secret(std::string_view(*given).substr(kBearer.size()), token_);
}

HttpResponse Service::health(bool trusted) const {
  const auto served = models_.get();
  const auto status = models_.status();
  json body{{"status", status.failure ? "degraded" : "ok"}};
  if (trusted) {
    body["model"] = {{"generation", served->generation},
                     {"users", served->model.users.rows()},
                     {"items", served->model.items.rows()},
                     {"dim", served->model.items.dim()},
                     {"score", model::score_name(served->model.score)},
                     {"debias", served->model.debias},
                     {"titles", served->titles.found},
                     {"written", time_text(served->written)},
                     {"loaded", time_text(served->loaded)}};
    if (served->near) {
      body["approximate"] = {{"recall@20", served->near->recall()},
                             {"candidates", served->near->candidates()}};
    }
    body["uptime_seconds"] = static_cast<std::int64_t>(seconds_since(began_));
    if (status.failure) {
      body["reload"] = {{"error", *status.failure},
                        {"tried", time_text(status.tried)},
                        {"serving", "the model before it"}};
    }
  }
  return json_response(body);
}

HttpResponse Service::reload(const HttpRequest& request) {
  if (token_.empty() && !request.local) {
    return error_response(403, "without a token only this machine may ask for a reload");
  }
  if (token_.empty() && !names_this_machine(request)) {
    return error_response(403,
                          "without a token a reload is asked for at localhost, 127.0.0.1 or [::1]");
  }
  if (foreign_page(request)) {
    return error_response(403, "a page of another site may not ask for a reload");
  }
  const auto done = models_.try_reload();
  const auto status = models_.status();
  if (!done) {
    return error_response(409, "a reload is under way; ask again when it is done");
  }
  if (!*done) {
    return json_response(
        {{"error", status.failure.value_or("")}, {"serving", "the model before it"}}, 500);
  }
  const auto served = models_.get();
  return json_response({{"generation", served->generation},
                        {"users", served->model.users.rows()},
                        {"items", served->model.items.rows()},
                        {"seconds", served->seconds}});
}

HttpResponse Service::figures() const {
  const auto served = models_.get();
  const auto status = models_.status();
  const auto http = http_->counts();
  const auto batches = batcher_.counts();
  const auto number = [](auto value) { return static_cast<double>(value); };
  HttpResponse response;
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  std::vector<Metrics::Gauge> gauges{
      {"evenkeel_up_seconds", "Since the service began.", seconds_since(began_)},
      {"evenkeel_model_age_seconds", "Since the model's file was written.",
       seconds_since(served->written)},
      {"evenkeel_model_generation", "1 for the first model, then one more for each reload.",
       number(served->generation)},
      {"evenkeel_model_users", "Users of the model.", number(served->model.users.rows())},
      {"evenkeel_model_items", "Items of the model.", number(served->model.items.rows())},
      {"evenkeel_model_load_seconds", "To load the model.", served->seconds},
      {"evenkeel_reloads_total", "Reloads that were tried.", number(status.reloads), true},
      {"evenkeel_reload_failures_total", "Reloads that kept the old model.",
       number(status.failures), true},
      {"evenkeel_connections", "Open connections.", number(http.connections)},
      {"evenkeel_waiting_requests", "Requests in line.", number(http.waiting)},
      {"evenkeel_turned_away_total", "Connections and requests that met too many others.",
       number(http.turned_away), true},
      {"evenkeel_passes_total", "Passes over the items.", number(batches.passes), true},
      {"evenkeel_ranked_total", "Lists that these passes made.", number(batches.queries), true},
  };
  if (served->near) {
    gauges.push_back({"evenkeel_approximate_recall",
                      "Share of the exact lists of 20 that is found.", served->near->recall()});
  }
  response.body = metrics_.text(gauges);
  return response;
}

HttpResponse Service::route(const HttpRequest& request, std::string& endpoint) {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  const bool known = std::any_of(kRoutes.begin(), kRoutes.end(), [&](const Route& one) {
    return one.path == request.path && one.method == method;
  });
  if (!known) return wrong_route(request);
  endpoint = request.path;
  if (request.path == "/") return page_response();
  if (request.path == "/openapi.json") return {200, std::string(openapi_text())};
  if (request.path == "/health") return health(trusted(request));
  if (!trusted(request)) {
    HttpResponse response =
        error_response(401, "a token is needed; send the header Authorization: Bearer TOKEN");
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
  }
  if (request.path == "/metrics") return figures();
  if (request.path == "/reload") return reload(request);
  const auto served = models_.get();
  if (request.path == "/recommend") {
    const ListAsk ask = method == "GET" ? ask_of_query(request) : ask_of_body(request);
    return json_response(recommend_answer(*served, ask, batcher_));
  }
  if (request.path == "/recommend/batch") {
    return json_response(batch_answer(*served, ask_of_batch(request), batcher_));
  }
  if (request.path == "/similar") {
    return json_response(similar_answer(*served, similar_ask(request), batcher_));
  }
  if (request.path == "/find") return json_response(find_answer(*served, find_ask(request)));
  return json_response(history_answer(*served, history_ask(request)));
}

HttpResponse Service::answer(const HttpRequest& request) {
  std::string endpoint = "other";
  HttpResponse response;
  try {
    response = route(request, endpoint);
  } catch (const ClientError& error) {
    json body{{"error", error.sentence}};
    if (error.fallback) body["fallback"] = "popular";
    response = json_response(body, error.status);
  } catch (const Error& error) {
    response = error_response(status_of(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    response = error_response(503, "out of memory; ask for less at once");
  } catch (const std::exception&) {
    response = error_response(500, "internal error; please report it");
  }
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  metrics_.record(endpoint, response.status,
                  std::chrono::duration<double>(Metrics::Clock::now() - request.arrived).count());
  return response;
}

}  // namespace evenkeel::serve
