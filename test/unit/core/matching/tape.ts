/**
 * Orders and what comes of them as short lines, for tables of cases. One tick × lot is one quote atom,
 * one lot one base atom; account n has 1000 base and 100000 quote, 3 and 4 are one trade group, 5 may
 * not trade, 6 pays commissions; the clock stands at 1000 unless the test moves it.
 *
 * The lines are those of tape-commands.ts. What comes of them leaves sections out, which the twin
 * compares; an execution without a caller begins with `then`.
 */
import {
  CountdownScope,
  ExpiryReason,
  ListStatusType,
  namesOf,
  OrderStatus,
  ProtectionStatus,
  RejectReason,
  SelfTradePrevention,
  Side,
  SymbolStatus,
} from '../../../../src/base/codes.ts'
import { AccountId, AssetId, Atoms, Ms, SymbolId } from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import { AccountTable } from '../../../../src/core/ledger/accounts.ts'
import { Balances } from '../../../../src/core/ledger/balances.ts'
import { TradeFees } from '../../../../src/core/ledger/fees.ts'
import { Holds } from '../../../../src/core/ledger/holds.ts'
import { Admission, type EngineBounds } from '../../../../src/core/matching/admission.ts'
import { ArrivingOrder } from '../../../../src/core/matching/arriving-order.ts'
import type { Decision } from '../../../../src/core/matching/decision.ts'
import { Engine } from '../../../../src/core/matching/engine.ts'
import { EngineOutput } from '../../../../src/core/matching/output.ts'
import { OwnOrders } from '../../../../src/core/matching/own-orders.ts'
import { Sweep } from '../../../../src/core/matching/sweep.ts'
import {
  plainExchange,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
} from '../../../../src/market/listing.ts'
import { type NamedRecord, readRecords } from '../../../sim/records.ts'
import { encodeLine } from './tape-commands.ts'

const ACCOUNTS = 8

export const tapeSymbol: SymbolSpec = specifySymbol({
  id: SymbolId(0),
  name: 'REDBLUE',
  base: { id: AssetId(0), name: 'RED' },
  quote: { id: AssetId(1), name: 'BLUE' },
  status: SymbolStatus.TRADING,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '100000', tickSize: '1' },
    { filterType: 'LOT_SIZE', minQty: '0.00000002', maxQty: '1', stepSize: '0.00000001' },
  ],
  preventionModes: [1, 2, 3],
  preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
})

const rejectNames = namesOf(RejectReason)
const statusNames = namesOf(OrderStatus)
const protectionNames = namesOf(ProtectionStatus)
const reasonNames = namesOf(ExpiryReason)
const listTypeNames = namesOf(ListStatusType)

/** What tests set low. */
export interface TapeLimits {
  readonly ordersMax?: number
  readonly bounds?: EngineBounds
  readonly batchBytes?: number
  /** What the exchange lets commissions be paid in, at half the rate. */
  readonly discountAssetId?: AssetId
}

export class Tape {
  readonly balances: Balances
  readonly engine: Engine
  private readonly holds: Holds
  readonly accounts = new AccountTable(ACCOUNTS)
  readonly output: EngineOutput
  nowMs = Ms(1000)
  private line = 0

