// Files of the system that close themselves, and the socket that a server listens on.
// In: a host and a port; out: a bound, listening socket, or a sentence about why there is none.
#pragma once

#include <string>
#include <utility>

namespace evenkeel::serve {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

Descriptor listen_on(const std::string& host, int port);  // port 0: a free one
int port_of(const Descriptor& socket);

struct Accepted {
  Descriptor socket;   // -1: nobody is waiting
  bool local = false;  // the other end is this machine
  int error = 0;       // why nobody could be let in
};
Accepted accept_from(const Descriptor& listening);

}  // namespace evenkeel::serve
