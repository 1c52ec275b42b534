/** The plans of the wire benchmarks do what their names and the reported figures say. */
import { expect, test } from 'vitest'
import {
  cancelPlan,
  FILL_SHARE,
  namedPlan,
  restingPlan,
  sessionPlan,
  signedBy,
  tradingPlan,
  unsigned,
} from '../../../bench/wire/workload.ts'
import { Lots, Ticks } from '../../../src/base/units.ts'

interface Order {
  readonly key: string
  readonly side: string
  readonly priceTicks: Ticks
  readonly lots: Lots
}

function ordersOf(plan: string): Order[] {
  return plan
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('key\t'))
    .map((line) => {
      const [method, target, key, params] = line.split('\t') as [string, string, string, string]
      expect([method, target]).toEqual(['POST', '/api/v3/order'])
      const query = new URLSearchParams(params)
      return {
        key,
        side: query.get('side')!,
        priceTicks: Ticks(Math.round(Number(query.get('price')) * 100)),
        lots: Lots(Math.round(Number(query.get('quantity')) * 100_000)),
      }
    })
}

const accounts = signedBy(
  { apiKey: 'A', secretKey: 'a' },
  { apiKey: 'B', secretKey: 'b' },
  { apiKey: 'C', secretKey: 'c' },
)

test('keys come first, and an unsigned plan has none', () => {
  expect(tradingPlan(accounts, 1).split('\n').slice(0, 2)).toEqual(['key\tA\ta', 'key\tB\tb'])
  expect(tradingPlan(unsigned, 1)).not.toContain('key')
})

test('sessions place the same orders, each as its own key', () => {
  const [first, second, ...frames] = sessionPlan({ logon: '{"id":0}' }, { logon: '{"id":1}' }, 2)
    .trimEnd()
    .split('\n')
  expect([first, second]).toEqual(['logon\t{"id":0}', 'logon\t{"id":1}'])
  const orders = frames.map((line) => {
    const [key, frame] = line.split('\t') as [string, string]
    const { id, method, params } = JSON.parse(frame.replace('$now', '7'))
    expect([id, method, params.timestamp]).toEqual([1, 'order.place', 7])
    return {
      key,
      side: params.side,
      priceTicks: Math.round(Number(params.price) * 100),
      lots: Math.round(Number(params.quantity) * 100_000),
    }
  })
  expect(orders).toEqual(ordersOf(tradingPlan(accounts, 2)))
})

test('takers fill exactly what makers bring, in every round', () => {
  const orders = ordersOf(tradingPlan(accounts, 50))
  const lotsOf = (key: string, side: string) =>
    orders
      .filter((order) => order.key === key && order.side === side)
      .reduce((sum, order) => sum + order.lots, 0)
  expect(lotsOf('0', 'BUY')).toBe(lotsOf('1', 'SELL'))
  expect(lotsOf('0', 'SELL')).toBe(lotsOf('1', 'BUY'))
  const takers = orders.filter((order) => order.key === '1')
  expect(takers.length / orders.length).toBe(FILL_SHARE)
})

test('makers never meet, and a taker reaches every maker of the trading plan', () => {
  const orders = [...ordersOf(restingPlan(accounts, 500)), ...ordersOf(tradingPlan(accounts, 50))]
  const prices = (key: string, side: string) =>
    orders
      .filter((order) => order.key === key && order.side === side)
      .map((order) => order.priceTicks)
  expect(Math.max(...prices('0', 'BUY'))).toBeLessThan(Math.min(...prices('0', 'SELL')))
  const trading = ordersOf(tradingPlan(accounts, 50)).filter((order) => order.key === '0')
  const bids = trading.filter((order) => order.side === 'BUY').map((order) => order.priceTicks)
  expect(Math.max(...prices('1', 'SELL'))).toBeLessThanOrEqual(Math.min(...bids))
})

test('the cancel plan names each order of the named plan once, for its owner, in another order', () => {
  const idsOf = (plan: string, name: string) =>
    plan
      .trimEnd()
      .split('\n')
      .slice(accounts.keys.length)
      .map((line) => line.split('\t'))
      .map(([, , key, query]) => `${key} ${new URLSearchParams(query).get(name)}`)
  const placed = idsOf(namedPlan(accounts, 'x', 200), 'newClientOrderId')
  const canceled = idsOf(cancelPlan(accounts, 'x', 200), 'origClientOrderId')
  expect(canceled).not.toEqual(placed)
  expect([...canceled].sort()).toEqual([...placed].sort())
  expect(new Set(placed.map((id) => id[0]))).toEqual(new Set(accounts.holders))
})
