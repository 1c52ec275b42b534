/**
 * A matcher with one symbol and two gateways, driven by hand: its rings, journal, clock and everything
 * that it published are in the test's reach.
 */

import { noExtras } from '../../../bench/workloads/no-extras.ts'
import {
  COMMAND_SLOT_BYTES,
  writePlaceOrder,
  writePlaceOrderList,
  writeQueryOpenOrders,
  writeSendToExchange,
  writeSetCountdown,
} from '../../../scripts/layout/codecs.gen.ts'
import { Following } from '../../../src/agents/following.ts'
import { Matcher, type MatcherOptions } from '../../../src/agents/matcher.ts'
import { MatcherCounts } from '../../../src/agents/matcher-counts.ts'
import { assert } from '../../../src/base/assert.ts'
import {
  CountdownScope,
  DETAILED,
  OrderListKind,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '../../../src/base/codes.ts'
import { int64ToBigint } from '../../../src/base/int64.ts'
import type { SteeredClock } from '../../../src/base/time.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  NetworkId,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../../src/base/units.ts'
import { Book } from '../../../src/core/book/book.ts'
import { AccountTable } from '../../../src/core/ledger/accounts.ts'
import { BALANCE_WORDS, Balances } from '../../../src/core/ledger/balances.ts'
import { Holds } from '../../../src/core/ledger/holds.ts'
import { LastPrices } from '../../../src/core/ledger/last-prices.ts'
import { Engine } from '../../../src/core/matching/engine.ts'
import { EngineOutput } from '../../../src/core/matching/output.ts'
import { Wallet } from '../../../src/core/wallet/wallet.ts'
import { BlockReader, BlockWriter } from '../../../src/journal/block.ts'
import { BEGINNING } from '../../../src/journal/chain.ts'
import type { Durability } from '../../../src/journal/store.ts'
import { PlaceOrderList, SendToExchange } from '../../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { depositAddress } from '../../../src/market/deposit-address.ts'
import {
  type SymbolSpec,
  specifySymbol,
  usualAccount,
  WALLET,
} from '../../../src/market/listing.ts'
import {
  CommandRingConsumer,
  CommandRingProducer,
  commandRingBytes,
  commandSlots,
} from '../../../src/ring/command-ring.ts'
import { Doorbell } from '../../../src/ring/doorbell.ts'
import { EventRingReader, EventRingWriter, eventRingBytes } from '../../../src/ring/event-ring.ts'
import { ReplyRingReader, ReplyRingWriter, replyRingBytes } from '../../../src/ring/reply-ring.ts'
import { countersBytes, readCounters } from '../../../src/shared/counters.ts'
import { histogramsBytes, readHistograms } from '../../../src/shared/histograms.ts'
import { BatchStamps, stampsBytes } from '../../../src/shared/stamps.ts'
import { FaultyStore } from '../../sim/faulty-store.ts'
import { type NamedRecord, readRecords } from '../../sim/records.ts'
import { chainSpec, networkSpec } from '../core/wallet/wallet-scene.ts'

const GATEWAYS = 2
const ACCOUNTS = 3
const ASSETS = 2
export const DEPOSIT = 10n ** 15n
const CHAIN = chainSpec(0)

const [base, quote] = [
  { id: AssetId(0), name: 'BASE' },
  { id: AssetId(1), name: 'QUOTE' },
]
const spec: SymbolSpec = specifySymbol({
  id: SymbolId(0),
  name: 'BASEQUOTE',
  base: base!,
  quote: quote!,
  status: SymbolStatus.TRADING,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '100', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', minQty: '0.01', maxQty: '1000', stepSize: '0.01' },
  ],
  preventionModes: [SelfTradePrevention.NONE],
  preventionDefault: SelfTradePrevention.NONE,
})

/** A journal that counts its flushes and refuses appends on demand. */
export class CountedStore extends FaultyStore {
  isRefusing = false
  flushCount = 0
  isClosed = false
  /** Where flushes run beside the matcher: begins one, which `endFlush` ends. */
  beginFlush: (() => void) | undefined = undefined
  private isAppending = false
  private isFlushUnderWay = false

