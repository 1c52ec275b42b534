/**
 * Gateways on real sockets with real engines behind them, all on the test's own thread and without a
 * journal, so that a test can stop the engines, look, and let them go on.
 */

import { createHmac } from 'node:crypto'
import type { HistoryQueries } from '../../../src/api/context.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { SelfTradePrevention, SymbolStatus } from '../../../src/base/codes.ts'
import { parseConfig } from '../../../src/config.ts'
import { Book } from '../../../src/core/book/book.ts'
import { AccountTable } from '../../../src/core/ledger/accounts.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import { Holds } from '../../../src/core/ledger/holds.ts'
import { LastPrices } from '../../../src/core/ledger/last-prices.ts'
import { Engine } from '../../../src/core/matching/engine.ts'
import { EngineOutput } from '../../../src/core/matching/output.ts'
import { stateHash } from '../../../src/core/state-hash.ts'
import { PENDING_MAX } from '../../../src/gateway/engine-link/pending.ts'
import { Gateway } from '../../../src/gateway/gateway.ts'
import type { MemoryReading } from '../../../src/gateway/limits/memory-watch.ts'
import { type LimitSettings, limitBytes } from '../../../src/gateway/limits/rate-limits.ts'
import { listenKeyBytes, SharedListenKeys } from '../../../src/gateway/streams/listen-keys.ts'
import { Bar } from '../../../src/history/bar.ts'
import { RecordBuffer, recordFlags, recordLength } from '../../../src/layout/record-buffer.ts'
import { FLAG_TIMED } from '../../../src/layout/records.gen.ts'
import type { HmacKeySpec, KeyRights, KeySpec } from '../../../src/market/key-spec.ts'
import type { AccountSpec, AssetSpec, SymbolSpec } from '../../../src/market/listing.ts'
import { plainExchange, specifySymbol, usualAccount } from '../../../src/market/listing.ts'
import {
  CommandRingConsumer,
  commandRingBytes,
  commandSlots,
} from '../../../src/ring/command-ring.ts'
import { DOORBELL_BYTES, Doorbell } from '../../../src/ring/doorbell.ts'
import { EventRingWriter, eventRingBytes } from '../../../src/ring/event-ring.ts'
import { ReplyRingWriter, replyRingBytes } from '../../../src/ring/reply-ring.ts'
import { countersBytes, readCounters } from '../../../src/shared/counters.ts'
import { histogramsBytes } from '../../../src/shared/histograms.ts'
import { outcomesBytes } from '../../../src/shared/outcomes.ts'
import { BatchStamps, stampsBytes } from '../../../src/shared/stamps.ts'
import { TradingLocks } from '../../../src/shared/trading-locks.ts'
import { claimPort } from '../../ports.ts'
import { TestSocket } from './test-socket.ts'

const ACCOUNTS_MAX = 8
const ASSETS_MAX = 4
const EVENT_RING_BYTES = 1 << 20
const shape = { priceTicksMax: 0, ordersMax: 4096, accountsMax: ACCOUNTS_MAX }

const asset = (id: number, name: string): AssetSpec => ({ id, name })
const assets = [asset(0, 'BTC'), asset(1, 'ETH'), asset(2, 'USDT')]

const symbol = (id: number, base: AssetSpec): SymbolSpec =>
  specifySymbol({
    id,
    name: `${base.name}USDT`,
    base,
    quote: assets[2]!,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '100000.00', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
    ],
    preventionModes: [SelfTradePrevention.EXPIRE_MAKER, SelfTradePrevention.EXPIRE_TAKER],
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  })

/** Both symbols that it trades. */
export const tradedSymbols = (): readonly SymbolSpec[] => [
  symbol(0, assets[0]!),
  symbol(1, assets[1]!),
]

const manySymbols = (count: number): readonly SymbolSpec[] => {
  const more = Array.from({ length: count - 2 }, (_, index) => ({
    ...symbol(2 + index, assets[0]!),
    name: `X${index}USDT`,
  }))
  return [...tradedSymbols(), ...more]
}

const account = (id: number, name: string): AccountSpec => ({
  ...usualAccount,
  id,
  name,
  makerRate: 100_000,
  takerRate: 100_000,
})

