// The load of sessions that ask for more than can be done: pipelined frames at a fixed rate, or as many
// as fit, whatever the answers do. An exchange that refuses some of them answers these before others
// that came earlier, so each frame has an id of its own and answers are found by it. The plan is that of
// session-plan.h, whose frames begin with {"id":1, and are sent in its order.
//
// At a fixed rate latency counts from when the frame was due. A frame whose connection has `pipeline` in
// flight already is not sent, but counted as withheld.
#pragma once

#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "histogram.h"
#include "options.h"
#include "report.h"
#include "session-plan.h"
#include "websocket.h"

namespace ringbook::load {

class OverloadLoad {
 public:
  explicit OverloadLoad(const Options& options) : options_(options) {
    lines_ = readSessionPlan(options.plan, keys_);
    for (int i = 0; i < options.connections; i++) {
      Key& key = keys_[neediestKey(keys_, lines_, std::size_t(i) + 1)];
      key.lanes++;
      key.numbers.push_back(lanes_.size());
      lanes_.push_back(std::make_unique<Lane>(options));
      const std::string answer = lanes_.back()->socket.ask(key.logon);
      if (answer.find("\"status\":200") == answer.npos) throw std::runtime_error(answer);
      watch_.add(lanes_.back()->socket.connection(), std::uint32_t(i));
    }
    order_.resize(lines_);
    for (Key& key : keys_) {
      if (key.lanes == 0) throw std::runtime_error("fewer connections than keys");
      for (const PlannedFrame& frame : key.frames) {
        if (!frame.head.starts_with(kId)) throw std::runtime_error("a frame of another form");
        order_[frame.line] = {&key, &frame};
      }
    }
  }

  /// Runs warm-up and measurement, then waits for the answers still due.
  void run() {
    const Nanoseconds start = now();
    const Nanoseconds measuredFrom = start + Nanoseconds(options_.warmup * 1e9);
    const Nanoseconds end = measuredFrom + Nanoseconds(options_.seconds * 1e9);
    start_ = start;
    while (now() < measuredFrom) turn();
    measuring_ = true;
    const Nanoseconds began = now();
    while (now() < end) turn();
    seconds_ = double(now() - began) / 1e9;
    measuring_ = false;
    const Nanoseconds patience = now() + kPatience;
    const Nanoseconds drainBegan = now();
    while (inFlight_ > 0 && now() < patience) receive();
    drainSeconds_ = double(now() - drainBegan) / 1e9;
    if (inFlight_ > 0) throw std::runtime_error(std::to_string(inFlight_) + " were never answered");
  }

  void print() const {
    std::printf("{\"sent\":%lu,\"withheld\":%lu,\"seconds\":%.6f,\"drainSeconds\":%.6f,"
                "\"inFlightMax\":%lu,\"others\":[",
                sent_, withheld_, seconds_, drainSeconds_, inFlightMax_);
    for (std::size_t i = 0; i < others_.size(); i++) {
      std::printf("%s%s", i == 0 ? "" : ",", quoted(others_[i]).c_str());
    }
    std::printf("]");
    const char* names[] = {"accepted", "busy", "other"};
    for (int kind = 0; kind < kKinds; kind++) {
      const Histogram& latency = latencies_[kind];
      std::printf(",\"%s\":{\"answered\":%lu,\"rate\":%.1f,", names[kind], latency.count(),
                  double(latency.count()) / seconds_);
      printLatency(latency);
      std::printf("}");
    }
    std::printf("}\n");
  }

 private:
  static constexpr std::string_view kId = "{\"id\":1,", kAnswerId = "{\"id\":";
  static constexpr Nanoseconds kPatience = 20'000'000'000;
  static constexpr Nanoseconds kTurn = 200'000;
  static constexpr int kKinds = 3;
  static constexpr std::size_t kOthersShown = 5, kOtherBytes = 300;
  /// At most so many frames are made before answers are looked at again.
  static constexpr int kBurst = 4096;

  struct Key : PlannedKey {
    std::vector<std::size_t> numbers;
    std::size_t nextLane = 0;
  };
  struct Lane {
    explicit Lane(const Options& options)
        : socket(options.host, options.port, options.websocket) {}
    WebSocket socket;
    /// When the frames since `firstId` were begun; 0 for those that are answered.
    std::deque<Nanoseconds> begun;
    std::uint64_t firstId = 1, inFlight = 0;
    bool blocked = false, unsent = false;
  };
  struct Step {
    Key* key;
    const PlannedFrame* frame;
  };

