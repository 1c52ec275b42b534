/**
 * Deeds of extreme size, each with all that it must cause, and with what puts the books back. Small
 * orders of others continue meanwhile, away from the prices that these meet.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../../src/base/assert.ts'
import { RejectReason, Side, TimeInForce } from '../../../src/base/codes.ts'
import { EXECUTION_MATCHES_MAX, LEVEL_LOTS_MAX, QTY_LOTS_MAX } from '../../../src/base/limits.ts'
import { AccountId, Lots, OrderId, SymbolId, Ticks } from '../../../src/base/units.ts'
import {
  OrderClosed,
  OrderState,
  OrderTriggered,
  QueryEnd,
  Trade,
} from '../../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { recordType } from '../../../src/layout/record-buffer.ts'
import type { Deed, LargeVenue } from './large-venue.ts'
import { Answer } from './venue-gateway.ts'
import {
  Account,
  BULK_ORDERS,
  DEEP_LEVELS,
  DEEP_SYMBOLS,
  MIDDLE_TICKS,
  VAST_SYMBOL,
} from './venue-listing.ts'
import {
  cancelAll,
  deepOrder,
  iceberg,
  limitOrder,
  openOrdersPage,
  stopOrder,
} from './venue-orders.ts'

const SWEPT = 2000
const SWEPT_TOO_MANY = 3000
/** More than one batch has room for. */
const STOPS = 3000
const SLICES = 100
const PAGE = 256

/** One order meets 2,000 makers. One that would meet 3,000 is refused and meets none. */
const sweep: Deed = {
  name: 'sweep',
  async run(venue) {
    const symbolId = venue.prng.pick(DEEP_SYMBOLS)
    assert(
      SWEPT <= EXECUTION_MATCHES_MAX && SWEPT_TOO_MANY > EXECUTION_MATCHES_MAX,
      'one is beyond it',
    )
    const buy = (lots: Lots) =>
      venue.ask(
        limitOrder(
          SymbolId(symbolId),
          AccountId(Account.TAKER),
          Side.BUY,
          Ticks(MIDDLE_TICKS + lots),
          lots,
          TimeInForce.IOC,
        ),
      )
    const refused = await buy(Lots(SWEPT_TOO_MANY))
    strictEqual(refused.reason, RejectReason.TOO_MANY_MATCHES)
    const swept = await buy(Lots(SWEPT))
    strictEqual(swept.count(Trade.type), SWEPT, 'each maker is met')
    await placeAll(venue, symbolId, Account.MAKER, 1, 2 * SWEPT, 2)
  },
}

/** An account cancels 10,000 orders with one command, and places them again. */
const cancel: Deed = {
  name: 'cancel of all',
  async run(venue) {
    const symbolId = venue.prng.pick(DEEP_SYMBOLS)
    await cancelBulk(venue, symbolId)
    await placeBulk(venue, symbolId)
    await venue.rest()
    venue.checkSymbol(symbolId)
  },
}

async function cancelBulk(venue: LargeVenue, symbolId: number): Promise<void> {
  const answer = await venue.ask(cancelAll(SymbolId(symbolId), AccountId(Account.BULK)))
  strictEqual(answer.count(OrderClosed.type), BULK_ORDERS, 'each order is canceled')
}

const placeBulk = (venue: LargeVenue, symbolId: number): Promise<void> =>
  placeAll(venue, symbolId, Account.BULK, DEEP_LEVELS - BULK_ORDERS, DEEP_LEVELS, 1)

/** Orders of a deep book, by index. */
async function placeAll(
  venue: LargeVenue,
  symbolId: number,
  account: number,
  from: number,
  to: number,
  step: number,
): Promise<void> {
  const commands = []
  for (let index = from; index < to; index += step) {
    commands.push(deepOrder(SymbolId(symbolId), AccountId(account), index))
  }
  const answers = await venue.askAll(commands)
  assert(
    answers.every(({ reason }) => reason === 0),
    'no order is refused',
  )
}

class Page extends Answer {
  readonly orderIds: number[] = []
  isWhole = false
  untilOrderId = 0

