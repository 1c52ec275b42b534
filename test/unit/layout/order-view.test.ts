/** What the view reads of an order from one record, beside the order that the record was written from. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noTransfer } from '../../../bench/workloads/no-extras.ts'
import {
  readDetailsSection,
  readPreventionSection,
  writeMatchPrevented,
  writeOrderAccepted,
  writeOrderAmended,
  writeOrderClosed,
  writeOrderDecremented,
  writeOrderReleased,
  writeOrderRested,
  writeOrderState,
  writeOrderTriggered,
  writeTrade,
} from '../../../scripts/layout/codecs.gen.ts'
import { unpackClientOrderId } from '../../../src/base/client-order-id.ts'
import { DETAILED, OrderPhase, OrderStatus } from '../../../src/base/codes.ts'
import {
  AccountId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../../src/base/units.ts'
import { OrderSide, OrderView } from '../../../src/layout/order-view.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'

const count = fc.integer({ min: 0, max: 2 ** 40 })
const moment = fc.integer({ min: -1, max: 2 ** 41 })
const id = fc.string({ unit: fc.constantFrom(...'aZ09-_'), minLength: 1, maxLength: 36 })
const details = fc.record({
  orderListId: moment.map(OrderListId),
  stopTicks: count.map(Ticks),
  icebergLots: count.map(Lots),
  strategyId: moment,
  trailingMs: moment.map(Ms),
  workingMs: moment.map(Ms),
  strategyType: fc.nat(),
  trailingDelta: fc.nat(),
  phase: fc.constantFrom(...Object.values(OrderPhase)),
  amendments: fc.nat(10),
  preventedLots: count.map(Lots),
  pegPriceType: fc.nat(2),
  pegLevels: fc.nat(100),
  pegLimitTicks: moment.map(Ticks),
})
const order = fc.record({
  account: fc.nat(1_000_000).map(AccountId),
  terms: fc.nat(2 ** 20),
  orderId: count.map(OrderId),
  priceTicks: count.map(Ticks),
  lots: count.map(Lots),
  quoteAtoms: count.map(QuoteAtoms),
  filledLots: count.map(Lots),
  filledAtoms: count.map(QuoteAtoms),
  preventedLots: count.map(Lots),
  createdMs: count.map(Ms),
  details,
  prevention: fc.record({
    preventedMatchId: count,
    tradeGroupId: moment,
    counterOrderId: count.map(OrderId),
    lastPreventedLots: count.map(Lots),
    matchLots: count.map(Lots),
    priceTicks: count.map(Ticks),
  }),
  clientOrderId: id,
  origClientOrderId: id,
  status: fc.constantFrom(
    ...[OrderStatus.CANCELED, OrderStatus.EXPIRED, OrderStatus.EXPIRED_IN_MATCH],
  ),
  reason: fc.nat(8),
})
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never

const header = {
  symbolId: SymbolId(3),
  gateway: 1,
  correlation: 5,
  timeMs: Ms(1_700_000_000_000),
  sequence: 9,
}
const amounts = {
  heldAtoms: Atoms(1),
  releasedAtoms: Atoms(1),
  removedLots: Lots(1),
  restedLots: Lots(1),
  updateId: 1,
}

/** The order as it should be read, of a record that has all of it. */
function stand(of: Order, changes: Partial<Order> & { readonly updatedMs?: Ms } = {}) {
  const { details: its, prevention: _, origClientOrderId: __, ...rest } = { ...of, ...changes }
  const isDetailed = (of.terms & DETAILED) !== 0
  return {
    symbolId: header.symbolId,
    updatedMs: header.timeMs,
    ...rest,
    ownClientOrderId: rest.clientOrderId,
    phase: isDetailed ? its.phase : OrderPhase.WORKING,
    workingMs: isDetailed ? its.workingMs : rest.createdMs,
    details: isDetailed ? its : undefined,
  }
}

const view = new OrderView()
const buffer = RecordBuffer.allocate(1024)

/** What the view reads at a byte in the middle of a buffer. */
function read(write: (at: number) => number, side: OrderSide = OrderSide.TAKER) {
  const at = 64
  buffer.bytes.fill(0xa5)
  write(at)
  expect(view.read(buffer, at, side)).toBe(true)
  const { symbolId, account, terms, orderId, priceTicks, lots, quoteAtoms, filledLots } = view
  const { filledAtoms, preventedLots, createdMs, updatedMs, status, reason, phase } = view
  const { workingMs, detailsAt, idAt, ownIdAt } = view
  return {
    symbolId,
    account,
    terms,
    orderId,
    priceTicks,
    lots,
    quoteAtoms,
    filledLots,
    filledAtoms,
    preventedLots,
    createdMs,
    updatedMs,
    status,
    reason,
    phase,
    workingMs,
    clientOrderId: unpackClientOrderId(buffer.i32, idAt),
    ownClientOrderId: unpackClientOrderId(buffer.i32, ownIdAt),
    details: detailsAt < 0 ? undefined : readDetailsSection(buffer, detailsAt),
  }
}

const preventionRead = () =>
  view.preventionAt < 0 ? undefined : readPreventionSection(buffer, view.preventionAt)

/** NEW, PENDING_NEW or PARTIALLY_FILLED. */
function openStatus(of: Order, filledLots = of.filledLots): number {
  const isPending = (of.terms & DETAILED) !== 0 && of.details.phase === OrderPhase.PENDING
  if (isPending) return OrderStatus.PENDING_NEW
  return filledLots === 0 ? OrderStatus.NEW : OrderStatus.PARTIALLY_FILLED
}

