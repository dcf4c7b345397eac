// The service behind the address. In: HTTP requests and the options of `evenkeel serve`; out:
// answers, each with a fitting status; figures of what was done.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "serve/answers.h"
#include "serve/http_server.h"
#include "serve/metrics.h"
#include "serve/model_slot.h"

namespace evenkeel::serve {

struct ServeOptions {
  ModelSlot::Source source;
  HttpOptions http;
  int threads = 0;    // passes over the items at the same time; 0: all cores
  std::string token;  // empty: none is asked for
};

// A bearer token from a file: one line of visible characters.
std::string read_token(const std::string& path);

class Service {
 public:
  // Loads the model and answers from then on.
  explicit Service(const ServeOptions& options);

  int port() const { return http_->port(); }
  ModelSlot& models() { return models_; }
  void stop() { http_->stop(); }

 private:
  HttpResponse answer(const HttpRequest& request);
  HttpResponse route(const HttpRequest& request, std::string& endpoint);
  HttpResponse health(bool trusted) const;
  HttpResponse reload(const HttpRequest& request);
  HttpResponse figures() const;
  bool trusted(const HttpRequest& request) const;

  std::string token_;
  ModelSlot models_;
  Batcher batcher_;
  Metrics metrics_;
  const WallClock::time_point began_ = WallClock::now();
  std::optional<HttpServer> http_;  // last: it calls answer()
};

}  // namespace evenkeel::serve