  constructor(spec: Partial<SymbolSpec> = {}, limits: TapeLimits = {}) {
    const { ordersMax = 16, bounds, batchBytes, discountAssetId = AssetId(-1) } = limits
    this.output = new EngineOutput(1 << 16, batchBytes)
    const shape = { priceTicksMax: tapeSymbol.priceTicksMax, ordersMax, accountsMax: ACCOUNTS }
    const memory = new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, 2))
    this.balances = new Balances(memory, ACCOUNTS, 2)
    const accounts = this.accounts
    for (let id = 0; id < ACCOUNTS; id++) {
      const rate = id === 6 ? 1_000_000 : 0
      const tradeGroupId = id === 3 || id === 4 ? 7 : -1
      const rates = { makerRate: rate, takerRate: 2 * rate, buyerRate: rate, sellerRate: 0 }
      accounts.set({
        ...usualAccount,
        id: AccountId(id),
        name: `${id}`,
        tradeGroupId,
        ...rates,
        canTrade: id !== 5,
      })
      if (id === 0) continue
      this.balances.credit(AccountId(id), AssetId(0), Atoms(1000))
      this.balances.credit(AccountId(id), AssetId(1), Atoms(100_000))
    }
    this.holds = new Holds(this.balances, ACCOUNTS, 2)
    const book = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
    const listed = { ...tapeSymbol, ...spec }
    const exchange = { ...plainExchange, discountAssetId, discountRate: 50_000_000 }
    this.engine = new Engine({
      spec: listed,
      fees: new TradeFees({ spec: listed, accounts, holds: this.holds, exchange }),
      book,
      holds: this.holds,
      accounts,
      output: this.output,
      ...(bounds && { bounds }),
    })
    if (this.engine.isUnfinished) this.goOn()
  }

  /** The operator freezes an account. */
  freeze(id: number): void {
    this.accounts.set({ ...usualAccount, id: AccountId(id), name: `${id}`, frozen: true })
  }

  /** The operator makes accounts one trade group. */
  join(...ids: readonly number[]): void {
    for (const id of ids) {
      this.accounts.set({ ...usualAccount, id: AccountId(id), name: `${id}`, tradeGroupId: 9 })
    }
  }

  /** Time and lines continue where those of another tape ended. */
  follow(tape: Tape): void {
    this.nowMs = tape.nowMs
    this.line = tape.line
  }

  /** The operator changes the symbol. Answers what comes of a change of its phase. */
  respecify(spec: Partial<SymbolSpec>): string[] {
    this.engine.respecify({ ...tapeSymbol, ...spec })
    const lines: string[] = []
    while (this.engine.isUnfinished) lines.push(...this.runOn())
    return lines
  }

  /** The time at which the phase ends by itself has come. Answers what comes of it. */
  endPhase(): string[] {
    this.engine.endPhase()
    const lines: string[] = []
    while (this.engine.isUnfinished) lines.push(...this.runOn())
    return lines
  }

  /** The clock shows this, and countdowns that are over fire. Answers what comes of it. */
  expire(nowMs: number): string[] {
    this.nowMs = Ms(nowMs)
    this.engine.expireCountdowns(this.nowMs)
    const lines: string[] = []
    while (this.engine.isUnfinished) lines.push(...this.runOn())
    return lines
  }

  /** What would be decided of one line that places an order in no list, without executing it. */
  decide(line: string): Readonly<Decision> {
    const { state, spec } = this.engine
    const { holds, accounts } = this
    const openCounts = [state.counts]
    const parts = { state, holds, accounts, exchange: plainExchange, openCounts }
    const sweep = new Sweep(state, this.accounts)
    const order = new ArrivingOrder()
    order.read(encodeLine(line, this.line + 1), 0)
    const own = new OwnOrders(state, this.accounts)
    return new Admission(parts, this.accounts, sweep, own, spec).decidePlaced([order], Ms(0))
  }

  /** Executes one line as a batch. Returns its records, a line for each. */
  run(line: string): string[] {
    return linesOf(this.records(line))
  }

  /** Continues a batch. Returns its records, a line for each. */
  runOn(): string[] {
    return linesOf(this.goOn())
  }

  records(line: string): NamedRecord[] {
    this.output.reset()
    this.line++
    this.engine.execute(encodeLine(line, this.line), 0, this.nowMs)
    return this.settle()
  }

  /** What the last batch had no room for continues in a separate batch. */
  goOn(): NamedRecord[] {
    this.output.reset()
    this.engine.goOn(this.nowMs)
    return this.settle()
  }

  private settle(): NamedRecord[] {
    this.holds.settle(true)
    const { events, eventsEnd, replies, repliesEnd } = this.output
    return [...readRecords(events, 0, eventsEnd), ...readRecords(replies, 0, repliesEnd)]
  }
}

function linesOf(records: readonly NamedRecord[]): string[] {
  const lines: string[] = []
  let isNewTurn = true
  let gateway: unknown
  for (const record of records) {
    isNewTurn ||= record.gateway !== gateway
    gateway = record.gateway
    const isConsequence = isNewTurn && record.gateway === -1
    lines.push(isConsequence ? `then ${lineOf(record)}` : lineOf(record))
    isNewTurn = record.last
  }
  return lines
}

/** The fixed price of a pegged order. */
const pegOf = (it: NamedRecord): string =>
  Number(it['details.pegLimitTicks'] ?? -1) < 0 ? '' : `, pegged @ ${it.priceTicks}`

