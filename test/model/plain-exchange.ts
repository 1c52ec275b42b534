/**
 * The plain twin of the matching engine: orders are objects in an array, money is bigint, and what a
 * MARKET order would do is found by trying it on a copy. It predicts every record that the engine
 * answers with. It shares nothing with src/core but the numbers of codes and records.
 */
import {
  ExpiryReason,
  OrderStatus,
  OrderType,
  RejectReason,
  SelfTradePrevention,
  Side,
  SymbolStatus,
  TimeInForce,
} from '#base/codes.ts'
import type { AccountSpec, SymbolSpec } from '#base/listing.ts'
import type {
  CancelOpenOrdersRecord,
  CancelOrderRecord,
  PlaceOrderRecord,
  QueryOpenOrdersRecord,
  QueryOrderRecord,
} from '#layout/records.gen.ts'
import { type Asked, type Fields, PlainAnswer, type PlainRecord } from './plain-answer.ts'
import type { PlainLedger } from './plain-ledger.ts'
import { faceOf, type PlainOrder, type PlainState, stateOf } from './plain-order.ts'
import { type Arrival, feeOf, reaches, sizeByAmount, type Tried, trySweep } from './plain-sizing.ts'

/** An order that has arrived and is being matched. */
interface Taker {
  readonly order: PlainOrder
  readonly type: number
  readonly mode: number
  readonly timeInForce: number
  left: bigint
}

const MAX = BigInt(Number.MAX_SAFE_INTEGER)

export class PlainSymbol {
  state: PlainState = {
    orders: [],
    sequence: 0,
    orderId: 0,
    tradeId: 0,
    updateId: 0,
    preventedMatchId: 0,
    lastPriceTicks: 0,
  }
  spec: SymbolSpec
  readonly #ordersMax: number
  readonly #ledger: PlainLedger
  readonly #matcher: number
  readonly #accounts: readonly AccountSpec[]
  #answer = new PlainAnswer(0, { gateway: -1, correlation: 0 })
  #timeMs = 0

  constructor(
    spec: SymbolSpec,
    ordersMax: number,
    ledger: PlainLedger,
    matcher: number,
    accounts: readonly AccountSpec[],
  ) {
    this.spec = spec
    this.#ordersMax = ordersMax
    this.#ledger = ledger
    this.#matcher = matcher
    this.#accounts = accounts
  }

  place(command: PlaceOrderRecord, timeMs: number): PlainRecord[] {
    return this.#answerTo(command, timeMs, () => this.#place(command))
  }

