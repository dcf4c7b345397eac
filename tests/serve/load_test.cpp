// In: slow, silent, pipelining and very many clients, and reloads meanwhile. Out: no failed
// request, no thread lost.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "serve/connection.h"
#include "serve/made_up_run.h"
#include "serve/sockets.h"

namespace evenkeel::serve {
namespace {

using namespace std::chrono_literals;
using testing::MadeUpRun;

Descriptor connected(int port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    socket.close();
  }
  const timeval patience{20, 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  return socket;
}

void put(const Descriptor& socket, std::string_view text) {
  ASSERT_EQ(send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(text.size()));
}

// Until the other end closes, or `until` was seen `times` times.
std::string all_from(const Descriptor& socket, std::string_view until = "", int times = 1) {
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t got = recv(socket.get(), block, sizeof(block), 0);
    if (got <= 0) return text;
    text.append(block, static_cast<std::size_t>(got));
    int seen = 0;
    for (std::size_t at = 0; !until.empty() && (at = text.find(until, at)) != text.npos; ++at) {
      ++seen;
    }
    if (!until.empty() && seen >= times) return text;
  }
}

double seconds_of_soak() {
  const char* wanted = std::getenv("EVENKEEL_SOAK_SECONDS");
  return wanted != nullptr ? std::atof(wanted) : 2;
}

TEST(ServeLoad, SlowClientsCostNoThread) {
  const MadeUpRun run;
  ServeOptions options = run.options();
  options.http.workers = 2;
  options.http.request_time = 1000ms;
  Service service(options);
  std::vector<Descriptor> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(connected(service.port()));
    put(slow.back(), i % 2 == 0 ? "GET /recommend?user=u1 HTT"
                                : "POST /recommend HTTP/1.1\r\nContent-Length: 20\r\n\r\n{\"it");
  }
  httplib::Client client("127.0.0.1", service.port());
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    const auto answer = client.Get("/recommend?user=u1");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 900ms) << "beside 50 slow clients";
  for (const Descriptor& socket : slow) {
    EXPECT_TRUE(all_from(socket).starts_with("HTTP/1.1 408 ")) << "told, then closed";
  }
}