  void turn() {
    if (options_.rate > 0) {
      const auto due = std::uint64_t(double(now() - start_) * options_.rate / 1e9);
      for (int burst = 0; steps_ < due && burst < kBurst; burst++) {
        const auto begun = start_ + Nanoseconds(double(steps_) * 1e9 / options_.rate);
        if (!send(begun)) withheld_ += measuring_;
      }
    } else {
      // Full lanes are passed over, until all seem to be full.
      for (std::size_t full = 0, burst = 0; full < lanes_.size() && burst < kBurst; burst++) {
        full = send(now()) ? 0 : full + 1;
      }
    }
    for (const std::size_t number : unsent_) flush(number);
    unsent_.clear();
    receive();
  }

  /// The next step of the plan; false when its lane has enough in flight.
  bool send(Nanoseconds begun) {
    const Step step = order_[steps_++ % lines_];
    Key& key = *step.key;
    const std::size_t number = key.numbers[key.nextLane++ % key.numbers.size()];
    Lane& lane = *lanes_[number];
    if (lane.inFlight >= std::uint64_t(options_.pipeline)) return false;
    text_.assign(kAnswerId);
    text_ += std::to_string(lane.firstId + lane.begun.size());
    text_ += ',';
    frame_.clear();
    step.frame->render(frame_);
    lane.socket.appendText(text_.append(frame_, kId.size()));
    lane.begun.push_back(begun);
    lane.inFlight++;
    inFlightMax_ = std::max(inFlightMax_, ++inFlight_);
    sent_ += measuring_;
    if (!lane.unsent) unsent_.push_back(number);
    return lane.unsent = true;
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

  void receive() {
    const int count = watch_.wait(now() + kTurn);
    for (int event = 0; event < count; event++) {
      const std::size_t number = watch_.number(event);
      Lane& lane = *lanes_[number];
      if (watch_.writable(event)) flush(number);
      if (!watch_.readable(event)) continue;
      const auto take = [&](std::string_view answer) { this->take(lane, answer); };
      if (!lane.socket.connection().receive() || !lane.socket.takeTexts(take)) {
        throw std::runtime_error("the server closed a connection");
      }
    }
  }

  void take(Lane& lane, std::string_view answer) {
    if (!answer.starts_with(kAnswerId)) throw std::runtime_error(std::string(answer));
    const std::uint64_t id = std::strtoull(answer.data() + kAnswerId.size(), nullptr, 10);
    const std::uint64_t index = id - lane.firstId;
    if (index >= lane.begun.size() || lane.begun[index] == 0) {
      throw std::runtime_error("an answer that nobody asked for");
    }
    const Nanoseconds begun = lane.begun[index];
    lane.begun[index] = 0;
    lane.inFlight--;
    inFlight_--;
    while (!lane.begun.empty() && lane.begun.front() == 0) {
      lane.begun.pop_front();
      lane.firstId++;
    }
    const int kind = kindOf(answer);
    if (kind == 2 && others_.size() < kOthersShown) {
      others_.emplace_back(answer.substr(0, kOtherBytes));
    }
    if (measuring_) latencies_[kind].record(now() - begun);
  }

  static int kindOf(std::string_view answer) {
    if (answer.find("\"orderId\":") != answer.npos) return 0;
    return answer.find("\"code\":-1008,") != answer.npos ? 1 : 2;
  }

  const Options& options_;
  Watch watch_;
  /// Steps refer to keys: a deque does not move them.
  std::deque<Key> keys_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<Step> order_;
  std::vector<std::size_t> unsent_;
  std::string text_, frame_;
  Histogram latencies_[kKinds];
  std::vector<std::string> others_;
  std::uint64_t lines_ = 0, steps_ = 0, sent_ = 0, withheld_ = 0, inFlight_ = 0, inFlightMax_ = 0;
  Nanoseconds start_ = 0;
  double seconds_ = 0, drainSeconds_ = 0;
  bool measuring_ = false;
};

}  // namespace ringbook::load
