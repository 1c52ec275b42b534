// The price levels of one side of a book.
//
// A side finds its levels by key: the price, counted so that better is lower. An ask's key is its
// ticks, a bid's is what it lacks to one tick past the range. At that tick stands a level that no
// order can reach, so that there is always a best level and always a next one.
//
// The table of levels has rows of 64 homes. A key's row is a hash of its group, the 64 keys that
// differ in their low bits only, and those bits are its home in the row. So one word says where a
// whole group has levels, and these words, 16 bytes a row, are few enough to stay in a near cache.
// Levels that share a home are chained there.
//
// Where groups share a row, one that becomes empty may look as if it were not. It then stays in
// `groups_` until a search finds nothing in it: one step too many, at most once for a level opened.
#pragma once

#include <algorithm>
#include <bit>

#include "bit-tower.h"
#include "memory.h"

namespace ringbook::book {

class Side {
 public:
  /// Takes what it needs for keys 0 to `end_key`, where `end_level` stands.
  void reserve(Memory &memory, uint32_t end_key, uint32_t levels_max, Ref end_level) {
    const uint32_t row_bits = std::bit_width(levels_max / 64 | 15);
    base_ = memory.base();
    row_shift_ = 32 - row_bits;
    rows_ = memory.take<Row>(size_t{1} << row_bits);
    homes_ = memory.take<Ref>(size_t{64} << row_bits);
    groups_.reserve(memory, (size_t{end_key} >> 6) + 1);
    best_ = UINT64_MAX;
    level(end_level).orders = {end_level, end_level};
    add(end_key, end_level);
  }

  uint32_t best_key() const { return best_ >> 32; }
  Ref best_level() const { return static_cast<Ref>(best_); }

  /// The level of a key; 0 when there is none.
  Ref find(uint32_t key) const {
    const uint32_t row = row_of(key);
    if ((rows_[row].taken & bit_of(key)) == 0) return 0;
    return follow(homes_[home_of(row, key)], key);
  }

  /// Adds a level for a key that has none.
  void add(uint32_t key, Ref added) {
    const uint32_t row = row_of(key);
    Row &words = rows_[row];
    Ref &home = homes_[home_of(row, key)];
    const bool shares = (words.taken & bit_of(key)) != 0;
    level(added).key = key;
    level(added).chain = shares ? home : 0;
    if (shares) [[unlikely]] words.shared |= bit_of(key);
    words.taken |= bit_of(key);
    home = added;
    groups_.add(key >> 6);
    best_ = std::min(best_, ranked(key, added));
  }

  void remove(uint32_t key, Ref removed) {
    const uint32_t row = row_of(key);
    Row &words = rows_[row];
    uint64_t freed = bit_of(key);
    if (words.shared & freed) [[unlikely]] {
      unchain(words, home_of(row, key), removed);
      freed = 0;
    }
    words.taken &= ~freed;
    groups_.remove_if(words.taken == 0, key >> 6);
    if (removed == best_level()) {
      const Ref next = above(key);
      best_ = ranked(level(next).key, next);
    }
  }

  /// The next level, away from the spread. Not inlined: it is rare, and inlined it takes registers
  /// away from everything around it.
  [[gnu::noinline]] Ref above(uint32_t key) {
    uint32_t group = key >> 6;
    Ref found = first_of(group, ~uint64_t{1} << (key & 63));
    while (found == 0) {
      group = groups_.above(group);
      found = first_of(group, UINT64_MAX);
      if (found == 0) groups_.remove_if(1, group);
    }
    return found;
  }

 private:
  /// Homes that have levels, and homes that have several.
  struct Row {
    uint64_t taken, shared;
  };

  Level &level(Ref at) const { return *reinterpret_cast<Level *>(base_ + at); }
  uint32_t row_of(uint32_t key) const { return ((key >> 6) * 0x9e3779b1u) >> row_shift_; }
  static uint32_t home_of(uint32_t row, uint32_t key) { return row << 6 | (key & 63); }
  /// Key and level in one number: the better of two is the lesser.
  static uint64_t ranked(uint32_t key, Ref level) { return uint64_t{key} << 32 | level; }

  /// The level of a key in a home's chain; 0 when there is none.
  Ref follow(Ref at, uint32_t key) const {
    while (at != 0 && level(at).key != key) at = level(at).chain;
    return at;
  }

  /// The lowest level of a group in the homes that a word names; 0 when there is none.
  Ref first_of(uint32_t group, uint64_t homes) const {
    const uint32_t row = row_of(group << 6);
    for (uint64_t left = rows_[row].taken & homes; left != 0; left &= left - 1) {
      const uint32_t key = group << 6 | std::countr_zero(left);
      if (const Ref found = follow(homes_[home_of(row, key)], key)) return found;
    }
    return 0;
  }

  /// Takes a level from a home that it shares.
  void unchain(Row &words, uint32_t home, Ref removed) {
    Ref *at = &homes_[home];
    while (*at != removed) at = &level(*at).chain;
    *at = level(removed).chain;
    if (level(homes_[home]).chain == 0) words.shared &= ~bit_of(home);
  }

  char *base_;
  Row *rows_;
  Ref *homes_;
  BitTower groups_;
  uint64_t best_;
  uint32_t row_shift_;
};

}  // namespace ringbook::book
