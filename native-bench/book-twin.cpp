// What the machine can do with a book: book/book.h, a fast one, executes the commands that the
// TypeScript book is measured with, one after another, to the same outcome hash.
//
//   book-twin FILE [runs] [warm-ups]
//
// FILE is what bench/workloads/book-commands.ts writes. Prints one line of JSON: the outcome hash,
// the number of fills, and the seconds of each run. A run that ends in another hash is an error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "book/book.h"

using namespace ringbook::book;

/// bench/workloads/book-commands.ts.
struct Command {
  uint32_t kind, price_or_id, lots, account;
};
constexpr uint32_t kCancel = 2;
constexpr uint32_t kFileMagic = 0x6b6f6f62;
constexpr uint32_t kHeaderWords = 16;

struct Workload {
  Shape shape;
  std::vector<Command> commands;
};

/// bench/workloads/book-run.ts.
struct Outcome {
  uint32_t hash = 0, fills = 0;
};

static uint32_t mix(uint32_t hash, uint64_t value) {
  const uint32_t mixed = (hash ^ static_cast<uint32_t>(value)) * 0x9e3779b1u;
  return mixed ^ (mixed >> 15);
}

static void place(Book &book, Outcome &outcome, const Command &command, uint32_t id) {
  const uint32_t side = command.kind, other = side ^ 1;
  const uint32_t key = book.seen_from(side, command.price_or_id);
  Side &makers = book.side(other);
  int64_t open = command.lots;
  while (open > 0 && makers.best_key() <= book.mirrored(key)) {
    const Ref slot = book.at<Level>(makers.best_level()).orders.next;
    const Order &maker = book.at<Order>(slot);
    const int64_t lots = std::min(maker.open_lots, open);
    const uint32_t ticks = book.seen_from(other, makers.best_key());
    outcome.hash = mix(mix(mix(mix(outcome.hash, maker.id), id), ticks), lots);
    outcome.fills++;
    book.fill_best(other, slot, lots);
    open -= lots;
  }
  if (open > 0) book.rest(side, key, open, id, command.account);
}

static Outcome run(Book &book, const std::vector<Command> &commands) {
  Outcome outcome;
  uint32_t placed = 0;
  for (const Command &command : commands) {
    if (command.kind == kCancel) {
      if (const Ref slot = book.find_order(command.price_or_id)) [[likely]] book.remove(slot);
    } else {
      place(book, outcome, command, ++placed);
    }
  }
  return outcome;
}

/// Every resting order in priority, a side after the other.
static void hash_book(Book &book, Outcome &outcome) {
  for (uint32_t side = 0; side < 2; side++) {
    Ref level = book.side(side).best_level();
    for (uint32_t key; !book.is_end(key = book.at<Level>(level).key);) {
      for (Ref slot = book.at<Level>(level).orders.next; slot != level;) {
        const Order &order = book.at<Order>(slot);
        outcome.hash = mix(outcome.hash, order.id);
        outcome.hash = mix(outcome.hash, book.seen_from(side, key));
        outcome.hash = mix(outcome.hash, order.open_lots);
        slot = order.in_level.next;
      }
      level = book.side(side).above(key);
    }
  }
}

static Workload read(const char *path) {
  std::FILE *file = std::fopen(path, "rb");
  uint32_t header[kHeaderWords];
  if (file == nullptr || std::fread(header, 4, kHeaderWords, file) != kHeaderWords ||
      header[0] != kFileMagic) {
    fail("not a file of commands");
  }
  std::vector<Command> commands(header[1]);
  if (std::fread(commands.data(), sizeof(Command), header[1], file) != header[1]) fail("cut short");
  std::fclose(file);
  return {{header[2], header[3], header[4], header[5]}, std::move(commands)};
}

int main(int count, char **arguments) {
  if (count < 2) fail("usage: book-twin FILE [runs] [warm-ups]");
  const auto [shape, commands] = read(arguments[1]);
  const int runs = count > 2 ? std::atoi(arguments[2]) : 1;
  const int warm_ups = count > 3 ? std::atoi(arguments[3]) : 1;

  Outcome first;
  std::vector<double> seconds;
  for (int index = 0; index < warm_ups + runs; index++) {
    Memory memory(Book::bytes_for(shape));
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
