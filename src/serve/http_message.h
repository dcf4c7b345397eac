// HTTP/1.1 as much as a service behind a proxy needs. In: bytes of a stranger; out: a request that
// is whole and checked, or a refusal; and an answer as bytes. Bodies come with Content-Length only:
// chunked and compressed ones are refused, so that no body can be larger than it says.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evenkeel::serve {

struct HttpLimits {
  std::size_t head = std::size_t{16} << 10;  // request line and headers
  std::size_t body = std::size_t{4} << 20;
};

struct HttpRequest {
  std::string method, path;                       // the path is decoded
  std::map<std::string, std::string> parameters;  // of the query, decoded
  std::map<std::string, std::string> headers;     // names in small letters
  std::string body;
  bool keep_alive = true;
  bool local = false;                             // from this machine
  std::chrono::steady_clock::time_point arrived;  // its last byte
  const std::string* header(const std::string& name) const;
  const std::string* parameter(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string body;
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

struct HttpRefusal {
  int status = 400;
  std::string sentence;
};

// One request out of a connection's bytes. take() is called whenever bytes were added; once it
// gives kWhole, `request` is filled and its bytes are gone from the buffer, and the reader starts
// anew.
class RequestReader {
 public:
  explicit RequestReader(const HttpLimits& limits) : limits_(limits) {}
  enum class State { kPartial, kWhole, kRefused };
  State take(std::string& buffer, HttpRequest& request, HttpRefusal& refusal);
  bool begun() const { return head_size_ > 0; }         // the head is there, the body not yet
  std::size_t body_size() const { return body_size_; }  // of the request that is under way
  bool expects_continue() const { return continue_; }   // the client waits for "100 Continue"
  void continued() { continue_ = false; }

 private:
  HttpLimits limits_;
  HttpRequest head_;
  std::size_t searched_ = 0, head_size_ = 0, body_size_ = 0;
  bool continue_ = false;
};

// The head of a request, without its last empty line.
std::optional<HttpRefusal> parse_head(std::string_view text, HttpRequest& request);

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank);

// The bytes to send. `close` says so to the client; a HEAD gets the head alone.
std::string response_text(const HttpResponse& response, bool close, bool head_only);

std::string_view status_text(int status);

}  // namespace evenkeel::serve
