// The HTTP load: requests of a plan over connections that are kept alive, in a closed loop (every
// connection kept busy) or in an open one (a fixed rate, whatever the answers do). In the open loop
// a request that finds no free connection waits, and its latency counts from the time it was due.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "connection.h"
#include "http-answer.h"
#include "options.h"
#include "plan.h"
#include "report.h"

namespace ringbook::load {

class HttpLoad {
 public:
  HttpLoad(const Options& options, Plan& plan, Report& report)
      : options_(options), plan_(plan), report_(report) {
    for (int i = 0; i < options.connections; i++) {
      lanes_.push_back(std::make_unique<Lane>(options.host, options.port));
      watch_.add(lanes_.back()->connection, std::uint32_t(i));
    }
  }

  /// Runs warm-up and measurement, then waits for the answers still due.
  void run() {
    const Nanoseconds start = now();
    measuredFrom_ = start + Nanoseconds(options_.warmup * 1e9);
    end_ = measuredFrom_ + Nanoseconds(options_.seconds * 1e9);
    open_ = options_.rate > 0;
    due_ = open_ ? start : kNever;
    for (std::uint32_t i = 0; i < lanes_.size(); i++) becomeFree(i);
    while (now() < measuredFrom_) turn(measuredFrom_);
    report_.beginMeasuring();
    measuring_ = true;
    while (now() < end_ && !finished()) turn(end_);
    report_.endMeasuring();
    measuring_ = false;
    sending_ = false;
    const Nanoseconds patience = now() + kPatience;
    while (waiting_ > 0 && now() < patience) turn(patience);
    if (waiting_ > 0) report_.failed(std::to_string(waiting_) + " requests were never answered");
  }

 private:
  static constexpr Nanoseconds kNever = ~Nanoseconds(0);
  static constexpr Nanoseconds kPatience = 5'000'000'000;

  /// A connection and the times that its unanswered requests count from, oldest first.
  struct Lane {
    Lane(const std::string& host, int port) : connection(host, port) {}
    Connection connection;
    std::deque<Nanoseconds> begun;
    bool blocked = false;
    bool closed = false;
    /// Head and length of the answer that is arriving, once its head has come.
    AnswerHead head = {AnswerHead::Kind::incomplete, 0, 0, 0};
  };

  bool finished() const {
    return waiting_ == 0 && (plan_.exhausted() || closedLanes_ == lanes_.size());
  }

  void turn(Nanoseconds until) {
    if (open_) sendDue();
    const int count = watch_.wait(std::min(until, sending_ ? due_ : kNever));
    for (int event = 0; event < count; event++) {
      const std::uint32_t number = watch_.number(event);
      if (watch_.writable(event)) flush(number);
      if (watch_.readable(event)) receive(number);
    }
  }

  /// Open loop: gives what has fallen due to free connections.
  void sendDue() {
    if (!sending_) return;
    for (const Nanoseconds present = now(); due_ <= present;) {
      overdue_.push_back(due_);
      due_ = dueAt(++dueCount_);
    }
    while (!overdue_.empty() && !free_.empty() && !plan_.exhausted()) {
      const std::uint32_t number = free_.front();
      free_.pop_front();
      send(number, overdue_.front());
      overdue_.pop_front();
    }
  }

  Nanoseconds dueAt(std::uint64_t count) const {
    const Nanoseconds start = measuredFrom_ - Nanoseconds(options_.warmup * 1e9);
    return start + Nanoseconds(double(count) * 1e9 / options_.rate);
  }

  void becomeFree(std::uint32_t number) {
    if (open_) {
      free_.push_back(number);
      return;
    }
    Lane& lane = *lanes_[number];
    while (sending_ && !plan_.exhausted() && lane.begun.size() < std::size_t(options_.pipeline)) {
      send(number, now());
    }
  }

  void send(std::uint32_t number, Nanoseconds begun) {
    Lane& lane = *lanes_[number];
    plan_.render(lane.connection.out());
    lane.begun.push_back(begun);
    waiting_++;
    report_.sent();
    if (!lane.blocked) flush(number);
  }

  void flush(std::uint32_t number) {
    Lane& lane = *lanes_[number];
    const bool blocked = !lane.connection.flush();
    if (blocked != lane.blocked) watch_.awaitWritable(lane.connection, number, blocked);
    lane.blocked = blocked;
  }

  void receive(std::uint32_t number) {
    Lane& lane = *lanes_[number];
    if (!lane.connection.receive()) return close(number, "the server closed a connection");
    for (;;) {
      const std::string_view bytes = lane.connection.received();
      if (bytes.empty()) return;
      if (lane.head.kind == AnswerHead::Kind::incomplete) lane.head = readAnswerHead(bytes);
      if (lane.head.kind == AnswerHead::Kind::incomplete) return;
      if (lane.head.kind == AnswerHead::Kind::malformed) return close(number, bytes);
      const std::size_t size = lane.head.headBytes + lane.head.bodyBytes;
      if (bytes.size() < size) return;
      if (lane.begun.empty()) return close(number, "an answer that nobody asked for");
      check(lane, bytes.substr(lane.head.headBytes, lane.head.bodyBytes));
      lane.connection.consume(size);
      lane.head.kind = AnswerHead::Kind::incomplete;
      becomeFree(number);
    }
  }

  void check(Lane& lane, std::string_view body) {
    const Nanoseconds begun = lane.begun.front();
    lane.begun.pop_front();
    waiting_--;
    if (measuring_) report_.answered(now() - begun, body);
    const bool good = lane.head.status == 200 && options_.accepts(body);
    if (!good) report_.failed(std::to_string(lane.head.status) + " " + std::string(body));
  }

  void close(std::uint32_t number, std::string_view why) {
    Lane& lane = *lanes_[number];
    if (lane.closed) return;
    report_.failed(why);
    watch_.remove(lane.connection);
    waiting_ -= lane.begun.size();
    lane.begun.clear();
    lane.closed = true;
    closedLanes_++;
  }

  const Options& options_;
  Plan& plan_;
  Report& report_;
  Watch watch_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::deque<std::uint32_t> free_;
  std::deque<Nanoseconds> overdue_;
  Nanoseconds measuredFrom_ = 0, end_ = 0, due_ = kNever;
  std::uint64_t dueCount_ = 0, waiting_ = 0;
  std::size_t closedLanes_ = 0;
  bool open_ = false, measuring_ = false, sending_ = true;
};

}  // namespace ringbook::load
