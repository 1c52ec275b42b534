/**
 * The plain twin of the matching engine: orders are objects in an array, money is bigint, and what a
 * MARKET order would do is found by trying it on a copy. It predicts every record that the engine
 * answers with. It shares nothing with src/core but the numbers of codes and records.
 */

import type {
  AmendOrderRecord,
  CancelOpenOrdersRecord,
  CancelOrderListRecord,
  CancelOrderRecord,
  CancelOrdersWhereRecord,
  CancelSessionOrdersRecord,
  PlaceOrderListRecord,
  PlaceOrderRecord,
  QueryBookRecord,
  QueryCountdownsRecord,
  QueryOpenOrdersRecord,
  QueryOrderRecord,
  QueryProtectionRecord,
  ReplaceOrderRecord,
  ResetProtectionRecord,
  SetCountdownRecord,
  SetProtectionRecord,
  SetReferencePriceRecord,
  TradeBlockRecord,
} from '../../scripts/layout/codecs.gen.ts'
import {
  CancelReplaceMode,
  ReferenceCalculation,
  RejectReason,
  Side,
  SymbolStatus,
} from '../../src/base/codes.ts'
import { type Int64, int64 } from '../../src/base/int64.ts'
import { BLOCK_TRADES_KNOWN_MAX } from '../../src/base/limits.ts'
import { Lots, Ticks } from '../../src/base/units.ts'
import type { ReferenceSettings, SymbolSpec } from '../../src/market/listing.ts'
import { acceptOrder } from './plain-acceptance.ts'
import { isTaken, judge, refusePhase } from './plain-admission.ts'
import { amend } from './plain-amend.ts'
import { type Asked, NO_CALLER, type PlainRecord } from './plain-answer.ts'
import { refuseCounts } from './plain-counts.ts'
import { PlainTurns } from './plain-executions.ts'
import { PlainListing } from './plain-list-placement.ts'
import { hasThree, PlainLists } from './plain-lists.ts'
import { PlainMarket, type PlainWorld } from './plain-market.ts'
import { PlainMatching } from './plain-matching.ts'
import {
  orderFrom,
  type PlainCountdown,
  type PlainOrder,
  type PlainProtection,
  type PlainState,
  stateOf,
} from './plain-order.ts'
import { PlainPhases } from './plain-phases.ts'
import { type QuoteCommand, quote } from './plain-quote.ts'
import { bucketsOf, changedReference, isSameReference } from './plain-reference.ts'

/** A cancel of many orders that continues in another batch. */
interface Bulk {
  readonly asked: Asked
  readonly clientOrderId: string
  readonly orders: readonly PlainOrder[]
}

export class PlainSymbol {
  /** How many events the batch has room for, as the caller has seen of the engine. */
  room = Number.POSITIVE_INFINITY
  private bulk: Bulk | undefined = undefined
  /** Countdowns that are over, in the order in which they fire; what ends cancels that are under way. */
  private over: readonly PlainCountdown[] = []
  private ending: (() => void) | undefined = undefined
  readonly market: PlainMarket
  private readonly lists: PlainLists
  private readonly matching: PlainMatching
  private readonly executions: PlainTurns
  private readonly phases: PlainPhases

  constructor(spec: SymbolSpec, matcher: number, world: PlainWorld) {
    this.market = new PlainMarket(spec, matcher, world)
    this.lists = new PlainLists(this.market)
    this.phases = new PlainPhases(this.market, {
      meet: (taker, maker, price) => this.matching.meet(taker, maker, price),
      expireBeyondBound: (order) => this.matching.expireBeyondBound(order),
    })
    this.matching = new PlainMatching(this.market, this.lists, this.phases)
    this.executions = new PlainTurns(this.market, this.lists, this.matching)
  }

  get state(): PlainState {
    return this.market.state
  }

  set state(state: PlainState) {
    this.market.state = state
  }

  get spec(): SymbolSpec {
    return this.market.spec
  }

  set spec(spec: SymbolSpec) {
    this.market.spec = spec
  }