  cancel(command: CancelOrderRecord, timeMs: number): PlainRecord[] {
    return this.#answerTo(command, timeMs, () => {
      if (this.#isLate(command.expiresMs)) return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
      const mine = this.state.orders.filter((order) => order.account === command.account)
      const order = mine.find(
        (it) =>
          (command.orderId !== 0 || command.origClientOrderId !== '') &&
          (command.orderId === 0 || it.orderId === command.orderId) &&
          (command.origClientOrderId === '' || it.clientOrderId === command.origClientOrderId),
      )
      if (order === undefined) return RejectReason.UNKNOWN_ORDER
      if (command.restrictions === 1 && order.filled > 0n) return RejectReason.CANCEL_RESTRICTED
      if (command.restrictions === 2 && order.filled === 0n) return RejectReason.CANCEL_RESTRICTED
      this.#takeOff(order, OrderStatus.CANCELED, 0n, command.clientOrderId)
      return 0
    })
  }

  cancelAll(command: CancelOpenOrdersRecord, timeMs: number): PlainRecord[] {
    return this.#answerTo(command, timeMs, () => {
      if (this.#isLate(command.expiresMs)) return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
      const mine = this.state.orders.filter((order) => order.account === command.account)
      if (mine.length === 0) return RejectReason.UNKNOWN_ORDER
      for (const order of mine) {
        this.#takeOff(order, OrderStatus.CANCELED, 0n, command.clientOrderId)
      }
      return 0
    })
  }

  query(command: QueryOrderRecord, timeMs: number): PlainRecord[] {
    return this.#answerTo(command, timeMs, () => {
      const mine = this.state.orders.filter((order) => order.account === command.account)
      const order = mine.find((it) =>
        command.orderId === 0
          ? it.clientOrderId === command.clientOrderId
          : it.orderId === command.orderId,
      )
      if (order === undefined) return RejectReason.NO_SUCH_ORDER
      if (command.clientOrderId !== '' && command.clientOrderId !== order.clientOrderId) {
        return RejectReason.CLIENT_ORDER_ID_INVALID
      }
      this.#answer.add('OrderState', stateOf(order))
      return 0
    })
  }

  queryOpen(command: QueryOpenOrdersRecord, timeMs: number): PlainRecord[] {
    return this.#answerTo(command, timeMs, () => {
      for (const order of this.state.orders) {
        if (order.account === command.account) this.#answer.add('OrderState', stateOf(order))
      }
      this.#answer.add('QueryEnd', {})
      return 0
    })
  }

  queryBook(command: Asked, timeMs: number): PlainRecord[] {
    return this.#answerTo(command, timeMs, () => {
      const { updateId, sequence, tradeId, lastPriceTicks } = this.state
      this.#answer.add('BookBegin', { updateId, sequence, tradeId, lastPriceTicks })
      for (const side of [Side.BUY, Side.SELL]) {
        const orders = this.#queue(side)
        for (const price of new Set(orders.map((order) => order.price))) {
          const level = orders.filter((order) => order.price === price)
          const levelLots = Number(level.reduce((sum, order) => sum + order.open, 0n))
          const orderCount = level.length
          this.#answer.add('BookLevel', { side, priceTicks: Number(price), orderCount, levelLots })
        }
      }
      this.#answer.add('BookEnd', {})
      return 0
    })
  }

  /** Resting orders of a side in the order in which they are met. */
  #queue(side: number): PlainOrder[] {
    const sign = side === Side.BUY ? -1 : 1
    return this.state.orders
      .filter((order) => order.side === side)
      .sort((a, b) => sign * Number(a.price - b.price) || a.orderId - b.orderId)
  }

  #place(command: PlaceOrderRecord): number {
    const early = this.#refuseUnseen(command)
    if (early !== 0) return early
    const side = command.terms & 1
    const type = (command.terms >> 1) & 7
    const timeInForce = (command.terms >> 4) & 3
    const mode = (command.terms >> 6) & 7
    const limit = type === OrderType.MARKET ? undefined : BigInt(command.priceTicks)
    const arrival = this.#arrival(command.account, side, mode, limit)
    const makers = this.#queue(1 - side)
    if (command.quoteAtoms === 0 && type === OrderType.MARKET && makers.length === 0) {
      return RejectReason.NO_DEPTH
    }
    const { reason, lots, isShort } =
      command.quoteAtoms > 0
        ? sizeByAmount(makers, arrival, BigInt(command.quoteAtoms), this.spec)
        : { reason: 0, lots: BigInt(command.lots), isShort: false }
    if (reason !== 0) return reason
    const tried = trySweep(makers, arrival, lots)
    const meets = makers.some((maker) => reaches(side, limit, maker.price))
    if (type === OrderType.LIMIT_MAKER && meets) return RejectReason.WOULD_MATCH_IMMEDIATELY
    const size = this.#judgeSize(command, type, lots, tried)
    if (size !== 0) return size
    const isResting = type !== OrderType.MARKET && timeInForce === TimeInForce.GTC
    const leaves = tried.lots < lots && tried.stop === undefined
    if (isResting && leaves && this.state.orders.length === this.#ordersMax) {
      return RejectReason.BOOK_FULL
    }
    const held = this.#needed(limit, side, lots, tried)
    if (!this.#ledger.lock(this.#matcher, command.account, this.#pays(side), held)) {
      return RejectReason.INSUFFICIENT_BALANCE
    }
    const order = this.#accept(command, lots, held)
    this.#live({ order, type, mode, timeInForce, left: lots }, limit, tried, isShort, command)
    return 0
  }

  /** Refusals that do not look at the other side. */
  #refuseUnseen(command: PlaceOrderRecord): number {
    if (this.#isLate(command.expiresMs)) return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    if (!this.#accounts[command.account]!.canTrade) return RejectReason.ACCOUNT_DISABLED
    if (this.spec.status !== SymbolStatus.TRADING) return RejectReason.MARKET_CLOSED
    const isTaken = this.state.orders.some(
      (it) => it.account === command.account && it.clientOrderId === command.clientOrderId,
    )
    return isTaken ? RejectReason.DUPLICATE_ORDER : 0
  }

  #judgeSize(command: PlaceOrderRecord, type: number, lots: bigint, tried: Tried): number {
    const { spec } = this
    const asked = BigInt(command.priceTicks) * lots * BigInt(spec.atomsPerTickLot)
    const isMarket = type === OrderType.MARKET
    const moved = isMarket ? tried.atoms : asked
    const isBounded = !isMarket || spec.notionalMaxAppliesToMarket
    const movedMax = isBounded ? BigInt(spec.notionalAtomsMax) : MAX
    if (moved > movedMax || lots * BigInt(spec.atomsPerLot) > MAX || tried.atoms > MAX) {
      return RejectReason.NOTIONAL_TOO_LARGE
    }
    if (!isMarket || !spec.notionalMinAppliesToMarket) return 0
    const judged = command.quoteAtoms > 0 ? BigInt(command.quoteAtoms) : tried.atoms
    const isJudged = command.quoteAtoms > 0 || tried.lots === lots
    const isSmall = isJudged && judged < BigInt(spec.notionalAtomsMin)
    return isSmall ? RejectReason.MARKET_NOTIONAL_TOO_SMALL : 0
  }

  /** What the order must lock: all that its limit may cost, or exactly what a MARKET order will. */
  #needed(limit: bigint | undefined, side: number, lots: bigint, tried: Tried): bigint {
    const { atomsPerTickLot, atomsPerLot } = this.spec
    if (side === Side.SELL) return (limit === undefined ? tried.lots : lots) * BigInt(atomsPerLot)
    return limit === undefined ? tried.atoms : limit * lots * BigInt(atomsPerTickLot)
  }

  #accept(command: PlaceOrderRecord, lots: bigint, held: bigint): PlainOrder {
    const order: PlainOrder = {
      orderId: ++this.state.orderId,
      account: command.account,
      terms: command.terms,
      side: command.terms & 1,
      price: BigInt(command.priceTicks),
      lots,
      clientOrderId: command.clientOrderId,
      createdMs: this.#timeMs,
      updatedMs: this.#timeMs,
      open: 0n,
      filled: 0n,
      filledAtoms: 0n,
    }
    this.#event('OrderAccepted', {
      ...faceOf(order, command.quoteAtoms),
      heldAtoms: Number(held),
      clientOrderId: order.clientOrderId,
    })
    return order
  }

  /** From acceptance to rest or end. */
  #live(
    taker: Taker,
    limit: bigint | undefined,
    tried: Tried,
    isShort: boolean,
    { quoteAtoms }: PlaceOrderRecord,
  ): void {
    const { order, type, timeInForce } = taker
    const expire = (reason: number) => this.#end(taker, OrderStatus.EXPIRED, reason, quoteAtoms)
    if (timeInForce === TimeInForce.FOK && tried.lots < order.lots) {
      expire(ExpiryReason.UNFILLED_FOK_ORDER_EXPIRED)
    } else if (this.#match(taker, limit)) {
      this.#end(taker, OrderStatus.EXPIRED_IN_MATCH, ExpiryReason.NONE, quoteAtoms)
    } else if (type === OrderType.MARKET && (taker.left > 0n || isShort)) {
      expire(ExpiryReason.INSUFFICIENT_LIQUIDITY)
    } else if (taker.left > 0n && timeInForce !== TimeInForce.GTC) {
      expire(ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED)
    } else if (taker.left > 0n) {
      order.open = taker.left
      this.state.orders.push(order)
      this.#event('OrderRested', {
        account: order.account,
        terms: order.terms,
        orderId: order.orderId,
        priceTicks: Number(order.price),
        restedLots: Number(order.open),
        updateId: ++this.state.updateId,
      })
    }
  }

  /** True when self-trade prevention ended the taker. */
  #match(taker: Taker, limit: bigint | undefined): boolean {
    const { order, mode } = taker
    for (const maker of this.#queue(1 - order.side)) {
      if (taker.left === 0n || !reaches(order.side, limit, maker.price)) return false
      if (!this.#isOwn(order.account, maker.account) || mode === SelfTradePrevention.NONE) {
        this.#trade(taker, maker)
        continue
      }
      this.#prevent(taker, maker)
      if (mode !== SelfTradePrevention.EXPIRE_MAKER) return true
    }
    return false
  }

  #trade(taker: Taker, maker: PlainOrder): void {
    const { spec, state } = this
    const { order } = taker
    let lots = taker.left
    if (lots > maker.open) lots = maker.open
    const quote = maker.price * lots * BigInt(spec.atomsPerTickLot)
    const base = lots * BigInt(spec.atomsPerLot)
    const [buyer, seller] = order.side === Side.BUY ? [order, maker] : [maker, order]
    const better =
      order.side === Side.BUY && order.price > 0n
        ? (order.price - maker.price) * lots * BigInt(spec.atomsPerTickLot)
        : 0n
    const buyerFee = this.#fee(buyer.account, buyer === order, true, base)
    const sellerFee = this.#fee(seller.account, seller === order, false, quote)
    const ledger = this.#ledger
    const matcher = this.#matcher
    ledger.pay(matcher, buyer.account, spec.quote.id, quote)
    ledger.unlock(matcher, buyer.account, spec.quote.id, better)
    ledger.earn(matcher, buyer.account, spec.base.id, base - buyerFee)
    ledger.pay(matcher, seller.account, spec.base.id, base)
    ledger.earn(matcher, seller.account, spec.quote.id, quote - sellerFee)
    ledger.earn(matcher, 0, spec.base.id, buyerFee)
    ledger.earn(matcher, 0, spec.quote.id, sellerFee)
    taker.left -= lots
    maker.open -= lots
    for (const side of [order, maker]) {
      side.filled += lots
      side.filledAtoms += quote
      side.updatedMs = this.#timeMs
    }
    state.lastPriceTicks = Number(maker.price)
    if (maker.open === 0n) state.orders = state.orders.filter((it) => it !== maker)
    this.#event('Trade', {
      takerAccount: order.account,
      makerAccount: maker.account,
      takerTerms: order.terms,
      makerTerms: maker.terms,
      tradeId: ++state.tradeId,
      priceTicks: Number(maker.price),
      tradeLots: Number(lots),
      updateId: ++state.updateId,
      takerOrderId: order.orderId,
      takerFilledLots: Number(order.filled),
      takerFilledAtoms: Number(order.filledAtoms),
      takerCommissionAtoms: Number(buyer === order ? buyerFee : sellerFee),
      makerOrderId: maker.orderId,
      makerFilledLots: Number(maker.filled),
      makerFilledAtoms: Number(maker.filledAtoms),
      makerCommissionAtoms: Number(buyer === order ? sellerFee : buyerFee),
      makerLots: Number(maker.lots),
      makerCreatedMs: maker.createdMs,
      buyerReleasedAtoms: Number(better),
      makerClientOrderId: maker.clientOrderId,
    })
  }

  #fee(account: number, isTaker: boolean, isBuyer: boolean, received: bigint): bigint {
    const { takerRate, makerRate, buyerRate, sellerRate } = this.#accounts[account]!
    const rate = (isTaker ? takerRate : makerRate) + (isBuyer ? buyerRate : sellerRate)
    return feeOf(received, rate, (isBuyer ? this.spec.base : this.spec.quote).decimals)
  }

  #prevent(taker: Taker, maker: PlainOrder): void {
    const { order, mode } = taker
    const makerExpires = mode !== SelfTradePrevention.EXPIRE_TAKER
    this.#event('MatchPrevented', {
      takerAccount: order.account,
      makerAccount: maker.account,
      takerTerms: order.terms,
      makerTerms: maker.terms,
      tradeGroupId:
        order.account === maker.account ? -1 : this.#accounts[order.account]!.tradeGroupId,
      preventedMatchId: this.state.preventedMatchId++,
      transferredLots: 0,
      buyerReleasedAtoms: 0,
      matchLots: Number(taker.left < maker.open ? taker.left : maker.open),
      priceTicks: Number(maker.price),
      takerOrderId: order.orderId,
      makerOrderId: maker.orderId,
      takerPreventedLots: mode === SelfTradePrevention.EXPIRE_MAKER ? 0 : Number(taker.left),
      makerPreventedLots: makerExpires ? Number(maker.open) : 0,
    })
    if (makerExpires) {
      this.#takeOff(maker, OrderStatus.EXPIRED_IN_MATCH, maker.open, maker.clientOrderId)
    }
  }

  /** A resting order ends. */
  #takeOff(order: PlainOrder, status: number, prevented: bigint, clientOrderId: string): void {
    this.state.orders = this.state.orders.filter((it) => it !== order)
    this.state.updateId++
    this.#close(order, order.open, {
      quoteAtoms: 0,
      status,
      reason: ExpiryReason.NONE,
      preventedLots: Number(prevented),
      restedLots: Number(order.open),
      clientOrderId,
    })
  }

  /** The taker ends without resting. */
  #end(taker: Taker, status: number, reason: number, quoteAtoms: number): void {
    const { order, type, left } = taker
    this.#close(order, type === OrderType.MARKET ? 0n : left, {
      quoteAtoms,
      status,
      reason,
      preventedLots: status === OrderStatus.EXPIRED_IN_MATCH ? Number(left) : 0,
      restedLots: 0,
      clientOrderId: order.clientOrderId,
    })
  }

  /** Gives back what `lots` at the order's price still hold, and says that it ended. */
  #close(order: PlainOrder, lots: bigint, fields: Fields): void {
    const perLot =
      order.side === Side.BUY
        ? order.price * BigInt(this.spec.atomsPerTickLot)
        : BigInt(this.spec.atomsPerLot)
    this.#ledger.unlock(this.#matcher, order.account, this.#pays(order.side), lots * perLot)
    this.#event('OrderClosed', {
      ...faceOf(order, 0),
      filledLots: Number(order.filled),
      filledAtoms: Number(order.filledAtoms),
      createdMs: order.createdMs,
      updateId: this.state.updateId,
      releasedAtoms: Number(lots * perLot),
      origClientOrderId: order.clientOrderId,
      ...fields,
    })
  }

  #arrival(account: number, side: number, mode: number, limit: bigint | undefined): Arrival {
    return {
      side,
      mode,
      limit,
      atomsPerTickLot: BigInt(this.spec.atomsPerTickLot),
      isOwn: (maker) => this.#isOwn(account, maker.account),
    }
  }

  #isOwn(a: number, b: number): boolean {
    const group = this.#accounts[a]!.tradeGroupId
    return a === b || (group !== -1 && group === this.#accounts[b]!.tradeGroupId)
  }

  #pays(side: number): number {
    return side === Side.BUY ? this.spec.quote.id : this.spec.base.id
  }

  #isLate(expiresMs: number): boolean {
    return expiresMs !== 0 && this.#timeMs > expiresMs
  }

  #answerTo(asked: Asked, timeMs: number, act: () => number): PlainRecord[] {
    this.#answer = new PlainAnswer(this.spec.id, asked)
    this.#timeMs = timeMs
    const reason = act()
    if (reason !== 0) this.#answer.add('Rejected', { reason, spare: 0 })
    return this.#answer.records()
  }

  #event(name: string, fields: Fields): void {
    this.#answer.add(name, { timeMs: this.#timeMs, sequence: ++this.state.sequence, ...fields })
  }
}
