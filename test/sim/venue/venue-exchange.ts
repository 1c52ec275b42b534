/**
 * One start of the large venue on one thread: fresh memory of the default sizes, every book recovered
 * from the journals, and the real matchers on real rings.
 */
import { strictEqual } from 'node:assert/strict'
import { Matcher } from '../../../src/agents/matcher.ts'
import { MatcherCounts } from '../../../src/agents/matcher-counts.ts'
import { assert } from '../../../src/base/assert.ts'
import { BATCH_EVENT_BYTES_MAX, SYMBOLS_MAX } from '../../../src/base/limits.ts'
import type { Clock } from '../../../src/base/time.ts'
import { AssetId, Ms, SymbolId } from '../../../src/base/units.ts'
import { Book } from '../../../src/core/book/book.ts'
import { AccountTable } from '../../../src/core/ledger/accounts.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import { applyEffects } from '../../../src/core/ledger/effects.ts'
import { Holds } from '../../../src/core/ledger/holds.ts'
import { LastPrices } from '../../../src/core/ledger/last-prices.ts'
import { Engine } from '../../../src/core/matching/engine.ts'
import { OpenCounts } from '../../../src/core/matching/open-counts.ts'
import { OrderListIds } from '../../../src/core/matching/order-list-ids.ts'
import { EngineOutput } from '../../../src/core/matching/output.ts'
import { stateHash } from '../../../src/core/state-hash.ts'
import { BLOCK_HEADER_BYTES, BlockReader, BlockWriter } from '../../../src/journal/block.ts'
import { RecordHeader } from '../../../src/layout/accessors.gen.ts'
import { recordLength } from '../../../src/layout/record-buffer.ts'
import { plainExchange } from '../../../src/market/listing.ts'
import { CommandRingConsumer, commandRingBytes } from '../../../src/ring/command-ring.ts'
import { DOORBELL_BYTES, Doorbell } from '../../../src/ring/doorbell.ts'
import { EventRingWriter, eventRingBytes } from '../../../src/ring/event-ring.ts'
import { ReplyRingWriter, replyRingBytes } from '../../../src/ring/reply-ring.ts'
import { countersBytes } from '../../../src/shared/counters.ts'
import { histogramsBytes } from '../../../src/shared/histograms.ts'
import { BatchStamps } from '../../../src/shared/stamps.ts'
import { FaultyStore } from '../faulty-store.ts'
import {
  ACCOUNTS,
  ASSETS,
  accounts,
  DEPOSIT_ATOMS,
  MATCHERS,
  matcherOf,
  ordersMaxOf,
  symbols,
} from './venue-listing.ts'

export const GATEWAYS = 4
/** The defaults of --command-ring-slots and --event-ring-bytes, and the reply rings' only size. */
export const COMMAND_SLOTS = 4096
export const EVENT_RING_BYTES = 4 << 20
const REPLY_RING_BYTES = 2 << 20

/** A journal that takes no block larger than a batch may be. */
export class BoundedStore extends FaultyStore {
  constructor() {
    super('flushed')
  }

  override append(block: Uint8Array): void {
    const recordBytes = block.length - BLOCK_HEADER_BYTES
    assert(recordBytes <= BATCH_EVENT_BYTES_MAX, 'what one batch causes is bounded')
    super.append(block)
  }
}

const share = (bytes: number) => new SharedArrayBuffer(bytes)

export class VenueExchange {
  readonly balances = new Balances(share(Balances.bytesFor(ACCOUNTS, ASSETS)), ACCOUNTS, ASSETS)
  /** By symbol id. */
  readonly engines: readonly Engine[]
  readonly matchers: readonly Matcher[]
  /** By gateway, then by matcher. */
  readonly commandRings = byGateway(() => share(commandRingBytes(COMMAND_SLOTS)))
  readonly replyRings = byGateway(() => share(replyRingBytes(REPLY_RING_BYTES)))
  /** By matcher. */
  readonly eventRings = Array.from({ length: MATCHERS }, () =>
    share(eventRingBytes(EVENT_RING_BYTES)),
  )

