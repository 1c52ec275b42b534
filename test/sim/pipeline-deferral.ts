/**
 * What of commands that matchers defer must hold at any moment: which pass, which wait and which are refused, judged
 * from outside, by what gateways have sent and what engines have executed.
 */
import { strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import { OrderType, RejectReason, Side, sideOf, typeOf } from '../../src/base/codes.ts'
import { Notional } from '../../src/base/notional.ts'
import type { Asked } from './pipeline-gateway.ts'
import type { PipelineTwin } from './pipeline-twin.ts'
import type { NamedRecord } from './records.ts'
import { allSymbols, deferralBounds, MATCHERS, matcherOf } from './world.ts'

const cancels = new Set([
  ...['CancelOrder', 'CancelOpenOrders', 'CancelSessionOrders', 'CancelOrderList', 'AmendOrder'],
  'CancelOrdersWhere',
  ...['QueryOrder', 'QueryOpenOrders', 'QueryBook', 'SetCountdown', 'QueryCountdowns'],
  ...['SetProtection', 'ResetProtection', 'QueryProtection', 'TradeBlock'],
])

/** They never wait for funds. */
const refusedAtOnce = new Set(['QuoteOrders', 'TradeBlock'])

const accountOf = ({ command: { record } }: Asked): number =>
  'account' in record ? record.account : 'buyer' in record ? record.buyer : -1
const symbolOf = ({ command }: Asked): number => command.record.symbolId

/** Whether an order was refused for lack of funds. */
const lacksFunds = (record: NamedRecord): boolean =>
  [record.reason, record.orderReason].includes(RejectReason.INSUFFICIENT_BALANCE) &&
  ['Rejected', 'OrderListRejected', 'ReplaceResult'].includes(record.name)

export class PipelineDeferral {
  private readonly twinNow: () => PipelineTwin
  private readonly count: (what: string) => void
  /** What has arrived and is not known to be over, oldest first. */
  private readonly open = new Set<Asked>()
  private arrivals = 0
  private last: Asked | undefined

  constructor(twinNow: () => PipelineTwin, count: (what: string) => void) {
    this.twinNow = twinNow
    this.count = count
  }

  /** The matcher looks at the command, the first time. */
  arrived(asked: Asked): void {
    asked.arrival = ++this.arrivals
    asked.isPaid = this.canPay(asked)
    asked.wasBlocked = this.twinNow().isUnfinished(symbolOf(asked))
    this.last = asked
    this.open.add(asked)
  }

  /** The matcher refuses what has arrived last. */
  refused(): void {
    const asked = this.last!
    const others = this.deferred(asked.matcher).filter((other) => other !== asked)
    const bytesOf = (list: readonly Asked[]) => list.reduce((sum, { bytes }) => sum + bytes, 0)
    const own = bytesOf(others.filter((other) => symbolOf(other) === symbolOf(asked)))
    const left = deferralBounds.bytes - (bytesOf(others) - own)
    const isSymbolFull = own + asked.bytes > left / 2
    const ofAccount = others.filter((other) => accountOf(other) === accountOf(asked)).length
    assert(
      isSymbolFull || ofAccount === deferralBounds.accountCommands,
      'a command is refused at a bound',
    )
    this.count(isSymbolFull ? 'refused: symbol busy' : 'refused: account busy')
    asked.isRefused = true
  }

  /** The command is about to be executed, with this answer; `isShort`: a gateway had no room meanwhile. */
  executed(asked: Asked, records: readonly NamedRecord[], isShort: boolean): void {
    const account = accountOf(asked)
    const before = this.deferred(asked.matcher).filter(({ arrival }) => arrival < asked.arrival)
    for (const other of before) {
      const isOwn = account >= 0 && accountOf(other) === account
      this.count('passed')
      if (symbolOf(other) !== symbolOf(asked)) {
        if (isOwn) this.count(cancels.has(asked.command.name) ? 'a cancel passed' : 'paid, passed')
        continue
      }
      assert(!isOwn, 'an account keeps its order on a symbol')
      this.count('passed on the same symbol')
      assert(isShort || this.isBusy(other), 'a symbol keeps its order')
    }
    if (!records.some(lacksFunds) || refusedAtOnce.has(asked.command.name)) return
    assert(!this.isBusy(asked), 'an order that lacks funds waits for what may free them')
    this.count('lacked funds alone')
  }

  /** The matcher has looked at all that waited in its rings, if it had room. */
  worked(matcher: number, isBatchFull: boolean, isShort: boolean): void {
    const deferred = this.deferred(matcher)
    for (const { id } of allSymbols) {
      const bytes = deferred.reduce((sum, it) => sum + (symbolOf(it) === id ? it.bytes : 0), 0)
      assert(bytes <= deferralBounds.bytes / 2, 'a symbol defers no more than its share')
    }
    for (const [at, asked] of deferred.entries()) {
      const isOwn = (other: Asked) => accountOf(asked) >= 0 && accountOf(other) === accountOf(asked)
      const own = deferred.filter(isOwn).length
      assert(own <= deferralBounds.accountCommands, 'an account defers no more than its share')
      if (isBatchFull || isShort) continue
      const isBehind = deferred
        .slice(0, at)
        .some((other) => isOwn(other) && symbolOf(other) === symbolOf(asked))
      if (isBehind || asked.wasBlocked) continue
      assert(!cancels.has(asked.command.name), 'a cancel waits for its own symbol alone')
      assert(!asked.isPaid, 'an order that is paid waits for its own symbol alone')
      this.count('waited for funds')
    }
    for (const asked of deferred) asked.wasBlocked = true
  }

  /** The gateway of the oldest command that the matcher has deferred: nothing is before it. */
  oldest(matcher: number): number | undefined {
    return this.deferred(matcher)[0]?.command.record.gateway
  }

  /** The exchange has stopped in order. */
  stopped(): void {
    for (let matcher = 0; matcher < MATCHERS; matcher++) {
      strictEqual(this.deferred(matcher).length, 0, 'a stop executes what was deferred')
    }
  }

  /** Oldest first. */
  private deferred(matcher: number): Asked[] {
    return this.underWay(matcher).filter(({ due }) => due === undefined)
  }

  private underWay(matcher: number): Asked[] {
    for (const asked of this.open) {
      if (asked.isRefused || asked.due?.at(-1)?.last === true) this.open.delete(asked)
    }
    return [...this.open].filter((asked) => asked.matcher === matcher)
  }

  /**
   * Whether something of the account on another symbol came before it and is not over, or its orders there are
   * being canceled: by a countdown or a protection, which no command asked for.
   */
  private isBusy(asked: Asked): boolean {
    const isCanceled = allSymbols.some(
      ({ id }) =>
        matcherOf(id) === asked.matcher &&
        id !== symbolOf(asked) &&
        this.twinNow().unfinishedAccount(id) === accountOf(asked),
    )
    if (isCanceled) return true
    return this.underWay(asked.matcher).some(
      (other) =>
        other.arrival < asked.arrival &&
        accountOf(other) === accountOf(asked) &&
        symbolOf(other) !== symbolOf(asked),
    )
  }

  /** Whether the account can pay a plain limit order, whose cost needs no book; false for others. */
  private canPay({ command, matcher }: Asked): boolean {
    if (command.name !== 'PlaceOrder') return false
    const { terms, priceTicks, lots, account, symbolId, pegPriceType } = command.record
    const type = typeOf(terms)
    if (pegPriceType !== 0 || (type !== OrderType.LIMIT && type !== OrderType.LIMIT_MAKER)) {
      return false
    }
    const spec = allSymbols[symbolId]!
    const isBuy = sideOf(terms) === Side.BUY
    const quote = BigInt(new Notional(spec).up(priceTicks, lots))
    const cost = isBuy ? quote : BigInt(lots) * BigInt(spec.atomsPerLot)
    const asset = isBuy ? spec.quote.id : spec.base.id
    return this.twinNow().world.ledger.spendable(matcher, account, asset) >= cost
  }
}