function lineOf(it: NamedRecord): string {
  switch (it.name) {
    case 'OrderAccepted':
      return `accepted ${it.orderId}: ${it.lots}, held ${it.heldAtoms}${pegOf(it)}`
    case 'Trade':
      return `trade ${it.takerOrderId} with ${it.makerOrderId}: ${it.tradeLots} @ ${it.priceTicks}`
    case 'OrderRested':
      return `rested ${it.orderId}: ${it.restedLots} @ ${it.priceTicks}`
    case 'OrderClosed': {
      const status = statusNames[Number(it.status)]
      const reason = Number(it.reason) === 0 ? '' : ` ${reasonNames[Number(it.reason)]}`
      const prevented = Number(it.preventedLots) === 0 ? '' : `, prevented ${it.preventedLots}`
      const sums = `filled ${it.filledLots}${prevented}, released ${it.releasedAtoms}`
      return `closed ${it.orderId}: ${status}${reason}, ${sums}`
    }
    case 'OrderTriggered':
      return `triggered ${it.orderId}: held ${it.heldAtoms}${pegOf(it)}`
    case 'OrderReleased':
      return `released ${it.orderId}: held ${it.heldAtoms}${pegOf(it)}`
    case 'OrderFunded':
      return `funded ${it.orderId}: held ${it.heldAtoms}`
    case 'OrderReplenished':
      return `shows ${it.orderId}: ${it.restedLots} @ ${it.priceTicks}`
    case 'OrderAmended': {
      const sums = `${it.oldLots} to ${it.lots}, shown -${it.removedLots}`
      const isRenamed = it.clientOrderId !== it.origClientOrderId
      const name = isRenamed ? ` as ${it.clientOrderId}` : ''
      return `amended ${it.orderId}${name}: ${sums}, released ${it.releasedAtoms}`
    }
    case 'OrderDecremented': {
      const sums = `prevented ${it.preventedLots}, released ${it.releasedAtoms}`
      return `decremented ${it.orderId}: ${sums}`
    }
    case 'OrderListChanged':
      return `list ${it.orderListId}: ${listTypeNames[Number(it.statusType)]}`
    case 'ReplaceResult': {
      const half = (reason: unknown) =>
        Number(reason) < 0 ? 'not tried' : (rejectNames[Number(reason)] ?? 'done')
      return `replaced: cancel ${half(it.cancelReason)}, order ${half(it.orderReason)}`
    }
    case 'MatchPrevented': {
      const moved = Number(it.transferredLots) === 0 ? '' : `, transferred ${it.transferredLots}`
      const sums = `taker ${it.takerPreventedLots}, maker ${it.makerPreventedLots}${moved}`
      const group = Number(it.tradeGroupId) === -1 ? '' : `, group ${it.tradeGroupId}`
      return `prevented ${it.preventedMatchId} of ${it.takerOrderId} and ${it.makerOrderId}: ${sums}${group}`
    }
    case 'Rejected':
    case 'OrderListRejected':
      return `refused ${rejectNames[Number(it.reason)]}`
    case 'CountdownChanged': {
      const of = `countdown of ${it.account}${it.scope === CountdownScope.ALL ? ' on all' : ''}`
      if (it.deadlineMs !== 0) return `${of} until ${it.deadlineMs}`
      return `${of} ${it.countdownMs === 0 ? 'ended' : 'fired'}`
    }
    case 'ProtectionChanged': {
      const isTripped = it.status === ProtectionStatus.TRIPPED
      return `protection of ${it.account} ${isTripped ? 'tripped' : it.windowMs === 0 ? 'ended' : 'set'}`
    }
    case 'ProtectionState':
      return `${protectionNames[Number(it.status)]} ${it.maxFills} fills, ${it.maxNotional} in ${it.windowMs}`
    case 'BlockTrade':
    case 'BlockTradeState': {
      const fees = `fees ${it.buyerCommissionAtoms} and ${it.sellerCommissionAtoms}`
      const known = it.name === 'BlockTrade' ? '' : ', known'
      return `block ${it.blockTradeId}: ${it.lots} @ ${it.priceTicks} from ${it.seller} to ${it.buyer}, ${fees}${known}`
    }
    case 'CountdownState':
      return `until ${it.deadlineMs} of ${it.countdownMs}, on all until ${it.allDeadlineMs} of ${it.allCountdownMs}`
    case 'OrderState':
      return `order ${it.orderId}: ${it.filledLots} of ${it.lots} @ ${it.priceTicks}`
    case 'BookLevel':
      return `level ${it.side === Side.BUY ? 'bid' : 'ask'} ${it.levelLots} @ ${it.priceTicks}`
    default:
      return it.name
  }
}
