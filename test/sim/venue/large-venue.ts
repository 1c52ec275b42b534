/**
 * A large venue from a seed, on one thread, with false time: books of 100,000 price levels, 200 symbols
 * more, four gateways on rings of the default sizes, and commands of extreme size among small ones.
 *
 * The plain twin searches its books from end to end, too slow for these. What holds instead: each extreme
 * command causes exactly what is counted here by hand; depths are the books, level by level; a start
 * recovers the same state hash; money is conserved; each block and answer is bounded; no gateway is
 * overrun but one that was kept from reading, and it has all books again after as many rounds as there
 * are pieces.
 */

import { strictEqual } from 'node:assert/strict'
import { assert } from '../../../src/base/assert.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Prng } from '../../../src/base/prng.ts'
import { AccountId, AssetId, Lots, Ms, SymbolId, Ticks } from '../../../src/base/units.ts'
import type { Book } from '../../../src/core/book/book.ts'
import { checkBook } from '../../../src/core/book/invariants.ts'
import { PIECE_LEVELS } from '../../../src/gateway/engine-link/book-loader.ts'
import { HOUR_MS } from '../../../src/market/intervals.ts'
import type { Command } from '../commands.ts'
import { turn, turnTimer } from '../exchange/event-loop.ts'
import { BoundedStore, GATEWAYS, VenueExchange } from './venue-exchange.ts'
import { Answer, VenueGateway } from './venue-gateway.ts'
import {
  ACCOUNTS,
  Account,
  ASSETS,
  BULK_ORDERS,
  DEEP_LEVELS,
  DEEP_SYMBOLS,
  DEPOSIT_ATOMS,
  FIRST_SMALL,
  MATCHERS,
  MIDDLE_TICKS,
  SYMBOLS,
  symbols,
  TRADERS,
} from './venue-listing.ts'
import { cancelAll, deepOrder, limitOrder } from './venue-orders.ts'

const START_MS = Ms(1_700_000_000_000)
/** Rounds that any command waits for the end of its answer. */
const ROUNDS_MAX = 200
/** Small commands of a round. */
const TRAFFIC = 12

/** Something of an extreme size. */
export interface Deed {
  readonly name: string
  run(venue: LargeVenue): Promise<void>
}

export class LargeVenue {
  /** How often each thing happened. */
  readonly counts = new Map<string, number>()
  readonly prng: Prng
  readonly time = new ManualClock(START_MS)
  private readonly stores = Array.from({ length: MATCHERS }, () => new BoundedStore())
  exchange: VenueExchange
  gateways: VenueGateway[] = []
  /** Gateways that do not read. */
  readonly asleep = new Set<number>()
  private overrunsExpected = 0
  private readonly deeds: readonly Deed[]
  private hand: Deed[] = []
  private epoch = 1
  private steps = 0

  constructor(seed: number, deeds: readonly Deed[]) {
    this.deeds = deeds
    this.prng = new Prng(seed)
    this.exchange = new VenueExchange(this.stores, this.epoch, this.time)
    this.found()
  }

  /** Some rounds of small orders, or a deed of an extreme size: each of these once before any again. */
  async step(): Promise<void> {
    if (this.gateways.length === 0) await this.startGateways()
    this.steps++
    if (this.steps % 2 === 1) {
      for (let left = this.prng.between(1, 4); left > 0; left--) await this.round()
    } else {
      if (this.hand.length === 0) this.hand = shuffled(this.prng, this.deeds)
      const deed = this.hand.pop()!
      await deed.run(this)
      this.count(deed.name)
    }
    this.checkMoney()
    const overruns = this.gateways.reduce((sum, gateway) => sum + gateway.overruns, 0)
    strictEqual(overruns, this.overrunsExpected, 'no gateway is overrun but one that does not read')
  }

