// The WebSocket load: each connection is upgraded, then either asks (sends the plan's lines as text
// frames in turn, each answered by one frame) or listens (sends every line once, then counts what
// arrives). Frames of the client are masked; pings are answered. RFC 6455.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "connection.h"
#include "options.h"
#include "report.h"

namespace ringbook::load {

class WebSocketLoad {
 public:
  WebSocketLoad(const Options& options, Report& report) : options_(options), report_(report) {
    std::ifstream lines(options.plan);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) lines_.push_back(line);
    }
    if (lines_.empty()) throw std::runtime_error("no text frames in " + options.plan);
    for (int i = 0; i < options.connections; i++) {
      lanes_.push_back(std::make_unique<Lane>(options.host, options.port));
      lanes_.back()->nextLine = std::size_t(i) % lines_.size();
      upgrade(lanes_.back()->connection);
      watch_.add(lanes_.back()->connection, std::uint32_t(i));
    }
  }

  void run() {
    const Nanoseconds measuredFrom = now() + Nanoseconds(options_.warmup * 1e9);
    const Nanoseconds end = measuredFrom + Nanoseconds(options_.seconds * 1e9);
    for (auto& lane : lanes_) {
      if (!options_.listen) ask(*lane);
      for (std::size_t i = 0; options_.listen && i < lines_.size(); i++) sendText(*lane, lines_[i]);
    }
    while (now() < measuredFrom) turn(measuredFrom);
    report_.beginMeasuring();
    measuring_ = true;
    while (now() < end && open_ > 0) turn(end);
    report_.endMeasuring();
  }

 private:
  static constexpr std::uint8_t kText = 1, kClose = 8, kPing = 9, kPong = 10;
  /// Masks protect proxies, and there is none: a constant one does.
  static constexpr char kMask[4] = {0x5a, 0x3c, 0x17, 0x61};

  struct Lane {
    Lane(const std::string& host, int port) : connection(host, port) {}
    Connection connection;
    std::size_t nextLine = 0;
    Nanoseconds begun = 0;
    bool closed = false;
  };

  void upgrade(Connection& connection) {
    connection.out() = "GET " + options_.websocket + " HTTP/1.1\r\nHost: " + options_.host + ":" +
                       std::to_string(options_.port) +
                       "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       "Sec-WebSocket-Version: 13\r\n"
                       "Sec-WebSocket-Key: cmluZ2Jvb2sgbG9hZCBnZQ==\r\n\r\n";
    connection.flush();
    Watch watch;
    watch.add(connection, 0);
    std::size_t end;
    while ((end = connection.received().find("\r\n\r\n")) == std::string_view::npos) {
      const bool arrived = watch.wait(now() + 5'000'000'000) > 0;
      if (!arrived || !connection.receive()) throw std::runtime_error("no WebSocket handshake");
    }
    if (!connection.received().starts_with("HTTP/1.1 101")) {
      throw std::runtime_error("refused: " + std::string(connection.received()));
    }
    connection.consume(end + 4);
  }

  void ask(Lane& lane) {
    lane.begun = now();
    sendText(lane, lines_[lane.nextLine]);
    lane.nextLine = (lane.nextLine + 1) % lines_.size();
  }

  void sendText(Lane& lane, std::string_view text) {
    report_.sent();
    sendFrame(lane, kText, text);
  }

  void sendFrame(Lane& lane, std::uint8_t opcode, std::string_view payload) {
    std::string& out = lane.connection.out();
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
    // Frames are small and few: what the socket does not take now goes with the next one.
    lane.connection.flush();
  }

  void turn(Nanoseconds until) {
    const int count = watch_.wait(until);
    for (int event = 0; event < count; event++) {
      Lane& lane = *lanes_[watch_.number(event)];
      if (!lane.connection.receive()) {
        close(lane, "the server closed a connection");
        continue;
      }
      while (!lane.closed && takeFrame(lane)) continue;
    }
  }

  /// Takes one whole frame of the server; false when it has not arrived yet.
  bool takeFrame(Lane& lane) {
    const std::string_view bytes = lane.connection.received();
    if (bytes.size() < 2) return false;
    const std::uint8_t opcode = std::uint8_t(bytes[0]) & 15;
    std::size_t length = std::uint8_t(bytes[1]) & 127;
    const std::size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (bytes.size() < 2 + extra) return false;
    if (extra > 0) length = 0;
    for (std::size_t i = 0; i < extra; i++) length = (length << 8) | std::uint8_t(bytes[2 + i]);
    if (bytes.size() < 2 + extra + length) return false;
    take(lane, opcode, bytes.substr(2 + extra, length));
    lane.connection.consume(2 + extra + length);
    return true;
  }

  void take(Lane& lane, std::uint8_t opcode, std::string_view payload) {
    if (opcode == kPing) return sendFrame(lane, kPong, payload);
    if (opcode == kClose) return close(lane, "the server closed a WebSocket");
    if (opcode != kText) return;
    if (measuring_) report_.answered(options_.listen ? 0 : now() - lane.begun, payload);
    if ((!options_.require.empty() && payload.find(options_.require) == payload.npos) ||
        (!options_.forbid.empty() && payload.find(options_.forbid) != payload.npos)) {
      report_.failed(payload);
    }
    if (!options_.listen) ask(lane);
  }

  void close(Lane& lane, std::string_view why) {
    if (lane.closed) return;
    report_.failed(why);
    watch_.remove(lane.connection);
    lane.closed = true;
    open_--;
  }

  const Options& options_;
  Report& report_;
  Watch watch_;
  std::vector<std::string> lines_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::size_t open_ = std::size_t(options_.connections);
  bool measuring_ = false;
};

}  // namespace ringbook::load
