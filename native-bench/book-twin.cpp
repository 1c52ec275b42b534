// The book of src/core/book in C++, for a measure of what the machine can do: the same columns, tables
// and bitmaps in one zeroed region, the same commands from the same bytes, the same outcome hash.
// Where the TypeScript links orders, levels and accounts as rings of one set of records, because it
// pays for every array it touches, this has lists with ends, which the compiler makes faster.
//
//   book-twin FILE [runs] [warm-ups]
//
// FILE is what bench/workloads/book-commands.ts writes. Prints one line of JSON: the outcome hash, the
// number of fills, and the seconds of each run. A run that ends in another hash than the first is an error.
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using std::int32_t;
using std::uint32_t;

[[noreturn]] static void fail(const char *why) {
  std::fprintf(stderr, "book-twin: %s\n", why);
  std::exit(1);
}

struct Shape {
  uint32_t price_ticks_max, orders_max, accounts_max, levels_max;
};

/** Zeroed memory that no page of is touched before its use. */
class Memory {
 public:
  explicit Memory(size_t bytes) : bytes_(bytes) {
    base_ = static_cast<char *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED) fail("no memory");
  }
  ~Memory() { munmap(base_, bytes_); }
  Memory(const Memory &) = delete;

  template <class T>
  T *take(size_t count) {
    char *at = base_ + end_;
    end_ = (end_ + count * sizeof(T) + 63) / 64 * 64;
    if (end_ > bytes_) fail("the region is too small");
    return reinterpret_cast<T *>(at);
  }

 private:
  char *base_;
  size_t bytes_, end_ = 0;
};

static uint32_t table_bits(uint32_t entries_max) {
  uint32_t bits = 4;
  while (entries_max > 0.75 * static_cast<double>(1u << bits)) bits++;
  return bits;
}

/** src/core/book/slot-table.ts. */
struct SlotTable {
  uint32_t *slots;
  uint32_t bits, mask, stride, inverse;

  SlotTable(Memory &memory, uint32_t entries_max)
      : bits(table_bits(entries_max)), mask((1u << bits) - 1) {
    slots = memory.take<uint32_t>(mask + 1);
    inverse = static_cast<uint32_t>(0.6180339887 * (mask + 1)) | 1;
    stride = inverse;
    for (int round = 0; round < 5; round++) stride *= 2 - inverse * stride;
    stride &= mask;
  }

  uint32_t next(uint32_t position) const { return (position + stride) & mask; }

  void add(uint32_t home, uint32_t slot) {
    while (slots[home] != 0) home = next(home);
    slots[home] = slot;
  }

  template <class HomeOf>
  void remove(uint32_t home, uint32_t slot, HomeOf home_of) {
    while (slots[home] != slot) home = next(home);
    slots[home] = 0;
    uint32_t hole = home;
    for (uint32_t at = next(home); slots[at] != 0; at = next(at)) {
      const uint32_t entry = slots[at];
      const uint32_t from_home = ((at - home_of(entry)) * inverse) & mask;
      const uint32_t from_hole = ((at - hole) * inverse) & mask;
      if (from_home >= from_hole) {
        slots[hole] = entry;
        slots[at] = 0;
        hole = at;
      }
    }
  }
};

/** src/core/book/bit-tower.ts. */
class BitTower {
 public:
  BitTower(Memory &memory, uint32_t count) {
    uint32_t words = count;
    do {
      words = (words + 31) / 32;
      floors_[count_++] = memory.take<uint32_t>(words);
    } while (words > 1);
  }

  bool add(uint32_t value) {
    uint32_t &word = floors_[0][value >> 5];
    const uint32_t bit = 1u << (value & 31);
    if (word & bit) return false;
    const bool was_empty = word == 0;
    word |= bit;
    for (int floor = 1; was_empty && floor < count_; floor++) {
      value >>= 5;
      uint32_t &summary = floors_[floor][value >> 5];
      const bool stop = summary != 0;
      summary |= 1u << (value & 31);
      if (stop) break;
    }
    return true;
  }

  void remove(uint32_t value) {
    for (int floor = 0; floor < count_; floor++) {
      if ((floors_[floor][value >> 5] &= ~(1u << (value & 31))) != 0) return;
      value >>= 5;
    }
  }