  constructor(stores: readonly BoundedStore[], epoch: number, clock: Clock) {
    for (const { id: account } of accounts.slice(1)) {
      for (let asset = 0; asset < ASSETS; asset++) {
        this.balances.credit(account, AssetId(asset), DEPOSIT_ATOMS)
      }
    }
    const table = new AccountTable(ACCOUNTS)
    for (const account of accounts) table.set(account)
    const holds = stores.map(() => new Holds(this.balances, ACCOUNTS, ASSETS))
    const outputs = stores.map(() => new EngineOutput())
    const openCounts = symbols.map(() => new OpenCounts(share(OpenCounts.bytesFor(ACCOUNTS))))
    const orderListIds = new OrderListIds(share(OrderListIds.bytes))
    const shared = { accounts: table, exchange: plainExchange, orderListIds, openCounts }
    this.engines = symbols.map((spec) => {
      const { priceTicksMax } = spec
      const shape = { priceTicksMax, ordersMax: ordersMaxOf(spec.id), accountsMax: ACCOUNTS }
      const book = new Book(share(Book.bytesFor(shape)), shape, epoch)
      const matcher = matcherOf(spec.id)
      const own = { holds: holds[matcher]!, output: outputs[matcher]! }
      return new Engine({ spec, book, ...own, ...shared })
    })
    const ends = stores.map((store) => this.replay(store))
    strictEqual(this.balances.firstNegative(), undefined, 'recovery leaves nothing negative')
    const lastPrices = new LastPrices(share(LastPrices.bytes))
    const counters = share(countersBytes(MATCHERS, GATEWAYS, SYMBOLS_MAX))
    const histograms = share(histogramsBytes(MATCHERS, GATEWAYS))
    const bells = share(GATEWAYS * DOORBELL_BYTES)
    const readerBells = this.commandRings.map(
      (_, gateway) => new Doorbell(bells, gateway * DOORBELL_BYTES),
    )
    const published = new BigInt64Array(share(MATCHERS * 8))
    this.matchers = stores.map(
      (journal, index) =>
        new Matcher({
          index,
          engines: this.engines.map((it, id) =>
            matcherOf(SymbolId(id)) === index ? it : undefined,
          ),
          holds: holds[index]!,
          lastPrices,
          output: outputs[index]!,
          rings: this.commandRings.map((rings) => new CommandRingConsumer(rings[index]!)),
          blocks: new BlockWriter({ matcher: index, epoch, previous: ends[index]!.checksum }),
          journal,
          replies: this.replyRings.map((rings) => new ReplyRingWriter(rings[index]!)),
          events: new EventRingWriter(this.eventRings[index]!),
          readerBells,
          published,
          clock,
          journaledMs: Ms(Math.max(...ends.map(({ timeMs }) => timeMs))),
          counts: new MatcherCounts(index, counters, histograms),
          stamps: new BatchStamps([]),
          warn: () => {},
        }),
    )
  }

  /** Of all that a start continues with. */
  hash(): number {
    return stateHash(this.engines, this.balances)
  }

  private replay(store: BoundedStore): { readonly checksum: number; readonly timeMs: Ms } {
    const block = new BlockReader()
    let end = { checksum: 0, timeMs: Ms(0) }
    for (const { position, block: bytes } of store.blocks(1)) {
      block.open(bytes, `Block ${position}`)
      for (let at = block.start; at < block.end; at += recordLength(block.records, at)) {
        const symbolId = RecordHeader.symbolId(block.records, at)
        this.engines[symbolId]!.recover(block.records, at)
        applyEffects(block.records, at, symbols[symbolId]!, this.balances)
      }
      end = { checksum: block.checksum, timeMs: block.timeMs }
    }
    return end
  }
}

function byGateway(make: () => SharedArrayBuffer): readonly (readonly SharedArrayBuffer[])[] {
  return Array.from({ length: GATEWAYS }, () => Array.from({ length: MATCHERS }, make))
}
