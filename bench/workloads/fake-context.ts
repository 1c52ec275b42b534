/**
 * A gateway without sockets, rings or matchers: two listed symbols, two accounts, views that the caller
 * feeds by hand, and commands that wait for the caller's answer.
 */

import {
  COMMAND_SLOT_BYTES,
  writeBookBegin,
  writeBookEnd,
  writeBookLevel,
} from '../../scripts/layout/codecs.gen.ts'
import type { StageLatency } from '../../src/api/answers/account.ts'
import { encodeList } from '../../src/api/answers/encoders.ts'
import { listRows } from '../../src/api/answers/history-lists.ts'
import type { ArrivalLimit, RateLimitCount, RateLimitRow } from '../../src/api/answers/limits.ts'
import type {
  BalanceRow,
  BulkQuery,
  Collector,
  CommandSlot,
  Context,
  ListenKeys,
  OrderCharge,
} from '../../src/api/context.ts'
import type { Fault } from '../../src/api/errors.ts'
import { SelfTradePrevention, SymbolStatus } from '../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Lots,
  Ms,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../src/base/units.ts'
import { AuctionView } from '../../src/core/views/auction-view.ts'
import { DayWindow } from '../../src/core/views/day-window.ts'
import { DepthView } from '../../src/core/views/depth.ts'
import { ReferencePrice } from '../../src/core/views/reference-price.ts'
import { Tape, type TapeTrade } from '../../src/core/views/tape.ts'
import type {
  AllocationRow,
  AmendmentRow,
  ChainRow,
  DepositRow,
  Distributions,
  MovementOfRequest,
  MovementRow,
  OrderListRow,
  OrderRow,
  PreventedMatchRow,
  TradeRow,
  TradingStatusRow,
  WithdrawalRow,
} from '../../src/history/account-history.ts'
import { Bar } from '../../src/history/bar.ts'
import type {
  AggregateTradeRow,
  BarRow,
  BlockTradeRow,
  KlineRow,
  PublicTradeRow,
} from '../../src/history/market-history.ts'
import {
  type HistoryQueries,
  type HistoryReads,
  historyQueries,
  type ListName,
} from '../../src/history/queries.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { FilterSpec } from '../../src/market/filter-spec.ts'
import {
  type AccountSpec,
  type AssetSpec,
  type ExchangeSpec,
  plainExchange,
  type SymbolGroup,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
  WALLET,
} from '../../src/market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../../src/market/network.ts'
import { emptyHistory } from './empty-history.ts'

export const NOW_MS = Ms(1_700_000_000_000)
/** When balances last changed. */
export const BALANCES_MS = Ms(NOW_MS - 12_345)

const usdt = { id: AssetId(0), name: 'USDT' }
const btc = { id: AssetId(1), name: 'BTC' }
const eth = { id: AssetId(2), name: 'ETH' }

const preventionModes = [
  SelfTradePrevention.EXPIRE_TAKER,
  SelfTradePrevention.EXPIRE_MAKER,
  SelfTradePrevention.EXPIRE_BOTH,
]