  override append(block: Uint8Array): void {
    if (this.isRefusing) throw new Error('The disk is full.')
    assert(!this.isFlushUnderWay, 'nothing is appended during a flush')
    this.isAppending = true
    super.append(block)
    this.isAppending = false
  }

  override flush(): void {
    if (this.isAppending && this.beginFlush !== undefined) {
      this.beginFlush()
      return
    }
    this.flushCount++
    this.isFlushUnderWay = false
    super.flush()
  }

  flushBeside(): void {
    this.beginFlush = () => {
      this.isFlushUnderWay = true
    }
  }

  endFlush(): void {
    if (this.isFlushUnderWay) this.flush()
  }

  isFlushing(): boolean {
    return this.isFlushUnderWay
  }

  override close(): void {
    this.isClosed = true
  }
}

/** A bell that looks, whenever it is rung, whether there is something to be woken for. */
class WatchedBell extends Doorbell {
  private readonly look: () => void

  constructor(memory: SharedArrayBuffer, byteOffset: number, look: () => void) {
    super(memory, byteOffset)
    this.look = look
  }

  override ring(): void {
    this.look()
    super.ring()
  }
}

export class OneMatcher {
  readonly matcher: Matcher
  readonly options: MatcherOptions
  /** What a matcher has that does not lead. */
  readonly following: Following
  readonly journal: CountedStore
  readonly balances = new Balances(share(Balances.bytesFor(ACCOUNTS, ASSETS)), ACCOUNTS, ASSETS)
  readonly published = new BigInt64Array(share(8))
  /** One cell for each gateway's doorbell: 1 while it sleeps. */
  readonly bells = new Int32Array(share(GATEWAYS * 4))
  readonly lastPrices = new LastPrices(share(LastPrices.bytes))
  nowMs: Ms
  readonly steered = { isAwaited: false }
  elapsedNs = 0
  /** What it has logged. */
  readonly warnings: string[] = []
  /** For each ring of a bell: whether a reader would have found something. */
  readonly rungFor: boolean[] = []
  private readonly rings: readonly SharedArrayBuffer[]
  private readonly producers: readonly CommandRingProducer[]
  private readonly reader: EventRingReader
  private readonly replies: readonly ReplyRingReader[]
  private readonly counters = share(countersBytes(1, GATEWAYS, 1))
  private readonly histograms = share(histogramsBytes(1, GATEWAYS))
  /** By gateway, with room for few. */
  readonly stamps = Array.from({ length: GATEWAYS }, () => share(stampsBytes(4)))
  private orders = 0

