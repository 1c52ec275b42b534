/**
 * The numbered scenarios of the public documents, played by the plain twin and by the engine: trailing
 * stops A to E, self-trade prevention A to H, and what lists, icebergs and amendments promise.
 */
import { describe, expect, test } from 'vitest'
import { ExpiryReason, ListStatusType, OrderListKind, OrderStatus } from '../../src/base/codes.ts'
import { AccountId, OrderId } from '../../src/base/units.ts'
import type { NamedRecord } from '../sim/records.ts'
import { Scene, type Wish } from './exchange-scene.ts'

const named = (records: readonly NamedRecord[], name: string) =>
  records.filter((record) => record.name === name)
const names = (records: readonly NamedRecord[]) => records.map(({ name }) => name)

interface Trail {
  readonly name: string
  readonly wish: Omit<Wish, 'account' | 'quantity'>
  /** Last prices after the first one; only the last of them wakes the order. */
  readonly prices: readonly number[]
}

const first = 40_000
const trails: readonly Trail[] = [
  {
    name: 'A: stop-loss BUY, 44,000, 5 %',
    wish: { side: 'BUY', type: 'STOP_LOSS_LIMIT', stop: 44_000, delta: 500, price: 45_000 },
    prices: [37_000, 40_000, 44_000, 45_000, 46_000, 42_000, 44_099.5, 44_100],
  },
  {
    name: 'B: stop-loss SELL, 39,000, 10 %',
    wish: { side: 'SELL', type: 'STOP_LOSS_LIMIT', stop: 39_000, delta: 1000, price: 38_000 },
    prices: [41_500, 39_000, 37_000, 41_000, 36_900.5, 36_900],
  },
  {
    name: 'C: take-profit BUY, 38,000, 8.5 %',
    wish: { side: 'BUY', type: 'TAKE_PROFIT_LIMIT', stop: 38_000, delta: 850, price: 38_500 },
    prices: [42_000, 38_000, 37_000, 39_000, 38_000, 40_144.5, 40_145],
  },
  {
    name: 'D: take-profit SELL, 42,000, 7.5 %',
    wish: { side: 'SELL', type: 'TAKE_PROFIT_LIMIT', stop: 42_000, delta: 750, price: 41_000 },
    prices: [41_500, 39_000, 42_000, 45_000, 44_000, 46_500, 43_013, 43_012.5],
  },
  {
    name: 'E: stop-loss SELL without a stop price, 7 %',
    wish: { side: 'SELL', type: 'STOP_LOSS_LIMIT', delta: 700, price: 39_000 },
    prices: [42_000, 39_500, 45_500, 42_315.5, 42_315],
  },
]

interface Prevention {
  readonly name: string
  readonly makers: readonly Wish[]
  readonly taker: Wish
  /** [maker's order id, lost by the taker, lost by the maker], in order. */
  readonly prevented: readonly (readonly [makerId: number, taker: number, maker: number])[]
  /** Order id to status of what ended without being filled. */
  readonly ended: Readonly<Record<number, number>>
}

const { EXPIRED, EXPIRED_IN_MATCH } = OrderStatus
const buy = (quantity: number, price: number, mode: Wish['mode'] = 'NONE'): Wish => ({
  account: AccountId(3),
  side: 'BUY',
  quantity,
  price,
  mode,
})
const sell = (quantity: number, price: number, mode: Wish['mode']): Wish => ({
  ...buy(quantity, price, mode),
  side: 'SELL',
})
const three = [buy(1.2, 1.5), buy(1.3, 1), buy(8.1, 0.5)]

