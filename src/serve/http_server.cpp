// In: sockets that are ready. Out: requests to workers, their answers to the sockets.
#include "serve/http_server.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/threads.h"
#include "io/json_text.h"
#include "serve/connection.h"
#include "serve/sockets.h"

namespace evenkeel::serve {
namespace {

// Enough of them that some rank while others read JSON; many more than cores only wait for their
// turn on one, and a list that is nearly done waits with them.
int workers_of(int wanted) {
  return wanted > 0 ? wanted : std::max(8, 4 * available_cores());
}

std::string refusal_text(const HttpRefusal& refusal) {
  HttpResponse response;
  response.status = refusal.status;
  response.body = io::dump_json({{"error", refusal.sentence}}) + "\n";
  if (refusal.status == 503) response.headers.emplace_back("Retry-After", "1");
  return response_text(response, true, false);
}

// Leaves some for the model's files and the rest of the program.
std::size_t connections_allowed(std::size_t wanted) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  if (files.rlim_cur < files.rlim_max) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_NOFILE, &files);
  }
  const std::size_t allowed = files.rlim_cur > 128 ? files.rlim_cur - 64 : 64;
  return std::min(wanted, allowed);
}

}  // namespace

class HttpServer::Inside {
 public:
  Inside(const HttpOptions& options, Handler handler);
  ~Inside() { stop(); }
  void stop();
  int port() const { return port_; }
  Counts counts() const;

 private:
  using Connections = std::unordered_map<int, std::unique_ptr<Connection>>;
  void wait_for_all();
  void let_in();
  void arrived(int socket);
  void advance(Connection& connection);  // the mutex is held
  void end_late_ones();
  void answer_requests();
  void send_rest(Connection& connection);  // the mutex is held, here and below
  void park(Connection& connection, std::string_view rest, bool close);
  void answered_whole(Connection& connection, bool close);
  HttpResponse answered(const HttpRequest& request) const;
  void refuse(Connection& connection, const HttpRefusal& refusal);
  void forget(Connection& connection);
  void watch(Connection& connection, int operation) const;
  void pledge(Connection& connection, std::size_t bytes);

  HttpOptions options_;
  Handler handler_;
  Descriptor listening_, poll_, wake_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable work_;
  Connections connections_;
  std::deque<Connection*> ready_;
  std::uint64_t turned_away_ = 0;
  std::size_t pledged_ = 0, unsent_ = 0;
  std::atomic<bool> last_look_{false};
  bool stop_ = false;
  std::thread waiting_;
  std::vector<std::thread> workers_;
};

HttpServer::Inside::Inside(const HttpOptions& options, Handler handler)
    : options_(options),
      handler_(std::move(handler)),
      listening_(listen_on(options.host, options.port)),
      poll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      port_(port_of(listening_)) {
  options_.most_connections = connections_allowed(options.most_connections);
  if (poll_.get() < 0 || wake_.get() < 0) fail_run("the system refused: {}", std::strerror(errno));
  for (const Descriptor* one : {&listening_, &wake_}) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = one->get();
    epoll_ctl(poll_.get(), EPOLL_CTL_ADD, one->get(), &event);
  }
  waiting_ = std::thread([this] { wait_for_all(); });
  for (int worker = 0; worker < workers_of(options_.workers); ++worker) {
    workers_.emplace_back([this] { answer_requests(); });
  }
}

// First what has come is read, then the workers answer it and end.
void HttpServer::Inside::stop() {
  last_look_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(wake_.get(), &one, sizeof(one));
  if (waiting_.joinable()) waiting_.join();
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
  listening_.close();
  const auto deadline = Clock::now() + options_.answer_time;
  for (const auto& [socket, connection] : connections_) {
    if (connection->sending()) send_all(socket, connection->rest(), deadline);
  }
  connections_.clear();
}

HttpServer::Counts HttpServer::Inside::counts() const {
  const std::lock_guard lock(mutex_);
  return {connections_.size(), ready_.size(), turned_away_};
}

void HttpServer::Inside::pledge(Connection& connection, std::size_t bytes) {
  pledged_ = pledged_ - connection.pledged + bytes;
  connection.pledged = bytes;
}