  async finish(): Promise<void> {
    await this.rest()
    for (const { id } of symbols) this.checkSymbol(id)
    await this.restart(0)
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  /** Each matcher does one batch, each gateway that is awake one tick of its loop. */
  async round(hasTraffic = true): Promise<void> {
    this.time.advance(1)
    this.count('round')
    if (hasTraffic) this.submitTraffic()
    if (this.prng.chance(0.02)) this.setClock()
    for (const matcher of this.exchange.matchers) matcher.doWork()
    for (const [index, gateway] of this.gateways.entries()) {
      if (this.asleep.has(index)) continue
      await turn(() => gateway.poll())
      while (await turnTimer(gateway.time));
    }
  }

  /** The clock is wrong by hours from now on, while commands are on their way. */
  private setClock(): void {
    const hours = this.prng.pick([-2, 1, 3])
    this.time.wallMs = Ms(START_MS + this.time.passedMs + hours * HOUR_MS)
    this.count('clock set')
  }

  /** Runs until `isDone`, in a bounded number of rounds. */
  async until(isDone: () => boolean, what: string, roundsMax = ROUNDS_MAX): Promise<number> {
    for (let rounds = 0; rounds <= roundsMax; rounds++) {
      if (isDone()) return rounds
      await this.round()
    }
    throw new Error(`after ${roundsMax} rounds: ${what}`)
  }

  /** Lets everything come to rest, without further traffic. */
  async rest(): Promise<void> {
    for (let rounds = 0; ; rounds++) {
      const hasWork = this.exchange.matchers.some((matcher) => matcher.hasWork())
      if (!hasWork && this.gateways.every(({ isQuiet }) => isQuiet)) return
      assert(rounds < this.piecesMax + ROUNDS_MAX, 'everything comes to rest')
      await this.round(false)
    }
  }

  /** Sends a command by a gateway that reads, and returns its whole answer. */
  async ask(command: Command, gateway = this.awake()): Promise<Answer> {
    const answer = new Answer()
    const send = () => gateway.send(command, answer)
    if (!send()) await this.until(send, `${command.name} has no room`)
    await this.until(() => answer.isDone, `the answer to ${command.name}`)
    return answer
  }

  /** Sends as many commands as there are, and returns their whole answers. */
  async askAll(commands: readonly Command[]): Promise<readonly Answer[]> {
    const gateway = this.awake()
    const answers = commands.map(() => new Answer())
    let sent = 0
    const sendMore = () => {
      while (sent < commands.length && gateway.send(commands[sent]!, answers[sent]!)) sent++
      return sent === commands.length
    }
    await this.until(sendMore, 'commands have no room')
    await this.until(() => answers.every(({ isDone }) => isDone), 'answers')
    return answers
  }

  /** The first of the gateways, which always reads. */
  awake(): VenueGateway {
    return this.gateways[0]!
  }

  expectLap(): void {
    this.overrunsExpected++
  }

  /** Rounds in which one gateway can read all books of a matcher, piece by piece. */
  get piecesMax(): number {
    const pieces = Array.from({ length: MATCHERS }, () => 0)
    for (const { id } of symbols) {
      const { levelCount } = this.exchange.engines[id]!.book as Book
      pieces[id % MATCHERS]! += 1 + Math.floor(levelCount / PIECE_LEVELS)
    }
    return 2 * Math.max(...pieces) + ROUNDS_MAX
  }

  /** Everything was read: each gateway's depth is the book, whose parts agree. */
  checkSymbol(symbolId: number): void {
    checkBook(this.exchange.engines[symbolId]!.book as Book)
    for (const gateway of this.gateways) gateway.checkDepth(this.exchange, symbolId)
  }

  /** The process is killed, `batches` later, and starts again from the journals. */
  async restart(batches: number): Promise<void> {
    for (let left = batches; left > 0; left--) {
      for (const matcher of this.exchange.matchers) matcher.doWork()
    }
    const isUnfinished = this.exchange.engines.some((engine) => engine.isUnfinished)
    if (isUnfinished) this.count('kill in a cascade')
    const before = this.exchange.hash
    this.exchange = new VenueExchange(this.stores, ++this.epoch, this.time)
    strictEqual(this.exchange.hash, before, 'a start recovers what was there')
    for (const matcher of this.exchange.matchers) while (matcher.finishLeft());
    for (const engine of this.exchange.engines) {
      assert(!engine.isUnfinished, 'a start finishes what the last one began')
    }
    await this.startGateways()
  }

  /** A gateway starts beside those that run, or all of them start at once. */
  private async startGateways(): Promise<void> {
    this.overrunsExpected = 0
    this.gateways = []
    for (let index = 0; index < GATEWAYS; index++) {
      const isLate = index === GATEWAYS - 1
      if (isLate)
        await this.until(
          () => this.gateways.every(({ isSynced }) => isSynced),
          'a start',
          this.piecesMax,
        )
      const gateway = new VenueGateway(index, this.exchange, new ManualTime(this.time))
      this.gateways.push(gateway)
      await turn(() => gateway.start())
    }
    const late = this.gateways.at(-1)!
    await this.until(() => late.isSynced, 'a late start', this.piecesMax)
    this.count('late start')
  }

  /** Places the orders of the deep books before any gateway is there. */
  private found(): void {
    const founder = new VenueGateway(0, this.exchange, new ManualTime(this.time))
    const answer = new Answer()
    for (const symbolId of DEEP_SYMBOLS) {
      for (let index = 0; index < DEEP_LEVELS; ) {
        const account = index >= DEEP_LEVELS - BULK_ORDERS ? Account.BULK : Account.MAKER
        if (founder.send(deepOrder(SymbolId(symbolId), AccountId(account), index), answer)) index++
        else {
          for (const matcher of this.exchange.matchers) while (matcher.doWork() > 0);
          founder.poll()
        }
      }
    }
    for (const matcher of this.exchange.matchers) while (matcher.doWork() > 0);
    for (const symbolId of DEEP_SYMBOLS) {
      const { levelCount } = this.exchange.engines[symbolId]!.book as Book
      strictEqual(levelCount, DEEP_LEVELS)
    }
    strictEqual(answer.reason, 0, 'no order is refused')
  }

  /** Small orders on any symbol; of the deep ones away from where extreme commands meet. */
  private submitTraffic(): void {
    const { prng } = this
    for (let left = TRAFFIC; left > 0; left--) {
      const gateway = prng.pick(this.gateways)
      const isDeep = prng.chance(0.25)
      const symbolId = isDeep ? prng.pick(DEEP_SYMBOLS) : prng.between(FIRST_SMALL, SYMBOLS - 1)
      const account = prng.pick(TRADERS)
      if (prng.chance(0.02)) {
        gateway.send(cancelAll(SymbolId(symbolId), AccountId(account)), new Answer())
        continue
      }
      const side = prng.below(2) as 0 | 1
      const reach = isDeep ? 10_000 + prng.below(30_000) : prng.between(-3, 10)
      const priceTicks = MIDDLE_TICKS + (side === 0 ? -reach : reach)
      gateway.send(
        limitOrder(
          SymbolId(symbolId),
          AccountId(account),
          side,
          Ticks(priceTicks),
          Lots(prng.between(1, 5)),
        ),
        new Answer(),
      )
    }
  }

  private checkMoney(): void {
    const { balances } = this.exchange
    strictEqual(balances.firstNegative(), undefined, 'no balance is negative')
    for (let asset = 0; asset < ASSETS; asset++) {
      strictEqual(
        balances.total(AssetId(asset)),
        DEPOSIT_ATOMS * BigInt(ACCOUNTS - 1),
        'money is conserved',
      )
    }
  }
}

function shuffled<T>(prng: Prng, all: readonly T[]): T[] {
  const rest = [...all]
  return all.map(() => rest.splice(prng.below(rest.length), 1)[0]!)
}