  override record(buffer: RecordBuffer, at: number): void {
    super.record(buffer, at)
    const type = recordType(buffer, at)
    if (type === OrderState.type) this.orderIds.push(OrderState.orderId(buffer, at))
    if (type !== QueryEnd.type) return
    this.isWhole = QueryEnd.isWhole(buffer, at) === 1
    this.untilOrderId = QueryEnd.untilOrderId(buffer, at)
  }
}

/** All 10,000 open orders of an account, page by page. */
const openOrders: Deed = {
  name: 'open orders',
  async run(venue) {
    const symbolId = venue.prng.pick(DEEP_SYMBOLS)
    const gateway = venue.awake()
    const orderIds: number[] = []
    let untilOrderId = 0
    for (let isWhole = false; !isWhole; ) {
      const page = new Page()
      const after = orderIds.at(-1) ?? 0
      const command = openOrdersPage(
        SymbolId(symbolId),
        AccountId(Account.BULK),
        OrderId(after),
        OrderId(untilOrderId),
        PAGE,
      )
      await venue.until(() => gateway.send(command, page), 'a page has no room')
      await venue.until(() => page.isDone, 'a page')
      strictEqual(page.reason, 0)
      orderIds.push(...page.orderIds)
      untilOrderId = page.untilOrderId
      isWhole = page.isWhole
    }
    strictEqual(orderIds.length, BULK_ORDERS, 'each open order is on a page')
    deepStrictEqual(
      orderIds,
      [...new Set(orderIds)].sort((a, b) => a - b),
    )
  },
}

/** 3,000 stops wait at one price. */
async function placeStops(venue: LargeVenue, symbolId: number): Promise<void> {
  const first = await venue.ask(
    limitOrder(
      SymbolId(symbolId),
      AccountId(Account.TAKER),
      Side.BUY,
      Ticks(MIDDLE_TICKS + 1),
      Lots(1),
      TimeInForce.IOC,
    ),
  )
  strictEqual(first.count(Trade.type), 1)
  await placeAll(venue, symbolId, Account.MAKER, 1, 2, 1)
  const stops = Array.from({ length: STOPS }, (_, index) =>
    stopOrder(
      SymbolId(symbolId),
      AccountId(Account.STOPPER),
      Ticks(MIDDLE_TICKS + DEEP_LEVELS + index),
      Ticks(MIDDLE_TICKS - 1),
    ),
  )
  const answers = await venue.askAll(stops)
  assert(
    answers.every(({ reason }) => reason === 0),
    'no stop is refused',
  )
}

const wake = (symbolId: number) =>
  limitOrder(
    SymbolId(symbolId),
    AccountId(Account.TAKER),
    Side.SELL,
    Ticks(MIDDLE_TICKS - 1),
    Lots(1),
    TimeInForce.IOC,
  )

/** Each stop has become an order that rests. They are canceled, and the bid is placed again. */
async function clearStops(venue: LargeVenue, symbolId: number): Promise<void> {
  const { book } = venue.exchange.engines[symbolId]!
  strictEqual(book.orderCount, book.restingCount, 'no stop waits any more')
  strictEqual(book.levelLots(Side.SELL, Ticks(MIDDLE_TICKS + DEEP_LEVELS + STOPS - 1)), 1)
  const answer = await venue.ask(cancelAll(SymbolId(symbolId), AccountId(Account.STOPPER)))
  strictEqual(answer.count(OrderClosed.type), STOPS, 'each stop came to rest')
  await placeAll(venue, symbolId, Account.MAKER, 0, 1, 1)
}

/** One trade wakes 3,000 stops. */
const stops: Deed = {
  name: 'stops',
  async run(venue) {
    const symbolId = venue.prng.pick(DEEP_SYMBOLS)
    const gateway = venue.awake()
    await placeStops(venue, symbolId)
    const before = gateway.seen(symbolId, OrderTriggered.type)
    await venue.ask(wake(symbolId))
    const seen = () => gateway.seen(symbolId, OrderTriggered.type) - before
    assert(seen() < STOPS, 'what one batch has no room for continues in the next')
    await venue.until(() => seen() === STOPS, 'each stop is woken')
    await clearStops(venue, symbolId)
  },
}