// One-shot: a connection that told of bytes is silent until it is watched again, so a worker and
// the waiting thread never hold it both.
void HttpServer::Inside::watch(Connection& connection, int operation) const {
  epoll_event event{};
  event.events = (connection.sending() ? EPOLLOUT : EPOLLIN | EPOLLRDHUP) | EPOLLONESHOT;
  event.data.fd = connection.socket.get();
  epoll_ctl(poll_.get(), operation, connection.socket.get(), &event);
}

void HttpServer::Inside::forget(Connection& connection) {
  pledge(connection, 0);
  unsent_ -= connection.unsent.size();
  connections_.erase(connection.socket.get());
}

void HttpServer::Inside::wait_for_all() {
  std::array<epoll_event, 256> events{};
  auto ended_late_ones = Clock::now();
  int rounds_left = 1000;  // of the last look: clients that never cease cannot hold up the end
  while (rounds_left > 0) {
    const bool last_look = last_look_;
    const int count = epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()),
                                 last_look ? 0 : 250);
    if (last_look) rounds_left = count > 0 ? rounds_left - 1 : 0;
    for (int e = 0; e < count; ++e) {
      const int socket = events[static_cast<std::size_t>(e)].data.fd;
      if (socket == wake_.get()) {
        std::uint64_t ones = 0;
        [[maybe_unused]] const auto cleared = read(wake_.get(), &ones, sizeof(ones));
      } else if (socket == listening_.get()) {
        let_in();
      } else {
        arrived(socket);
      }
    }
    if (Clock::now() - ended_late_ones > std::chrono::milliseconds(250)) {
      ended_late_ones = Clock::now();
      end_late_ones();
    }
  }
}

void HttpServer::Inside::let_in() {
  for (int turn = 0; turn < 64; ++turn) {
    Accepted accepted = accept_from(listening_);
    if (accepted.socket.get() < 0) {
      // Out of files or memory: the client stays in the system's queue; do not spin on it.
      if (accepted.error == EMFILE || accepted.error == ENFILE || accepted.error == ENOMEM ||
          accepted.error == ENOBUFS) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      return;
    }
    const std::lock_guard lock(mutex_);
    if (connections_.size() >= options_.most_connections) {
      ++turned_away_;
      const std::string text = refusal_text({503, "too many connections; try again in a moment"});
      send(accepted.socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      continue;
    }
    const int number = accepted.socket.get();
    auto connection =
        std::make_unique<Connection>(std::move(accepted.socket), accepted.local, options_.limits);
    connection->deadline = Clock::now() + options_.idle_time;
    watch(*connection, EPOLL_CTL_ADD);
    connections_[number] = std::move(connection);
  }
}

void HttpServer::Inside::refuse(Connection& connection, const HttpRefusal& refusal) {
  const std::string text = refusal_text(refusal);
  send(connection.socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  // Closing while bytes are on their way would reset the connection before the answer is read.
  shutdown(connection.socket.get(), SHUT_WR);
  connection.closing = true;
  release(connection.bytes);
  pledge(connection, 0);
  connection.deadline = Clock::now() + options_.request_time;
  watch(connection, EPOLL_CTL_MOD);
}

void HttpServer::Inside::arrived(int socket) {
  const std::lock_guard lock(mutex_);
  const auto found = connections_.find(socket);
  if (found == connections_.end() || found->second->busy) return;
  Connection& connection = *found->second;
  if (connection.sending()) return send_rest(connection);
  constexpr std::size_t kMostThrownAway = std::size_t{64} << 20;
  const bool fresh = connection.bytes.empty() && !connection.reader.begun();
  const Read read = read_some(connection, kMostThrownAway);
  if (read == Read::kGone) return forget(connection);
  if (connection.closing || read == Read::kNothing) return watch(connection, EPOLL_CTL_MOD);
  if (fresh) connection.deadline = Clock::now() + options_.request_time;
  advance(connection);
}

// With new bytes in the buffer: to a worker, refused, or on with waiting.
void HttpServer::Inside::advance(Connection& connection) {
  HttpRefusal refusal;
  const auto state = connection.reader.take(connection.bytes, connection.request, refusal);
  if (state == RequestReader::State::kRefused) return refuse(connection, refusal);
  if (state == RequestReader::State::kPartial) {
    if (connection.reader.begun() && connection.pledged == 0) {
      pledge(connection, connection.reader.body_size());
      if (pledged_ > options_.most_bodies) {
        ++turned_away_;
        return refuse(connection, {503, "too many large requests; try again in a moment"});
      }
    }
    if (connection.reader.expects_continue()) {
      constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
      send(connection.socket.get(), kGoOn.data(), kGoOn.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      connection.reader.continued();
    }
    return watch(connection, EPOLL_CTL_MOD);
  }
  pledge(connection, 0);
  give_room_back(connection.bytes);
  if (ready_.size() >= options_.most_waiting) {
    ++turned_away_;
    return refuse(connection, {503, fmt::format("{} requests are waiting; try again in a moment",
                                                ready_.size())});
  }
  connection.request.local = connection.local;
  connection.request.arrived = Clock::now();
  connection.busy = true;
  ready_.push_back(&connection);
  work_.notify_one();
}

void HttpServer::Inside::end_late_ones() {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  for (auto it = connections_.begin(); it != connections_.end();) {
    Connection& connection = *it->second;
    ++it;
    if (connection.busy || connection.deadline > now) continue;
    const bool asked = !connection.bytes.empty() || connection.reader.begun();
    if (asked && !connection.closing && !connection.sending()) {
      refuse(connection, {408, fmt::format("the request was not whole after {} s; send it faster",
                                           options_.request_time.count() / 1000)});
    } else {
      forget(connection);
    }
  }
}

HttpResponse HttpServer::Inside::answered(const HttpRequest& request) const {
  try {
    return handler_(request);
  } catch (...) {  // handlers answer their own errors; this is the last resort
    HttpResponse response;
    response.status = 500;
    response.body = R"({"error":"internal error; please report it"})";
    return response;
  }
}

void HttpServer::Inside::answer_requests() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return stop_ || !ready_.empty(); });
    if (ready_.empty()) return;  // told to stop, and nobody is left waiting
    Connection& connection = *ready_.front();
    ready_.pop_front();
    bool close = stop_ || !connection.request.keep_alive;
    lock.unlock();
    const HttpResponse response = answered(connection.request);
    const std::string text = response_text(response, close, connection.request.method == "HEAD");
    std::string_view rest = text;
    const bool there = send_some(connection.socket.get(), rest);
    lock.lock();
    if (stop_ && there && !rest.empty()) {  // nobody is left to go on with it
      lock.unlock();
      send_all(connection.socket.get(), rest, Clock::now() + options_.answer_time);
      lock.lock();
      rest = {};
    }
    connection.busy = false;
    release(connection.request);
    if (!there) {
      forget(connection);
    } else if (!rest.empty()) {
      park(connection, rest, close);
    } else {
      answered_whole(connection, close);
    }
  }
}

