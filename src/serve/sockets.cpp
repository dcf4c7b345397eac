// In: addresses. Out: sockets.
#include "serve/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace evenkeel::serve {
namespace {

constexpr int kBacklog = 4096;  // the system's own limit may be lower

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

Addresses resolved(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code != 0 || found == nullptr) {
    fail_config(
        "--host is '{}', which is no address of this machine ({}); give 127.0.0.1, 0.0.0.0 "
        "or ::",
        host, gai_strerror(code));
  }
  return {found, freeaddrinfo};
}

int bound(const addrinfo& address, Descriptor& socket) {
  socket = Descriptor(
      ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.get() < 0) return errno;
  const int yes = 1;
  // Not SO_REUSEPORT: with it, a second server would share the port and nobody would notice.
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0) return errno;
  return listen(socket.get(), kBacklog) == 0 ? 0 : errno;
}

[[noreturn]] void fail_to_listen(const std::string& host, int port, int reason) {
  if (reason == EADDRINUSE) {
    fail_run("port {} of {} is in use; give another --port, or --port 0 for a free one", port,
             host);
  }
  if (reason == EACCES) {
    fail_run("port {} of {} is not for this user; give a --port above 1023", port, host);
  }
  if (reason == EADDRNOTAVAIL) {
    fail_config(
        "--host is '{}', which is no address of this machine; give 127.0.0.1, 0.0.0.0 or "
        "::",
        host);
  }
  fail_run("cannot listen on port {} of {}: {}; give another --port or --host", port, host,
           std::strerror(reason));
}

bool is_loopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    in_addr ip{};
    std::memcpy(&ip, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, sizeof(ip));
    return ntohl(ip.s_addr) >> 24 == 127;
  }
  if (address.ss_family != AF_INET6) return false;
  const in6_addr& ip = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&ip)) return ip.s6_addr[12] == 127;
  return IN6_IS_ADDR_LOOPBACK(&ip);
}

}  // namespace

Descriptor::~Descriptor() {
  close();
}

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Descriptor listen_on(const std::string& host, int port) {
  const Addresses addresses = resolved(host, port);
  int reason = EADDRNOTAVAIL;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
    Descriptor socket;
    reason = bound(*one, socket);
    if (reason == 0) return socket;
  }
  fail_to_listen(host, port, reason);
}

int port_of(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

Accepted accept_from(const Descriptor& listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  Accepted accepted;
  accepted.socket = Descriptor(accept4(listening.get(), reinterpret_cast<sockaddr*>(&address),
                                       &size, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (accepted.socket.get() < 0) {
    accepted.error = errno;
    return accepted;
  }
  const int yes = 1;
  setsockopt(accepted.socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  accepted.local = is_loopback(address);
  return accepted;
}

}  // namespace evenkeel::serve