const preventions: readonly Prevention[] = [
  {
    name: 'A: NONE trades',
    makers: [buy(1, 1)],
    taker: sell(1, 1, 'NONE'),
    prevented: [],
    ended: {},
  },
  {
    name: 'B: EXPIRE_MAKER expires all makers',
    makers: three,
    taker: sell(3, 0.5, 'EXPIRE_MAKER'),
    prevented: [
      [1, 0, 1.2],
      [2, 0, 1.3],
      [3, 0, 8.1],
    ],
    ended: { 1: EXPIRED_IN_MATCH, 2: EXPIRED_IN_MATCH, 3: EXPIRED_IN_MATCH },
  },
  {
    name: 'C: EXPIRE_TAKER expires the taker',
    makers: three,
    taker: sell(3, 0.5, 'EXPIRE_TAKER'),
    prevented: [[1, 3, 0]],
    ended: { 4: EXPIRED_IN_MATCH },
  },
  {
    name: 'D: EXPIRE_BOTH expires both',
    makers: [buy(1, 1)],
    taker: sell(3, 1, 'EXPIRE_BOTH'),
    prevented: [[1, 3, 1]],
    ended: { 1: EXPIRED_IN_MATCH, 2: EXPIRED_IN_MATCH },
  },
  {
    name: "E: the taker's mode decides",
    makers: [buy(1, 1, 'EXPIRE_MAKER')],
    taker: sell(1, 1, 'EXPIRE_TAKER'),
    prevented: [[1, 1, 0]],
    ended: { 2: EXPIRED_IN_MATCH },
  },
  {
    name: 'F: a market order without an opposite side is EXPIRED',
    makers: [buy(1, 1)],
    taker: {
      account: AccountId(3),
      side: 'SELL',
      type: 'MARKET',
      quantity: 1,
      mode: 'EXPIRE_MAKER',
    },
    prevented: [[1, 0, 1]],
    ended: { 1: EXPIRED_IN_MATCH, 2: EXPIRED },
  },
  {
    name: 'G: DECREMENT takes the less of both from both',
    makers: [buy(6, 2)],
    taker: sell(2, 2, 'DECREMENT'),
    prevented: [[1, 2, 2]],
    ended: { 2: EXPIRED_IN_MATCH },
  },
]