  constructor(
    durability: Durability,
    slots = 4096,
    journaledMs = 0,
    nowMs = 1000,
    replyBytes = 1 << 16,
    leads = true,
  ) {
    this.nowMs = Ms(nowMs)
    this.journal = new CountedStore(durability)
    for (const account of [1, 2]) {
      for (const asset of [0, 1]) this.balances.credit(AccountId(account), AssetId(asset), DEPOSIT)
    }
    const holds = new Holds(this.balances, ACCOUNTS, ASSETS)
    const accounts = new AccountTable(ACCOUNTS)
    accounts.canTrade.fill(1)
    const shape = { priceTicksMax: spec.priceTicksMax, ordersMax: 8192, accountsMax: ACCOUNTS }
    const book = new Book(share(Book.bytesFor(shape)), shape)
    this.rings = Array.from({ length: GATEWAYS }, () => share(commandRingBytes(slots)))
    this.producers = this.rings.map((ring) => new CommandRingProducer(ring))
    const events = share(eventRingBytes(1 << 20))
    this.reader = new EventRingReader(events)
    const replyRings = this.rings.map(() => share(replyRingBytes(replyBytes)))
    this.replies = replyRings.map((ring) => new ReplyRingReader(ring))
    const output = new EngineOutput()
    const wallet = new Wallet({ holds, output })
    wallet.setChain(CHAIN)
    wallet.setNetwork(networkSpec(0))
    wallet.setAccount({ ...usualAccount, id: AccountId(1), name: 'one' })
    const options: MatcherOptions = {
      index: 0,
      engines: [new Engine({ spec, book, holds, accounts, output })],
      wallet,
      holds,
      lastPrices: this.lastPrices,
      output,
      rings: this.rings.map((ring) => new CommandRingConsumer(ring)),
      replies: replyRings.map((ring) => new ReplyRingWriter(ring)),
      ...(leads ? { blocks: new BlockWriter({ matcher: 0, epoch: 1, previous: 0 }) } : {}),
      journal: this.journal,
      events: new EventRingWriter(events),
      readerBells: [0, 4].map(
        (at) =>
          new WatchedBell(this.bells.buffer as SharedArrayBuffer, at, () =>
            this.rungFor.push(this.reader.hasNext() || this.replies.some((ring) => ring.hasNext())),
          ),
      ),
      published: this.published,
      clock: {
        ...{ nowMs: () => this.nowMs, elapsedNs: () => this.elapsedNs },
        steered: this.steered as SteeredClock,
      },
      journaledMs: Ms(journaledMs),
      counts: new MatcherCounts(0, this.counters, this.histograms),
      stamps: new BatchStamps(this.stamps),
      warn: (message) => this.warnings.push(message),
    }
    this.options = options
    this.matcher = new Matcher(options)
    this.following = new Following({
      ...options,
      point: BEGINNING,
      phaseChanged: () => this.matcher.followedPhase(),
    })
  }

  /** Sends a GTC order of one lot from the gateway; by default an order that rests. */
  place(gateway: number, side: Side = Side.BUY, account = 1, symbolId = 0, expiresMs = 0): void {
    this.send(gateway, (buffer, at) =>
      writePlaceOrder(buffer, at, {
        ...noExtras,
        symbolId: SymbolId(symbolId),
        gateway,
        correlation: 0,
        account: AccountId(account),
        terms: packTerms(side, OrderType.LIMIT, TimeInForce.GTC, SelfTradePrevention.NONE),
        priceTicks: Ticks(100),
        lots: Lots(1),
        quoteAtoms: QuoteAtoms(0),
        expiresMs: Ms(expiresMs),
        clientOrderId: `order-${++this.orders}`,
      }),
    )
  }

  /** Sends an OTO of one lot each, which takes three slots. */
  placeList(gateway: number, account = 1): void {
    const id = `list-${++this.orders}`
    const none = { ...noExtras, lots: Lots(1), spare: 0 }
    const terms = (side: Side) =>
      packTerms(side, OrderType.LIMIT, TimeInForce.GTC, SelfTradePrevention.NONE) | DETAILED
    const working = {
      ...none,
      terms: terms(Side.BUY),
      priceTicks: Ticks(100),
      clientOrderId: `${id}a`,
    }
    const pending = {
      ...none,
      terms: terms(Side.SELL),
      priceTicks: Ticks(200),
      clientOrderId: `${id}b`,
    }
    this.send(
      gateway,
      (buffer, at) =>
        writePlaceOrderList(buffer, at, {
          symbolId: SymbolId(0),
          gateway,
          correlation: 0,
          account: AccountId(account),
          kind: OrderListKind.OTO,
          expiresMs: Ms(0),
          listClientOrderId: id,
          ...numbered(working, 1),
          ...numbered(pending, 2),
          ...numbered(pending, 3),
        }),
      PlaceOrderList.bytes,
    )
  }

  /** Sends a countdown of the symbol. */
  countDown(gateway: number, countdownMs: number, account = 1): void {
    this.send(gateway, (buffer, at) =>
      writeSetCountdown(buffer, at, {
        symbolId: SymbolId(0),
        gateway,
        correlation: 0,
        account: AccountId(account),
        scope: CountdownScope.SYMBOL,
        countdownMs: Ms(countdownMs),
        expiresMs: Ms(0),
      }),
    )
  }

