// The WebSocket load: each connection either asks (sends the plan's lines as text frames in turn, each
// answered by one frame) or listens (sends every line once, then counts what arrives). Beside those
// that listen there may be some that never read.
#pragma once

#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "report.h"
#include "websocket.h"

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
      lanes_.push_back(std::make_unique<Lane>(options));
      lanes_.back()->nextLine = std::size_t(i) % lines_.size();
      watch_.add(lanes_.back()->socket.connection(), std::uint32_t(i));
    }
    for (int i = 0; i < options.stalled; i++) {
      stalled_.push_back(std::make_unique<WebSocket>(options.host, options.port, options.websocket,
                                                     kListenBytes, kStalledKernelBytes, options.key));
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
  /// Thousands may listen, to a few frames at a time.
  static constexpr std::size_t kListenBytes = 4096;
  static constexpr int kStalledKernelBytes = 4096;
  static constexpr Nanoseconds kAheadMax = 1'000'000'000, kBehindMax = 600'000'000'000;

  struct Lane {
    explicit Lane(const Options& options)
        : socket(options.host, options.port, options.websocket,
                 options.listen ? kListenBytes : Connection::kBufferBytes, 0, options.key) {}
    WebSocket socket;
    std::size_t nextLine = 0;
    Nanoseconds begun = 0;
  };

  void ask(Lane& lane) {
    lane.begun = now();
    sendText(lane, lines_[lane.nextLine]);
    lane.nextLine = (lane.nextLine + 1) % lines_.size();
  }

  void sendText(Lane& lane, std::string_view text) {
    report_.sent();
    lane.socket.appendText(text);
    // Frames are small and few: what the socket does not take now goes with the next one.
    lane.socket.connection().flush();
  }

  void turn(Nanoseconds until) {
    const int count = watch_.wait(until);
    for (int event = 0; event < count; event++) {
      Lane& lane = *lanes_[watch_.number(event)];
      const auto taken = [&](std::string_view payload) { take(lane, payload); };
      if (!lane.socket.connection().receive()) close(lane, "the server closed a connection");
      else if (!lane.socket.takeTexts(taken)) close(lane, "the server closed a WebSocket");
    }
  }

  void take(Lane& lane, std::string_view payload) {
    if (measuring_) note(lane, payload);
    if (!options_.accepts(payload)) report_.failed(payload);
    if (!options_.listen) ask(lane);
  }

  void note(const Lane& lane, std::string_view payload) {
    if (options_.micros >= 0) {
      noteMessage(payload);
      return;
    }
    if (options_.clock.empty()) {
      report_.answered(options_.listen ? 0 : now() - lane.begun, payload);
      return;
    }
    const std::size_t at = payload.find(options_.clock);
    if (at == payload.npos) return;
    Nanoseconds toldMs = 0;
    for (std::size_t i = at + options_.clock.size(); i < payload.size(); i++) {
      if (payload[i] < '0' || payload[i] > '9') break;
      toldMs = toldMs * 10 + Nanoseconds(payload[i] - '0');
    }
    const Nanoseconds present = wallClock(), told = toldMs * 1'000'000;
    report_.answered(present > told ? present - told : 0, payload);
  }

  /// Little-endian, as this machine.
  void noteMessage(std::string_view payload) {
    std::int64_t toldUs = 0;
    if (payload.size() < std::size_t(options_.micros) + sizeof toldUs) return;
    std::memcpy(&toldUs, payload.data() + options_.micros, sizeof toldUs);
    const Nanoseconds present = wallClock(), told = toldUs * 1'000;
    // A text, as the answer to a request, has some other number there.
    if (told > present + kAheadMax || told < present - kBehindMax) return;
    report_.answered(present > told ? present - told : 0, payload);
  }

  void close(Lane& lane, std::string_view why) {
    report_.failed(why);
    watch_.remove(lane.socket.connection());
    open_--;
  }

  const Options& options_;
  Report& report_;
  Watch watch_;
  std::vector<std::string> lines_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<WebSocket>> stalled_;
  std::size_t open_ = std::size_t(options_.connections);
  bool measuring_ = false;
};

}  // namespace ringbook::load
