/**
 * A data folder as a long day leaves it: the demo exchange, and one journal of its first symbol's
 * orders, trades and cancels, made by the engine itself. Seeded, so that each run makes the same.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { writeCancelOrder, writePlaceOrder } from '../../scripts/layout/codecs.gen.ts'
import {
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import { Prng } from '../../src/base/prng.ts'
import { AccountId, Lots, Ms, OrderId, QuoteAtoms, Ticks } from '../../src/base/units.ts'
import { demoFacts } from '../../src/control/demo.ts'
import type { Fact } from '../../src/control/facts.ts'
import { Registry } from '../../src/control/registry.ts'
import { Vault } from '../../src/control/vault.ts'
import type { BookShape } from '../../src/core/book/book.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import { BlockWriter, JOURNAL_LAYOUT } from '../../src/journal/block.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'
import { enginesOf } from './engines.ts'
import { noExtras } from './no-extras.ts'

export const ACCOUNTS_MAX = 4096
const ORDERS_MAX = 393_216
const SEED = 7
const COMMANDS_PER_BLOCK = 64
const BLOCKS_PER_TRANSACTION = 256
/** Sides change hands, so that no account runs out of an asset. */
const SWAP_COMMANDS = 20_000
const OPEN_MAX = 20_000
const MIDDLE_TICKS = 5_000_000
const LOTS_MAX = 200
const SPAN_TICKS = 2_000

export const shapeOf = ({ priceTicksMax }: SymbolSpec): BookShape => ({
  priceTicksMax,
  ordersMax: ORDERS_MAX,
  accountsMax: ACCOUNTS_MAX,
})

export interface JournaledDay {
  readonly registry: Registry
  readonly events: number
  readonly blocks: number
  readonly trades: number
  readonly restingOrders: number
}

/** When a day's first block is made, and how long each is after the one before. */
export interface DayTimes {
  readonly startMs: number
  readonly blockMs: number
}

const lastHour = (): DayTimes => ({ startMs: Ms(Date.now()) - 3_600_000, blockMs: 1 })

/** Fills an empty data folder with a journal of at least so many events. */
export function journalDay(data: string, eventsMin: number, times = lastHour()): JournaledDay {
  const registry = openRegistry(data)
  const { engine, holds, output } = openEngine(registry)
  const commands = new Commands(engine)
  const blocks = new BlockWriter({ epoch: 1, matcher: 0, previous: 0 })
  const store = new LmdbStore(journalFolder(data, 0))
  let position = 0
  let timeMs = times.startMs
  const isEnough = () => engine.counters[Counter.sequence]! >= eventsMin
  const nextBlock = (): Uint8Array => {
    output.reset()
    timeMs += times.blockMs
    for (let i = 0; i < COMMANDS_PER_BLOCK; i++) commands.execute(Ms(timeMs))
    holds.settle(true)
    return blocks.seal(output.events, output.eventsEnd, ++position, Ms(timeMs))
  }
  while (!isEnough()) {
    let left = BLOCKS_PER_TRANSACTION
    store.append(() => (left-- > 0 && !isEnough() ? nextBlock() : undefined))
  }
  store.close()
  return {
    registry,
    events: engine.counters[Counter.sequence]!,
    blocks: position,
    trades: engine.counters[Counter.tradeId]!,
    restingOrders: engine.book.orderCount,
  }
}

function openRegistry(data: string): Registry {
  const control = ControlStore.open(data)
  const vault = Vault.open(path.join(data, 'secret.key'), true)
  const { facts, keys } = demoFacts(vault, Ms(Date.now()))
  const start: Fact = { fact: 'start', epoch: 1, timeMs: Ms(Date.now()), layout: JOURNAL_LAYOUT }
  const all: readonly Fact[] = [...facts, start]
  writeFileSync(path.join(data, 'demo-keys.json'), JSON.stringify(keys))
  control.appendAll(all)
  control.close()
  const registry = new Registry()
  for (const fact of all) registry.apply(fact)
  return registry
}

/** Opens the engine of the registry's first symbol. */
function openEngine({ symbols, accounts, deposits, exchange }: Registry) {
  const sizes = { ordersPerSymbol: ORDERS_MAX, accounts: ACCOUNTS_MAX }
  const first = { symbols: symbols.slice(0, 1), accounts, exchange }
  const { engines, balances, holds, output } = enginesOf(first, sizes)
  for (const { account, asset, atoms } of deposits) balances.credit(account, asset, atoms)
  return { engine: engines[0]!, holds, output }
}

/** Random orders around a middle, and cancels of any that was placed. */
class Commands {
  private readonly engine: Engine
  private readonly prng = new Prng(SEED)
  private readonly buffer = RecordBuffer.allocate(256)
  private count = 0

  constructor(engine: Engine) {
    this.engine = engine
  }

  execute(timeMs: Ms): void {
    const prng = this.prng
    const { book } = this.engine
    const isPlacing = book.orderCount === 0 || (prng.chance(0.62) && book.orderCount < OPEN_MAX)
    if (isPlacing) this.place()
    else this.cancel()
    this.engine.execute(this.buffer, 0, timeMs)
  }

  private place(): void {
    const prng = this.prng
    const side = prng.below(2) as Side
    const swapped = Math.floor(this.count++ / SWAP_COMMANDS) % 2
    const away = prng.between(-SPAN_TICKS / 5, SPAN_TICKS)
    writePlaceOrder(this.buffer, 0, {
      symbolId: this.engine.spec.id,
      gateway: 0,
      correlation: this.count,
      account: AccountId(1 + 2 * (side ^ swapped) + prng.below(2)),
      terms: packTerms(side, OrderType.LIMIT, TimeInForce.GTC, SelfTradePrevention.EXPIRE_MAKER),
      priceTicks: Ticks(MIDDLE_TICKS + (side === Side.BUY ? -away : away)),
      lots: Lots(prng.between(20, LOTS_MAX)),
      expiresMs: Ms(0),
      clientOrderId: `day-${this.count}`,
      quoteAtoms: QuoteAtoms(0),
      ...noExtras,
    })
  }

  private cancel(): void {
    const { book, counters } = this.engine
    const newest = counters[Counter.orderId]!
    let slot = 0
    while (slot === 0) {
      slot = book.findOrder(OrderId(newest - this.prng.below(Math.min(newest, 4 * OPEN_MAX))))
    }
    writeCancelOrder(this.buffer, 0, {
      symbolId: this.engine.spec.id,
      gateway: 0,
      correlation: 0,
      account: book.account[slot]!,
      restrictions: 0,
      orderId: book.orderId[slot]!,
      expiresMs: Ms(0),
      origClientOrderId: '',
      clientOrderId: 'canceled',
    })
  }
}