describe.each(['plain', 'engine'] as const)('%s', (kind) => {
  test.each(trails)('trailing stop $name', ({ wish, prices }) => {
    const scene = new Scene(kind)
    scene.trade(first)
    scene.place({ ...wish, account: AccountId(3), quantity: 1 })
    const woken = prices.map((price) => named(scene.trade(price), 'OrderTriggered').length)
    expect(woken).toEqual(prices.map((_, i) => (i === prices.length - 1 ? 1 : 0)))
  })

  test.each(preventions)('self-trade prevention $name', ({ makers, taker, prevented, ended }) => {
    const scene = new Scene(kind)
    for (const maker of makers) scene.place(maker)
    const answer = scene.place(taker)
    const lost = named(answer, 'MatchPrevented').map((it) => [
      it.makerOrderId,
      Number(it.takerPreventedLots) / 10,
      Number(it.makerPreventedLots) / 10,
    ])
    expect(lost).toEqual(prevented)
    const closed = named(answer, 'OrderClosed').map((it) => [it.orderId, it.status])
    expect(Object.fromEntries(closed)).toEqual(ended)
  })

  test('self-trade prevention H: TRANSFER moves what was prevented between two accounts', () => {
    const scene = new Scene(kind)
    scene.place(buy(0.6, 2, 'TRANSFER'))
    const answer = scene.place({ ...sell(0.2, 2, 'TRANSFER'), account: AccountId(4) })
    expect(named(answer, 'Trade')).toEqual([])
    expect(named(answer, 'OrderDecremented')).toMatchObject([{ orderId: 1, preventedLots: 2 }])
    expect(named(answer, 'OrderClosed')).toMatchObject([{ orderId: 2, status: EXPIRED_IN_MATCH }])
    expect(scene.balances(AccountId(3))).toEqual({
      base: { free: 0.2, locked: 0 },
      quote: { free: -1.2, locked: 0.8 },
    })
    expect(scene.balances(AccountId(4))).toEqual({
      base: { free: -0.2, locked: 0 },
      quote: { free: 0.4, locked: 0 },
    })
  })

  test('the fill of an OCO ends its stop, and the money was held once', () => {
    const scene = new Scene(kind)
    scene.trade(100)
    const placed = scene.list(OrderListKind.OCO, AccountId(3), [
      { side: 'SELL', type: 'STOP_LOSS_LIMIT', stop: 90, price: 89, quantity: 2 },
      { side: 'SELL', type: 'LIMIT_MAKER', price: 110, quantity: 2 },
    ])
    expect(names(placed)).toEqual([
      ...['OrderAccepted', 'OrderAccepted', 'OrderListChanged', 'OrderRested'],
    ])
    expect(scene.balances(AccountId(3)).base).toEqual({ free: -2, locked: 2 })
    const answer = scene.place({ account: AccountId(2), side: 'BUY', price: 110, quantity: 0.5 })
    expect(named(answer, 'OrderClosed')).toMatchObject([
      { orderId: 3, status: EXPIRED, reason: ExpiryReason.OCO_TRIGGER, releasedAtoms: 0 },
    ])
    expect(scene.balances(AccountId(3)).base).toEqual({ free: -2, locked: 1.5 })
  })

  test('the trigger of an OCO ends its limit order before it trades', () => {
    const scene = new Scene(kind)
    scene.trade(100)
    scene.list(OrderListKind.OCO, AccountId(3), [
      { side: 'SELL', type: 'STOP_LOSS', stop: 90, quantity: 2 },
      { side: 'SELL', type: 'LIMIT_MAKER', price: 110, quantity: 2 },
    ])
    scene.place({ account: AccountId(2), side: 'BUY', price: 80, quantity: 5 })
    const answer = scene.trade(90)
    const turn = answer.filter(({ gateway }) => gateway === -1)
    expect(names(turn)).toEqual([...['OrderTriggered', 'OrderClosed', 'Trade', 'OrderListChanged']])
    expect(turn.at(-1)).toMatchObject({ statusType: ListStatusType.ALL_DONE, last: true })
  })

  test('an OTO releases its pending order when the working one is filled whole', () => {
    const scene = new Scene(kind)
    scene.list(OrderListKind.OTO, AccountId(3), [
      { side: 'BUY', price: 100, quantity: 2 },
      { side: 'SELL', price: 120, quantity: 2 },
    ])
    const half = scene.place({ account: AccountId(1), side: 'SELL', price: 100, quantity: 1 })
    expect(named(half, 'OrderReleased')).toEqual([])
    const whole = scene.place({ account: AccountId(1), side: 'SELL', price: 100, quantity: 1 })
    expect(named(whole, 'OrderReleased')).toMatchObject([{ orderId: 2, gateway: -1 }])
    expect(scene.balances(AccountId(3)).base).toEqual({ free: 0, locked: 2 })
  })

  test('an OTOCO whose working order expires never releases its pair', () => {
    const scene = new Scene(kind)
    const answer = scene.list(OrderListKind.OTOCO, AccountId(3), [
      { side: 'BUY', price: 100, quantity: 2, timeInForce: 'IOC' },
      { side: 'SELL', type: 'STOP_LOSS', stop: 90, quantity: 2 },
      { side: 'SELL', type: 'LIMIT_MAKER', price: 110, quantity: 2 },
    ])
    expect(named(answer, 'OrderClosed')).toMatchObject([
      { orderId: 1, reason: ExpiryReason.UNFILLED_IOC_QUANTITY_EXPIRED },
      { orderId: 2, reason: ExpiryReason.OTO_PHASE_ONE_EXPIRED },
      { orderId: 3, reason: ExpiryReason.OTO_PHASE_ONE_EXPIRED },
    ])
    expect(answer.at(-1)).toMatchObject({ statusType: ListStatusType.ALL_DONE })
  })

  test('an iceberg shows a slice at a time, and each joins the end of its level', () => {
    const scene = new Scene(kind)
    scene.place({ account: AccountId(3), side: 'SELL', price: 100, quantity: 3, iceberg: 1 })
    scene.place({ account: AccountId(4), side: 'SELL', price: 100, quantity: 1 })
    const answer = scene.place({ account: AccountId(2), side: 'BUY', price: 100, quantity: 3 })
    const trades = named(answer, 'Trade').map(({ makerOrderId }) => makerOrderId)
    expect(trades).toEqual([1, 2, 1])
    expect(named(answer, 'OrderReplenished')).toHaveLength(2)
  })

  test('an amendment keeps its place, and takes from what an iceberg hides first', () => {
    const scene = new Scene(kind)
    scene.place({ account: AccountId(3), side: 'SELL', price: 100, quantity: 3, iceberg: 1 })
    scene.place({ account: AccountId(4), side: 'SELL', price: 100, quantity: 1 })
    expect(named(scene.amend(AccountId(3), OrderId(1), 2), 'OrderAmended')).toMatchObject([
      { oldLots: 30, lots: 20, removedLots: 0, releasedAtoms: 100_000_000 },
    ])
    expect(named(scene.amend(AccountId(3), OrderId(1), 0.5), 'OrderAmended')).toMatchObject([
      { removedLots: 5 },
    ])
    const answer = scene.place({ account: AccountId(2), side: 'BUY', price: 100, quantity: 1 })
    expect(named(answer, 'Trade').map(({ makerOrderId }) => makerOrderId)).toEqual([1, 2])
  })

  test('canceling a leg cancels the list', () => {
    const scene = new Scene(kind)
    scene.list(OrderListKind.OTO, AccountId(3), [
      { side: 'BUY', price: 100, quantity: 2 },
      { side: 'SELL', price: 120, quantity: 2 },
    ])
    const answer = scene.cancel(AccountId(3), OrderId(2))
    expect(named(answer, 'OrderClosed')).toMatchObject([
      { orderId: 1, status: OrderStatus.CANCELED },
      { orderId: 2, status: OrderStatus.CANCELED },
    ])
    expect(scene.balances(AccountId(3)).quote).toEqual({ free: 0, locked: 0 })
  })
})
