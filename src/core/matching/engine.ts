/**
 * One symbol's matching engine: a command in, events and replies out. Deterministic: it is handed two
 * times, the journal's and the clock's, and needs nothing of the world but the shared ledger's holds,
 * what other symbols count, and ids of order lists. It is the only writer of its state; its matcher
 * drives it, journals what it wrote, and only then settles the holds.
 *
 * Here commands are read and answered. What they come to: admission.ts, matching.ts, list-placement.ts,
 * amendment.ts, bulk-cancel.ts, countdowns.ts, order-closer.ts; what follows from that: executions.ts, guard.ts. Whether a command can be
 * paid: affordability.ts.
 */
import { assert, unreachable } from '../../base/assert.ts'
import {
  CancelReplaceMode,
  type CountdownScope,
  isDetailed,
  isRouted,
  OrderPhase,
  ProtectionStatus,
  RejectReason,
  SymbolStatus,
  sessionOf,
} from '../../base/codes.ts'
import { giveOwnCode } from '../../base/own-code.ts'
import { AccountId, type Atoms, Ms, OrderId } from '../../base/units.ts'
import {
  AmendOrder,
  CancelOpenOrders,
  CancelOrder,
  CancelOrderList,
  CancelOrdersWhere,
  CancelSessionOrders,
  LEGS_MAX,
  PlaceOrder,
  PlaceOrderList,
  QueryBook,
  QueryCountdowns,
  QueryOpenOrders,
  QueryOrder,
  QueryProtection,
  QuoteOrders,
  ReplaceOrder,
  ResetProtection,
  SetCountdown,
  SetProtection,
  SetReferencePrice,
  TradeBlock,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { type ExchangeSpec, plainExchange, type SymbolSpec } from '../../market/listing.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { AccountTable } from '../ledger/accounts.ts'
import { TradeFees } from '../ledger/fees.ts'
import type { Holds } from '../ledger/holds.ts'
import { Admission, type EngineBounds } from './admission.ts'
import { Affordability } from './affordability.ts'
import { Amendment } from './amendment.ts'
import { ArrivingOrder } from './arriving-order.ts'
import { BlockTrading } from './block-trading.ts'
import { BulkCancel, selectsAll, selectsWhere } from './bulk-cancel.ts'
import { Counter } from './counters.ts'
import { ADMITTED, type Decision, type Verdict } from './decision.ts'
import { DetailWriter } from './detail-writer.ts'
import { EventApplier } from './event-applier.ts'
import { EventWriter } from './event-writer.ts'
import { Executions } from './executions.ts'
import { ownClientOrderId } from './firing.ts'
import type { GroupParts } from './group-book.ts'
import { Guard } from './guard.ts'
import { ListPlacement } from './list-placement.ts'
import { Matching } from './matching.ts'
import { Open, OpenCounts } from './open-counts.ts'
import { OpenOrders } from './open-orders.ts'
import { OpenPages } from './open-pages.ts'
import { OrderCloser } from './order-closer.ts'
import { OrderFunds } from './order-funds.ts'
import { OrderListIds } from './order-list-ids.ts'
import type { EngineOutput } from './output.ts'
import { OwnOrders } from './own-orders.ts'
import { Phases } from './phases.ts'
import { Prevention } from './prevention.ts'
import { Proceeds } from './proceeds.ts'
import { Quote, type QuoteParts } from './quote.ts'
import { ReferenceSource } from './reference-source.ts'
import { NOT_ATTEMPTED, ReplyWriter } from './reply-writer.ts'
import { Routing } from './routing.ts'
import { Sweep } from './sweep.ts'
import { SymbolState } from './symbol-state.ts'
import { Uncrossing } from './uncrossing.ts'

export interface EngineOptions {
  readonly spec: SymbolSpec
  readonly book: OrderBook
  readonly holds: Holds
  readonly accounts: AccountTable
  /** Where it writes, with the other engines of its matcher. */
  readonly output: EngineOutput
  /** No discounts when left out. */
  readonly fees?: TradeFees
  /** No filters of the exchange as a whole when left out. */
  readonly exchange?: ExchangeSpec
  /** Its own ids when left out. */
  readonly orderListIds?: OrderListIds
  /** By symbol id, of all symbols; its own alone when left out. */
  readonly openCounts?: readonly OpenCounts[]
  /** The bounds of base/limits.ts when left out. */
  readonly bounds?: EngineBounds
}

/** The id of cancels by a countdown. */
const COUNTDOWN_ID = ownClientOrderId('countdown')

const openCountsOf = ({ spec, accounts, openCounts }: EngineOptions): OpenCounts =>
  openCounts?.[spec.id] ??
  new OpenCounts(new SharedArrayBuffer(OpenCounts.bytesFor(accounts.canTrade.length)))

export class Engine {
  readonly state: SymbolState
  /** Shared with the other engines of its matcher. */
  readonly output: EngineOutput

  private readonly fees: TradeFees
  /** By leg; an order in no list is the first. */
  private readonly orders: readonly ArrivingOrder[]
  private readonly admission: Admission
  private readonly funds: OrderFunds
  private readonly events: EventWriter
  private readonly replies: ReplyWriter
  private readonly applier: EventApplier
  private readonly open: OpenOrders
  private readonly bulk: BulkCancel
  private readonly pages: OpenPages
  private readonly closer: OrderCloser
  private readonly phases: Phases
  private readonly source: ReferenceSource
  private readonly uncrossing: Uncrossing
  private readonly prevention: Prevention
  private readonly matching: Matching
  private readonly executions: Executions
  private readonly guard: Guard
  private readonly lists: ListPlacement
  private readonly amendment: Amendment
  private readonly affordability: Affordability
  private readonly quote: Quote
  private readonly blocks: BlockTrading
  private readonly parts: Omit<GroupParts, 'matching' | 'prevention' | 'executions'>
  /** Itself, and the engines of the other symbols of its group. */
  private _group: readonly Engine[] = [this]
  /** Undefined while the symbol is in no group. */
  private routing: Routing | undefined = undefined

  constructor(options: EngineOptions) {
    const { spec, book, holds, accounts, output, exchange = plainExchange, bounds } = options
    const counts = openCountsOf(options)
    const orderListIds = options.orderListIds ?? newOrderListIds()
    const state = new SymbolState(spec, book, counts)
    const fees = options.fees ?? new TradeFees({ spec, accounts, holds })
    const sweep = new Sweep(state, accounts, bounds?.executionMatchesMax)
    const openCounts = options.openCounts ?? [counts]
    const judged = { state, holds, exchange, accounts, openCounts, ...(bounds && { bounds }) }
    const own = new OwnOrders(state, accounts)
    const admission = new Admission(judged, accounts, sweep, own, spec)
    const events = new EventWriter(state, spec.id, fees, output)
    const funds = new OrderFunds(holds, spec)
    const closer = new OrderCloser(state, funds, events)
    const writer = new DetailWriter(events, state)
    const proceeds = new Proceeds({ spec, state, fees, funds, writer })
    const uncrossing = new Uncrossing({ spec, state, funds, fees, sweep, events, proceeds })
    const phases = new Phases({ spec, state, events }, uncrossing)
    // One object for all: copies of it would be of many shapes, once there are many symbols (bench `engine`).
    const parts = {
      spec,
      state,
      holds,
      accounts,
      fees,
      sweep,
      events,
      writer,
      funds,
      closer,
      admission,
      phases,
      own,
      proceeds,
    }
    this.prevention = new Prevention(parts)
    this.matching = new Matching(parts, this.prevention)
    this.open = new OpenOrders(book)
    this.state = state
    this.output = output
    this.fees = fees
    this.orders = Array.from({ length: LEGS_MAX }, () => new ArrivingOrder())
    this.admission = admission
    this.funds = funds
    this.events = events
    this.replies = new ReplyWriter(state, spec.id, output)
    this.applier = new EventApplier(state, orderListIds)
    this.bulk = new BulkCancel(this.open, closer, events)
    this.pages = new OpenPages(this.open)
    this.closer = closer
    this.phases = phases
    this.source = new ReferenceSource(spec, state.reference, events)
    this.uncrossing = uncrossing
    this.executions = new Executions(parts, this.matching, this.orders)
    this.guard = new Guard(state, events, this.executions, this.bulk)
    this.lists = new ListPlacement(parts, this.matching, orderListIds, this.orders)
    this.amendment = new Amendment({ ...parts, prevention: this.prevention }, this.open)
    this.affordability = new Affordability(parts, this.open, this.orders)
    this.quote = this.makeQuote(parts)
    this.parts = parts
    this.blocks = new BlockTrading(state, funds, events, spec)
  }

  private makeQuote(parts: Pick<QuoteParts, 'state' | 'admission' | 'funds' | 'closer'>): Quote {
    const { open, amendment, executions, replies } = this
    const enter = () => this.placeArriving(Ms(0))
    const more = { open, amendment, executions, replies, order: this.orders[0]!, enter }
    return new Quote({ ...parts, ...more })
  }

  /** From now on V8 compiles for this engine alone what most commands need (base/own-code.ts). */
  takeOwnCode(): void {
    giveOwnCode(this.admission, 'decidePlaced', 2)
    giveOwnCode(this.matching, 'run', 2)
    giveOwnCode(this.closer, 'cancel', 3)
    giveOwnCode(this, 'execute', 4)
  }

  /** Itself, and the engines whose books its routed orders take from: what is unfinished of one bars all. */
  get group(): readonly Engine[] {
    return this._group
  }

  /**
   * Joins the group of these engines, itself among them, in the group's order: one matcher has them all. `account`
   * stands between their symbols. Before the first command.
   */
  join(group: readonly Engine[], account: AccountId): void {
    const others = group.filter((engine) => engine !== this).map((engine) => engine.groupParts)
    const routing = new Routing(this.groupParts, others, account, this.admission.matchesMax)
    this._group = group
    this.routing = routing
    this.admission.route(routing.plan)
    this.matching.route(routing)
  }

  private get groupParts(): GroupParts {
    const { parts, matching, prevention, executions } = this
    return { ...parts, matching, prevention, executions }
  }

  /** By `Counter`. */
  get counters(): Float64Array {
    return this.state.counters
  }

  get book(): OrderBook {
    return this.state.book
  }

  get spec(): SymbolSpec {
    return this.admission.spec
  }

  /**
   * Gives the symbol other filters, from the next command on, or another status or reference price: then the engine
   * is unfinished, and `goOn` changes them before any other command.
   */
  respecify(spec: SymbolSpec): void {
    const { id, tickUnits, atomsPerLot } = this.spec
    const hasUnits = spec.tickUnits === tickUnits && spec.atomsPerLot === atomsPerLot
    assert(spec.id === id && hasUnits, 'a listed symbol keeps its units')
    this.admission.respecify(spec)
    this.fees.respecify(spec)
    this.phases.respecify(spec)
    this.source.respecify(spec)
  }

  /** The exchange has other filters, another discount, or a symbol more, from the next command on. */
  setExchange(exchange: ExchangeSpec, symbols: readonly SymbolSpec[]): void {
    this.admission.setExchange(exchange)
    this.fees.setExchange(this.spec, exchange, symbols)
  }

  /**
   * Executes the command at byte `at` of `commands`. Events carry the journal's `timeMs`; whether the
   * command has expired is judged by the clock's `clockMs`, which may be earlier. Appends to the output
   * events or replies, at least one record. The last of the answer is flagged LAST; executions that follow
   * from it come after, each with its own LAST. What a full batch has no room for is left to
   * `goOn`, before any other command.
   */
  execute(commands: RecordBuffer, at: number, timeMs: Ms, clockMs = timeMs): void {
    this.state.timeMs = timeMs
    this.state.clockMs = clockMs
    this.events.begin(commands, at, timeMs)
    this.replies.begin(commands, at)
    switch (recordType(commands, at)) {
      case PlaceOrder.type:
        this.finish(this.place(commands, at))
        break
      case CancelOrder.type:
        this.finish(this.cancel(commands, at))
        break
      case CancelOpenOrders.type:
        this.finish(this.cancelAll(commands, at))
        break
      case CancelSessionOrders.type:
        this.finish(this.cancelSession(commands, at))
        break
      case CancelOrdersWhere.type:
        this.finish(this.cancelWhere(commands, at))
        break
      case PlaceOrderList.type:
        this.placeList(commands, at)
        break
      case CancelOrderList.type:
        this.finish(this.cancelList(commands, at))
        break
      case ReplaceOrder.type:
        this.replace(commands, at)
        break
      case AmendOrder.type:
        this.finish(this.amend(commands, at))
        break
      case QuoteOrders.type:
        this.quoteOrders(commands, at)
        break
      case SetCountdown.type:
        this.finish(this.setCountdown(commands, at))
        break
      case SetProtection.type:
        this.finish(this.setProtection(commands, at))
        break
      case ResetProtection.type:
        this.finish(this.resetProtection(commands, at))
        break
      case TradeBlock.type:
        this.tradeBlock(commands, at)
        break
      case SetReferencePrice.type:
        this.finish(this.source.set(SetReferencePrice.priceUnits(commands, at)))
        break
      default:
        this.reply(commands, at)
    }
  }

  /** Queries, which change nothing. */
  private reply(commands: RecordBuffer, at: number): void {
    switch (recordType(commands, at)) {
      case QueryOrder.type:
        this.queryOrder(commands, at)
        break
      case QueryOpenOrders.type:
        this.queryOpenOrders(commands, at)
        break
      case QueryBook.type:
        this.replies.bookPiece(commands, at)
        break
      case QueryProtection.type:
        this.replies.protection(QueryProtection.account(commands, at))
        break
      case QueryCountdowns.type:
        this.replies.countdowns(QueryCountdowns.account(commands, at))
        break
      default:
        unreachable('a command ring carries commands')
    }
  }

  /** Whether the command at byte `at` enters an order that its account cannot pay now. Changes nothing. */
  lacksFunds(commands: RecordBuffer, at: number): boolean {
    return this.affordability.isLackingFor(commands, at)
  }

  /** Whether the account has anything open here: resting, waiting or pending. */
  hasOpenOrders(account: AccountId): boolean {
    return this.state.counts.of(account, Open.ORDERS) > 0
  }

  /** Whether the account has this order open here. */
  isOpen(account: AccountId, orderId: OrderId): boolean {
    return this.open.take(account, orderId) !== 0
  }

  /** Applies the journaled event at byte `at` of `events` into the state. */
  recover(events: RecordBuffer, at: number): void {
    this.applier.apply(events, at)
  }

  /** The journal ends here. The last event of a replacement does not end its execution: its reply did. */
  recovered(): void {
    this.state.queue.endTurn()
  }

  /** When the phase ends by itself; 0 when it does not. */
  get phaseEndsMs(): Ms {
    return this.phases.endsMs
  }

  /** Whether the phase lasts until an operator ends it. */
  get isWaiting(): boolean {
    return this.phases.isWaiting
  }

  /** The time at which the phase ends by itself has come: the engine is unfinished. */
  endPhase(): void {
    this.phases.end()
  }

  /** When the next countdown is over that is not firing; undefined when none runs. */
  get countdownMs(): Ms | undefined {
    const { countdowns } = this.state
    return countdowns.due === undefined ? countdowns.first?.deadlineMs : undefined
  }

  /** Countdowns up to this moment of the clock are over: the engine is unfinished if there are any. */
  expireCountdowns(clockMs: Ms): void {
    this.state.countdowns.expire(clockMs)
  }

  /**
   * Writes what the auction would come to now as a notice. Returns how many orders it has met, which is what
   * it cost.
   */
  indicate(timeMs: Ms): number {
    const price = this.uncrossing.price()
    this.replies.indicative(price, timeMs)
    return price === undefined ? 0 : this.uncrossing.ordersMet
  }

  /** Whether something is to be done before any other command, such as what a full batch had no room for. */
  get isUnfinished(): boolean {
    const { state } = this
    return (
      this.bulk.isUnfinished ||
      this.phases.isDue ||
      this.source.isDue ||
      state.auctionTicks !== 0 ||
      state.countdowns.due !== undefined ||
      state.protections.due !== undefined ||
      this.hasQueued
    )
  }

  private get hasQueued(): boolean {
    return this.state.isTrading && this.state.queue.nextSlot !== 0
  }

  /** The account whose command is unfinished; -1 where only consequences of commands are left. */
  get unfinishedAccount(): AccountId {
    return this.bulk.isUnfinished ? this.bulk.account : AccountId(-1)
  }

  /** Continues, in another batch or after a start, what the one before had no room for. */
  goOn(timeMs: Ms): void {
    this.state.timeMs = timeMs
    this.events.resume(timeMs)
    if (this.guard.firing.isUnderWay) this.guard.firing.goOn()
    else if (this.bulk.isUnfinished) {
      this.bulk.goOn()
      this.finish(ADMITTED)
    }
    if (this.bulk.isUnfinished) return
    this.changePhase()
    this.fireCountdowns()
    if (this.state.protections.areAny) this.guard.count()
  }

  /** Cancels what countdowns that are over cancel, until the batch is full. No order leaves within an auction. */
  private fireCountdowns(): void {
    const { state, events } = this
    const { countdowns } = state
    for (let due = countdowns.due; due !== undefined; due = countdowns.due) {
      if (events.isBatchFull || this.isUnderWay) return
      const { account, scope, countdownMs } = due
      this.guard.firing.begin(account, COUNTDOWN_ID, () =>
        events.countdown({ account, scope, countdownMs, deadlineMs: Ms(0) }),
      )
      if (!this.guard.firing.isUnderWay) this.follow()
    }
  }

  /** Whether something is under way that comes before anything that time causes. */
  private get isUnderWay(): boolean {
    const { auctionTicks, protections } = this.state
    const isTripping = protections.due !== undefined
    return this.bulk.isUnfinished || auctionTicks !== 0 || isTripping || this.hasQueued
  }

  /** Runs what follows from an execution. */
  private follow(): void {
    if (this.state.protections.areAny) this.guard.follow()
    else this.executions.run()
  }

  /** Brings the phase to what is wanted: changes, and the trades of auctions, until the batch is full. */
  private changePhase(): void {
    const { state, phases, source, events } = this
    if (source.isDue && !events.isBatchFull) source.change()
    while ((phases.isDue || state.auctionTicks !== 0) && !events.isBatchFull) {
      if (state.auctionTicks === 0) phases.change()
      else this.uncross()
    }
    if (state.auctionTicks === 0) this.follow()
  }

  /** One pair of the auction, or its end: an execution. */
  private uncross(): void {
    const { state, events } = this
    events.beginConsequence()
    if (!state.isCrossed || !this.crossAgain()) this.phases.ended()
    else this.executions.end()
    events.end()
  }

  /** Lets the best two orders of the auction trade, or ends one of them. Returns whether there was more to do. */
  private crossAgain(): boolean {
    const { state, uncrossing } = this
    if (!uncrossing.isBeyondBound) uncrossing.meet(this.matching, this.prevention)
    else if (state.counters[Counter.nextPhase] === SymbolStatus.TRADING) {
      uncrossing.expireBeyondBound(this.closer)
    } else return false
    return true
  }

  /** Writes a refusal, or ends the command's execution and runs the executions that follow. */
  private finish(verdict: Verdict): void {
    if (verdict !== ADMITTED) {
      this.replies.rejected(verdict)
      return
    }
    this.executions.end()
    if (this.bulk.isUnfinished) return
    this.events.end()
    if (this.routing !== undefined) this.settleRouted(this.routing)
    else this.follow()
  }

  /** Other symbols that a routed order traded in have what follows from that behind what follows here. */
  private settleRouted(routing: Routing): void {
    const touched = routing.settle()
    this.follow()
    for (const book of touched) {
      for (const engine of this._group) if (engine.spec.id === book.parts.spec.id) engine.follow()
    }
  }

  private place(commands: RecordBuffer, at: number): Verdict {
    this.orders[0]!.read(commands, at)
    return this.placeArriving(PlaceOrder.expiresMs(commands, at))
  }

  private placeArriving(expiresMs: Ms): Verdict {
    const order = this.orders[0]!
    const { verdict, heldAtoms } = this.admission.decidePlaced(this.orders, expiresMs)
    if (verdict !== ADMITTED) return verdict
    const routing = this.routingOf(order)
    // Another matcher has spent some of the group's money since the decision: decide again by what is left.
    if (routing?.reserve(order) === false) return this.placeArriving(expiresMs)
    const paid = this.funds.hold(order.account, order.side, heldAtoms)
    if (paid === ADMITTED) this.enter(order, order.decision)
    else routing?.giveBack(order)
    return paid
  }

  private routingOf({ terms }: ArrivingOrder): Routing | undefined {
    return isRouted(terms) && this.state.isTrading ? this.routing : undefined
  }

  private quoteOrders(commands: RecordBuffer, at: number): void {
    const isLate = this.isLate(QuoteOrders.expiresMs(commands, at))
    const verdict = isLate
      ? RejectReason.TIMESTAMP_OUTSIDE_WINDOW
      : this.quote.execute(commands, at)
    if (verdict !== ADMITTED) {
      this.replies.rejected(verdict)
      return
    }
    this.executions.end()
    this.follow()
  }

  private placeList(commands: RecordBuffer, at: number): void {
    const verdict = this.lists.place(commands, at)
    if (verdict === ADMITTED) this.finish(ADMITTED)
    else this.replies.listRejected(commands, at, verdict)
  }

  /** Applies what was decided of an order that has paid. */
  private enter(order: ArrivingOrder, decision: Readonly<Decision>): void {
    const { state } = this
    const { heldAtoms } = decision
    order.lots = decision.lots
    order.leftLots = order.lots
    this.routingOf(order)?.trade(order)
    order.orderId = OrderId(state.count(Counter.orderId))
    order.createdMs = state.timeMs
    if (isDetailed(order.terms)) this.enterDetails(order, heldAtoms)
    this.events.accepted(order, heldAtoms)
    if (!isDetailed(order.terms) || !order.isStop) this.matching.run(order, decision)
  }

  private enterDetails(order: ArrivingOrder, heldAtoms: Atoms): void {
    const { state } = this
    const slot = state.open(order, order.isStop ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING)
    order.writeDetails(state.details)
    if (order.isStop) {
      state.details.costAtoms.set(slot, heldAtoms)
      state.startWaiting(slot)
    }
  }

  private cancel(commands: RecordBuffer, at: number): Verdict {
    if (this.isLate(CancelOrder.expiresMs(commands, at))) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    return this.cancelNamed(
      CancelOrder.account(commands, at),
      CancelOrder.orderId(commands, at),
      CancelOrder.restrictions(commands, at),
      commands.i32,
      CancelOrder.origClientOrderIdAt(at),
      CancelOrder.clientOrderIdAt(at),
    )
  }

  private cancelNamed(
    account: AccountId,
    orderId: OrderId,
    restrictions: number,
    idWords: Int32Array,
    origIdAt: number,
    idAt: number,
  ): Verdict {
    const open = this.open
    const slot = open.find(account, orderId, idWords, origIdAt)
    const verdict = open.judgeCancel(slot, restrictions, idWords, origIdAt)
    if (verdict !== ADMITTED) return verdict
    this.closer.cancel(slot, idWords, idAt)
    return ADMITTED
  }

  private cancelAll(commands: RecordBuffer, at: number): Verdict {
    if (this.isLate(CancelOpenOrders.expiresMs(commands, at))) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    const account = CancelOpenOrders.account(commands, at)
    return this.bulk.begin(account, selectsAll, commands.i32, CancelOpenOrders.clientOrderIdAt(at))
  }

  private cancelSession(commands: RecordBuffer, at: number): Verdict {
    const account = CancelSessionOrders.account(commands, at)
    const session = CancelSessionOrders.session(commands, at)
    const { terms } = this.book
    const selects = (slot: number) => sessionOf(terms[slot]!) === session
    return this.bulk.begin(account, selects, commands.i32, CancelSessionOrders.clientOrderIdAt(at))
  }

  private cancelWhere(commands: RecordBuffer, at: number): Verdict {
    if (this.isLate(CancelOrdersWhere.expiresMs(commands, at))) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    const account = CancelOrdersWhere.account(commands, at)
    const selects = selectsWhere(this.book, commands, at)
    return this.bulk.begin(account, selects, commands.i32, CancelOrdersWhere.clientOrderIdAt(at))
  }

  /** Deadlines are of the clock that judges expiry: one that was put back delays no countdown. */
  private setCountdown(commands: RecordBuffer, at: number): Verdict {
    if (this.isLate(SetCountdown.expiresMs(commands, at))) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    const countdownMs = SetCountdown.countdownMs(commands, at)
    this.events.countdown({
      account: SetCountdown.account(commands, at),
      scope: SetCountdown.scope(commands, at) as CountdownScope,
      deadlineMs: Ms(countdownMs === 0 ? 0 : this.state.clockMs + countdownMs),
      countdownMs,
    })
    return ADMITTED
  }

  private setProtection(commands: RecordBuffer, at: number): Verdict {
    if (this.isLate(SetProtection.expiresMs(commands, at))) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    this.events.protection({
      account: SetProtection.account(commands, at),
      status: ProtectionStatus.WATCHING,
      windowMs: SetProtection.windowMs(commands, at),
      maxFills: SetProtection.maxFills(commands, at),
      maxNotional: SetProtection.maxNotional(commands, at),
    })
    return ADMITTED
  }

  private resetProtection(commands: RecordBuffer, at: number): Verdict {
    if (this.isLate(ResetProtection.expiresMs(commands, at))) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    const terms = this.state.protections.of(ResetProtection.account(commands, at))
    if (terms === undefined) return RejectReason.NO_PROTECTION
    this.events.protection({ ...terms, status: ProtectionStatus.WATCHING })
    return ADMITTED
  }

  private tradeBlock(commands: RecordBuffer, at: number): void {
    const { blockTrades } = this.state
    const made = blockTrades.of(commands.i32, TradeBlock.requestIdAt(at))
    if (made === undefined) {
      const isNew = TradeBlock.archivedId(commands, at) >= blockTrades.forgottenId
      this.finish(isNew ? this.blocks.trade(commands, at) : RejectReason.ID_FORGOTTEN)
    } else if (this.blocks.isSame(made, commands, at)) this.replies.blockTrade(made)
    else this.replies.rejected(RejectReason.DUPLICATE_ORDER)
  }

  private cancelList(commands: RecordBuffer, at: number): Verdict {
    const { lists } = this.state
    if (this.isLate(CancelOrderList.expiresMs(commands, at))) {
      return RejectReason.TIMESTAMP_OUTSIDE_WINDOW
    }
    const account = CancelOrderList.account(commands, at)
    const orderListId = CancelOrderList.orderListId(commands, at)
    const listIdAt = CancelOrderList.listClientOrderIdAt(at)
    const list =
      orderListId >= 0
        ? lists.find(orderListId)
        : lists.findClientId(account, commands.i32, listIdAt)
    if (
      list === undefined ||
      list.account !== account ||
      !list.isAgreeing(commands.i32, listIdAt)
    ) {
      return RejectReason.UNKNOWN_ORDER
    }
    this.closer.cancelList(list, commands.i32, CancelOrderList.clientOrderIdAt(at))
    return ADMITTED
  }

  /** Filters count before the cancel; everything else is judged of a new order, after it. */
  private replace(commands: RecordBuffer, at: number): void {
    const order = this.orders[0]!
    order.read(commands, at)
    const refused = this.isLate(ReplaceOrder.expiresMs(commands, at))
      ? RejectReason.TIMESTAMP_OUTSIDE_WINDOW
      : this.admission.counting.judge(this.orders, 1, false)
    if (refused !== ADMITTED) {
      this.replies.rejected(refused)
      return
    }
    const cancelReason = this.cancelNamed(
      order.account,
      ReplaceOrder.cancelOrderId(commands, at),
      ReplaceOrder.cancelRestrictions(commands, at),
      commands.i32,
      ReplaceOrder.cancelOrigClientOrderIdAt(at),
      ReplaceOrder.cancelClientOrderIdAt(at),
    )
    this.executions.tellLists()
    const isAttempted =
      cancelReason === ADMITTED ||
      ReplaceOrder.mode(commands, at) === CancelReplaceMode.ALLOW_FAILURE
    const orderReason = isAttempted ? this.place(commands, at) : NOT_ATTEMPTED
    this.executions.end()
    this.replies.replaceResult(commands, at, this.state.timeMs, cancelReason, orderReason)
    this.follow()
  }

  private amend(commands: RecordBuffer, at: number): Verdict {
    return this.isLate(AmendOrder.expiresMs(commands, at))
      ? RejectReason.TIMESTAMP_OUTSIDE_WINDOW
      : this.amendment.amend(commands, at)
  }

  private queryOrder(commands: RecordBuffer, at: number): void {
    const account = QueryOrder.account(commands, at)
    const orderId = QueryOrder.orderId(commands, at)
    const idAt = QueryOrder.clientOrderIdAt(at)
    const open = this.open
    const slot = open.find(account, orderId, commands.i32, idAt)
    if (slot === 0) this.replies.rejected(RejectReason.NO_SUCH_ORDER)
    else if (!open.isAgreeing(slot, commands.i32, idAt)) {
      this.replies.rejected(RejectReason.CLIENT_ORDER_ID_INVALID)
    } else this.replies.orderState(slot, true)
  }

  private queryOpenOrders(commands: RecordBuffer, at: number): void {
    const asked = QueryOpenOrders.untilOrderId(commands, at)
    const untilOrderId = asked > 0 ? asked : OrderId(this.counters[Counter.orderId]!)
    const page = {
      account: QueryOpenOrders.account(commands, at),
      afterOrderId: QueryOpenOrders.afterOrderId(commands, at),
      untilOrderId,
      limit: QueryOpenOrders.limit(commands, at),
    }
    const isWhole = this.pages.visit(page, (slot) => this.replies.orderState(slot, false))
    this.replies.pageEnd(isWhole, untilOrderId)
  }

  private isLate(expiresMs: Ms): boolean {
    return expiresMs > 0 && this.state.clockMs > expiresMs
  }
}

const newOrderListIds = () => new OrderListIds(new SharedArrayBuffer(OrderListIds.bytes))