/** The process is killed in the middle of the same; all gateways read all books again. */
const killedStops: Deed = {
  name: 'stops and a kill',
  async run(venue) {
    const symbolId = venue.prng.pick(DEEP_SYMBOLS)
    await placeStops(venue, symbolId)
    await venue.rest()
    assert(venue.awake().send(wake(symbolId), new Answer()), 'the ring has room')
    await venue.restart(venue.prng.between(1, 2))
    await clearStops(venue, symbolId)
  },
}

/** An order crosses icebergs of 100 slices each. One that would meet too many is refused. */
const icebergs: Deed = {
  name: 'icebergs',
  async run(venue) {
    const symbolId = venue.prng.pick(DEEP_SYMBOLS)
    const hide = (count: number) =>
      venue.askAll(
        Array.from({ length: count }, () =>
          iceberg(SymbolId(symbolId), AccountId(Account.HIDER), Ticks(MIDDLE_TICKS), Lots(SLICES)),
        ),
      )
    const buy = (lots: Lots) =>
      venue.ask(
        limitOrder(
          SymbolId(symbolId),
          AccountId(Account.TAKER),
          Side.BUY,
          Ticks(MIDDLE_TICKS),
          lots,
          TimeInForce.IOC,
        ),
      )
    await hide(6)
    const refused = await buy(Lots(6 * SLICES))
    strictEqual(refused.reason, RejectReason.TOO_MANY_MATCHES)
    const filled = await buy(Lots(5 * SLICES))
    strictEqual(filled.count(Trade.type), 5 * SLICES, 'each slice is met')
    await venue.ask(cancelAll(SymbolId(symbolId), AccountId(Account.HIDER)))
  },
}

/** Orders of the largest quantity at one price, up to what its sum holds. */
const vastLevel: Deed = {
  name: 'a full level',
  async run(venue) {
    const fitting = Math.floor(LEVEL_LOTS_MAX / QTY_LOTS_MAX)
    const order = () =>
      limitOrder(
        SymbolId(VAST_SYMBOL),
        AccountId(Account.VAST),
        Side.SELL,
        Ticks(1),
        Lots(QTY_LOTS_MAX),
      )
    const answers = await venue.askAll(Array.from({ length: fitting + 2 }, order))
    const reasons = answers.map(({ reason }) => reason)
    deepStrictEqual(reasons.slice(fitting), [RejectReason.LEVEL_FULL, RejectReason.LEVEL_FULL])
    assert(
      reasons.slice(0, fitting).every((reason) => reason === 0),
      'what the level holds is taken',
    )
    await venue.rest()
    venue.checkSymbol(VAST_SYMBOL)
    const answer = await venue.ask(cancelAll(SymbolId(VAST_SYMBOL), AccountId(Account.VAST)))
    strictEqual(answer.count(OrderClosed.type), fitting)
  },
}

/** A gateway does not read while more is published than the event ring holds; then it heals. */
const overrun: Deed = {
  name: 'overrun',
  async run(venue) {
    const index = venue.gateways.length - 1
    const slow = venue.gateways[index]!
    const symbolId = venue.prng.pick(DEEP_SYMBOLS)
    await venue.rest()
    venue.asleep.add(index)
    await cancelBulk(venue, symbolId)
    await placeBulk(venue, symbolId)
    await cancelBulk(venue, symbolId)
    await placeBulk(venue, symbolId)
    venue.asleep.delete(index)
    venue.expectLap()
    await venue.round()
    assert(!slow.isSynced, 'the books are to be loaded again')
    await venue.until(() => slow.isSynced, 'the books are loaded again', venue.piecesMax)
    await venue.rest()
    venue.checkSymbol(symbolId)
  },
}

export const deeds: readonly Deed[] = [
  ...[sweep, cancel, openOrders, stops, killedStops],
  ...[icebergs, vastLevel, overrun],
]