  /** Has account 1 receive so much over a chain, whose second block from now on credits it. */
  receive(gateway: number, atoms: number): void {
    const { address } = depositAddress(CHAIN, AccountId(1))
    this.send(
      gateway,
      (buffer, at) =>
        writeSendToExchange(buffer, at, {
          ...{ symbolId: WALLET, gateway, correlation: 0, networkId: NetworkId(0), spare: 0 },
          ...{ atoms: Atoms(atoms), requestId: '', address, tag: '' },
        }),
      SendToExchange.bytes,
    )
  }

  /** Sends a query, which is answered by a reply alone. */
  query(gateway: number, account = 2, limit = 100): void {
    this.send(gateway, (buffer, at) =>
      writeQueryOpenOrders(buffer, at, {
        symbolId: SymbolId(0),
        gateway,
        correlation: 0,
        account: AccountId(account),
        limit,
        afterOrderId: OrderId(0),
        untilOrderId: OrderId(0),
      }),
    )
  }

  /** The replies to one gateway since the last call, each with the place of its events. */
  readReplies(gateway: number): { readonly position: number; readonly record: NamedRecord }[] {
    const ring = this.replies[gateway]!
    const replies: { position: number; record: NamedRecord }[] = []
    ring.look(Number.MAX_SAFE_INTEGER)
    while (ring.nextPosition < Number.POSITIVE_INFINITY) {
      const position = ring.nextPosition
      ring.deliver((buffer, at) => {
        replies.push({ position, record: readRecords(buffer, at, at + 1)[0]! })
      })
    }
    ring.release()
    return replies
  }

  /** Bytes of events that were read. */
  get position(): number {
    return this.reader.position()
  }

  /** Everything published for all gateways since the last call. */
  read(): NamedRecord[] {
    const records: NamedRecord[] = []
    const visit = (buffer: RecordBuffer, at: number) => {
      records.push(readRecords(buffer, at, at + 1)[0]!)
    }
    while (this.reader.poll(visit) > 0);
    return records
  }

  /** Times of the blocks in the journal. */
  blockTimes(): number[] {
    const reader = new BlockReader()
    return Array.from(this.journal.blocks(1), ({ block }) => {
      reader.open(block, 'The block')
      return reader.timeMs
    })
  }

  free(account: AccountId, asset: number): bigint {
    const words = new Int32Array(BALANCE_WORDS)
    this.balances.read(AccountId(account), AssetId(asset), words)
    return int64ToBigint(words, 1)
  }

  counter(name: string, scope = 'matcher'): number {
    const readings = readCounters(this.counters, 1, GATEWAYS, 1)
    return readings.find((it) => it.scope === scope && it.name === name)!.value
  }

  /** How many values a histogram holds, and their sum. */
  histogram(name: string): [count: number, sum: number] {
    const readings = readHistograms(this.histograms, 1, GATEWAYS)
    const { counts, sum } = readings.find((it) => it.name === name)!
    return [counts.reduce((total, count) => total + count), sum]
  }

  private send(
    gateway: number,
    write: (buffer: RecordBuffer, at: number) => void,
    bytes = COMMAND_SLOT_BYTES,
  ): void {
    const producer = this.producers[gateway]!
    const at = producer.claim(commandSlots(bytes))
    if (at < 0) throw new RangeError('The ring is full.')
    write(producer.buffer, at)
    producer.commit()
    producer.publish()
  }
}

/** The fields of a leg, named as those of the n-th. */
function numbered<Leg extends object, N extends 1 | 2 | 3>(leg: Leg, n: N) {
  const fields = Object.entries(leg).map(([name, value]) => [`${name}${n}`, value])
  return Object.fromEntries(fields) as { [Key in keyof Leg & string as `${Key}${N}`]: Leg[Key] }
}

function share(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes)
}
