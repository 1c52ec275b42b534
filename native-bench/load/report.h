// What a load has measured, and its form: one JSON object on one line.
#pragma once

#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connection.h"
#include "histogram.h"

namespace ringbook::load {

/// Processor time that this process has used, in seconds.
inline double processorSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c < ' ' || c > '~') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(static_cast<unsigned char>(c)));
      out += escape;
    } else {
      out += c;
    }
  }
  return out += '"';
}

inline void printLatency(const Histogram& latency) {
  std::printf("\"latencyUs\":{\"p50\":%.2f,\"p90\":%.2f,\"p99\":%.2f,\"p999\":%.2f,"
              "\"p9999\":%.2f,\"max\":%.2f,\"mean\":%.2f}",
              latency.microseconds(0.5), latency.microseconds(0.9), latency.microseconds(0.99),
              latency.microseconds(0.999), latency.microseconds(0.9999),
              latency.maxMicroseconds(), latency.meanMicroseconds());
}

class Report {
 public:
  explicit Report(const std::vector<std::pair<std::string, std::string>>& counts) {
    for (const auto& [name, text] : counts) counts_.push_back({name, text, 0});
  }

  void sent() { sent_++; }

  /// Notes an answer that arrived within the measured time.
  void answered(Nanoseconds latency, std::string_view answer) {
    latency_.record(latency);
    for (Count& count : counts_) count.answers += answer.find(count.text) != answer.npos;
  }

  /// Notes a failure, whenever it happened; the first few are shown in full.
  void failed(std::string_view what) {
    if (errors_++ < kErrorsShown) errorTexts_.emplace_back(what.substr(0, kErrorBytes));
  }

  void beginMeasuring() {
    began_ = now();
    processorBegan_ = processorSeconds();
  }
  void endMeasuring() {
    seconds_ = double(now() - began_) / 1e9;
    processor_ = processorSeconds() - processorBegan_;
  }

  void print() const {
    std::printf("{\"sent\":%lu,\"answered\":%lu,\"errors\":%lu,\"errorTexts\":[", sent_,
                latency_.count(), errors_);
    for (std::size_t i = 0; i < errorTexts_.size(); i++) {
      std::printf("%s%s", i == 0 ? "" : ",", quoted(errorTexts_[i]).c_str());
    }
    std::printf("],\"seconds\":%.6f,\"rate\":%.1f,\"processorShare\":%.4f,", seconds_,
                double(latency_.count()) / seconds_, processor_ / seconds_);
    printLatency(latency_);
    std::printf(",\"counts\":{");
    for (std::size_t i = 0; i < counts_.size(); i++) {
      std::printf("%s%s:%lu", i == 0 ? "" : ",", quoted(counts_[i].name).c_str(),
                  counts_[i].answers);
    }
    std::printf("}}\n");
  }

 private:
  static constexpr std::uint64_t kErrorsShown = 5;
  static constexpr std::size_t kErrorBytes = 600;

  struct Count {
    std::string name, text;
    std::uint64_t answers;
  };

  Histogram latency_;
  std::uint64_t sent_ = 0, errors_ = 0;
  std::vector<std::string> errorTexts_;
  std::vector<Count> counts_;
  Nanoseconds began_ = 0;
  double seconds_ = 0, processorBegan_ = 0, processor_ = 0;
};

}  // namespace ringbook::load
