/**
 * The filters that count what an account has open (filters.md), judged when something is placed:
 * on the symbol, and over all symbols where the exchange wants it. Lists count all their legs.
 * What does not bound anything costs one comparison.
 */
import { RejectReason, Side } from '../../base/codes.ts'
import { type AccountId, Lots } from '../../base/units.ts'
import { type ExchangeBounds, exchangeBounds } from '../../market/filter-bounds.ts'
import type { ExchangeSpec, SymbolSpec } from '../../market/listing.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import type { Holds } from '../ledger/holds.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import { Open, type OpenCounts } from './open-counts.ts'
import type { SymbolState } from './symbol-state.ts'

/** By `Open`: the reason of the symbol's filter, and of the exchange's. */
const symbolReasons: readonly RejectReason[] = [
  RejectReason.MAX_NUM_ORDERS,
  RejectReason.MAX_NUM_ALGO_ORDERS,
  RejectReason.MAX_NUM_ICEBERG_ORDERS,
  RejectReason.MAX_NUM_ORDER_LISTS,
]
const exchangeReasons: readonly RejectReason[] = [
  RejectReason.EXCHANGE_MAX_NUM_ORDERS,
  RejectReason.EXCHANGE_MAX_NUM_ALGO_ORDERS,
  RejectReason.EXCHANGE_MAX_NUM_ICEBERG_ORDERS,
  RejectReason.EXCHANGE_MAX_NUM_ORDER_LISTS,
]
const KINDS = symbolReasons.length
/** Below this a sum has room for one more order. */
const EXACT_LOTS = 2 ** 52

export interface CountingOptions {
  readonly state: SymbolState
  readonly holds: Holds
  readonly exchange: ExchangeSpec
  readonly accounts: AccountTable
  /** Counts of all symbols. */
  readonly openCounts: readonly OpenCounts[]
}

export class CountingFilters {
  private readonly state: SymbolState
  private readonly holds: Holds
  private readonly openCounts: readonly OpenCounts[]
  private readonly accounts: AccountTable
  private exchangeMax: readonly number[] = []
  private countsOverAll = false
  private symbolMax: readonly number[] = []
  /** By `Open`: what is being placed. */
  private readonly more = new Int32Array(KINDS)
  private isBound = false
  private spec: SymbolSpec

  constructor(options: CountingOptions, spec: SymbolSpec) {
    this.state = options.state
    this.holds = options.holds
    this.openCounts = options.openCounts
    this.accounts = options.accounts
    this.spec = spec
    this.setExchange(options.exchange)
  }

  /** The exchange has other filters. */
  setExchange({ filters }: ExchangeSpec): void {
    const refuse = (why: string): never => {
      throw new RangeError(`the exchange's filters are refused: ${why}`)
    }
    this.exchangeMax = maximaOf(exchangeBounds(filters, refuse))
    this.countsOverAll = this.exchangeMax.some(Number.isFinite)
    this.respecify(this.spec)
  }

  respecify(spec: SymbolSpec): void {
    this.spec = spec
    this.symbolMax = maximaOf(spec.bounds)
    this.isBound =
      this.countsOverAll ||
      this.symbolMax.some(Number.isFinite) ||
      Number.isFinite(spec.bounds.positionLotsMax)
  }

  /** Judges the first `count` of `orders`, of one account and placed together, as a list or not. */
  judge(orders: readonly ArrivingOrder[], count: number, isList: boolean): Verdict {
    const isBound = this.isBound || this.accounts.openOrdersMax[orders[0]!.account] !== 0
    return isBound ? this.judgeBound(orders, count, isList) : ADMITTED
  }

  /** MAX_POSITION, for `buyLots` more to be bought. */
  judgePosition(account: AccountId, buyLots: Lots): Verdict {
    const { positionLotsMax } = this.spec.bounds
    if (!Number.isFinite(positionLotsMax) || buyLots === 0) return ADMITTED
    const { base, atomsPerLot } = this.spec
    const owned = this.holds.owned(account, base.id)
    const bidLots = this.openBuyLots(account) + BigInt(buyLots)
    const position = owned + bidLots * BigInt(atomsPerLot)
    return position > BigInt(positionLotsMax) * BigInt(atomsPerLot)
      ? RejectReason.MAX_POSITION
      : ADMITTED
  }

  private judgeBound(orders: readonly ArrivingOrder[], count: number, isList: boolean): Verdict {
    const { account } = orders[0]!
    const more = this.more
    let buyLots = Lots(0)
    more[Open.ORDERS] = count
    more[Open.ALGO_ORDERS] = 0
    more[Open.ICEBERG_ORDERS] = 0
    more[Open.LISTS] = isList ? 1 : 0
    for (let index = 0; index < count; index++) {
      const order = orders[index]!
      if (order.isStop) more[Open.ALGO_ORDERS]!++
      if (order.icebergLots !== 0) more[Open.ICEBERG_ORDERS]!++
      if (order.side === Side.BUY) buyLots = Lots(buyLots + order.lots)
    }
    const { counts } = this.state
    for (let kind = 0; kind < KINDS; kind++) {
      if (
        more[kind] !== 0 &&
        counts.of(account, kind as Open) + more[kind]! > this.symbolMax[kind]!
      ) {
        return symbolReasons[kind]!
      }
    }
    const verdict = this.judgePosition(account, buyLots)
    const ownMax = this.accounts.openOrdersMax[account]!
    const countsOverAll = this.countsOverAll || ownMax !== 0
    return verdict !== ADMITTED || !countsOverAll ? verdict : this.judgeOverAll(account, ownMax)
  }

  /** `ownMax` stands in place of the exchange's most orders, unless it is 0. */
  private judgeOverAll(account: AccountId, ownMax: number): Verdict {
    const more = this.more
    for (let kind = 0; kind < KINDS; kind++) {
      if (more[kind] === 0) continue
      let open = more[kind]!
      for (const counts of this.openCounts) open += counts.of(account, kind as Open)
      const isOwn = kind === Open.ORDERS && ownMax !== 0
      if (open > (isOwn ? ownMax : this.exchangeMax[kind]!)) return exchangeReasons[kind]!
    }
    return ADMITTED
  }

  /** Open BUY quantity of the account on the symbol, hidden and waiting orders included. */
  private openBuyLots(account: AccountId): bigint {
    const { book } = this.state
    let sum = 0n
    let lots = 0
    for (let slot = book.firstOfAccount(account); slot !== 0; slot = book.nextOfAccount(slot)) {
      if (book.sideOf(slot) !== Side.BUY) continue
      lots += book.openLots[slot]! + this.state.hiddenOf(slot)
      if (lots < EXACT_LOTS) continue
      sum += BigInt(lots)
      lots = 0
    }
    return sum + BigInt(lots)
  }
}

/** By `Open`. */
const maximaOf = (bounds: ExchangeBounds): readonly number[] => [
  bounds.ordersMax,
  bounds.algoOrdersMax,
  bounds.icebergOrdersMax,
  bounds.orderListsMax,
]
