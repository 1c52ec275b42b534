// Latencies in a log-linear histogram: 128 buckets for each power of two, so that a quantile is
// wrong by less than 0.8 %. Recording is two shifts and an increment.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace ringbook::load {

class Histogram {
 public:
  void record(std::uint64_t nanoseconds) {
    buckets_[indexOf(nanoseconds)]++;
    count_++;
    sum_ += nanoseconds;
    max_ = std::max(max_, nanoseconds);
  }

  std::uint64_t count() const { return count_; }
  double maxMicroseconds() const { return max_ / 1e3; }
  double meanMicroseconds() const { return count_ == 0 ? 0 : double(sum_) / double(count_) / 1e3; }

  /// The value that the share `quantile` of all recorded values does not exceed.
  double microseconds(double quantile) const {
    const double wanted = quantile * double(count_);
    std::uint64_t seen = 0;
    for (std::size_t index = 0; index < buckets_.size(); index++) {
      seen += buckets_[index];
      if (seen > 0 && double(seen) >= wanted) return std::min(middleOf(index), double(max_)) / 1e3;
    }
    return 0;
  }

 private:
  static constexpr int kLinearBits = 7;

  static std::size_t indexOf(std::uint64_t value) {
    const int shift = std::max(0, int(std::bit_width(value)) - 1 - kLinearBits);
    return (std::size_t(shift) << kLinearBits) + (value >> shift);
  }

  static double middleOf(std::size_t index) {
    constexpr std::size_t linear = 1 << kLinearBits;
    if (index < 2 * linear) return double(index);
    const std::size_t shift = (index >> kLinearBits) - 1;
    const std::uint64_t low = std::uint64_t(linear + index % linear) << shift;
    return double(low) + double(std::uint64_t(1) << shift) / 2;
  }

  std::vector<std::uint64_t> buckets_ = std::vector<std::uint64_t>(64 << kLinearBits);
  std::uint64_t count_ = 0, sum_ = 0, max_ = 0;
};

}  // namespace ringbook::load
