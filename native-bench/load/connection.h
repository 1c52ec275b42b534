// A non-blocking TCP connection with its two buffers, and the epoll set that watches many of them.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ringbook::load {

using Nanoseconds = std::uint64_t;

/// Since the Unix epoch.
inline Nanoseconds wallClock() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return Nanoseconds(time.tv_sec) * 1'000'000'000 + Nanoseconds(time.tv_nsec);
}

inline Nanoseconds now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Nanoseconds(time.tv_sec) * 1'000'000'000 + Nanoseconds(time.tv_nsec);
}

class Connection {
 public:
  static constexpr std::size_t kBufferBytes = 64 * 1024;

  /// Connects to the IPv4 address, waiting for it; from then on nothing here blocks. `bufferBytes` is
  /// what is received into at first; `kernelBytes`, if any, is all that the kernel may keep before.
  Connection(const std::string& host, int port, std::size_t bufferBytes = kBufferBytes,
             int kernelBytes = 0) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    if (kernelBytes > 0) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &kernelBytes, sizeof kernelBytes);
    }
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(std::uint16_t(port));
    if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
      throw std::runtime_error("not an IPv4 address: " + host);
    }
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect: " + std::string(std::strerror(errno)));
    }
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    in_.resize(bufferBytes);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  int socket() const { return socket_; }

  /// What is to be sent next is appended here; flush() sends it.
  std::string& out() { return out_; }

  /// Sends what the socket takes; false when some is left and writability must be awaited.
  bool flush() {
    while (sent_ < out_.size()) {
      const ssize_t count = send(socket_, out_.data() + sent_, out_.size() - sent_,
                                 MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      // A broken connection is noticed by receive(), which every failure also makes readable.
      if (count < 0) return errno != EAGAIN;
      sent_ += std::size_t(count);
    }
    out_.clear();
    sent_ = 0;
    return true;
  }

  /// Reads once what has arrived; false when the peer closed or the connection broke.
  bool receive() {
    if (begin_ == end_) begin_ = end_ = 0;
    if (end_ == in_.size()) makeRoom();
    const ssize_t count = recv(socket_, in_.data() + end_, in_.size() - end_, MSG_DONTWAIT);
    if (count > 0) end_ += std::size_t(count);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }

  std::string_view received() const { return {in_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes) { begin_ += bytes; }

 private:
  void makeRoom() {
    if (begin_ > 0) {
      std::memmove(in_.data(), in_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    } else {
      in_.resize(2 * in_.size());
    }
  }

  int socket_;
  std::string out_;
  std::size_t sent_ = 0;
  std::vector<char> in_;
  std::size_t begin_ = 0, end_ = 0;
};

/// Watches connections by their number.
class Watch {
 public:
  Watch() : epoll_(epoll_create1(0)) {
    // Without this the kernel rounds the waiting time up by 50 µs.
    prctl(PR_SET_TIMERSLACK, 1);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { ::close(epoll_); }

  void add(const Connection& connection, std::uint32_t number) {
    control(EPOLL_CTL_ADD, connection, number, EPOLLIN);
  }
  void awaitWritable(const Connection& connection, std::uint32_t number, bool writable) {
    control(EPOLL_CTL_MOD, connection, number, writable ? EPOLLIN | EPOLLOUT : EPOLLIN);
  }
  void remove(const Connection& connection) { control(EPOLL_CTL_DEL, connection, 0, 0); }

  /// Waits until something happens or `deadline` has passed; answers how many events there are.
  int wait(Nanoseconds deadline) {
    const Nanoseconds present = now();
    const Nanoseconds left = deadline > present ? deadline - present : 0;
    const timespec timeout = {time_t(left / 1'000'000'000), long(left % 1'000'000'000)};
    const int count = epoll_pwait2(epoll_, events_, kEventsMax, &timeout, nullptr);
    return count < 0 ? 0 : count;
  }
  std::uint32_t number(int event) const { return events_[event].data.u32; }
  bool writable(int event) const { return (events_[event].events & EPOLLOUT) != 0; }
  bool readable(int event) const { return (events_[event].events & ~std::uint32_t(EPOLLOUT)) != 0; }

 private:
  static constexpr int kEventsMax = 256;

  void control(int operation, const Connection& connection, std::uint32_t number,
               std::uint32_t events) {
    epoll_event event = {};
    event.events = events;
    event.data.u32 = number;
    epoll_ctl(epoll_, operation, connection.socket(), &event);
  }

  int epoll_;
  epoll_event events_[kEventsMax];
};

}  // namespace ringbook::load
