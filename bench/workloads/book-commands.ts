/**
 * A seeded file of commands for one book, the same for every program that is measured with it. Prices
 * spread over the whole listed range: distances from a wandering mid price are log-distributed from
 * one tick to the end of the range, and a share of the orders is uniform over its side of it, so that
 * almost every order opens or closes its own price level.
 *
 * The file is little-endian 32-bit words: a header of 16 (see `FileHeader`), then 4 for each command.
 * Order ids count the places from 1.
 *
 * ```
 * place    kind 0 BUY or 1 SELL   price ticks   lots   account
 * cancel   kind 2                 order id      0      account
 * ```
 */
import { Prng } from '../../src/base/prng.ts'
import { OrderId, Ticks } from '../../src/base/units.ts'
import { Book, type BookShape } from '../../src/core/book/book.ts'
import { levelsMaxOf } from '../../src/core/book/order-book.ts'
import { BookRun } from './book-run.ts'

export const COMMAND_WORDS = 4
export const CommandKind = { BUY: 0, SELL: 1, CANCEL: 2 } as const

export const FILE_HEADER_WORDS = 16
export const FILE_MAGIC = 0x6b6f6f62
/** Words of the file's header. */
export const FileHeader = {
  MAGIC: 0,
  COMMAND_COUNT: 1,
  PRICE_TICKS_MAX: 2,
  ORDERS_MAX: 3,
  ACCOUNTS_MAX: 4,
  LEVELS_MAX: 5,
} as const

export interface BookCommandsOptions {
  readonly count: number
  readonly seed: number
  readonly shape: BookShape
  readonly accounts: number
  /** Orders that rest at a time, once the book has filled up. */
  readonly restingTarget: number
  /** Share of the places that are priced to meet the other side. */
  readonly marketableShare: number
  /** Share of the other places that are uniform over their side of the range. */
  readonly uniformShare: number
}

export const bookCommandsDefaults: BookCommandsOptions = {
  count: 1_000_000,
  seed: 1,
  shape: { priceTicksMax: 100_000_000, ordersMax: 393_216, accountsMax: 4096 },
  accounts: 1000,
  restingTarget: 4000,
  marketableShare: 0.15,
  uniformShare: 0.1,
}

/** What came out of the options, for a report that states the conditions of its measurement. */
export interface BookCommands {
  readonly options: BookCommandsOptions
  /** COMMAND_WORDS for each command. */
  readonly words: Int32Array
  readonly cancelShare: number
  readonly fills: number
  /** Averages over the commands. */
  readonly restingOrders: number
  readonly restingLevels: number
}

export function generateBookCommands(given: Partial<BookCommandsOptions> = {}): BookCommands {
  const options = { ...bookCommandsDefaults, ...given }
  return new Generator(options).generate()
}

/** The commands with their header, as bytes to write to a file. */
export function bookCommandsFile({ options, words }: BookCommands): Uint8Array {
  const file = new Int32Array(FILE_HEADER_WORDS + words.length)
  file[FileHeader.MAGIC] = FILE_MAGIC
  file[FileHeader.COMMAND_COUNT] = words.length / COMMAND_WORDS
  file[FileHeader.PRICE_TICKS_MAX] = options.shape.priceTicksMax
  file[FileHeader.ORDERS_MAX] = options.shape.ordersMax
  file[FileHeader.ACCOUNTS_MAX] = options.shape.accountsMax
  file[FileHeader.LEVELS_MAX] = levelsMaxOf(options.shape.ordersMax)
  file.set(words, FILE_HEADER_WORDS)
  return new Uint8Array(file.buffer)
}

const LOTS_MAX = 100

/** Chooses each command by the state of a book that executes them as they are chosen. */
class Generator {
  private readonly options: BookCommandsOptions
  private readonly random: Prng
  private readonly book: Book
  private readonly run: BookRun
  private readonly words: Int32Array
  /** Ids of orders that rest, and of some that were filled since. */
  private readonly resting: number[] = []
  private midTicks: Ticks
  private cancels = 0