  place(command: PlaceOrderRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const order = orderFrom(command, command.account, timeMs)
      return this.placeOrder(order)
    })
  }

  placeList(command: PlaceOrderListRecord, timeMs: number): PlainRecord[] {
    const place = () => new PlainListing(this.market, this.lists, this.matching).place(command)
    return this.act(command, timeMs, command.expiresMs, place, (reason) => {
      const legs = hasThree(command.kind) ? 3 : 2
      const { account, kind, listClientOrderId } = command
      const { clientOrderId1, clientOrderId2, clientOrderId3 } = command
      const third = legs === 3 ? clientOrderId3 : ''
      const ids = { listClientOrderId, clientOrderId1, clientOrderId2, clientOrderId3: third }
      this.market.answer.reply('OrderListRejected', { account, kind, reason, legs, timeMs, ...ids })
    })
  }

  cancel(command: CancelOrderRecord, timeMs: number): PlainRecord[] {
    const { account, orderId, origClientOrderId, restrictions, clientOrderId } = command
    return this.act(command, timeMs, command.expiresMs, () =>
      this.cancelOrder(account, orderId, origClientOrderId, restrictions, clientOrderId),
    )
  }

  cancelAll(command: CancelOpenOrdersRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const { account, clientOrderId } = command
      return this.cancelMany(command, clientOrderId, this.market.ofAccount(account))
    })
  }

  cancelSession(command: CancelSessionOrdersRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const { account, session, clientOrderId } = command
      const its = this.market.ofAccount(account).filter((order) => order.session === session)
      return this.cancelMany(command, clientOrderId, its)
    })
  }

  setCountdown(command: SetCountdownRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const { account, scope, countdownMs } = command
      const deadlineMs = countdownMs === 0 ? 0 : this.market.clockMs + countdownMs
      this.sayCountdown({ account, scope, deadlineMs, countdownMs })
      return 0
    })
  }

  queryCountdowns(command: QueryCountdownsRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const of = (scope: number) =>
        this.state.countdowns.find((it) => it.account === command.account && it.scope === scope)
      const [own, all] = [of(0), of(1)]
      this.market.answer.reply('CountdownState', {
        deadlineMs: own?.deadlineMs ?? 0,
        countdownMs: own?.countdownMs ?? 0,
        allDeadlineMs: all?.deadlineMs ?? 0,
        allCountdownMs: all?.countdownMs ?? 0,
      })
      return 0
    })
  }

  private sayCountdown(countdown: PlainCountdown): void {
    const { account, scope, deadlineMs } = countdown
    this.market.say('CountdownChanged', { ...countdown })
    const isOther = (it: PlainCountdown) => it.account !== account || it.scope !== scope
    this.state.countdowns = this.state.countdowns.filter(isOther)
    if (deadlineMs !== 0) this.state.countdowns.push(countdown)
    this.over = this.over.filter(isOther)
  }

  /** Countdowns up to this moment are over. */
  expireCountdowns(clockMs: number): void {
    this.over = this.state.countdowns
      .filter(({ deadlineMs }) => deadlineMs <= clockMs)
      .sort((a, b) => a.deadlineMs - b.deadlineMs || a.account - b.account || a.scope - b.scope)
  }

  setProtection(command: SetProtectionRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const { account, windowMs, maxFills, maxNotional } = command
      this.sayProtection({ account, status: 0, windowMs, maxFills, maxNotional })
      return 0
    })
  }

  resetProtection(command: ResetProtectionRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const protection = this.protectionOf(command.account)
      if (protection === undefined) return RejectReason.NO_PROTECTION
      this.sayProtection({ ...protection, status: 0 })
      return 0
    })
  }

  queryProtection(command: QueryProtectionRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const none = { status: 0, windowMs: 0, maxFills: 0, maxNotional: 0 }
      const { status, windowMs, maxFills, maxNotional } = this.protectionOf(command.account) ?? none
      const terms = { windowMs, maxFills, maxNotional }
      this.market.answer.reply('ProtectionState', { status, spare: 0, ...terms })
      return 0
    })
  }

  setReferencePrice(command: SetReferencePriceRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const { settings } = this.state.reference
      if (settings.calculation !== ReferenceCalculation.EXTERNAL) {
        return RejectReason.NO_EXTERNAL_PRICE
      }
      this.sayReference(settings, command.priceUnits)
      return 0
    })
  }

  /** Free money of both changes hands, or none. The book does not see it. */
  tradeBlock(command: TradeBlockRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const { market, state } = this
      const { buyer, seller, priceTicks, lots, requestId } = command
      const known = state.blockTrades.slice(-BLOCK_TRADES_KNOWN_MAX)
      const made = known.find((it) => it.requestId === requestId)
      if (made !== undefined) {
        const { requestId: _, ...deal } = made
        const asked = { ...deal, buyer, seller, priceTicks, lots }
        if (JSON.stringify(asked, textOf) !== JSON.stringify(deal, textOf)) {
          return RejectReason.DUPLICATE_ORDER
        }
        market.answer.reply('BlockTradeState', deal)
        return 0
      }
      if (command.archivedId < state.blockTrades.length - known.length) {
        return RejectReason.ID_FORGOTTEN
      }
      if (market.phase === SymbolStatus.BREAK) return RejectReason.MARKET_CLOSED
      const quote = market.paid(BigInt(priceTicks), BigInt(lots))
      const base = BigInt(lots) * BigInt(market.spec.atomsPerLot)
      if (!this.moveBlock(command, base, quote)) return RejectReason.INSUFFICIENT_BALANCE
      const fees = {
        buyerCommissionAtoms: int64(feeOf(base, command.rate)),
        sellerCommissionAtoms: int64(feeOf(quote, command.rate)),
      }
      const blockTradeId = state.blockTrades.length + 1
      const sums = { blockTradeId, priceTicks, lots, quoteAtoms: int64(quote), ...fees }
      market.say('BlockTrade', { buyer, seller, ...sums, requestId })
      const trade = { buyer, seller, ...sums, tradedMs: timeMs, requestId }
      state.blockTrades = [...state.blockTrades, trade]
      return 0
    })
  }

  private sayReference(settings: ReferenceSettings, priceUnits: Int64): void {
    this.market.say('ReferenceChanged', { ...settings, priceUnits })
    this.state.reference = changedReference(this.state.reference, settings, priceUnits)
  }

  private get isReferenceDue(): boolean {
    return !isSameReference(this.state.reference.settings, this.spec.reference)
  }

  private moveBlock(
    { buyer, seller, rate }: TradeBlockRecord,
    base: bigint,
    quote: bigint,
  ): boolean {
    const { matcher, spec, world } = this.market
    const { ledger } = world
    if (!ledger.lock(matcher, buyer, spec.quote.id, quote)) return false
    if (!ledger.lock(matcher, seller, spec.base.id, base)) {
      ledger.unlock(matcher, buyer, spec.quote.id, quote)
      return false
    }
    const moves = [
      { from: buyer, to: seller, asset: spec.quote.id, atoms: quote },
      { from: seller, to: buyer, asset: spec.base.id, atoms: base },
    ]
    for (const { from, to, asset, atoms } of moves) {
      const fee = feeOf(atoms, rate)
      ledger.pay(matcher, from, asset, atoms)
      ledger.earn(matcher, to, asset, atoms - fee)
      if (fee > 0n) ledger.earn(matcher, 0, asset, fee)
    }
    return true
  }

  private protectionOf(account: number): PlainProtection | undefined {
    return this.state.protections.find((it) => it.account === account)
  }

  /** Fills count from 0. */
  private sayProtection({
    fills: _,
    ...terms
  }: Omit<PlainProtection, 'fills'> & { fills?: unknown }) {
    this.market.say('ProtectionChanged', terms)
    const others = this.state.protections.filter(({ account }) => account !== terms.account)
    const all = terms.windowMs === 0 ? others : [...others, { ...terms, fills: [] }]
    this.state.protections = all.sort((a, b) => a.account - b.account)
  }

  /** Runs what follows from an execution: cancels of protections that are reached first. */
  private follow(): void {
    while (this.trip() && this.executions.followOne(this.room));
  }

  /** Returns false when a protection that is reached has something left to cancel. */
  private trip(): boolean {
    for (let due = this.reached; due !== undefined; due = this.reached) {
      const protection = due
      if (this.executions.isNextPaid) return true
      if (this.market.answer.eventCount >= this.room || this.state.auctionTicks !== 0) return false
      const end = () => this.sayProtection({ ...protection, status: 2 })
      if (!this.fire(due.account, 'protection', end)) return false
    }
    return true
  }

  private get reached(): PlainProtection | undefined {
    return this.state.protections.find(({ status }) => status === 1)
  }

  /** Fires countdowns that are over until the batch is full; none within an auction. */
  private fireCountdowns(): void {
    for (let [due] = this.over; due !== undefined; [due] = this.over) {
      const countdown = due
      if (this.market.answer.eventCount >= this.room) return
      if (this.state.auctionTicks !== 0 || this.hasNext || this.reached !== undefined) return
      const end = () => this.sayCountdown({ ...countdown, deadlineMs: 0 })
      if (!this.fire(due.account, 'countdown', end)) return
      this.follow()
    }
  }

  /** Cancels all orders of the account in an execution that `end` ends. Returns false when some are left. */
  private fire(account: number, clientOrderId: string, end: () => void): boolean {
    const { market } = this
    market.answer.beginTurn()
    this.ending = end
    this.cancelMany(NO_CALLER, clientOrderId, market.ofAccount(account))
    this.executions.end()
    if (this.bulk !== undefined) return false
    this.endFiring()
    return true
  }

  private endFiring(): void {
    const ending = this.ending
    this.ending = undefined
    ending?.()
  }

  cancelWhere(command: CancelOrdersWhereRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const { account, side, minTicks, maxTicks, prefix, clientOrderId } = command
      const its = this.market
        .ofAccount(account)
        .filter((order) => side === -1 || order.side === side)
        .filter(({ price }) => price >= BigInt(minTicks) && price <= BigInt(maxTicks))
        .filter((order) => order.clientOrderId.startsWith(prefix))
      return this.cancelMany(command, clientOrderId, its)
    })
  }

  quote(command: QuoteCommand, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () =>
      quote(this.market, this.lists, this.executions, command, (order) => this.placeOrder(order)),
    )
  }

  /** Whether the last batch had no room for all. */
  get isUnfinished(): boolean {
    const isAnyDue = this.phases.isDue || this.isReferenceDue
    const isDue = isAnyDue || this.over.length > 0 || this.reached !== undefined
    return this.bulk !== undefined || isDue || this.hasNext
  }

  private get hasNext(): boolean {
    return this.market.isTrading && this.executions.next !== undefined
  }

  /** Whose orders are being canceled in pieces: by a command, a countdown or a protection. */
  get unfinishedAccount(): number | undefined {
    return this.bulk?.orders[0]?.account
  }

  /** The time at which the phase ends by itself has come. */
  endPhase(): void {
    this.phases.isOver = true
  }

  /** The next batch continues with what the last one had no room for. */
  goOn(timeMs: number): PlainRecord[] {
    const bulk = this.bulk
    this.market.begin(bulk?.asked ?? NO_CALLER, timeMs)
    if (bulk !== undefined) {
      this.cancelMany(bulk.asked, bulk.clientOrderId, bulk.orders)
      this.executions.end()
      if (this.bulk !== undefined) return this.market.answer.records()
      this.endFiring()
    }
    if (this.isReferenceDue && this.market.answer.eventCount < this.room) {
      this.market.answer.beginTurn()
      this.sayReference(this.spec.reference, -1)
    }
    while (this.phases.isDue && this.market.answer.eventCount < this.room) {
      this.market.answer.beginTurn()
      this.phases.step()
      this.executions.end()
    }
    if (this.state.auctionTicks === 0) this.follow()
    this.fireCountdowns()
    return this.market.answer.records()
  }

  /** Cancels until the batch is full. */
  private cancelMany(asked: Asked, clientOrderId: string, orders: readonly PlainOrder[]): number {
    const { answer } = this.market
    const isOpen = (order: PlainOrder) => this.state.orders.includes(order)
    this.bulk = undefined
    if (orders.length === 0) return RejectReason.UNKNOWN_ORDER
    for (let rest = orders; rest.length > 0; rest = rest.filter(isOpen)) {
      this.lists.cancel(rest[0]!, clientOrderId)
      const left = rest.filter(isOpen)
      if (left.length === 0 || answer.eventCount + this.lists.changedCount < this.room) continue
      this.bulk = { asked, clientOrderId, orders: left }
      answer.isToBeContinued = true
      break
    }
    return 0
  }

  cancelList(command: CancelOrderListRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const { account, orderListId, listClientOrderId, clientOrderId } = command
      const list = this.state.lists.find(
        (it) =>
          it.account === account &&
          (orderListId !== -1 || listClientOrderId !== '') &&
          (orderListId === -1 || it.orderListId === orderListId) &&
          (listClientOrderId === '' || it.clientOrderId === listClientOrderId),
      )
      if (list === undefined) return RejectReason.UNKNOWN_ORDER
      this.lists.cancel(this.lists.legs(list)[0]!, clientOrderId)
      return 0
    })
  }

  replace(command: ReplaceOrderRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () => {
      const { market } = this
      const order = orderFrom(command, command.account, timeMs)
      const early = refuseCounts(market, command.account, [order], 0)
      if (early !== 0) return early
      const cancelReason = this.cancelOrder(
        command.account,
        command.cancelOrderId,
        command.cancelOrigClientOrderId,
        command.cancelRestrictions,
        command.cancelClientOrderId,
      )
      this.lists.sayChanged()
      const isStopped = cancelReason !== 0 && command.mode === CancelReplaceMode.STOP_ON_FAILURE
      const orderReason = isStopped ? -1 : this.placeOrder(order)
      const { symbolId, gateway, correlation, expiresMs, ...wish } = command
      const { cancelOrderId, cancelRestrictions, mode, ...placement } = wish
      const { cancelOrigClientOrderId, cancelClientOrderId, ...again } = placement
      market.answer.reply('ReplaceResult', { ...again, timeMs, cancelReason, orderReason })
      return 0
    })
  }

  amend(command: AmendOrderRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, command.expiresMs, () =>
      amend(this.market, this.lists, this.matching, command),
    )
  }

  query(command: QueryOrderRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const { account, orderId, clientOrderId } = command
      const order = this.market
        .ofAccount(account)
        .find((it) => (orderId === 0 ? it.clientOrderId === clientOrderId : it.orderId === orderId))
      if (order === undefined) return RejectReason.NO_SUCH_ORDER
      if (clientOrderId !== '' && clientOrderId !== order.clientOrderId) {
        return RejectReason.CLIENT_ORDER_ID_INVALID
      }
      this.replyState(order)
      return 0
    })
  }

  queryOpen(command: QueryOpenOrdersRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const { account, limit, afterOrderId } = command
      const untilOrderId = command.untilOrderId || this.state.orderId
      const orders = this.market
        .ofAccount(account)
        .filter(({ orderId }) => orderId > afterOrderId && orderId <= untilOrderId)
      for (const order of orders.slice(0, limit)) this.replyState(order)
      const isWhole = orders.length <= limit ? 1 : 0
      this.market.answer.reply('QueryEnd', { isWhole, spare: 0, untilOrderId })
      return 0
    })
  }

  queryBook(command: QueryBookRecord, timeMs: number): PlainRecord[] {
    return this.act(command, timeMs, 0, () => {
      const { answer } = this.market
      const { updateId, sequence, tradeId, lastPriceTicks, closeTicks, closeMs } = this.state
      const { side: first, afterTicks, limit } = command
      const counters = { updateId, sequence, tradeId, lastPriceTicks, closeTicks, closeMs }
      const { phase } = this.market
      const { ticks, lots, surplus, timeMs: auctionMs } = this.state.auctioned
      const sums = { auctionVolume: int64(lots), auctionSurplus: int64(surplus) }
      const auction = { auctionTicks: ticks, auctionMs, ...sums }
      answer.reply('BookBegin', { side: first, phase, afterTicks, ...counters, ...auction })
      const isFirst = first === Side.BUY && afterTicks === 0
      const room = Math.max(1, limit - (isFirst ? this.replyReference() : 0))
      const levels: { side: Side; priceTicks: Ticks; orderCount: number; levelLots: Lots }[] = []
      for (const side of [Side.BUY, Side.SELL]) {
        const orders = this.market.queue(side)
        for (const price of new Set(orders.map((order) => order.price))) {
          const level = orders.filter((order) => order.price === price)
          const levelLots = Number(level.reduce((sum, order) => sum + order.shown, 0n))
          levels.push({
            side,
            priceTicks: Ticks(Number(price)),
            orderCount: level.length,
            levelLots: Lots(levelLots),
          })
        }
      }
      const left = levels.filter(({ side, priceTicks }) => {
        if (side !== first || afterTicks === 0) return side >= first
        return side === Side.BUY ? priceTicks < afterTicks : priceTicks > afterTicks
      })
      for (const level of left.slice(0, room)) answer.reply('BookLevel', level)
      answer.reply('BookEnd', { isWhole: left.length < room ? 1 : 0, spare: 0 })
      return 0
    })
  }

  /** Returns the number of buckets. */
  private replyReference(): number {
    const { answer, state } = this.market
    const { settings, priceUnits, hasPriced } = state.reference
    if (!hasPriced && settings.calculation === ReferenceCalculation.NONE) return 0
    const known = { priceUnits, hasPriced: hasPriced ? 1 : 0, spare: 0 }
    answer.reply('ReferenceState', { ...settings, ...known })
    const buckets = bucketsOf(state.reference)
    for (const { tickSum, ...bucket } of buckets) {
      answer.reply('ReferenceBucket', { ...bucket, tickSum: int64(tickSum) })
    }
    return buckets.length
  }

  private placeOrder(order: PlainOrder): number {
    const { market } = this
    const early = this.refuseUnseen(order)
    if (early !== 0) return early
    const verdict = judge(market, order)
    if (verdict.reason !== 0) return verdict.reason
    if (!market.hold(order, verdict.cost)) return RejectReason.INSUFFICIENT_BALANCE
    order.cost = verdict.cost
    acceptOrder(market, order, verdict.cost)
    const isWaiting = order.workingMs < 0
    if (!isWaiting) this.matching.work(order, verdict)
    return 0
  }

  /** Refusals that do not look at prices. */
  private refuseUnseen(order: PlainOrder): number {
    const { market } = this
    const { account } = order
    if (!market.mayAdd(account)) return RejectReason.ACCOUNT_DISABLED
    if (market.isTripped(account)) return RejectReason.PROTECTED
    const phase = refusePhase(market, order, false)
    if (phase !== 0) return phase
    if (isTaken(market, account, order.clientOrderId)) return RejectReason.DUPLICATE_ORDER
    return refuseCounts(market, account, [order], 0)
  }

  private cancelOrder(
    account: number,
    orderId: number,
    origClientOrderId: string,
    restrictions: number,
    clientOrderId: string,
  ): number {
    const order = this.market.find(account, orderId, origClientOrderId)
    if (order === undefined) return RejectReason.UNKNOWN_ORDER
    if (restrictions === 1 && order.filled > 0n) return RejectReason.CANCEL_RESTRICTED
    if (restrictions === 2 && order.filled === 0n) return RejectReason.CANCEL_RESTRICTED
    this.lists.cancel(order, clientOrderId)
    return 0
  }

  private replyState(order: PlainOrder): void {
    this.market.answer.reply('OrderState', stateOf(order))
  }

  private act(
    asked: Asked,
    timeMs: number,
    expiresMs: number,
    act: () => number,
    refuse = (reason: number) => this.market.answer.reply('Rejected', { reason, spare: 0 }),
  ): PlainRecord[] {
    const { market } = this
    market.begin(asked, timeMs)
    const reason = market.isLate(expiresMs) ? RejectReason.TIMESTAMP_OUTSIDE_WINDOW : act()
    if (reason === 0) {
      this.executions.end()
      this.follow()
    } else refuse(reason)
    return market.answer.records()
  }
}

/** A commission of what is received, rounded half up. */
const feeOf = (atoms: bigint, rate: number): bigint =>
  (atoms * BigInt(rate) * 2n + 100_000_000n) / 200_000_000n

const textOf = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