/** The key of account n: easily told apart, of the right form. */
export const keyOf = (id: number, permissions: Partial<KeyRights> = {}): HmacKeySpec => ({
  kind: 'HMAC',
  apiKey: `${id}`.repeat(64),
  secretKey: `secret${id}`.padEnd(64, 'x'),
  account: id,
  canRead: true,
  canTrade: true,
  ...permissions,
})

/** The settings of limits that these flags give. */
export const limitSettings = (flags: readonly string[] = []): LimitSettings =>
  parseConfig(flags, {}, () => '').config!

/** Limits that count and are never met. */
export const roomyLimits: LimitSettings = limitSettings([
  ...['--weight-limit', '1000000', '--raw-requests-limit', '1000000'],
  ...['--connections-limit', '100000', '--orders-per-second', '100000'],
  ...['--orders-per-day', '1000000'],
])
const REPLY_RING_BYTES = 1 << 21

export interface ExchangeOptions {
  readonly gateways?: number
  /** Limits are off unless some are given. */
  readonly limits?: LimitSettings
  readonly commandSlots?: number
  /** How many symbols there are: the two, and more of the same kind. */
  readonly symbolCount?: number
  /** Besides one HMAC key for each account. */
  readonly keys?: readonly KeySpec[]
  readonly unsignedSystemStatus?: boolean
  readonly metrics?: boolean
  /** As many as there may be when left out. */
  readonly pendingOrders?: number
  /** Instead of an archive that holds nothing. */
  readonly history?: Partial<HistoryQueries>
}

export class OneThreadExchange {
  readonly symbols: readonly SymbolSpec[]
  readonly accounts = [account(0, 'exchange'), account(1, 'maker'), account(2, 'taker')]
  readonly keys: readonly KeySpec[]
  readonly gateways: Gateway[] = []
  readonly balances: Balances
  readonly events: EventRingWriter
  readonly warnings: string[] = []
  /** What gateways read of their memory. */
  memory: MemoryReading = { heapBytes: 0, heapMax: 100, processBytes: 0, processMax: 0 }
  /** shared/trading-locks.ts. */
  readonly tradingLocks = new SharedArrayBuffer(TradingLocks.bytesFor(ACCOUNTS_MAX))
  /** Added to the machine's clock, for gateways and engines: a clock that steps. */
  timeShiftMs = 0
  /** While it is set, time stands still there. */
  frozenMs: number | undefined
  /** From monotonic time to that which they see. */
  #passedNs = Date.now() * 1_000_000 - systemClock.elapsedNs()
  readonly port: number
  readonly listenKeys: SharedListenKeys
  readonly #engines: readonly Engine[]
  readonly #holds: Holds
  readonly #rings: CommandRingConsumer[]
  readonly #replies: ReplyRingWriter[]
  readonly #output = new EngineOutput()
  readonly #bells: Doorbell[]
  readonly #counters: SharedArrayBuffer
  readonly #stamps: BatchStamps
  /** shared/histograms.ts, shared/outcomes.ts. */
  readonly histograms: SharedArrayBuffer
  readonly outcomes: SharedArrayBuffer
  #running = true
  #closed = false