  int64_t below(uint32_t value) const {
    for (int floor = 0; floor < count_; floor++) {
      const uint32_t word = floors_[floor][value >> 5] & ((1u << (value & 31)) - 1);
      value >>= 5;
      if (word == 0) continue;
      value = value << 5 | (31 - std::countl_zero(word));
      while (floor-- > 0) value = value << 5 | (31 - std::countl_zero(floors_[floor][value]));
      return value;
    }
    return -1;
  }

  int64_t above(uint32_t value) const {
    for (int floor = 0; floor < count_; floor++) {
      const uint32_t word = floors_[floor][value >> 5] & (-2u << (value & 31));
      value >>= 5;
      if (word == 0) continue;
      value = value << 5 | std::countr_zero(word);
      while (floor-- > 0) value = value << 5 | std::countr_zero(floors_[floor][value]);
      return value;
    }
    return -1;
  }

 private:
  uint32_t *floors_[7] = {};
  int count_ = 0;
};

/** 32 bytes: half a cache line, as a record of src/core/book/memory-map.ts is. */
struct Level {
  uint32_t price, first, last, count;
  double lots;
  uint32_t lower, higher;
};

/** 32 bytes, the same for an order. */
struct Links {
  uint32_t next, previous, level, account_next, account_previous;
  uint32_t created_low, updated_low, high;
};
static_assert(sizeof(Level) == 32 && sizeof(Links) == 32);

struct Ends {
  uint32_t oldest, newest;
};

struct Book {
  static constexpr uint32_t kGroupBits = 4;
  const Shape shape;
  Memory &memory;
  Links *links = memory.take<Links>(shape.orders_max + 1);
  double *order_id = memory.take<double>(shape.orders_max + 1);
  double *open_lots = memory.take<double>(shape.orders_max + 1);
  double *filled_lots = memory.take<double>(shape.orders_max + 1);
  double *filled_atoms = memory.take<double>(shape.orders_max + 1);
  int32_t *account = memory.take<int32_t>(shape.orders_max + 1);
  int32_t *terms = memory.take<int32_t>(shape.orders_max + 1);
  Level *levels = memory.take<Level>(shape.levels_max + 1);
  Ends *accounts = memory.take<Ends>(shape.accounts_max);
  SlotTable order_table{memory, shape.orders_max};
  SlotTable level_table{memory, shape.levels_max};
  BitTower groups{memory, (shape.price_ticks_max >> kGroupBits) + 1};
  uint32_t order_count = 0, order_free = 0, order_fresh = 0;
  uint32_t level_free = 0, level_fresh = 0;
  /** Best level by side. */
  uint32_t best[2] = {0, 0};

  Book(Memory &region, const Shape &of) : shape(of), memory(region) {}

  uint32_t best_ticks(uint32_t side) const { return levels[best[side]].price; }
  uint32_t best_order(uint32_t side) const { return levels[best[side]].first; }

  uint32_t order_home(uint32_t slot) const {
    return static_cast<uint32_t>(order_id[slot]) & order_table.mask;
  }
  uint32_t level_home(uint32_t price) const {
    return (price ^ (price >> level_table.bits)) & level_table.mask;
  }

  uint32_t find_order(uint32_t id) const {
    for (uint32_t at = id & order_table.mask;; at = order_table.next(at)) {
      const uint32_t slot = order_table.slots[at];
      if (slot == 0 || order_id[slot] == id) return slot;
    }
  }

  uint32_t find_level(uint32_t price) const {
    for (uint32_t at = level_home(price);; at = level_table.next(at)) {
      const uint32_t level = level_table.slots[at];
      if (level == 0 || levels[level].price == price) return level;
    }
  }

  uint32_t down_from(uint32_t price, uint32_t group) const {
    for (; price >> kGroupBits == group; price--) {
      if (const uint32_t level = find_level(price)) return level;
    }
    return 0;
  }

  uint32_t up_from(uint32_t price, uint32_t group) const {
    for (; price >> kGroupBits == group; price++) {
      if (const uint32_t level = find_level(price)) return level;
    }
    return 0;
  }

