/**
 * Self-trade prevention, by scenarios A to H of the public FAQ: what both sides are answered and shown,
 * which prevented matches are recorded, and what the user streams report. What the engine makes of all of
 * them is in contract/scenarios.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { Frame } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { kindOf, type Params, Trader } from '../trader.ts'
import { ID, NONE, placed, position, queried, report, TIME, ZERO } from './payloads.ts'

interface Match {
  /** Place among the makers. */
  readonly maker: number
  readonly price: string
  readonly takerPreventedQuantity?: string
  readonly makerPreventedQuantity?: string
}

interface Scenario {
  readonly name: string
  /** In the order of placement; every one is BUY, LIMIT, GTC. */
  readonly makers: readonly Params[]
  readonly taker: Params
  /** What GET order shows of each maker afterwards, beside its terms. */
  readonly makersAfter: readonly Frame[]
  /** What the taker is answered, beside its terms. */
  readonly answer: Frame
  /** What GET order shows of it, when that is more than the answer's amounts. */
  readonly takerAfter?: Frame
  readonly matches: readonly Match[]
}

const threeMakers: readonly Params[] = [
  { quantity: '1.2', price: '1.2', selfTradePreventionMode: 'NONE' },
  { quantity: '1.3', price: '1.1', selfTradePreventionMode: 'NONE' },
  { quantity: '8.1', price: '1', selfTradePreventionMode: 'NONE' },
]
const lost = (id: number, quantity: string): Frame => ({
  status: 'EXPIRED_IN_MATCH',
  preventedMatchId: id,
  preventedQuantity: quantity,
})

const oneFor = (quantity: string) => ({
  executedQty: quantity,
  cummulativeQuoteQty: quantity,
  status: 'FILLED',
})

const scenarios: readonly Scenario[] = [
  {
    name: 'A',
    makers: [{ quantity: '1', price: '1', selfTradePreventionMode: 'NONE' }],
    taker: { quantity: '1', price: '1', selfTradePreventionMode: 'NONE' },
    makersAfter: [oneFor('1.00000000')],
    answer: {
      ...oneFor('1.00000000'),
      fills: [
        {
          price: '1.00000000',
          qty: '1.00000000',
          commission: ZERO,
          commissionAsset: 'USDT',
          tradeId: ID,
        },
      ],
    },
    takerAfter: { fills: NONE },
    matches: [],
  },
  {
    name: 'B',
    makers: threeMakers,
    taker: { quantity: '3', price: '1', selfTradePreventionMode: 'EXPIRE_MAKER' },
    makersAfter: [lost(0, '1.20000000'), lost(1, '1.30000000'), lost(2, '8.10000000')],
    answer: { status: 'NEW' },
    matches: [
      { maker: 0, price: '1.20000000', makerPreventedQuantity: '1.20000000' },
      { maker: 1, price: '1.10000000', makerPreventedQuantity: '1.30000000' },
      { maker: 2, price: '1.00000000', makerPreventedQuantity: '8.10000000' },
    ],
  },
  {
    name: 'C',
    makers: threeMakers,
    taker: { quantity: '3', price: '1', selfTradePreventionMode: 'EXPIRE_TAKER' },
    makersAfter: [{}, {}, {}],
    answer: { status: 'EXPIRED_IN_MATCH', preventedQuantity: '3.00000000' },
    takerAfter: lost(0, '3.00000000'),
    matches: [{ maker: 0, price: '1.20000000', takerPreventedQuantity: '3.00000000' }],
  },
  {
    name: 'D',
    makers: [{ quantity: '1', price: '1', selfTradePreventionMode: 'NONE' }],
    taker: { quantity: '3', price: '1', selfTradePreventionMode: 'EXPIRE_BOTH' },
    makersAfter: [lost(0, '1.00000000')],
    answer: { status: 'EXPIRED_IN_MATCH', preventedQuantity: '3.00000000' },
    takerAfter: lost(0, '3.00000000'),
    matches: [
      {
        maker: 0,
        price: '1.00000000',
        takerPreventedQuantity: '3.00000000',
        makerPreventedQuantity: '1.00000000',
      },
    ],
  },
  {
    name: 'E',
    makers: [{ quantity: '1', price: '1', selfTradePreventionMode: 'EXPIRE_MAKER' }],
    taker: { quantity: '1', price: '1', selfTradePreventionMode: 'EXPIRE_TAKER' },
    makersAfter: [{}],
    answer: { status: 'EXPIRED_IN_MATCH', preventedQuantity: '1.00000000' },
    takerAfter: lost(0, '1.00000000'),
    matches: [{ maker: 0, price: '1.00000000', takerPreventedQuantity: '1.00000000' }],
  },
  {
    name: 'F',
    makers: [{ quantity: '1', price: '1', selfTradePreventionMode: 'NONE' }],
    taker: { quantity: '1', type: 'MARKET', selfTradePreventionMode: 'EXPIRE_MAKER' },
    makersAfter: [lost(0, '1.00000000')],
    // The FAQ is older than this reason.
    answer: { status: 'EXPIRED', type: 'MARKET', expiryReason: 'INSUFFICIENT_LIQUIDITY' },
    matches: [{ maker: 0, price: '1.00000000', makerPreventedQuantity: '1.00000000' }],
  },
  {
    name: 'G',
    makers: [{ quantity: '6', price: '2', selfTradePreventionMode: 'NONE' }],
    taker: { quantity: '2', price: '2', selfTradePreventionMode: 'DECREMENT' },
    makersAfter: [{ preventedMatchId: 0, preventedQuantity: '2.00000000' }],
    answer: { status: 'EXPIRED_IN_MATCH', preventedQuantity: '2.00000000' },
    takerAfter: lost(0, '2.00000000'),
    matches: [
      {
        maker: 0,
        price: '2.00000000',
        takerPreventedQuantity: '2.00000000',
        makerPreventedQuantity: '2.00000000',
      },
    ],
  },
]