  private constructor(port: number, options: ExchangeOptions) {
    const {
      gateways = 1,
      limits,
      commandSlots = 256,
      keys = [],
      history,
      unsignedSystemStatus = false,
      metrics = false,
      pendingOrders,
      symbolCount = 2,
    } = options
    this.symbols = manySymbols(symbolCount)
    const looking = { ...keyOf(1), apiKey: 'r'.repeat(64), canTrade: false }
    this.keys = [keyOf(1), keyOf(2), looking, ...keys]
    this.port = port
    const share = (bytes: number) => new SharedArrayBuffer(bytes)
    const balanceMemory = share(Balances.bytesFor(ACCOUNTS_MAX, ASSETS_MAX))
    this.balances = new Balances(balanceMemory, ACCOUNTS_MAX, ASSETS_MAX)
    this.#holds = new Holds(this.balances, ACCOUNTS_MAX, ASSETS_MAX)
    const table = new AccountTable(ACCOUNTS_MAX)
    for (const each of this.accounts) table.set(each)
    for (const id of [1, 2]) for (const { id: of } of assets) this.balances.credit(id, of, 10 ** 13)
    this.#engines = this.symbols.map((spec) => {
      const bookShape = { ...shape, priceTicksMax: spec.priceTicksMax }
      const book = new Book(share(Book.bytesFor(bookShape)), bookShape)
      return new Engine({ spec, book, holds: this.#holds, accounts: table })
    })
    const eventRing = share(eventRingBytes(EVENT_RING_BYTES))
    this.events = new EventRingWriter(eventRing)
    const bells = share((1 + gateways) * DOORBELL_BYTES)
    this.#counters = share(countersBytes(1, gateways))
    this.histograms = share(histogramsBytes(1, gateways))
    this.outcomes = share(outcomesBytes(gateways))
    const listenKeyCells = share(listenKeyBytes(ACCOUNTS_MAX))
    this.listenKeys = new SharedListenKeys(listenKeyCells, this)
    const limitCells = share(limitBytes(ACCOUNTS_MAX))
    const rings = Array.from({ length: gateways }, () => share(commandRingBytes(commandSlots)))
    const stamps = rings.map(() => share(stampsBytes(PENDING_MAX)))
    this.#stamps = new BatchStamps(stamps)
    this.#rings = rings.map((memory) => new CommandRingConsumer(memory))
    const replyRings = rings.map(() => share(replyRingBytes(REPLY_RING_BYTES)))
    this.#replies = replyRings.map((memory) => new ReplyRingWriter(memory))
    this.#bells = rings.map((_, index) => new Doorbell(bells, (1 + index) * DOORBELL_BYTES))
    const clock = { nowMs: () => this.nowMs(), elapsedNs: () => this.elapsedNs() }
    for (const [index, ring] of rings.entries()) {
      this.gateways.push(
        new Gateway({
          index,
          gateways,
          host: '127.0.0.1',
          port,
          symbols: this.symbols,
          assets,
          exchange: plainExchange,
          accounts: this.accounts,
          wallet: { valuationAsset: assets[0], distributions: [], maintenance: share(4) },
          tradingLocks: this.tradingLocks,
          unsignedSystemStatus,
          keys: this.keys,
          matcherOf: this.symbols.map(() => 0),
          commandRings: [ring],
          replyRings: [replyRings[index]!],
          eventRings: [eventRing],
          matcherBells: [new Doorbell(bells, 0)],
          gatewayBell: this.#bells[index]!,
          lastPrices: share(LastPrices.bytes),
          balances: balanceMemory,
          accountsMax: ACCOUNTS_MAX,
          assetsMax: ASSETS_MAX,
          listenKeyCells,
          limitCells,
          counters: this.#counters,
          histograms: this.histograms,
          outcomes: this.outcomes,
          stamps: stamps[index]!,
          metrics,
          ...(pendingOrders === undefined ? {} : { pendingOrders }),
          limits: limits ?? limitSettings(['--limits', 'off']),
          history: {
            order: async () => undefined,
            publicTrades: async () => [],
            aggregateTrades: async () => [],
            klines: async () => [],
            list: async () => '[]',
            window: async () => new Bar().row(),
            day: async () => ({ beforeTicks: 0, minutes: [] }),
            orderList: async () => undefined,
            orderLists: async () => [],
            openOrderLists: async () => [],
            amendments: async () => [],
            tradingStatus: async () => ({ asOfMs: 0, lockedUntilMs: 0, symbols: [] }),
            tradingVolume: async () => 0n,
            ...history,
          },
          clock,
          readMemory: () => this.memory,
          warn: (_, message) => this.warnings.push(message),
        }),
      )
    }
  }

  /** On a port of its own; it answers. */
  static async start(options: ExchangeOptions = {}): Promise<OneThreadExchange> {
    const exchange = new OneThreadExchange(await claimPort(), options)
    await exchange.#begin()
    return exchange
  }

