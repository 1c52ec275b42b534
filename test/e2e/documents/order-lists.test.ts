/**
 * Order lists as the documents of the REST API answer them: placement of each kind, cancels, queries.
 * How lists live on is judged by contract/scenarios and the simulators.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { Frame } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { kindOf, type Params, Trader } from '../trader.ts'
import { type Placement, placements } from './list-placements.ts'
import { canceled, list, listStatus, report, result } from './payloads.ts'

const SYMBOL = 'LTCBTC'

let exchange: ExchangeProcess
let own: Trader
let other: Trader

beforeAll(async () => {
  const fine = [
    {
      filterType: 'PRICE_FILTER',
      minPrice: '0.00000100',
      maxPrice: '1000.00000000',
      tickSize: '0.00000100',
    },
    { filterType: 'LOT_SIZE', minQty: '0.00000100', maxQty: '9000', stepSize: '0.00000100' },
  ]
  exchange = await stageExchange({
    assets: ['LTC', 'BTC'],
    symbols: [{ name: SYMBOL, filters: fine }],
    accounts: {
      own: { funds: { LTC: 1000, BTC: 1000 } },
      other: { funds: { LTC: 1000, BTC: 1000 } },
    },
  })
  await exchange.run()
  own = new Trader(exchange, 'own')
  other = new Trader(exchange, 'other')
})
afterAll(() => exchange?.remove())

/** The last price becomes `price`; nothing of it stays on the book. */
async function tradeAt(price: string): Promise<void> {
  const order = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price }
  await other.place({ ...order, side: 'SELL' })
  await own.place({ ...order, side: 'BUY' })
}

const clientIdOf = (index: number) => `leg-${index + 1}`
const idsOf = (answer: Frame) => (answer.orders as Frame[]).map(({ orderId }) => Number(orderId))
const ordersOf = (ids: readonly number[]) =>
  ids.map((orderId, index) => ({ symbol: SYMBOL, orderId, clientOrderId: clientIdOf(index) }))