  constructor(options: BookCommandsOptions) {
    const { shape, seed, count } = options
    this.options = options
    this.random = new Prng(seed)
    this.book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
    this.run = new BookRun(this.book)
    this.words = new Int32Array(count * COMMAND_WORDS)
    this.midTicks = Ticks(shape.priceTicksMax * 0.06)
  }

  generate(): BookCommands {
    const { count, restingTarget } = this.options
    let orders = 0
    let levels = 0
    for (let index = 0; index < count; index++) {
      const full = this.book.orderCount >= restingTarget
      if (this.random.chance(full ? 0.6 : 0.4) && this.book.orderCount > 0) this.cancel(index)
      else this.place(index)
      this.run.execute(this.words, index, index + 1)
      if (this.book.findOrder(OrderId(this.run.placed)) !== 0) this.remember(this.run.placed)
      orders += this.book.orderCount
      levels += this.book.levelCount
    }
    return {
      options: this.options,
      words: this.words,
      cancelShare: this.cancels / count,
      fills: this.run.fills,
      restingOrders: orders / count,
      restingLevels: levels / count,
    }
  }

  private remember(orderId: number): void {
    if (this.resting.at(-1) !== orderId) this.resting.push(orderId)
  }

  /** Any resting order is as likely as any other. */
  private cancel(index: number): void {
    const resting = this.resting
    let orderId = 0
    do {
      const at = this.random.below(resting.length)
      orderId = resting[at]!
      resting[at] = resting.at(-1)!
      resting.pop()
    } while (this.book.findOrder(OrderId(orderId)) === 0)
    const account = this.book.account[this.book.findOrder(OrderId(orderId))]!
    this.words.set([CommandKind.CANCEL, orderId, 0, account], index * COMMAND_WORDS)
    this.cancels++
  }

  private place(index: number): void {
    const random = this.random
    const kind = random.chance(0.5) ? CommandKind.BUY : CommandKind.SELL
    this.midTicks = Ticks(this.midTicks * (1 + (random.unit() - 0.5) * 0.0002))
    const meets = random.chance(this.options.marketableShare)
    const priceTicks = meets ? this.meetingPrice(kind) : this.restingPrice(kind)
    const lots = random.between(1, LOTS_MAX)
    const account = random.between(1, this.options.accounts)
    this.words.set([kind, priceTicks, lots, account], index * COMMAND_WORDS)
  }

  /** At the best price of the other side or some ticks past it. */
  private meetingPrice(kind: number): number {
    const past = this.logDistance(1000) - 1
    const { bestBidTicks, bestAskTicks } = this.book
    if (kind === CommandKind.BUY) {
      return bestAskTicks === 0 ? this.restingPrice(kind) : this.within(Ticks(bestAskTicks + past))
    }
    return bestBidTicks === 0 ? this.restingPrice(kind) : this.within(Ticks(bestBidTicks - past))
  }

  private restingPrice(kind: number): number {
    const { priceTicksMax } = this.options.shape
    const mid = Math.floor(this.midTicks)
    const isBuy = kind === CommandKind.BUY
    const span = isBuy ? mid : priceTicksMax - mid
    const uniform = this.random.chance(this.options.uniformShare)
    const distance = uniform ? this.random.between(1, span) : this.logDistance(span)
    const { bestBidTicks, bestAskTicks } = this.book
    if (isBuy) {
      const below = bestAskTicks === 0 ? priceTicksMax : bestAskTicks - 1
      return this.within(Ticks(Math.min(mid - distance, below)))
    }
    return this.within(Ticks(Math.max(mid + distance, bestBidTicks + 1)))
  }

  /** From 1 to `span`; as likely between 10 and 100 as between 1000 and 10000. */
  private logDistance(span: number): number {
    return Math.floor(Math.exp(this.random.unit() * Math.log(span)))
  }

  private within(priceTicks: Ticks): number {
    return Math.max(1, Math.min(this.options.shape.priceTicksMax, priceTicks))
  }
}