  async #begin(): Promise<void> {
    const turn = () => {
      if (this.#closed) return
      if (this.#running) this.work()
      setImmediate(turn)
    }
    turn()
    await Promise.all(this.gateways.map((gateway) => gateway.start()))
  }

  /** Commands stay in their rings until `resume`. */
  pause(): void {
    this.#running = false
  }

  resume(): void {
    this.#running = true
  }

  nowMs(): number {
    return this.frozenMs ?? Date.now() + this.timeShiftMs
  }

  elapsedNs(): number {
    if (this.frozenMs !== undefined) return this.frozenMs * 1_000_000
    return systemClock.elapsedNs() + this.#passedNs
  }

  /** Lets time pass at once. */
  pass(ms: number): void {
    this.timeShiftMs += ms
    this.#passedNs += ms * 1_000_000
  }

  /** One batch: what a matcher does, less the journal. */
  work(): void {
    this.#output.reset()
    for (const [gateway, ring] of this.#rings.entries()) {
      const count = ring.available()
      for (let index = 0; index < count; ) {
        const at = ring.slotAt(index)
        const bytes = recordLength(ring.buffer, at)
        index += commandSlots(bytes)
        if (bytes === 0) continue
        const engine = this.#engines[ring.buffer.i32[(at >> 2) + 1]!]!
        this.#execute(engine, ring.buffer, at)
        if (this.#output.repliesEnd > 0) this.#reply(this.#replies[gateway]!)
      }
      ring.release(count)
    }
    if (this.#stamps.isTimed) this.#stamps.journaled(this.elapsedNs())
    this.#holds.settle(true)
    this.events.write(this.#output.events, this.#output.eventsEnd)
    this.events.write(this.#output.notices, this.#output.noticesEnd)
    if (this.#stamps.isTimed) this.#stamps.published(this.elapsedNs())
    for (const ring of this.#replies) ring.publish()
    this.events.publish()
    for (const bell of this.#bells) bell.ring()
  }

  #reply(ring: ReplyRingWriter): void {
    const output = this.#output
    const position = this.events.position + output.eventsEnd
    if (output.hasNotice()) output.keepNotice()
    else if (!ring.write(position, output.replies, output.repliesEnd)) throw new RangeError('full')
    output.repliesEnd = 0
  }

  #execute(engine: Engine, buffer: RecordBuffer, at: number): void {
    const isTimed = (recordFlags(buffer, at) & FLAG_TIMED) !== 0
    const [gateway, correlation] = [buffer.i32[(at >> 2) + 2]!, buffer.i32[(at >> 2) + 3]!]
    const begunNs = this.elapsedNs()
    engine.execute(buffer, at, this.nowMs(), this.#output)
    if (isTimed) this.#stamps.executed(gateway, correlation, begunNs, this.elapsedNs())
  }

  /** Publishes more than the event ring holds: whoever reads it is lapped. */
  overrunEvents(): void {
    const filler = RecordBuffer.allocate(EVENT_RING_BYTES + 64)
    this.events.write(filler, filler.bytes.length)
    this.events.publish()
    for (const bell of this.#bells) bell.ring()
  }

  /** Commands that wait in the rings. */
  waiting(): number {
    return this.#rings.reduce((total, ring) => total + ring.available(), 0)
  }

  /** core/state-hash.ts. */
  get stateHash(): number {
    return stateHash(this.#engines, this.balances)
  }

  counter(name: string, gateway = 0): number {
    const readings = readCounters(this.#counters, 1, this.gateways.length)
    return readings.find(
      (it) => it.name === name && it.scope === 'gateway' && it.index === gateway,
    )!.value
  }

  close(): void {
    this.#closed = true
    for (const gateway of this.gateways) gateway.close()
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** A signed request with all parameters in the query. */
  async signed(
    account: number,
    method: string,
    path: string,
    params: Record<string, string | number> = {},
  ): Promise<Answer> {
    const query = queryOf({ ...params, timestamp: this.nowMs() })
    return this.send(method, `${path}?${query}&signature=${sign(account, query)}`, account)
  }

  async send(
    method: string,
    path: string,
    account = 0,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = { ...init.headers }
    if (account > 0) headers['X-MBX-APIKEY'] = keyOf(account).apiKey
    const response = await fetch(`${this.url}${path}`, { ...init, method, headers })
    const text = await response.text()
    const body = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, body }
  }

  limitOrder(account: number, side: string, price: string, quantity: string): Promise<Answer> {
    const params = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity }
    return this.signed(account, 'POST', '/api/v3/order', params)
  }

  socket(path: string): Promise<TestSocket> {
    return TestSocket.open(`ws://127.0.0.1:${this.port}${path}`)
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** Parsed JSON, to be compared. */
export type Json = Record<string, unknown> & { readonly code?: number; readonly msg?: string }

export const queryOf = (params: Record<string, string | number>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

export const sign = (account: number, payload: string): string =>
  createHmac('sha256', keyOf(account).secretKey).update(payload).digest('hex')