const filters = (tickSize: string, maxPrice: string, stepSize: string): FilterSpec[] => [
  { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '9000.00000000', stepSize },
  { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
  {
    filterType: 'MARKET_LOT_SIZE',
    minQty: '0.00000000',
    maxQty: '100.00000000',
    stepSize: '0.00000000',
  },
]

export const btcusdt = specifySymbol({
  id: SymbolId(0),
  name: 'BTCUSDT',
  base: btc,
  quote: usdt,
  status: SymbolStatus.TRADING,
  preventionModes,
  preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  filters: [
    ...filters('0.01000000', '1000000.00000000', '0.00001000'),
    {
      filterType: 'NOTIONAL',
      minNotional: '5.00000000',
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
  ],
})

export const ethbtc = specifySymbol({
  id: SymbolId(1),
  name: 'ETHBTC',
  base: eth,
  quote: btc,
  status: SymbolStatus.HALT,
  preventionModes,
  preventionDefault: SelfTradePrevention.EXPIRE_TAKER,
  filters: [
    ...filters('0.00001000', '1000.00000000', '0.00010000'),
    {
      filterType: 'MIN_NOTIONAL',
      minNotional: '0.00010000',
      applyToMarket: true,
      avgPriceMins: 5,
    },
  ],
  fees: {
    special: { maker: 1_000_000, taker: 2_000_000, buyer: 3_000_000, seller: 4_000_000 },
    tax: { maker: 112, taker: 114, buyer: 118, seller: 116 },
    discountEnabled: true,
  },
})

export const trader: AccountSpec = {
  ...usualAccount,
  id: AccountId(7),
  name: 'trader',
  makerRate: 100_000,
  takerRate: 150_000,
  sellerRate: 20_000,
}

export const grouped: AccountSpec = {
  ...trader,
  id: AccountId(8),
  name: 'grouped',
  tradeGroupId: 3,
}

/** A command that was sent and is not answered yet. */
export interface SentCommand {
  readonly type: number
  readonly symbolId: SymbolId
  /** A copy of the slot, at 0. */
  readonly buffer: RecordBuffer
  readonly collector: Collector
}

export class FakeContext implements Context {
  readonly symbols: readonly SymbolSpec[]
  readonly assets = [usdt, btc, eth]
  exchange: ExchangeSpec = plainExchange
  chains: ChainSpec[] = []
  networks: NetworkSpec[] = []
  groups: readonly SymbolGroup[] = []
  valuationAsset: AssetSpec | undefined = usdt
  isInMaintenance = false
  deposits: DepositRow[] = []
  withdrawals: WithdrawalRow[] = []
  withdrawalOf: WithdrawalRow | undefined = undefined
  chainRows: ChainRow[] = []
  distributed: Distributions = { rows: [], total: 0 }
  accounts: AccountSpec[] = []
  movements: MovementRow[] = []
  movementOf: MovementOfRequest = { made: undefined, lastId: 0 }
  status: TradingStatusRow = { asOfMs: Ms(0), lockedUntilMs: Ms(0), symbols: [] }
  volumeAtoms = 0n
  readonly depths: readonly DepthView[]
  readonly tapes: readonly Tape[]
  readonly dayWindows: readonly DayWindow[]
  readonly auctions: readonly AuctionView[]
  readonly references: readonly ReferencePrice[]
  readonly sent: SentCommand[] = []
  ringIsFull = false
  rows: OrderRow[] = []
  trades: TradeRow[] = []
  allocations: readonly AllocationRow[] = []
  lists: OrderListRow[] = []
  preventedMatches: PreventedMatchRow[] = []
  amendments: AmendmentRow[] = []
  publicTrades: PublicTradeRow[] = []
  blockTrades: BlockTradeRow[] = []
  aggregateTrades: AggregateTradeRow[] = []
  klines: KlineRow[] = []
  /** What traded in any window. */
  bar: BarRow = new Bar().row()
  /** What history queries fail with, if they do. */
  historyFailure: Error | undefined
  /** The last query of each kind, as the archive would receive it. */
  readonly asked: Record<string, unknown> = {}
  balanceRows: BalanceRow[] = [
    { asset: btcusdt.quote, free: 100_000_000_000, locked: 500_000_000 },
    { asset: btcusdt.base, free: 0, locked: 0 },
  ]
  /** What the order limits say to the request. */
  orderFault: Fault | undefined
  ordersWaived = false
  private ids = 0

  /** Symbols stand at their ids. */
  constructor(symbols: readonly SymbolSpec[] = [btcusdt, ethbtc]) {
    this.symbols = symbols
    this.depths = symbols.map((spec) => new DepthView(spec))
    this.tapes = symbols.map((spec) => new Tape(spec))
    this.dayWindows = this.symbols.map(() => new DayWindow())
    this.auctions = this.symbols.map(() => new AuctionView())
    this.references = this.symbols.map(({ tickUnits }) => new ReferencePrice(tickUnits))
    for (const view of this.depths) loadBook(view, [])
    for (const tape of this.tapes) tape.seed([])
  }

  readonly listenKeys: ListenKeys = {
    start: () => 'k'.repeat(64),
    keepAlive: (account, key) => account === trader.id && key === 'k'.repeat(64),
    close: (account, key) => account === trader.id && key === 'k'.repeat(64),
  }

  private readonly reads: HistoryReads = {
    ...emptyHistory,
    order: ({ orderId = -1, clientOrderId }) =>
      this.rows.find(
        (row) =>
          (orderId < 0 || row.orderId === orderId) &&
          (clientOrderId === undefined || row.clientOrderId === clientOrderId),
      ),
    allOrders: () => this.rows,
    myTrades: () => this.trades,
    allocations: () => this.allocations,
    preventedMatches: () => this.preventedMatches,
    orderList: () => this.lists[0],
    orderLists: () => this.lists,
    openOrderLists: () => this.lists,
    amendments: () => this.amendments,
    publicTrades: () => this.publicTrades,
    blockTrades: () => this.blockTrades,
    aggregateTrades: () => this.aggregateTrades,
    klines: () => this.klines,
    window: () => this.bar,
    movements: () => ({ rows: this.movements, total: this.movements.length }),
    movementOf: () => this.movementOf,
    deposits: () => this.deposits,
    withdrawals: () => this.withdrawals,
    withdrawalOf: () => this.withdrawalOf,
    chains: () => this.chainRows,
    distributions: () => this.distributed,
    tradingStatus: () => this.status,
    tradingVolume: () => this.volumeAtoms,
  }

  readonly history: HistoryQueries = historyQueries(async (name, query, form) => {
    this.asked[name] = query
    if (this.historyFailure !== undefined) throw this.historyFailure
    const result = this.reads[name](query as never)
    if (form === undefined) return result
    return encodeList(form.encoding, listRows(name as ListName, result as never, form))
  })

  symbolNamed(name: string): SymbolSpec | undefined {
    return this.symbols.find((spec) => spec.name === name)
  }

  depth(symbolId: SymbolId): DepthView {
    return this.depths[symbolId]!
  }

  tape(symbolId: SymbolId): Tape {
    return this.tapes[symbolId]!
  }

  auction(symbolId: SymbolId): AuctionView {
    return this.auctions[symbolId]!
  }

  reference(symbolId: SymbolId): ReferencePrice {
    return this.references[symbolId]!
  }

  dayWindow(symbolId: SymbolId): DayWindow {
    return this.dayWindows[symbolId]!
  }

  balances(): readonly BalanceRow[] {
    return this.balanceRows
  }

  subAccounts(account: AccountId): readonly AccountSpec[] {
    return this.accounts.filter(({ master }) => master === account)
  }

  newOrderFault(): undefined {
    return undefined
  }

  isUnderMaintenance(): boolean {
    return this.isInMaintenance
  }

  balancesChangedMs(): Ms {
    return BALANCES_MS
  }

  command(symbolId: SymbolId, bytes = COMMAND_SLOT_BYTES): CommandSlot | undefined {
    if (this.ringIsFull) return undefined
    const buffer = RecordBuffer.allocate(bytes)
    return {
      buffer,
      at: 0,
      submit: (type, _bytes, collector, charge) => {
        const isCharged = charge !== undefined || symbolId === WALLET
        if (!isCharged) throw new Error('A command has no charge.')
        this.sent.push({ type, symbolId, buffer, collector })
      },
    }
  }

  query(symbolId: SymbolId): CommandSlot | undefined {
    if (this.ringIsFull) return undefined
    const buffer = RecordBuffer.allocate(COMMAND_SLOT_BYTES)
    return {
      buffer,
      at: 0,
      submit: (type, _bytes, collector, charge) => {
        if (charge !== undefined) throw new Error('A query has a charge.')
        this.sent.push({ type, symbolId, buffer, collector })
      },
    }
  }

  runBulkQuery(bulkQuery: BulkQuery): void {
    bulkQuery.begin({ hold: () => true, end: () => {} })
  }

  rateLimits(limiter: ArrivalLimit): readonly RateLimitRow[] {
    const weight = { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1 } as const
    const second = { rateLimitType: limiter }
    return [
      { ...weight, limit: 6000 },
      { ...second, interval: 'MINUTE', intervalNum: 5, limit: 300 },
    ]
  }

  orderCounts({ id: account }: AccountSpec): readonly RateLimitCount[] {
    const row = { rateLimitType: 'ORDERS', intervalNum: 1 } as const
    return [
      { ...row, interval: 'SECOND', limit: 10, count: account },
      { ...row, interval: 'DAY', limit: 160_000, count: account + 1 },
    ]
  }

  latencyOf(account: AccountId): readonly StageLatency[] {
    const quantiles = { p50: 768, p90: 1_024, p99: 1_536, p999: 1_536 }
    const buckets = [[768, account] as const, [null, 1] as const]
    return [{ name: 'order', count: account + 1, mean: 700, ...quantiles, buckets }]
  }

  readonly charge: OrderCharge = {
    isTimed: false,
    refusal: () => this.orderFault,
    waive: () => {
      this.ordersWaived = true
    },
    pay: () => true,
    sent: () => {},
  }

  async askSandbox() {
    return { rows: [] }
  }

  newClientOrderId(): string {
    return `generated${String(++this.ids).padStart(13, '0')}`
  }
}

/** Replaces a view's levels: [side, priceTicks, lots], best first. */
export function loadBook(
  view: DepthView,
  levels: readonly (readonly [side: number, priceTicks: Ticks, lots: Lots])[],
  updateId = 100,
): void {
  const buffer = RecordBuffer.allocate(256)
  const header = { symbolId: view.spec.id, gateway: 0, correlation: 0 }
  view.invalidate()
  writeBookBegin(buffer, 0, {
    ...header,
    side: 0,
    phase: SymbolStatus.TRADING,
    afterTicks: Ticks(0),
    updateId,
    sequence: 1,
    tradeId: TradeId(0),
    lastPriceTicks: Ticks(0),
    closeTicks: Ticks(0),
    closeMs: Ms(0),
    auctionTicks: Ticks(0),
    auctionMs: Ms(0),
    auctionVolume: 0,
    auctionSurplus: 0,
  })
  view.apply(buffer, 0)
  for (const [side, priceTicks, levelLots] of levels) {
    writeBookLevel(buffer, 0, { ...header, side, orderCount: 1, priceTicks, levelLots })
    view.apply(buffer, 0)
  }
  writeBookEnd(buffer, 0, { ...header, isWhole: 1, spare: 0 })
  view.apply(buffer, 0)
}

/** The one trade of a tape, of one lot at NOW_MS. */
export const tapeTrade = (priceTicks: Ticks): TapeTrade => ({
  tradeId: TradeId(1),
  priceTicks,
  lots: Lots(1),
  quoteAtoms: QuoteAtoms(+priceTicks),
  timeMs: NOW_MS,
  isBuyerMaker: true,
})
