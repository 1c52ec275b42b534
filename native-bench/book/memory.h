// The region of memory that holds a book, and the records in it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace ringbook::book {

using std::int64_t;
using std::size_t;
using std::uint32_t;
using std::uint64_t;

[[noreturn]] inline void fail(const char *why) {
  std::fprintf(stderr, "book-twin: %s\n", why);
  std::exit(1);
}

/// A record's place in the region, in bytes from its start. 0 is none.
using Ref = uint32_t;

/// A place in a ring, or the mark between its last and its first. Alone, the mark names itself.
struct Links {
  Ref next, previous;
};

/// One cache line. Its own place is that of its links in the level.
struct Order {
  Links in_level, in_account;
  /// The price, counted as its `Side` does.
  uint32_t key;
  /// The next order of the same home in the index, or the next free record.
  Ref chain;
  uint32_t account, terms;
  uint64_t id;
  int64_t open_lots, filled_lots, filled_atoms;
};

/// What no command reads of an order.
struct Times {
  uint32_t created_low, updated_low, high, unused;
};

struct Level {
  Links orders;
  uint32_t key, order_count;
  int64_t open_lots;
  /// The next level of the same home, or the next free record.
  Ref chain;
  uint32_t unused;
};
static_assert(offsetof(Order, in_level) == 0 && offsetof(Level, orders) == 0);
static_assert(sizeof(Order) == 64 && sizeof(Times) == 16 && sizeof(Level) == 32);

/// Zeroed memory. No page of it is touched before its use.
class Memory {
 public:
  explicit Memory(size_t bytes) : bytes_(bytes) {
    void *region = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (region == MAP_FAILED) fail("no memory");
    base_ = static_cast<char *>(region);
  }
  ~Memory() { munmap(base_, bytes_); }
  Memory(const Memory &) = delete;

  char *base() const { return base_; }

  template <class T>
  T *take(size_t count) {
    char *at = base_ + end_;
    end_ = (end_ + count * sizeof(T) + 63) / 64 * 64;
    if (end_ > bytes_) fail("the region is too small");
    return reinterpret_cast<T *>(at);
  }

  template <class T>
  Ref take_records(size_t count) {
    const size_t at = reinterpret_cast<char *>(take<T>(count)) - base_;
    if (end_ > UINT32_MAX) fail("records lie further than a reference reaches");
    return static_cast<Ref>(at);
  }

 private:
  char *base_;
  /// Nothing lies at 0, which is no reference.
  size_t bytes_, end_ = 64;
};

}  // namespace ringbook::book
