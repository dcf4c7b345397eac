// One client. In: bytes of a socket that does not block; out: a request under way, an answer that
// is being taken.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "serve/http_message.h"
#include "serve/sockets.h"

namespace evenkeel::serve {

using Clock = std::chrono::steady_clock;

// One connection. Only the waiting thread touches one that is not busy, only its worker one that
// is.
struct Connection {
  Connection(Descriptor taken, bool is_local, const HttpLimits& limits)
      : socket(std::move(taken)), reader(limits), local(is_local) {}
  Descriptor socket;
  RequestReader reader;
  std::string bytes;  // arrived, not yet taken
  HttpRequest request;
  Clock::time_point deadline;
  bool local = false, busy = false;
  bool closing = false;  // answered for the last time: what still comes is thrown away
  std::size_t thrown_away = 0;
  std::size_t pledged = 0;  // bytes of a body that is on its way
  // What a client has not taken yet of its answer: the waiting thread goes on with it, so that who
  // reads slowly costs memory and never a worker.
  std::string unsent;
  std::size_t sent = 0;  // of it
  bool closes = false;   // once it is sent
  bool sending() const { return !unsent.empty(); }
  std::string_view rest() const { return std::string_view(unsent).substr(sent); }
};

// Empties a value and gives its memory back, which `value = {}` does not: a string keeps its room.
template <typename T>
void release(T& value) {
  const T gone(std::move(value));
  value = T();
}

// After a large body, a connection must not keep room for another.
void give_room_back(std::string& bytes);

enum class Read { kSome, kNothing, kGone };
// What one that is closing still sends is thrown away, `most` bytes of it.
Read read_some(Connection& connection, std::size_t most);

// As much as the socket takes at once comes off the front of `text`. False: nobody is there.
bool send_some(int socket, std::string_view& text);

// All of it, as long as the client takes some before the deadline.
void send_all(int socket, std::string_view text, Clock::time_point deadline);

}  // namespace evenkeel::serve