const holds = (check: (it: Order) => void) => fc.assert(fc.property(order, check))
const unfilled = {
  filledLots: Lots(0),
  filledAtoms: QuoteAtoms(0),
  preventedLots: Lots(0),
  reason: 0,
}

describe('each record alone', () => {
  test('OrderAccepted', () => {
    holds((it) => {
      const record = { ...header, ...amounts, ...it }
      const made = read((at) => writeOrderAccepted(buffer, at, record))
      const status = openStatus(it, Lots(0)) as Order['status']
      expect(made).toEqual(stand(it, { ...unfilled, createdMs: header.timeMs, status }))
    })
  })

  test.each([
    ['OrderTriggered', writeOrderTriggered],
    ['OrderReleased', writeOrderReleased],
  ])('%s', (_, write) => {
    holds((it) => {
      const made = read((at) => write(buffer, at, { ...header, ...amounts, ...it }))
      const status = openStatus(it, Lots(0)) as Order['status']
      expect(made).toEqual(stand(it, { ...unfilled, status }))
    })
  })

  test('OrderClosed: a canceled order goes by the id of its cancel', () => {
    holds((it) => {
      const made = read((at) => writeOrderClosed(buffer, at, { ...header, ...amounts, ...it }))
      const own = it.origClientOrderId
      const isCanceled = it.status === OrderStatus.CANCELED
      const clientOrderId = isCanceled ? it.clientOrderId : own
      expect(made).toEqual({ ...stand(it, { clientOrderId }), ownClientOrderId: own })
      const isPrevented = it.status === OrderStatus.EXPIRED_IN_MATCH
      expect(preventionRead()).toEqual(isPrevented ? it.prevention : undefined)
    })
  })

  test('OrderAmended', () => {
    holds((it) => {
      const record = { ...header, ...amounts, ...it, oldLots: Lots(it.lots + 1) }
      const made = read((at) => writeOrderAmended(buffer, at, record))
      expect(made).toEqual(stand(it, { reason: 0, status: openStatus(it) as Order['status'] }))
      expect(preventionRead()).toBeUndefined()
    })
  })

  test('OrderDecremented', () => {
    holds((it) => {
      const made = read((at) => writeOrderDecremented(buffer, at, { ...header, ...amounts, ...it }))
      expect(made).toEqual(stand(it, { reason: 0, status: openStatus(it) as Order['status'] }))
      expect(preventionRead()).toEqual(it.prevention)
    })
  })

  test('OrderState', () => {
    fc.assert(
      fc.property(order, count.map(Ms), (it, updatedMs) => {
        const made = read((at) => writeOrderState(buffer, at, { ...header, ...it, updatedMs }))
        const status = openStatus(it) as Order['status']
        expect(made).toEqual(stand(it, { reason: 0, status, updatedMs }))
      }),
    )
  })

  test('Trade, of its taker and of its maker', () => {
    fc.assert(
      fc.property(
        order,
        order,
        fc.integer({ min: -1, max: 9 }),
        count,
        (taker, maker, asset, atoms) => {
          const side = (name: string, it: Order) =>
            Object.fromEntries(
              Object.entries({ ...it, commissionAssetId: asset, commissionAtoms: atoms }).map(
                ([field, value]) => [`${name}${field[0]!.toUpperCase()}${field.slice(1)}`, value],
              ),
            )
          const record = {
            ...header,
            tradeId: TradeId(1),
            priceTicks: maker.priceTicks,
            tradeLots: Lots(1),
            quoteAtoms: QuoteAtoms(1),
            updateId: 1,
            buyerReleasedAtoms: QuoteAtoms(0),
            takerPriceTicks: taker.priceTicks,
            takerQuoteAtoms: taker.quoteAtoms,
            ...side('taker', taker),
            ...side('maker', maker),
          } as Parameters<typeof writeTrade>[2]
          for (const [of, it] of [
            [OrderSide.TAKER, taker],
            [OrderSide.MAKER, { ...maker, quoteAtoms: QuoteAtoms(0) }],
          ] as const) {
            const made = read((at) => writeTrade(buffer, at, record), of)
            const isDetailed = (it.terms & DETAILED) !== 0
            const preventedLots = isDetailed ? it.details.preventedLots : Lots(0)
            expect(made).toEqual(stand(it, { preventedLots, reason: 0 }))
            expect([view.commissionAssetId, view.commissionAtoms]).toEqual([asset, atoms])
            expect(preventionRead()).toBeUndefined()
          }
        },
      ),
    )
  })
})

test('records that do not say how an order stands are none of its', () => {
  const rested = {
    account: AccountId(1),
    terms: 0,
    orderId: OrderId(1),
    priceTicks: Ticks(1),
    restedLots: Lots(1),
    updateId: 1,
  }
  writeOrderRested(buffer, 0, { ...header, ...rested })
  expect(view.read(buffer, 0)).toBe(false)
  writeMatchPrevented(buffer, 0, {
    ...header,
    ...noTransfer,
    takerAccount: AccountId(1),
    makerAccount: AccountId(1),
    takerTerms: 0,
    makerTerms: 0,
    tradeGroupId: -1,
    preventedMatchId: 0,
    priceTicks: Ticks(1),
    takerOrderId: OrderId(1),
    makerOrderId: OrderId(2),
    takerPreventedLots: Lots(1),
    makerPreventedLots: Lots(1),
    matchLots: Lots(1),
  })
  expect(view.read(buffer, 0)).toBe(false)
})
