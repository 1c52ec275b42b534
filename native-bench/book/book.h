// The order book of src/core/book in C++, written for speed: a measure of what the machine can do.
// It keeps what the TypeScript keeps: of every order its amounts, terms, times and account, of each
// price level its queue and open lots, of each account its open orders, at any price of the listed
// range; and it refuses what the same bounds refuse.
//
// Its layout is its own. A book pays for waiting for memory and for branches guessed wrong, so:
//
//   - An order is one cache line: a cancel waits for that line, not for one of each column.
//   - A level's queue and an account's orders are rings of links that name each other by place in
//     the region, whatever record they are part of. Leaving a ring is two writes, no question.
//   - Each side counts prices so that its best is its lowest: no branch depends on who buys.
//   - Levels are found through bitmaps that stay in a near cache (side.h). To open or close one is
//     to write to the table behind them, mostly without reading it first.
#pragma once

#include <bit>

#include "memory.h"
#include "side.h"

namespace ringbook::book {

struct Shape {
  uint32_t price_ticks_max, orders_max, accounts_max, levels_max;
};

class Book {
 public:
  static size_t bytes_for(const Shape &shape) {
    return size_t{shape.orders_max} * 96 + size_t{shape.levels_max} * 64 +
           size_t{shape.accounts_max} * 8 + shape.price_ticks_max / 200 + (1 << 20);
  }

  Book(Memory &memory, const Shape &shape)
      : shape_(shape), base_(memory.base()), end_key_(shape.price_ticks_max + 1) {
    orders_ = order_free_ = memory.take_records<Order>(shape.orders_max + 1);
    level_free_ = memory.take_records<Level>(shape.levels_max + 3);
    accounts_ = memory.take_records<Links>(shape.accounts_max);
    for (uint32_t account = 0; account < shape.accounts_max; account++) {
      const Ref ring = ring_of(account);
      at<Links>(ring) = {ring, ring};
    }
    times_ = memory.take<Times>(shape.orders_max);
    index_mask_ = (1u << std::bit_width(shape.orders_max / 4)) - 1;
    index_ = memory.take<Ref>(index_mask_ + 1);
    for (Side &side : sides_) {
      side.reserve(memory, end_key_, shape.levels_max, take_free<Level>(level_free_));
    }
  }

  template <class T>
  T &at(Ref ref) const {
    return *reinterpret_cast<T *>(base_ + ref);
  }

  Side &side(uint32_t side) { return sides_[side]; }

  /// The key on one side of a price that has this key on the other.
  uint32_t mirrored(uint32_t key) const { return end_key_ - key; }
  /// A price as the side's key, or a key of the side as its price: mirrored for bids.
  uint32_t seen_from(uint32_t side, uint32_t ticks) const {
    return ticks + ((mirrored(ticks) - ticks) & (side - 1));
  }
  /// Whether a key is past all prices.
  bool is_end(uint32_t key) const { return key == end_key_; }

  Ref find_order(uint64_t id) const {
    Ref order = index_[id & index_mask_];
    while (order != 0 && at<Order>(order).id != id) order = at<Order>(order).chain;
    return order;
  }

  /// Puts an order at the end of its level. Answers whether there was room.
  bool rest(uint32_t side, uint32_t key, int64_t lots, uint64_t id, uint32_t account) {
    if (order_count_ == shape_.orders_max) [[unlikely]] return false;
    const Ref found = sides_[side].find(key);
    if (found == 0 && level_count_ == shape_.levels_max) [[unlikely]] return false;
    const Ref slot = take_free<Order>(order_free_);
    order_count_++;
    if (found == 0) {
      open_level(side, key, slot, lots);
    } else {
      Level &level = at<Level>(found);
      level.order_count++;
      level.open_lots += lots;
      join(found, slot);
    }
    join(ring_of(account), slot + offsetof(Order, in_account));
    Ref &home = index_[id & index_mask_];
    Order &order = at<Order>(slot);
    order.key = key;
    order.chain = home;
    order.account = account;
    order.terms = side;
    order.id = id;
    order.open_lots = lots;
    order.filled_lots = 0;
    order.filled_atoms = 0;
    times_[(slot - orders_) / sizeof(Order)] = {0, 0, 0, 0};
    home = slot;
    return true;
  }

  /// Fills `lots`, at most what is open, of an order at the side's best price.
  void fill_best(uint32_t side, Ref slot, int64_t lots) {
    Order &order = at<Order>(slot);
    order.filled_lots += lots;
    order.open_lots -= lots;
    if (order.open_lots == 0) leave(slot, lots);
    else at<Level>(sides_[side].best_level()).open_lots -= lots;
  }

  void remove(Ref slot) { leave(slot, at<Order>(slot).open_lots); }

 private:
  Ref ring_of(uint32_t account) const { return accounts_ + account * sizeof(Links); }

  /// Freed records are chained; past the last of them come those that were never used.
  template <class T>
  Ref take_free(Ref &free) {
    const Ref taken = free;
    const Ref next = at<T>(taken).chain;
    free = next != 0 ? next : taken + sizeof(T);
    return taken;
  }

  template <class T>
  void give_back(Ref &free, Ref given) {
    at<T>(given).chain = free;
    free = given;
  }

  void join(Ref ring, Ref link) {
    const Ref last = at<Links>(ring).previous;
    at<Links>(link) = {ring, last};
    at<Links>(last).next = link;
    at<Links>(ring).previous = link;
  }

  void part(const Links &links) {
    at<Links>(links.previous).next = links.next;
    at<Links>(links.next).previous = links.previous;
  }

  /// Opens a level with one order.
  void open_level(uint32_t side, uint32_t key, Ref slot, int64_t lots) {
    const Ref opened = take_free<Level>(level_free_);
    level_count_++;
    Level &level = at<Level>(opened);
    level.orders = {slot, slot};
    level.order_count = 1;
    level.open_lots = lots;
    at<Links>(slot) = {opened, opened};
    sides_[side].add(key, opened);
  }

  /// Takes an order off of which its level counts `lots`.
  void leave(Ref slot, int64_t lots) {
    Order &order = at<Order>(slot);
    part(order.in_account);
    Ref *home = &index_[order.id & index_mask_];
    while (*home != slot) [[unlikely]] home = &at<Order>(*home).chain;
    *home = order.chain;
    give_back<Order>(order_free_, slot);
    order_count_--;
    Side &side = sides_[order.terms & 1];
    // An order that is alone has its level for both neighbours, which needs no look at the level.
    if (const Ref alone = order.in_level.next; alone == order.in_level.previous) {
      side.remove(order.key, alone);
      give_back<Level>(level_free_, alone);
      level_count_--;
    } else {
      Level &level = at<Level>(side.find(order.key));
      level.order_count--;
      level.open_lots -= lots;
      part(order.in_level);
    }
  }

  const Shape shape_;
  char *const base_;
  const uint32_t end_key_;
  Side sides_[2];
  Ref *index_;
  uint32_t index_mask_;
  Ref orders_, accounts_;
  Times *times_;
  Ref order_free_, level_free_;
  uint32_t order_count_ = 0, level_count_ = 0;
};

}  // namespace ringbook::book
