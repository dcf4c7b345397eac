// In: whole, cut, malformed and hostile requests. Out: what they ask, or a refusal with a status.
#include "serve/http_message.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace evenkeel::serve {
namespace {

struct Taken {
  RequestReader::State state = RequestReader::State::kPartial;
  HttpRequest request;
  HttpRefusal refusal;
  std::string left;
};

Taken take(std::string bytes, HttpLimits limits = {}) {
  RequestReader reader(limits);
  Taken taken;
  taken.left = std::move(bytes);
  taken.state = reader.take(taken.left, taken.request, taken.refusal);
  return taken;
}

int refused(const std::string& bytes) {
  const Taken taken = take(bytes);
  return taken.state == RequestReader::State::kRefused ? taken.refusal.status : 0;
}

TEST(HttpMessage, QueryIsDecoded) {
  const Taken taken =
      take("GET /recommend?user=b%20%C3%B6+x&k=3&empty=&flag HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_EQ(taken.state, RequestReader::State::kWhole);
  EXPECT_EQ(taken.request.path, "/recommend");
  EXPECT_EQ(*taken.request.parameter("user"), "b ö x");
  EXPECT_EQ(*taken.request.parameter("k"), "3");
  EXPECT_EQ(*taken.request.parameter("empty"), "");
  EXPECT_EQ(*taken.request.parameter("flag"), "");
  EXPECT_EQ(taken.request.parameter("other"), nullptr);
  EXPECT_TRUE(taken.request.keep_alive);
  EXPECT_TRUE(taken.left.empty());
}

TEST(HttpMessage, ARepeatedParameterIsRefused) {
  const Taken taken = take("GET /recommend?user=a&k=3&user=b HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_EQ(taken.state, RequestReader::State::kRefused);
  EXPECT_EQ(taken.refusal.status, 400);
  EXPECT_NE(taken.refusal.sentence.find("user twice"), std::string::npos);
}

TEST(HttpMessage, BodyAndTheNextRequestAreCutApart) {
  const std::string second = "GET /b HTTP/1.0\r\n\r\n";
  Taken taken = take("POST /a HTTP/1.1\r\ncontent-LENGTH:  4 \r\n\r\n{\"\"}" + second);
  ASSERT_EQ(taken.state, RequestReader::State::kWhole);
  EXPECT_EQ(taken.request.body, "{\"\"}");
  EXPECT_EQ(taken.left, second);
  taken = take(second);
  ASSERT_EQ(taken.state, RequestReader::State::kWhole);
  EXPECT_FALSE(taken.request.keep_alive);
}

TEST(HttpMessage, ByteByByteGivesTheSame) {
  const std::string text =
      "POST /a?x=%41 HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nxyz";
  RequestReader reader({});
  std::string buffer;
  HttpRequest request;
  HttpRefusal refusal;
  bool expected = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    buffer += text[i];
    const auto state = reader.take(buffer, request, refusal);
    expected = expected || reader.expects_continue();
    ASSERT_EQ(state == RequestReader::State::kWhole, i + 1 == text.size()) << i;
  }
  EXPECT_TRUE(expected);
  EXPECT_EQ(*request.parameter("x"), "A");
  EXPECT_EQ(request.body, "xyz");
}

TEST(HttpMessage, WhatIsWrongHasAStatus) {
  EXPECT_EQ(refused("hello\r\n\r\n"), 400);
  EXPECT_EQ(refused("\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(refused("GET http://a/ HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET /?a=%4 HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET /%zz HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET /\x01 HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nno colon\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n"), 400) << "a folded header";
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n"), 400);
  EXPECT_EQ(refused("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"), 413);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nContent-Length: 10485760\r\n\r\n"), 413);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 411);
  EXPECT_EQ(refused("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\n\r\n"), 415);
  EXPECT_EQ(refused("GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n"), 431);
  EXPECT_EQ(refused(std::string(20000, 'a')), 431) << "without an end";
  EXPECT_EQ(refused("GET / HTTP/1.1\r\n"), 0) << "not there yet";
}

TEST(HttpMessage, AnswersSayTheirLength) {
  HttpResponse response;
  response.body = "{}";
  response.headers.emplace_back("Allow", "GET");
  EXPECT_EQ(response_text(response, true, false),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            "Allow: GET\r\nConnection: close\r\n\r\n{}");
  EXPECT_TRUE(response_text(response, false, true).ends_with("Allow: GET\r\n\r\n"));
}

// Whatever bytes come, the reader ends in one of its states and never takes more than there is.
TEST(HttpMessage, DamagedRequestsAreHarmless) {
  const std::string good =
      "POST /recommend?user=a%20b&k=3 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nAccept: */*\r\n"
      "Connection: keep-alive\r\n\r\n[1,2]GET / HTTP/1.1\r\n\r\n";
  const Random random(7, Purpose::kMarket);
  for (std::uint32_t round = 0; round < 20000; ++round) {
    Draws draws(random, round);
    std::string bytes = good;
    const std::uint32_t changes = 1 + draws.below(4);
    for (std::uint32_t c = 0; c < changes; ++c) {
      const std::size_t at = draws.below(static_cast<std::uint32_t>(bytes.size()));
      switch (draws.below(3)) {
        case 0:
          bytes[at] = static_cast<char>(draws.below(256));
          break;
        case 1:
          bytes.erase(at, 1 + draws.below(8));
          break;
        default:
          bytes.insert(at, bytes.substr(0, draws.below(20)));
      }
      if (bytes.empty()) break;
    }
    const std::size_t before = bytes.size();
    const Taken taken = take(bytes);
    EXPECT_LE(taken.left.size(), before);
    if (taken.state == RequestReader::State::kRefused) {
      EXPECT_GE(taken.refusal.status, 400);
      EXPECT_FALSE(taken.refusal.sentence.empty());
    }
  }
}

}  // namespace
}  // namespace evenkeel::serve
