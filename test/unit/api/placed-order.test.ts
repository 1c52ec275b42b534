/** The answer to a placed order beside its plain twin, an object that JSON.stringify writes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeContext } from '../../../bench/workloads/fake-context.ts'
import { textOf } from '../../../src/api/answers/json.ts'
import { NewOrderRespType } from '../../../src/api/parameters.ts'
import { PlacedOrder } from '../../../src/api/rows/placed-order.ts'
import {
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../src/base/codes.ts'
import { formatDecimal } from '../../../src/base/fixed.ts'
import {
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  Ticks,
  TradeId,
} from '../../../src/base/units.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { accepted, trade } from '../../protocol/records.ts'

const { assets, symbols } = new FakeContext()
const spec = symbols[0]!
const buffer = RecordBuffer.allocate(1024)
const nameIn = (names: object, code: number): string =>
  Object.entries(names).find(([, value]) => value === code)![0]
const decimal = (units: number): string => formatDecimal(units, 8)
const safe = (of: number) => fc.nat({ max: Math.floor(Number.MAX_SAFE_INTEGER / of) })

const anyFill = fc.record({
  ticks: safe(spec.tickUnits),
  lots: fc.integer({ min: 1, max: 10 ** 6 }),
  commission: fc.maxSafeNat(),
  asset: fc.constantFrom(-1, ...assets.map(({ id }) => id)),
  tradeId: fc.maxSafeNat(),
})
const anyOrder = fc.record({
  orderId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  timeMs: fc.nat({ max: 10 ** 13 }),
  side: fc.constantFrom(...Object.values(Side)),
  tif: fc.constantFrom(...Object.values(TimeInForce)),
  prevention: fc.constantFrom(...Object.values(SelfTradePrevention)),
  ticks: safe(spec.tickUnits),
  moreLots: fc.integer({ min: 1, max: 10 ** 9 }),
  form: fc.constantFrom(...Object.values(NewOrderRespType)),
  microseconds: fc.boolean(),
  clientOrderId: fc.stringMatching(/^[\w.:/-]{1,36}$/),
  fills: fc.array(anyFill, { maxLength: 8 }),
  filledAtoms: fc.maxSafeNat(),
})
type AnyOrder = typeof anyOrder extends fc.Arbitrary<infer Order> ? Order : never

test('bytes are those that JSON.stringify writes', () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      expect(textOf(replyTo(order).answer())).toBe(JSON.stringify(plainReplyTo(order)))
    }),
  )
})

const termsOf = ({ side, tif, prevention }: AnyOrder) =>
  packTerms(side, OrderType.LIMIT, tif, prevention)
const lotsOf = ({ moreLots, fills }: AnyOrder): Lots =>
  Lots(fills.reduce((sum, { lots }) => sum + lots, moreLots))

function replyTo(order: AnyOrder): PlacedOrder {
  const { form, microseconds, clientOrderId, fills } = order
  const style = { spec, assets, symbols: [spec], form, tradeGroupId: -1, microseconds }
  const reply = new PlacedOrder(style, clientOrderId)
  const [orderId, lots, timeMs] = [OrderId(order.orderId), lotsOf(order), Ms(order.timeMs)]
  const priceTicks = Ticks(order.ticks)
  const terms = termsOf(order)
  accepted({ orderId, timeMs, terms, priceTicks, lots })(buffer)
  reply.add(buffer, 0)
  let filled = 0
  for (const { ticks, lots: tradeLots, commission, asset, tradeId } of fills) {
    filled += tradeLots
    trade({
      takerOrderId: orderId,
      takerTerms: terms,
      takerLots: lots,
      takerFilledLots: Lots(filled),
      takerFilledAtoms: QuoteAtoms(order.filledAtoms),
      takerCommissionAtoms: Atoms(commission),
      takerCommissionAssetId: AssetId(asset),
      priceTicks: Ticks(ticks),
      tradeLots: Lots(tradeLots),
      tradeId: TradeId(tradeId),
    })(buffer)
    reply.add(buffer, 0)
  }
  return reply
}

function plainReplyTo(order: AnyOrder): object {
  const { form, fills, microseconds, side } = order
  const time = microseconds ? order.timeMs * 1000 : order.timeMs
  const ack = {
    symbol: spec.name,
    orderId: order.orderId,
    orderListId: -1,
    clientOrderId: order.clientOrderId,
    transactTime: time,
  }
  if (form === NewOrderRespType.ACK) return ack
  const received = side === Side.BUY ? spec.base : spec.quote
  const isFilled = fills.length > 0
  return {
    ...ack,
    price: decimal(order.ticks * spec.tickUnits),
    origQty: decimal(lotsOf(order) * spec.lotUnits),
    executedQty: decimal(fills.reduce((sum, { lots }) => sum + lots, 0) * spec.lotUnits),
    origQuoteOrderQty: decimal(0),
    cummulativeQuoteQty: decimal(isFilled ? order.filledAtoms : 0),
    status: nameIn(OrderStatus, isFilled ? OrderStatus.PARTIALLY_FILLED : OrderStatus.NEW),
    timeInForce: nameIn(TimeInForce, order.tif),
    type: 'LIMIT',
    side: nameIn(Side, side),
    workingTime: time,
    ...(form === NewOrderRespType.FULL && {
      fills: fills.map(({ ticks, lots, commission, asset, tradeId }) => ({
        price: decimal(ticks * spec.tickUnits),
        qty: decimal(lots * spec.lotUnits),
        commission: decimal(commission),
        commissionAsset: asset < 0 ? received.name : assets[asset]!.name,
        tradeId,
      })),
    }),
    selfTradePreventionMode: nameIn(SelfTradePrevention, order.prevention),
  }
}
