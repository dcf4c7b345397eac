// Connections to requests. In: a host, a port and a function from a request to its answer; out:
// answers over HTTP, from a few threads at any number of connections. One thread waits for all
// connections and reads; a request goes to a worker only when it is whole, and what a client does
// not take of its answer at once goes back to the waiting thread, so that a slow client costs a
// buffer and never a thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "serve/http_message.h"

namespace evenkeel::serve {

struct HttpOptions {
  std::string host = "127.0.0.1";
  int port = 8080;                       // 0: a free one
  int workers = 0;                       // 0: four for each core, at least eight
  std::size_t most_waiting = 512;        // whole requests in line; further ones are answered 503
  std::size_t most_connections = 16384;  // also bounded by the files this process may open
  std::size_t most_bodies = std::size_t{256} << 20;  // bytes of bodies on their way, together
  std::size_t most_unsent = std::size_t{256} << 20;  // of answers that clients have not taken yet
  std::chrono::milliseconds request_time{10000};     // from its first byte to its last
  std::chrono::milliseconds idle_time{60000};        // between requests of one connection
  std::chrono::milliseconds answer_time{10000};      // for a client to take its answer
  HttpLimits limits;
};

class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;  // from many threads at once

  // Listens when it returns. An address that cannot be had is a run error.
  HttpServer(const HttpOptions& options, Handler handler);
  ~HttpServer();  // stop()
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  void stop();  // no new requests; those that are whole are answered first

  struct Counts {
    std::size_t connections = 0, waiting = 0;
    std::uint64_t turned_away = 0;  // because too many were waiting or connected
  };
  Counts counts() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace evenkeel::serve
