// In: bytes. Out: requests; in: answers. Out: bytes.
#include "serve/http_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace evenkeel::serve {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), small);
  return out;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_token(std::string_view text) {
  constexpr std::string_view kOther = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (small(c) >= 'a' && small(c) <= 'z') || (c >= '0' && c <= '9') ||
           kOther.find(c) != kOther.npos;
  });
}

// Visible ASCII: a target has nothing else, whatever it means once decoded.
bool is_target(std::string_view text) {
  return text.starts_with("/") &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

HttpRefusal refuse(int status, std::string sentence) {
  return {status, std::move(sentence)};
}

std::optional<HttpRefusal> parse_query(std::string_view query, HttpRequest& request) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    auto name = percent_decoded(part.substr(0, equals), true);
    auto value = percent_decoded(part.substr(std::min(equals + 1, part.size())), true);
    if (!name || !value) {
      return refuse(400, "the address has a % without two hexadecimal digits; write %25 for it");
    }
    const auto [known, added] = request.parameters.try_emplace(std::move(*name), std::move(*value));
    if (!added)
      return refuse(400,
                    "the address gives " + known->first.substr(0, 80) + " twice; give it once");
  }
  return std::nullopt;
}

std::optional<HttpRefusal> parse_request_line(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || first == last) {
    return refuse(400, "this is no HTTP request; send METHOD TARGET HTTP/1.1");
  }
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return refuse(505, "only HTTP/1.1 and HTTP/1.0 are spoken here");
  }
  if (!is_token(method) || !is_target(target)) {
    return refuse(400, "the request line is malformed; send METHOD /path?query HTTP/1.1");
  }
  request.method = method;
  request.keep_alive = version == "HTTP/1.1";
  const std::size_t question = std::min(target.find('?'), target.size());
  auto path = percent_decoded(target.substr(0, question), false);
  if (!path) {
    return refuse(400, "the address has a % without two hexadecimal digits; write %25 for it");
  }
  request.path = std::move(*path);
  return parse_query(target.substr(std::min(question + 1, target.size())), request);
}

std::optional<HttpRefusal> parse_header(std::string_view line, HttpRequest& request) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || !is_token(line.substr(0, colon))) {
    return refuse(400, "a header is malformed; send NAME: VALUE on each line");
  }
  std::string name = small_letters(line.substr(0, colon));
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (std::any_of(value.begin(), value.end(),
                  [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == '\x7f'; })) {
    return refuse(400, "a header holds a control character; leave it out");
  }
  // What decides where a request ends must be said once.
  if ((name == "content-length" || name == "host" || name == "authorization") &&
      request.headers.contains(name)) {
    return refuse(400, fmt::format("the header {} is there twice; send it once", name));
  }
  request.headers[std::move(name)] = value;
  return std::nullopt;
}

std::optional<HttpRefusal> check_framing(const HttpRequest& request) {
  if (request.header("transfer-encoding") != nullptr) {
    return refuse(411, "a body must come with Content-Length, not in chunks");
  }
  const std::string* coding = request.header("content-encoding");
  if (coding != nullptr && *coding != "identity") {
    return refuse(415, fmt::format("a body in '{}' is not read; send plain JSON", *coding));
  }
  return std::nullopt;
}

// Digits alone; a number beyond 64 bits is a very large body.
std::optional<std::uint64_t> content_length(const HttpRequest& request) {
  const std::string* text = request.header("content-length");
  if (text == nullptr) return 0;
  std::uint64_t length = 0;
  const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), length);
  if (end != text->data() + text->size() || text->empty()) return std::nullopt;
  if (failure == std::errc::result_out_of_range) return ~std::uint64_t{0};
  if (failure != std::errc()) return std::nullopt;
  return length;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (small(c) >= 'a' && small(c) <= 'f') return small(c) - 'a' + 10;
  return -1;
}

}  // namespace

const std::string* HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? nullptr : &found->second;
}

const std::string* HttpRequest::parameter(const std::string& name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? nullptr : &found->second;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

std::optional<HttpRefusal> parse_head(std::string_view text, HttpRequest& request) {
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    auto refusal = first ? parse_request_line(line, request) : parse_header(line, request);
    if (refusal) return refusal;
    first = false;
  }
  if (first) return refuse(400, "this is no HTTP request; send METHOD TARGET HTTP/1.1");
  if (const std::string* connection = request.header("connection")) {
    const std::string words = small_letters(*connection);
    if (words.find("close") != words.npos) request.keep_alive = false;
    if (words.find("keep-alive") != words.npos) request.keep_alive = true;
  }
  return check_framing(request);
}

RequestReader::State RequestReader::take(std::string& buffer, HttpRequest& request,
                                         HttpRefusal& refusal) {
  if (head_size_ == 0) {
    const std::size_t from = searched_ < kHeadEnd.size() ? 0 : searched_ - kHeadEnd.size();
    const std::size_t end = buffer.find(kHeadEnd, from);
    searched_ = buffer.size();
    if (std::min(end, buffer.size()) > limits_.head) {
      refusal = refuse(431, fmt::format("the head of the request is longer than {} KiB; send less",
                                        limits_.head >> 10));
      return State::kRefused;
    }
    if (end == buffer.npos) return State::kPartial;
    head_ = {};
    if (auto wrong = parse_head(std::string_view(buffer).substr(0, end), head_)) {
      refusal = std::move(*wrong);
      return State::kRefused;
    }
    const auto length = content_length(head_);
    if (!length) {
      refusal = refuse(400, "Content-Length is not a whole number");
      return State::kRefused;
    }
    if (*length > limits_.body) {
      refusal = refuse(413, fmt::format("the body has {} bytes; send at most {} MiB at once",
                                        *length, limits_.body >> 20));
      return State::kRefused;
    }
    head_size_ = end + kHeadEnd.size();
    body_size_ = *length;
    const std::string* expect = head_.header("expect");
    continue_ = expect != nullptr && small_letters(*expect) == "100-continue" &&
                buffer.size() < head_size_ + body_size_;
  }
  if (buffer.size() < head_size_ + body_size_) return State::kPartial;
  request = std::move(head_);
  request.body = buffer.substr(head_size_, body_size_);
  buffer.erase(0, head_size_ + body_size_);
  head_size_ = body_size_ = searched_ = 0;
  continue_ = false;
  return State::kWhole;
}

std::string_view status_text(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

std::string response_text(const HttpResponse& response, bool close, bool head_only) {
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n", response.status,
                  status_text(response.status), response.type, response.body.size());
  for (const auto& [name, value] : response.headers) {
    text += fmt::format("{}: {}\r\n", name, value);
  }
  text += close ? "Connection: close\r\n\r\n" : "\r\n";
  if (!head_only) text += response.body;
  return text;
}

}  // namespace evenkeel::serve
