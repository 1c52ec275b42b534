// One WebSocket of a client: upgraded, then text frames, and binary ones of the server. Frames of the client are masked;
// pings are answered. RFC 6455.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "connection.h"

namespace ringbook::load {

class WebSocket {
 public:
  /// Connects and upgrades at `path`, waiting for both. The sizes are those of Connection.
  WebSocket(const std::string& host, int port, const std::string& path,
            std::size_t bufferBytes = Connection::kBufferBytes, int kernelBytes = 0,
            const std::string& key = "")
      : connection_(host, port, bufferBytes, kernelBytes) {
    connection_.out() = "GET " + path + " HTTP/1.1\r\nHost: " + host + ":" + std::to_string(port) +
                        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Version: 13\r\n" +
                        (key.empty() ? "" : "X-MBX-APIKEY: " + key + "\r\n") +
                        "Sec-WebSocket-Key: cmluZ2Jvb2sgbG9hZCBnZQ==\r\n\r\n";
    connection_.flush();
    std::size_t end;
    while ((end = connection_.received().find("\r\n\r\n")) == std::string_view::npos) await();
    if (!connection_.received().starts_with("HTTP/1.1 101")) {
      throw std::runtime_error("refused: " + std::string(connection_.received()));
    }
    connection_.consume(end + 4);
  }

  Connection& connection() { return connection_; }

  /// Appends a text frame to what connection().flush() sends.
  void appendText(std::string_view text) { appendFrame(kText, text); }

  /// Gives every whole frame with a text or a message that has arrived to `take`; false when the server closes.
  template <typename Take>
  bool takeTexts(Take take) {
    std::uint8_t opcode;
    std::string_view payload;
    for (std::size_t bytes; (bytes = nextFrame(opcode, payload)) > 0;) {
      if (opcode == kClose) return false;
      if (opcode == kText || opcode == kBinary) take(payload);
      if (opcode == kPing) {
        appendFrame(kPong, payload);
        connection_.flush();
      }
      connection_.consume(bytes);
    }
    return true;
  }

  /// Sends a text and waits for one in return.
  std::string ask(std::string_view text) {
    appendText(text);
    connection_.flush();
    std::string answer;
    while (answer.empty()) {
      await();
      if (!takeTexts([&](std::string_view payload) { answer = payload; })) break;
    }
    return answer;
  }

 private:
  /// Under valgrind, beside other work, a server takes tens of seconds.
  static constexpr std::int64_t kPatience = 120'000'000'000;
  static constexpr std::uint8_t kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;
  /// Masks protect proxies, and there is none: a constant one does.
  static constexpr char kMask[4] = {0x5a, 0x3c, 0x17, 0x61};

  void await() {
    Watch watch;
    watch.add(connection_, 0);
    if (watch.wait(now() + kPatience) == 0 || !connection_.receive()) {
      throw std::runtime_error("no answer on a WebSocket");
    }
  }

  void appendFrame(std::uint8_t opcode, std::string_view payload) {
    std::string& out = connection_.out();
    out += char(0x80 | opcode);
    if (payload.size() < 126) {
      out += char(0x80 | payload.size());
    } else {
      if (payload.size() > 0xffff) throw std::runtime_error("a frame longer than 65,535 bytes");
      out += char(0x80 | 126);
      out += char(payload.size() >> 8);
      out += char(payload.size() & 0xff);
    }
    out.append(kMask, sizeof kMask);
    for (std::size_t i = 0; i < payload.size(); i++) out += char(payload[i] ^ kMask[i & 3]);
  }

  /// The next frame of the server and its size; 0 when it has not arrived whole.
  std::size_t nextFrame(std::uint8_t& opcode, std::string_view& payload) const {
    const std::string_view bytes = connection_.received();
    if (bytes.size() < 2) return 0;
    std::size_t length = std::uint8_t(bytes[1]) & 127;
    const std::size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (bytes.size() < 2 + extra) return 0;
    if (extra > 0) length = 0;
    for (std::size_t i = 0; i < extra; i++) length = (length << 8) | std::uint8_t(bytes[2 + i]);
    if (bytes.size() < 2 + extra + length) return 0;
    opcode = std::uint8_t(bytes[0]) & 15;
    payload = bytes.substr(2 + extra, length);
    return 2 + extra + length;
  }

  Connection connection_;
};

}  // namespace ringbook::load
