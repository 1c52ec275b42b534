/** Actors on a false target: what they send follows from the seed and from what they were answered. */
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../scripts/command-line/usage-error.ts'
import type { Work } from '../../../scripts/load/account-orders.ts'
import { Cast, keysOf } from '../../../scripts/load/cast.ts'
import { OrderCheck } from '../../../scripts/load/checks/order-check.ts'
import { readScenario } from '../../../scripts/load/scenario.ts'
import { marketOf } from '../../../src/liquidity/market.ts'

const market = marketOf({
  symbol: 'A',
  status: 'TRADING',
  baseAsset: 'B',
  quoteAsset: 'Q',
  filters: [
    { filterType: 'PRICE_FILTER', tickSize: '0.01', minPrice: '0.01', maxPrice: '1000000' },
    { filterType: 'LOT_SIZE', stepSize: '0.001', minQty: '0.001', maxQty: '9000' },
    { filterType: 'NOTIONAL', minNotional: '5' },
  ],
})
const keys = ['one', 'two'].map((account) => ({
  account,
  apiKey: account,
  signatureOf: () => '',
}))
const plans = (actors: string) =>
  readScenario('f', `title = "t"\nsymbols = ["A"]\n${actors}`).actors
const castOf = (actors: string, seed: number, check = new OrderCheck()) =>
  new Cast(plans(actors), keys, [{ market, middle: () => 100 }], check, 'x', seed)

const answer = (status: number, body: unknown = {}, code = 0) => ({
  status,
  body,
  code,
  failure: '',
  retryAfter: 0,
})

/** Accepts whatever is sent, as an order that rests. */
function accept({ request, settle }: Work): void {
  const { newClientOrderId } = request.params ?? {}
  const placement = {
    orderId: 1,
    clientOrderId: newClientOrderId,
    status: 'NEW',
    executedQty: '0',
    cummulativeQuoteQty: '0',
  }
  const cancel = { orderId: 1, status: 'CANCELED', executedQty: '0' }
  if (request.path.endsWith('cancelReplace')) {
    const [cancelResult, newOrderResult] = ['SUCCESS', 'SUCCESS']
    const responses = { cancelResponse: cancel, newOrderResponse: placement }
    settle(answer(200, { cancelResult, newOrderResult, ...responses }))
  } else settle(answer(200, request.method === 'DELETE' ? cancel : placement))
}

const mixed = ['maker', 'taker', 'storm', 'reader']
  .map((kind) => `[[actor]]\nkind = "${kind}"\n`)
  .join('')