const symbolOf = (name: string) => `BTCUSDT-${name}`
const funds = { BTC: 20_000, USDT: 20_000 }
const decimals = (value: unknown) => Number(value ?? 0).toFixed(8)

let exchange: ExchangeProcess

beforeAll(async () => {
  exchange = await stageExchange({
    assets: ['BTC', 'USDT'],
    symbols: [...scenarios.map(({ name }) => name), 'H', 'I'].map((name) => ({
      name: symbolOf(name),
    })),
    accounts: {
      ...Object.fromEntries(scenarios.map(({ name }) => [name, { funds }])),
      maker: { funds, tradeGroupId: 1 },
      taker: { funds, tradeGroupId: 1 },
    },
  })
  await exchange.run()
})
afterAll(() => exchange?.remove())

/** A match as an answer's `preventedMatches` shows it. */
const shortMatch = (match: Match, id: number, makerOrderIds: readonly unknown[]): Frame => {
  const { maker, ...rest } = match
  return { preventedMatchId: id, makerOrderId: makerOrderIds[maker], ...rest }
}

test.each(scenarios)('scenario $name', async (scenario) => {
  const { name, makers, taker, matches } = scenario
  const symbol = symbolOf(name)
  const own = new Trader(exchange, name)
  const orderIds: unknown[] = []
  for (const [index, maker] of makers.entries()) {
    const params = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', ...maker }
    const answer = await own.place({ ...params, newClientOrderId: `maker-${index}` })
    orderIds.push(answer.orderId)
  }
  const limit = taker.type === undefined ? { type: 'LIMIT', timeInForce: 'GTC' } : {}
  const params = { symbol, side: 'SELL', ...limit, ...taker }
  const answer = await own.place({ ...params, newClientOrderId: 'taker' })
  const asked = {
    symbol,
    clientOrderId: 'taker',
    side: 'SELL',
    type: 'LIMIT',
    price: decimals(taker.price),
    origQty: decimals(taker.quantity),
    selfTradePreventionMode: taker.selfTradePreventionMode,
  }
  const preventedMatches = matches.map((match, id) => shortMatch(match, id, orderIds))
  expect(answer).toEqual(
    placed({
      ...asked,
      ...(matches.length > 0 && { preventedMatches }),
      ...scenario.answer,
    }),
  )
  const { preventedQuantity: _, ...amounts } = scenario.answer
  expect(await own.order(symbol, answer.orderId)).toEqual(
    queried({ ...asked, ...amounts, ...scenario.takerAfter }),
  )
  for (const [index, after] of scenario.makersAfter.entries()) {
    const { price, quantity, selfTradePreventionMode } = makers[index] as Params
    expect(await own.order(symbol, orderIds[index])).toEqual(
      queried({
        symbol,
        clientOrderId: `maker-${index}`,
        side: 'BUY',
        price: decimals(price),
        origQty: decimals(quantity),
        selfTradePreventionMode,
        ...after,
      }),
    )
  }
  await expectMatches(own, symbol, { taker: answer.orderId, makers: orderIds }, scenario)
})