// Who asks for much and does not read it holds no worker, and gets all of it once it does.
TEST(ServeLoad, SlowReadersCostNoThread) {
  constexpr std::size_t kSize = std::size_t{24} << 20;
  HttpOptions options;
  options.port = 0;
  options.workers = 1;
  HttpServer server(options, [&](const HttpRequest& request) {
    HttpResponse response;
    response.body = request.path == "/large" ? std::string(kSize, 'x') : "small";
    return response;
  });
  const Descriptor slow = connected(server.port());
  put(slow, "GET /large HTTP/1.1\r\n\r\nGET /small HTTP/1.1\r\nConnection: close\r\n\r\n");
  std::this_thread::sleep_for(100ms);
  const Descriptor quick = connected(server.port());
  const auto start = std::chrono::steady_clock::now();
  put(quick, "GET /small HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(all_from(quick).ends_with("small"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s) << "beside one that does not read";
  std::size_t size = 0;
  std::vector<char> block(std::size_t{1} << 20);
  std::string last;
  for (ssize_t got = 0; (got = recv(slow.get(), block.data(), block.size(), 0)) > 0;) {
    size += static_cast<std::size_t>(got);
    last.assign(block.data(), static_cast<std::size_t>(got));
  }
  EXPECT_GT(size, kSize);
  EXPECT_TRUE(last.ends_with("small")) << "the request behind it is answered, too";
}

TEST(ServeLoad, WhoNeverReadsIsCutOff) {
  HttpOptions options;
  options.port = 0;
  options.answer_time = 300ms;
  HttpServer server(options, [&](const HttpRequest&) {
    HttpResponse response;
    response.body.assign(std::size_t{24} << 20, 'x');
    return response;
  });
  const Descriptor slow = connected(server.port());
  put(slow, "GET / HTTP/1.1\r\n\r\n");
  while (server.counts().connections == 0) std::this_thread::sleep_for(1ms);
  const auto start = std::chrono::steady_clock::now();
  while (server.counts().connections > 0 && std::chrono::steady_clock::now() - start < 10s) {
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_EQ(server.counts().connections, 0U);
}

TEST(ServeLoad, RoomOfALargeBodyIsGivenBack) {
  std::string text(std::size_t{4} << 20, 'x');
  release(text);
  EXPECT_LT(text.capacity(), 1000U);
  HttpRequest request;
  request.body.assign(std::size_t{4} << 20, 'x');
  release(request);
  EXPECT_LT(request.body.capacity(), 1000U);
  std::string bytes(std::size_t{4} << 20, 'x');
  bytes.resize(100);
  give_room_back(bytes);
  EXPECT_LT(bytes.capacity(), 1000U);
}

// Reloads that come together must not take every worker.
TEST(ServeLoad, OneReloadAtATime) {
  const MadeUpRun run;
  Service service(run.options());
  std::atomic<int> done{0}, busy{0}, other{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&] {
      httplib::Client client("127.0.0.1", service.port());
      for (int i = 0; i < 5; ++i) {
        const auto answer = client.Post("/reload", "", "application/json");
        const int status = answer ? answer->status : 0;
        ++(status == 200 ? done : status == 409 ? busy : other);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(other, 0);
  EXPECT_GT(done, 0);
  EXPECT_EQ(done + busy, 40);
}

TEST(ServeLoad, IdleConnectionsEnd) {
  const MadeUpRun run;
  ServeOptions options = run.options();
  options.http.idle_time = 300ms;
  Service service(options);
  const Descriptor silent = connected(service.port());
  EXPECT_EQ(all_from(silent), "");
}

TEST(ServeLoad, PipelinedRequestsAreAnsweredInOrder) {
  const MadeUpRun run;
  Service service(run.options());
  const Descriptor socket = connected(service.port());
  put(socket,
      "GET /history?user=u1 HTTP/1.1\r\n\r\nGET /history?user=u2 HTTP/1.1\r\n\r\n"
      "GET /history?user=u3 HTTP/1.1\r\nConnection: close\r\n\r\n");
  const std::string text = all_from(socket);
  const std::size_t first = text.find("\"user\":\"u1\""), second = text.find("\"user\":\"u2\""),
                    third = text.find("\"user\":\"u3\"");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, text.npos) << text;
}

TEST(ServeLoad, RefusedBodiesStillGetTheirAnswer) {
  const MadeUpRun run;
  Service service(run.options());
  const Descriptor chunked = connected(service.port());
  put(chunked, "POST /recommend HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n");
  EXPECT_TRUE(all_from(chunked).starts_with("HTTP/1.1 411 "));
  const Descriptor expecting = connected(service.port());
  put(expecting, "POST /recommend HTTP/1.1\r\nContent-Length: 13\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(all_from(expecting, "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  put(expecting, R"({"user":"u1"})");
  EXPECT_TRUE(all_from(expecting, "\r\n\r\n").starts_with("HTTP/1.1 200 "));
}

TEST(ServeLoad, TooManyWaitingAreTurnedAway) {
  std::mutex gate;
  gate.lock();
  HttpOptions options;
  options.port = 0;
  options.workers = 1;
  options.most_waiting = 2;
  HttpServer server(options, [&](const HttpRequest&) {
    const std::lock_guard wait(gate);
    return HttpResponse{};
  });
  std::vector<Descriptor> sockets;
  for (int i = 0; i < 6; ++i) {
    sockets.push_back(connected(server.port()));
    put(sockets.back(), "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    std::this_thread::sleep_for(50ms);
  }
  for (int i = 3; i < 6; ++i) {
    EXPECT_TRUE(all_from(sockets[static_cast<std::size_t>(i)]).starts_with("HTTP/1.1 503 ")) << i;
  }
  gate.unlock();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(all_from(sockets[static_cast<std::size_t>(i)]).starts_with("HTTP/1.1 200 ")) << i;
  }
  EXPECT_EQ(server.counts().turned_away, 3U);
}

TEST(ServeLoad, StopAnswersWhatHasCome) {
  std::atomic<int> answered{0};
  HttpOptions options;
  options.port = 0;
  options.workers = 2;
  HttpServer server(options, [&](const HttpRequest&) {
    std::this_thread::sleep_for(100ms);
    ++answered;
    return HttpResponse{};
  });
  std::vector<Descriptor> sockets;
  for (int i = 0; i < 6; ++i) {
    sockets.push_back(connected(server.port()));
    put(sockets.back(), "GET / HTTP/1.1\r\n\r\n");
  }
  server.stop();
  EXPECT_EQ(answered, 6);
  for (const Descriptor& socket : sockets) {
    EXPECT_TRUE(all_from(socket).starts_with("HTTP/1.1 200 "));
  }
}

// As many connections as this process may open twice over, up to 10,000, all of them alive.
TEST(ServeLoad, VeryManyConnections) {
  const MadeUpRun run;
  ServeOptions options = run.options();
  options.http.workers = 4;
  Service service(options);
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const std::size_t count =
      std::min<std::size_t>(10000, files.rlim_cur > 400 ? (files.rlim_cur - 300) / 2 : 50);
  std::vector<Descriptor> sockets;
  for (std::size_t i = 0; i < count; ++i) {
    sockets.push_back(connected(service.port()));
    ASSERT_GE(sockets.back().get(), 0) << i;
  }
  for (std::size_t i = 0; i < count; i += count / 50) {
    put(sockets[i], "GET /recommend?user=u1&k=1 HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(all_from(sockets[i]).starts_with("HTTP/1.1 200 ")) << i;
  }
}

// Lists of either model and no error, while models change and break under the requests.
TEST(ServeLoad, ReloadsFailNoRequest) {
  const MadeUpRun run;
  Service service(run.options());
  std::atomic<bool> stop{false};
  std::atomic<int> failed{0}, fine{0}, reloads{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      httplib::Client client("127.0.0.1", service.port());
      client.set_keep_alive(true);
      for (int i = 0; !stop; ++i) {
        const std::string user = "u" + std::to_string((i * 7 + c) % 39);
        const auto answer =
            i % 3 == 0 ? client.Post("/recommend", R"({"items":["i1","i9"],"debias":0.5})",
                                     "application/json")
                       : client.Get("/recommend?user=" + user + (i % 2 == 0 ? "&debias=0.1" : ""));
        const bool good = answer && answer->status == 200 &&
                          nlohmann::json::parse(answer->body)["items"].size() == 20;
        ++(good ? fine : failed);
      }
    });
  }
  std::uint64_t seed = 1;
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::milliseconds(static_cast<int>(1000 * seconds_of_soak()));
  while (std::chrono::steady_clock::now() < end) {
    if (++seed % 4 == 0) {
      run.write("model.safetensors", "broken");
      EXPECT_FALSE(service.models().reload());
    } else {
      run.put(seed);
      EXPECT_TRUE(service.models().reload());
    }
    ++reloads;
    std::this_thread::sleep_for(100ms);
  }
  stop = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(failed, 0);
  EXPECT_GT(fine, 20);
  EXPECT_GT(reloads, 5);
}

}  // namespace
}  // namespace evenkeel::serve
