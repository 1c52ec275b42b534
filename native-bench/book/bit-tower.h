// A set of integers as bits, with floors above: a floor has a bit for every word of the floor below
// that is not 0.
#pragma once

#include <bit>

#include "memory.h"

namespace ringbook::book {

/// Where a value's bit is in its word.
inline uint64_t bit_of(uint32_t value) { return uint64_t{1} << (value & 63); }

class BitTower {
 public:
  /// For 0 to `count` - 1, at most 2^30.
  void reserve(Memory &memory, size_t count) {
    for (auto &floor : floors_) {
      count = (count + 63) / 64;
      floor = memory.take<uint64_t>(count);
    }
  }

  /// Writes two floors without asking whether it must: hardly anything ever changes above them.
  void add(uint32_t value) {
    floors_[0][value >> 6] |= bit_of(value);
    for (int floor = 1; floor < kFloors; floor++) {
      value >>= 6;
      uint64_t &word = floors_[floor][value >> 6];
      const bool was_empty = word == 0;
      word |= bit_of(value);
      if (!was_empty) [[likely]] return;
    }
  }

  /// Takes a member out if `gone` is 1, and does nothing if it is 0, at the same pace.
  void remove_if(uint64_t gone, uint32_t value) {
    for (int floor = 0; floor < kFloors; floor++) {
      uint64_t &word = floors_[floor][value >> 6];
      const uint64_t left = word & ~(gone << (value & 63));
      word = left;
      gone = left == 0;
      value >>= 6;
      if (floor > 0 && !gone) [[likely]] return;
    }
  }

  /// The lowest member above a value. There must be one.
  uint32_t above(uint32_t value) const {
    for (int floor = 0;; floor++) {
      const uint64_t word = floors_[floor][value >> 6] & (~uint64_t{1} << (value & 63));
      value >>= 6;
      if (word == 0) continue;
      value = value << 6 | std::countr_zero(word);
      while (floor-- > 0) value = value << 6 | std::countr_zero(floors_[floor][value]);
      return value;
    }
  }

 private:
  static constexpr int kFloors = 5;
  uint64_t *floors_[kFloors];
};

}  // namespace ringbook::book