void HttpServer::Inside::park(Connection& connection, std::string_view rest, bool close) {
  if (unsent_ + rest.size() > options_.most_unsent) {
    ++turned_away_;
    return forget(connection);
  }
  connection.unsent = rest;
  connection.sent = 0;
  connection.closes = close;
  unsent_ += rest.size();
  connection.deadline = Clock::now() + options_.answer_time;
  watch(connection, EPOLL_CTL_MOD);
}

void HttpServer::Inside::send_rest(Connection& connection) {
  std::string_view rest = connection.rest();
  if (!send_some(connection.socket.get(), rest)) return forget(connection);
  connection.sent = connection.unsent.size() - rest.size();
  if (!rest.empty()) return watch(connection, EPOLL_CTL_MOD);
  unsent_ -= connection.unsent.size();
  release(connection.unsent);
  answered_whole(connection, connection.closes);
}

void HttpServer::Inside::answered_whole(Connection& connection, bool close) {
  if (close || stop_) return forget(connection);
  connection.deadline =
      Clock::now() + (connection.bytes.empty() ? options_.idle_time : options_.request_time);
  if (connection.bytes.empty()) {
    watch(connection, EPOLL_CTL_MOD);
  } else {
    advance(connection);  // the next request came with the last one
  }
}

HttpServer::HttpServer(const HttpOptions& options, Handler handler)
    : inside_(std::make_unique<Inside>(options, std::move(handler))) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const {
  return inside_->port();
}
void HttpServer::stop() {
  inside_->stop();
}
HttpServer::Counts HttpServer::counts() const {
  return inside_->counts();
}

}  // namespace evenkeel::serve