describe('actors', () => {
  const sent = (seed: number) => {
    const cast = castOf(mixed, seed)
    return Array.from({ length: 300 }, () => {
      const work = cast.pick()()
      if (work !== undefined) accept(work)
      return work === undefined ? 'nothing' : [work.action, work.request.path, work.request.params]
    })
  }

  test('do the same for the same seed', () => {
    expect(sent(7)).toEqual(sent(7))
    expect(sent(8)).not.toEqual(sent(7))
  })

  test('ask for nothing that filters refuse', () => {
    const placed = sent(7).flatMap((it) => (it === 'nothing' ? [] : [it[2] as object]))
    const orders = placed.filter((params) => 'price' in params) as {
      price: string
      quantity: string
    }[]
    expect(orders.length).toBeGreaterThan(100)
    for (const { price, quantity } of orders) {
      expect(market.prices.holds(price)).toBe(true)
      expect(market.quantities.holds(quantity)).toBe(true)
      expect(Number(price) * Number(quantity)).toBeGreaterThanOrEqual(5)
    }
  })

  test('a maker quotes every level once, then re-quotes the oldest', () => {
    const cast = castOf('[[actor]]\nkind = "maker"\nlevels = 2\naccounts = [1]', 1)
    const actions = Array.from({ length: 6 }, () => {
      const work = cast.pick()()!
      accept(work)
      return [work.action, work.request.params?.side]
    })
    expect(actions).toEqual([
      ['quote', 'BUY'],
      ['quote', 'SELL'],
      ['quote', 'BUY'],
      ['quote', 'SELL'],
      ['re-quote', 'BUY'],
      ['re-quote', 'SELL'],
    ])
  })

  test('a maker has nothing to send while all its quotes are on their way', () => {
    const actor = castOf('[[actor]]\nkind = "maker"\nlevels = 1\naccounts = [1]', 1).pick()
    expect([actor()?.action, actor()?.action]).toEqual(['quote', 'quote'])
    expect(actor()).toBeUndefined()
  })

  test('a storm fills its burst, cancels all of it, and begins again', () => {
    const actor = castOf('[[actor]]\nkind = "storm"\nburst = 3\naccounts = [1]', 1).pick()
    const actions = Array.from({ length: 8 }, () => {
      const work = actor()!
      accept(work)
      return work.action
    })
    const burst = ['place', 'place', 'place', 'cancel', 'cancel', 'cancel']
    expect(actions).toEqual([...burst, 'place', 'place'])
  })

  test('accounts take turns, by name, by place, or all', () => {
    const accounts = (list: string) =>
      keysOf(plans(`[[actor]]\nkind = "taker"\n${list}`), keys).map(({ account }) => account)
    expect(accounts('')).toEqual(['one', 'two'])
    expect(accounts('accounts = ["two"]')).toEqual(['two'])
    expect(accounts('accounts = [2, 3]')).toEqual(['two', 'one'])
    expect(() => accounts('accounts = ["three"]')).toThrow(
      new UsageError('The key file has no account three.'),
    )
    const cast = castOf('[[actor]]\nkind = "taker"', 1)
    const used = Array.from({ length: 4 }, () => cast.pick()()!.request.key!.account)
    expect(used).toEqual(['one', 'two', 'one', 'two'])
  })
})

describe('what an account has open', () => {
  const states: readonly (readonly [string, ReturnType<typeof answer>, string])[] = [
    ['refused', answer(400, {}, -2010), 'ended'],
    ['never answered', answer(0), 'unknown'],
    ['answered by a failure', answer(503), 'unknown'],
    ['told that it is unknown', answer(400, {}, -1007), 'unknown'],
  ]
  test.each(states)('an order that is %s', (_, given, state) => {
    const [orders] = castOf('[[actor]]\nkind = "taker"\naccounts = [1]', 1).accountOrders
    const { order, work } = orders!.place('place', { symbol: 'A', side: 'BUY' })
    work.settle(given)
    expect(order.state).toBe(state)
    expect(orders!.leftOpen()).toHaveLength(state === 'ended' ? 0 : 1)
  })

  test('an order that the stream ends is not open, whatever its answer says later', () => {
    const [orders] = castOf('[[actor]]\nkind = "taker"\naccounts = [1]', 1).accountOrders
    const { order, work } = orders!.place('place', { symbol: 'A', side: 'BUY' })
    const report = { c: order.clientOrderId, C: '', x: 'TRADE', X: 'FILLED' }
    orders!.report(report as Parameters<NonNullable<typeof orders>['report']>[0])
    accept(work)
    expect([order.state, orders!.leftOpen().length]).toEqual(['ended', 0])
  })

  test('a replace that cannot cancel leaves what was there', () => {
    const [orders] = castOf('[[actor]]\nkind = "taker"\naccounts = [1]', 1).accountOrders
    const { order: old, work } = orders!.place('place', { symbol: 'A', side: 'BUY' })
    accept(work)
    const failed = (cancelResponse: object) => ({
      code: -2022,
      data: { cancelResult: 'FAILURE', newOrderResult: 'NOT_ATTEMPTED', cancelResponse },
    })
    const first = orders!.replace('replace', old, { symbol: 'A', side: 'BUY' })
    first.work.settle(answer(400, failed({ code: -1013 }), -2022))
    expect([old.state, first.order.state]).toEqual(['open', 'ended'])
    const second = orders!.replace('replace', old, { symbol: 'A', side: 'BUY' })
    second.work.settle(answer(400, failed({ code: -2011 }), -2022))
    expect([old.state, second.order.state]).toEqual(['ended', 'ended'])
  })
})