  uint32_t lower(uint32_t level) const {
    if (levels[level].lower) return levels[level].lower;
    const int64_t group = groups.below(levels[level].price >> kGroupBits);
    return group < 0 ? 0 : down_from(((group + 1) << kGroupBits) - 1, group);
  }

  uint32_t higher(uint32_t level) const {
    if (levels[level].higher) return levels[level].higher;
    const int64_t group = groups.above(levels[level].price >> kGroupBits);
    return group < 0 ? 0 : up_from(group << kGroupBits, group);
  }

  uint32_t worse(uint32_t side, uint32_t level) const {
    return side == 0 ? lower(level) : higher(level);
  }

  uint32_t next_order(uint32_t slot) const {
    if (links[slot].next) return links[slot].next;
    return levels[worse(terms[slot] & 1, links[slot].level)].first;
  }

  uint32_t open_level(uint32_t side, uint32_t price) {
    uint32_t level = level_free;
    if (level != 0) level_free = levels[level].first;
    else if (level_fresh == shape.levels_max) return 0;
    else level = ++level_fresh;
    Level &at = levels[level];
    at = Level{price, 0, 0, 0, 0, 0, 0};
    const uint32_t group = price >> kGroupBits;
    if (!groups.add(group)) {
      at.lower = down_from(price - 1, group);
      at.higher = at.lower ? levels[at.lower].higher : up_from(price + 1, group);
      if (at.lower) levels[at.lower].higher = level;
      if (at.higher) levels[at.higher].lower = level;
    }
    level_table.add(level_home(price), level);
    const uint32_t best_price = best_ticks(side);
    if (best_price == 0 || (side == 0 ? price > best_price : price < best_price)) {
      best[side] = level;
    }
    return level;
  }

  void close_level(uint32_t level) {
    if (level == best[0]) best[0] = lower(level);
    else if (level == best[1]) best[1] = higher(level);
    Level &at = levels[level];
    if ((at.lower | at.higher) == 0) groups.remove(at.price >> kGroupBits);
    if (at.lower) levels[at.lower].higher = at.higher;
    if (at.higher) levels[at.higher].lower = at.lower;
    level_table.remove(level_home(at.price), level,
                       [this](uint32_t other) { return level_home(levels[other].price); });
    at.first = level_free;
    level_free = level;
  }

  uint32_t rest(uint32_t side, uint32_t price, double lots, uint32_t id, uint32_t owner) {
    if (order_count == shape.orders_max) return 0;
    uint32_t level = find_level(price);
    if (level == 0 && (level = open_level(side, price)) == 0) return 0;
    uint32_t slot = order_free;
    if (slot != 0) order_free = links[slot].next;
    else slot = ++order_fresh;
    order_count++;
    order_id[slot] = id;
    open_lots[slot] = lots;
    filled_lots[slot] = 0;
    filled_atoms[slot] = 0;
    account[slot] = owner;
    terms[slot] = side;
    Level &at = levels[level];
    Ends &chain = accounts[owner];
    links[slot] = Links{0, at.last, level, 0, chain.newest, 0, 0, 0};
    (at.last == 0 ? at.first : links[at.last].next) = slot;
    at.last = slot;
    at.count++;
    at.lots += lots;
    (chain.newest == 0 ? chain.oldest : links[chain.newest].account_next) = slot;
    chain.newest = slot;
    order_table.add(id & order_table.mask, slot);
    return slot;
  }

  void leave(uint32_t slot) {
    const Links &link = links[slot];
    Level &at = levels[link.level];
    (link.previous == 0 ? at.first : links[link.previous].next) = link.next;
    (link.next == 0 ? at.last : links[link.next].previous) = link.previous;
    if (--at.count == 0) close_level(link.level);
    order_table.remove(order_home(slot), slot, [this](uint32_t other) { return order_home(other); });
    Ends &chain = accounts[account[slot]];
    (link.account_previous == 0 ? chain.oldest : links[link.account_previous].account_next) =
        link.account_next;
    (link.account_next == 0 ? chain.newest : links[link.account_next].account_previous) =
        link.account_previous;
    links[slot].next = order_free;
    order_free = slot;
    order_count--;
  }

