// In: sockets. Out: bytes to and from them, without waiting.
#include "serve/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace evenkeel::serve {

void give_room_back(std::string& bytes) {
  constexpr std::size_t kKept = std::size_t{128} << 10;
  if (bytes.capacity() > kKept && bytes.size() < bytes.capacity() / 4) bytes.shrink_to_fit();
}

Read read_some(Connection& connection, std::size_t most) {
  std::array<char, std::size_t{64} << 10> block;  // NOLINT: filled by recv
  const ssize_t got = recv(connection.socket.get(), block.data(), block.size(), 0);
  if (got == 0) return Read::kGone;
  if (got < 0) {
    return errno == EAGAIN || errno == EINTR || errno == EWOULDBLOCK ? Read::kNothing : Read::kGone;
  }
  if (connection.closing) {
    connection.thrown_away += static_cast<std::size_t>(got);
    return connection.thrown_away > most ? Read::kGone : Read::kSome;
  }
  connection.bytes.append(block.data(), static_cast<std::size_t>(got));
  return Read::kSome;
}

bool send_some(int socket, std::string_view& text) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (sent < 0 && errno != EINTR) {
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
  }
  return true;
}

void send_all(int socket, std::string_view text, Clock::time_point deadline) {
  while (send_some(socket, text) && !text.empty()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{socket, POLLOUT, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left)) == 0) return;
  }
}

}  // namespace evenkeel::serve