describe.each(placements)('$name', ({ path, lastPrice, request, contingencyType, legs }) => {
  const place = (more: Params) => own.ask('POST', path, { symbol: SYMBOL, ...request, ...more })
  const cancel = (listClientOrderId: string) =>
    own.ask('DELETE', '/api/v3/orderList', {
      symbol: SYMBOL,
      listClientOrderId,
      newClientOrderId: 'the-cancel',
    })
  const head = (answer: Frame, listClientOrderId: string): Frame => ({
    symbol: SYMBOL,
    contingencyType,
    listClientOrderId,
    orderListId: answer.orderListId,
    orders: ordersOf(idsOf(answer)),
  })

  test('is answered, shown, reported and canceled whole', async () => {
    await tradeAt(lastPrice)
    await own.follow()
    const before = await own.balances()
    const answer = await place({ newOrderRespType: 'RESULT', listClientOrderId: 'the-list' })
    const ids = idsOf(answer)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const leg = (index: number): Frame => ({
      symbol: SYMBOL,
      orderId: ids[index],
      orderListId: answer.orderListId,
    })
    expect(answer).toEqual(
      list({
        ...head(answer, 'the-list'),
        orderReports: legs.map((fields, index) =>
          result({ ...leg(index), clientOrderId: clientIdOf(index), ...fields }),
        ),
      }),
    )
    const events = await own.events(legs.length + 2)
    expect(events.map(kindOf)).toEqual([
      ...legs.map(({ status = 'NEW' }) => `NEW ${status}`),
      'listStatus',
      'outboundAccountPosition',
    ])
    expectReports(events, answer, { contingencyType, legs })

    const shown = list(head(answer, 'the-list'))
    for (const query of [
      { orderListId: Number(answer.orderListId) },
      { origClientOrderId: 'the-list' },
    ])
      expect(await own.ask('GET', '/api/v3/orderList', query)).toEqual(shown)
    expect(await own.ask('GET', '/api/v3/openOrderList')).toEqual([shown])

    const gone = await cancel('the-list')
    const done = { listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' }
    expect(gone).toEqual(
      list({
        ...head(answer, 'the-list'),
        ...done,
        orderReports: legs.map(({ status: _, workingTime: __, ...fields }, index) =>
          canceled({
            ...leg(index),
            clientOrderId: 'the-cancel',
            origClientOrderId: clientIdOf(index),
            ...fields,
          }),
        ),
      }),
    )
    const end = await own.events(legs.length + 2)
    expect(end.map(kindOf)).toEqual([
      ...legs.map(() => 'CANCELED CANCELED'),
      'listStatus',
      'outboundAccountPosition',
    ])
    expect(end[legs.length]).toMatchObject({ l: 'ALL_DONE', L: 'ALL_DONE' })
    expect(await own.ask('GET', '/api/v3/openOrderList')).toEqual([])
    const after = list({ ...head(answer, 'the-list'), ...done })
    const query = { orderListId: Number(answer.orderListId) }
    expect(await own.ask('GET', '/api/v3/orderList', query)).toEqual(after)
    const all = (await own.ask('GET', '/api/v3/allOrderList')) as unknown as Frame[]
    expect(all.at(-1)).toEqual(after)
    expect(await own.balances()).toEqual(before)
    await own.leave()
  })
})

/** A NEW for each leg, in order, then the list's own event. */
function expectReports(
  events: readonly Frame[],
  answer: Frame,
  { contingencyType, legs }: Pick<Placement, 'contingencyType' | 'legs'>,
): void {
  const ids = idsOf(answer)
  for (const [index, leg] of legs.entries()) {
    const waiting = leg.workingTime === -1
    const strategy = 'strategyId' in leg ? { j: leg.strategyId, J: leg.strategyType } : {}
    expect(events[index]).toEqual(
      report({
        s: SYMBOL,
        c: clientIdOf(index),
        S: leg.side,
        o: leg.type,
        f: leg.timeInForce ?? 'GTC',
        q: leg.origQty,
        p: leg.price ?? '0.00000000',
        P: leg.stopPrice ?? '0.00000000',
        F: leg.icebergQty ?? '0.00000000',
        g: answer.orderListId,
        X: leg.status ?? 'NEW',
        i: ids[index],
        w: !waiting,
        ...(waiting && { W: undefined }),
        ...strategy,
      }),
    )
  }
  expect(events[legs.length]).toEqual(
    listStatus({
      s: SYMBOL,
      g: answer.orderListId,
      c: contingencyType,
      C: 'the-list',
      O: ids.map((i, index) => ({ s: SYMBOL, i, c: clientIdOf(index) })),
    }),
  )
}

test('canceling everything answers orders and lists as what they are', async () => {
  await tradeAt('2')
  const limit = { symbol: SYMBOL, side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
  const one = await own.place({ ...limit, price: '4', newClientOrderId: 'one' })
  const { path, request, legs } = placements[2] as Placement
  const pair = await own.ask('POST', path, {
    symbol: SYMBOL,
    ...request,
    listClientOrderId: 'pair',
  })
  const two = await own.place({ ...limit, price: '5', newClientOrderId: 'two' })
  const plain = (placement: Frame, price: string, origClientOrderId: string) =>
    canceled({
      symbol: SYMBOL,
      orderId: placement.orderId,
      origClientOrderId,
      price,
      origQty: '1.00000000',
      side: 'SELL',
    })
  const all = await own.ask('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  expect(all).toEqual(
    expect.arrayContaining([
      plain(one, '4.00000000', 'one'),
      plain(two, '5.00000000', 'two'),
      list({
        symbol: SYMBOL,
        orderListId: pair.orderListId,
        contingencyType: 'OCO',
        listStatusType: 'ALL_DONE',
        listOrderStatus: 'ALL_DONE',
        listClientOrderId: 'pair',
        orders: ordersOf(idsOf(pair)),
        orderReports: legs.map(({ workingTime: _, ...fields }, index) =>
          canceled({
            symbol: SYMBOL,
            orderId: idsOf(pair)[index],
            orderListId: pair.orderListId,
            origClientOrderId: clientIdOf(index),
            ...fields,
          }),
        ),
      }),
    ]),
  )
  expect(all).toHaveLength(3)
  const renamed = new Set((all as unknown as Frame[]).map(({ clientOrderId }) => clientOrderId))
  renamed.delete(undefined)
  expect(renamed.size).toBe(1)
})