  void fill(uint32_t slot, double lots) {
    filled_lots[slot] += lots;
    levels[links[slot].level].lots -= lots;
    if ((open_lots[slot] -= lots) == 0) leave(slot);
  }

  void remove(uint32_t slot) {
    levels[links[slot].level].lots -= open_lots[slot];
    leave(slot);
  }
};

static uint32_t mix(uint32_t hash, uint32_t value) {
  const uint32_t mixed = (hash ^ value) * 0x9e3779b1u;
  return mixed ^ (mixed >> 15);
}

/** bench/workloads/book-commands.ts. */
struct Command {
  uint32_t kind, price_or_id, lots, account;
};

struct Outcome {
  uint32_t hash = 0, fills = 0;
};

static void place(Book &book, Outcome &outcome, const Command &command, uint32_t id) {
  const uint32_t side = command.kind;
  const uint32_t limit = command.price_or_id;
  double open = command.lots;
  while (open > 0) {
    const uint32_t ticks = book.best_ticks(side ^ 1);
    if (ticks == 0 || (side == 0 ? ticks > limit : ticks < limit)) break;
    const uint32_t maker = book.best_order(side ^ 1);
    const double lots = std::min(book.open_lots[maker], open);
    uint32_t hash = mix(outcome.hash, static_cast<uint32_t>(book.order_id[maker]));
    hash = mix(mix(hash, id), ticks);
    outcome.hash = mix(hash, static_cast<uint32_t>(lots));
    outcome.fills++;
    book.fill(maker, lots);
    open -= lots;
  }
  if (open > 0) book.rest(side, limit, open, id, command.account);
}

static Outcome run(Book &book, const std::vector<Command> &commands) {
  Outcome outcome;
  uint32_t placed = 0;
  for (const Command &command : commands) {
    if (command.kind == 2) {
      if (const uint32_t slot = book.find_order(command.price_or_id)) book.remove(slot);
    } else {
      place(book, outcome, command, ++placed);
    }
  }
  return outcome;
}

static void hash_book(const Book &book, Outcome &outcome) {
  for (uint32_t side = 0; side < 2; side++) {
    for (uint32_t slot = book.best_order(side); slot != 0; slot = book.next_order(slot)) {
      outcome.hash = mix(outcome.hash, static_cast<uint32_t>(book.order_id[slot]));
      outcome.hash = mix(outcome.hash, book.levels[book.links[slot].level].price);
      outcome.hash = mix(outcome.hash, static_cast<uint32_t>(book.open_lots[slot]));
    }
  }
}

int main(int count, char **arguments) {
  if (count < 2) fail("usage: book-twin FILE [runs] [warm-ups]");
  std::FILE *file = std::fopen(arguments[1], "rb");
  uint32_t header[16];
  if (file == nullptr || std::fread(header, 4, 16, file) != 16 || header[0] != 0x6b6f6f62) {
    fail("not a file of commands");
  }
  std::vector<Command> commands(header[1]);
  if (std::fread(commands.data(), sizeof(Command), header[1], file) != header[1]) fail("cut short");
  std::fclose(file);
  const Shape shape{header[2], header[3], header[4], header[5]};
  const int runs = count > 2 ? std::atoi(arguments[2]) : 1;
  const int warm_ups = count > 3 ? std::atoi(arguments[3]) : 1;

  Outcome first;
  std::vector<double> seconds;
  for (int index = 0; index < warm_ups + runs; index++) {
    Memory memory(size_t{shape.orders_max} * 128 + shape.price_ticks_max / 64 + (1 << 20));
    Book book(memory, shape);
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome = run(book, commands);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    hash_book(book, outcome);
    if (index == 0) first = outcome;
    if (outcome.hash != first.hash) fail("two runs differ");
    if (index >= warm_ups) seconds.push_back(elapsed.count());
  }
  std::printf("{\"hash\":\"%08x\",\"fills\":%u,\"seconds\":[", first.hash, first.fills);
  for (size_t i = 0; i < seconds.size(); i++) std::printf("%s%.6f", i ? "," : "", seconds[i]);
  std::printf("]}\n");
}