/** By the taker's id, by a maker's, and one by one. */
async function expectMatches(
  own: Trader,
  symbol: string,
  orderIds: { readonly taker: unknown; readonly makers: readonly unknown[] },
  { taker, matches }: Scenario,
): Promise<void> {
  const whole = matches.map(
    (match, id): Frame => ({
      symbol,
      takerOrderId: orderIds.taker,
      makerSymbol: symbol,
      tradeGroupId: -1,
      selfTradePreventionMode: taker.selfTradePreventionMode,
      transactTime: TIME,
      ...shortMatch(match, id, orderIds.makers),
    }),
  )
  const ask = (params: Params) =>
    own.ask('GET', '/api/v3/myPreventedMatches', { symbol, ...params })
  expect(await ask({ orderId: Number(orderIds.taker) })).toEqual(whole)
  const rest = { orderId: Number(orderIds.taker), fromPreventedMatchId: 1 }
  expect(await ask(rest)).toEqual(whole.slice(1))
  for (const [id, match] of whole.entries()) {
    expect(await ask({ preventedMatchId: id })).toEqual([match])
    expect(await ask({ orderId: Number(match.makerOrderId) })).toEqual([match])
  }
}

describe('scenario H', () => {
  const symbol = symbolOf('H')
  const terms = { symbol, type: 'LIMIT', timeInForce: 'GTC', price: '0.2' }
  const transfer = { ...terms, selfTradePreventionMode: 'TRANSFER' }
  const shared = { symbol, price: '0.20000000', selfTradePreventionMode: 'TRANSFER' }

  test('two accounts of a trade group exchange what was prevented', async () => {
    const maker = new Trader(exchange, 'maker')
    const taker = new Trader(exchange, 'taker')
    await maker.follow()
    await taker.follow()
    const bid = { ...transfer, side: 'BUY', quantity: '0.6', newClientOrderId: 'maker' }
    const resting = await maker.place(bid)
    await maker.events(2)
    const ask = { ...transfer, side: 'SELL', quantity: '0.2', newClientOrderId: 'taker' }
    const answer = await taker.place(ask)
    const both = { takerPreventedQuantity: '0.20000000', makerPreventedQuantity: '0.20000000' }
    expect(answer).toEqual(
      placed({
        ...shared,
        clientOrderId: 'taker',
        side: 'SELL',
        origQty: '0.20000000',
        status: 'EXPIRED_IN_MATCH',
        preventedMatches: [
          { preventedMatchId: 0, makerOrderId: resting.orderId, price: '0.20000000', ...both },
        ],
        tradeGroupId: 1,
        preventedQuantity: '0.20000000',
      }),
    )
    const prevented = { preventedMatchId: 0, preventedQuantity: '0.20000000' }
    expect(await maker.order(symbol, resting.orderId)).toEqual(
      queried({
        ...shared,
        clientOrderId: 'maker',
        side: 'BUY',
        origQty: '0.60000000',
        ...prevented,
      }),
    )
    expect(await maker.balances()).toEqual({
      BTC: { free: '20000.20000000', locked: '0.00000000' },
      USDT: { free: '19999.88000000', locked: '0.08000000' },
    })
    expect(await taker.balances()).toEqual({
      BTC: { free: '19999.80000000', locked: '0.00000000' },
      USDT: { free: '20000.04000000', locked: '0.00000000' },
    })
    const match = {
      symbol,
      preventedMatchId: 0,
      takerOrderId: answer.orderId,
      makerSymbol: symbol,
      makerOrderId: resting.orderId,
      tradeGroupId: 1,
      selfTradePreventionMode: 'TRANSFER',
      price: '0.20000000',
      ...both,
      transactTime: answer.transactTime,
    }
    for (const own of [maker, taker]) {
      const query = { symbol, preventedMatchId: 0 }
      expect(await own.ask('GET', '/api/v3/myPreventedMatches', query)).toEqual([match])
    }
    await expectReports(maker, taker, resting, answer)
    await Promise.all([maker.leave(), taker.leave()])
  })

  async function expectReports(
    maker: Trader,
    taker: Trader,
    resting: Frame,
    arriving: Frame,
  ): Promise<void> {
    const prevention = {
      x: 'TRADE_PREVENTION',
      v: 0,
      A: '0.20000000',
      B: '0.20000000',
      u: 1,
      Cs: symbol,
      pl: '0.20000000',
      pL: '0.20000000',
      pY: '0.04000000',
      s: symbol,
      p: '0.20000000',
      V: 'TRANSFER',
    }
    expect(await maker.events(2)).toEqual([
      report({
        ...prevention,
        c: 'maker',
        S: 'BUY',
        q: '0.60000000',
        X: 'NEW',
        i: resting.orderId,
        U: arriving.orderId,
        O: resting.transactTime,
        W: resting.transactTime,
        T: arriving.transactTime,
      }),
      position({ BTC: ['20000.20000000', ZERO], USDT: ['19999.88000000', '0.08000000'] }),
    ])
    const own = {
      s: symbol,
      p: '0.20000000',
      V: 'TRANSFER',
      c: 'taker',
      S: 'SELL',
      q: '0.20000000',
    }
    expect(await taker.events(3)).toEqual([
      report({ ...own, i: arriving.orderId }),
      report({
        ...prevention,
        ...own,
        X: 'EXPIRED_IN_MATCH',
        i: arriving.orderId,
        U: resting.orderId,
        w: false,
      }),
      position({ BTC: ['19999.80000000', ZERO], USDT: ['20000.04000000', ZERO] }),
    ])
  }

  test('a maker of another mode makes it DECREMENT, and nothing moves', async () => {
    const maker = new Trader(exchange, 'maker')
    const taker = new Trader(exchange, 'taker')
    const before = [await maker.balances(), await taker.balances()]
    const other = { ...transfer, symbol: symbolOf('I'), selfTradePreventionMode: 'NONE' }
    const resting = await maker.place({ ...other, side: 'BUY', quantity: '0.2' })
    const arriving = { ...transfer, symbol: symbolOf('I'), side: 'SELL', quantity: '0.6' }
    const answer = await taker.place(arriving)
    expect(answer).toMatchObject({ status: 'NEW', preventedQuantity: '0.20000000', fills: [] })
    expect(await maker.order(symbolOf('I'), resting.orderId)).toMatchObject({
      status: 'EXPIRED_IN_MATCH',
      executedQty: ZERO,
      preventedQuantity: '0.20000000',
    })
    const after = await taker.balances()
    expect(await maker.balances()).toEqual(before[0])
    expect(after.BTC).toEqual({ free: '19999.40000000', locked: '0.40000000' })
    await taker.ask('DELETE', '/api/v3/openOrders', { symbol: symbolOf('I') })
    expect(await taker.balances()).toEqual(before[1])
  })

  test('GET account names the group', async () => {
    const account = await new Trader(exchange, 'maker').ask('GET', '/api/v3/account')
    expect(account.tradeGroupId).toBe(1)
    const other = await new Trader(exchange, 'B').ask('GET', '/api/v3/account')
    expect(other).not.toHaveProperty('tradeGroupId')
  })
})

test('a mode that the maker continues with is reported to it', async () => {
  const own = new Trader(exchange, 'G')
  await own.follow()
  const symbol = symbolOf('G')
  const limit = { symbol, type: 'LIMIT', timeInForce: 'GTC', price: '2' }
  const answer = await own.place({
    ...limit,
    side: 'SELL',
    quantity: '5',
    selfTradePreventionMode: 'DECREMENT',
  })
  expect(answer).toMatchObject({ status: 'NEW', preventedQuantity: '4.00000000' })
  const events = await own.events(4)
  expect(events.map(kindOf)).toEqual([
    'NEW NEW',
    'TRADE_PREVENTION EXPIRED_IN_MATCH',
    'TRADE_PREVENTION NEW',
    'outboundAccountPosition',
  ])
  expect(events[1]).toMatchObject({ c: 'maker-0', A: '6.00000000', B: '4.00000000', w: false })
  expect(events[2]).toMatchObject({ i: answer.orderId, A: '4.00000000', B: '4.00000000', w: true })
  expect(events[2]).toHaveProperty('V', 'DECREMENT')
  expect(events[0]).not.toHaveProperty('v')
  await own.leave()
})
