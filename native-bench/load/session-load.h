// The load of sessions: WebSockets that are logged on, each as one key, and kept busy with the frames
// of that key, several in flight. session-plan.h draws its plan.
//
// Frames go out about in the order of the plan, round and round: no key gets further ahead of another
// than kLead lines, so that who trades with whom stays what the plan says. The connections are given
// to the keys in proportion to their lines. All frames ask one matcher, so the answers on a
// connection come in the order of its frames.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "report.h"
#include "session-plan.h"
#include "websocket.h"

namespace ringbook::load {

class SessionLoad {
 public:
  SessionLoad(const Options& options, Report& report) : options_(options), report_(report) {
    lines_ = readSessionPlan(options.plan, keys_);
    for (int i = 0; i < options.connections; i++) {
      Key& key = keys_[neediestKey(keys_, lines_, std::size_t(i) + 1)];
      key.lanes++;
      lanes_.push_back(std::make_unique<Lane>(options, key));
      const std::string answer = lanes_.back()->socket.ask(key.logon);
      if (answer.find("\"status\":200") == answer.npos) throw std::runtime_error(answer);
      watch_.add(lanes_.back()->socket.connection(), std::uint32_t(i));
    }
    for (const Key& key : keys_) {
      if (key.lanes == 0) throw std::runtime_error("fewer connections than keys");
    }
    for (int slot = 0; slot < options.pipeline; slot++) {
      for (std::size_t i = 0; i < lanes_.size(); i++) lanes_[i]->key.free.push_back(i);
    }
  }

  /// Runs warm-up and measurement, then waits for the answers still due.
  void run() {
    const Nanoseconds measuredFrom = now() + Nanoseconds(options_.warmup * 1e9);
    const Nanoseconds end = measuredFrom + Nanoseconds(options_.seconds * 1e9);
    refill();
    while (now() < measuredFrom) turn(measuredFrom);
    report_.beginMeasuring();
    measuring_ = true;
    while (now() < end && !broken_) turn(end);
    report_.endMeasuring();
    measuring_ = false;
    sending_ = false;
    const Nanoseconds patience = now() + kPatience;
    while (waiting_ > 0 && !broken_ && now() < patience) turn(patience);
    if (waiting_ > 0) report_.failed(std::to_string(waiting_) + " requests were never answered");
  }

 private:
  static constexpr std::uint64_t kLead = 256;
  static constexpr Nanoseconds kPatience = 5'000'000'000;

  struct Key : PlannedKey {
    std::size_t next = 0;
    std::uint64_t lap = 0;
    /// Numbers of lanes, once for each request that they may still send.
    std::deque<std::size_t> free;
  };
  struct Lane {
    Lane(const Options& options, Key& of)
        : socket(options.host, options.port, options.websocket), key(of) {}
    WebSocket socket;
    Key& key;
    std::deque<Nanoseconds> begun;
    bool blocked = false, unsent = false;
  };

  std::uint64_t position(const Key& key) const {
    return key.lap * lines_ + key.frames[key.next].line;
  }

  /// Sends what may be sent, the keys that are behind first.
  void refill() {
    while (sending_) {
      std::uint64_t lowest = ~std::uint64_t(0);
      Key* chosen = nullptr;
      for (Key& key : keys_) {
        lowest = std::min(lowest, position(key));
        const bool isBehind = chosen == nullptr || position(key) < position(*chosen);
        if (!key.free.empty() && isBehind) chosen = &key;
      }
      if (chosen == nullptr || position(*chosen) > lowest + kLead) break;
      send(*chosen);
    }
    for (const std::size_t number : unsent_) flush(number);
    unsent_.clear();
  }

  void send(Key& key) {
    const std::size_t number = key.free.front();
    key.free.pop_front();
    const PlannedFrame& frame = key.frames[key.next];
    if (++key.next == key.frames.size()) {
      key.next = 0;
      key.lap++;
    }
    Lane& lane = *lanes_[number];
    text_.clear();
    frame.render(text_);
    lane.socket.appendText(text_);
    lane.begun.push_back(now());
    waiting_++;
    report_.sent();
    if (!lane.unsent) unsent_.push_back(number);
    lane.unsent = true;
  }

  void flush(std::size_t number) {
    Lane& lane = *lanes_[number];
    lane.unsent = false;
    const bool blocked = !lane.socket.connection().flush();
    if (blocked != lane.blocked) {
      watch_.awaitWritable(lane.socket.connection(), std::uint32_t(number), blocked);
    }
    lane.blocked = blocked;
  }

  void turn(Nanoseconds until) {
    const int count = watch_.wait(until);
    for (int event = 0; event < count && !broken_; event++) {
      const std::size_t number = watch_.number(event);
      if (watch_.writable(event)) flush(number);
      if (watch_.readable(event)) receive(number);
    }
    refill();
  }

  void receive(std::size_t number) {
    Lane& lane = *lanes_[number];
    const auto take = [&](std::string_view answer) {
      if (lane.begun.empty()) throw std::runtime_error("an answer that nobody asked for");
      if (measuring_) report_.answered(now() - lane.begun.front(), answer);
      if (!options_.accepts(answer)) report_.failed(answer);
      lane.begun.pop_front();
      waiting_--;
      lane.key.free.push_back(number);
    };
    if (lane.socket.connection().receive() && lane.socket.takeTexts(take)) return;
    report_.failed("the server closed a connection");
    broken_ = true;
  }

  const Options& options_;
  Report& report_;
  Watch watch_;
  /// Lanes refer to keys: a deque does not move them.
  std::deque<Key> keys_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::size_t> unsent_;
  std::string text_;
  std::uint64_t lines_ = 0, waiting_ = 0;
  bool measuring_ = false, sending_ = true, broken_ = false;
};

}  // namespace ringbook::load
