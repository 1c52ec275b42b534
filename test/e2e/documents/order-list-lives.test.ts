/**
 * How order lists live on after they were placed (rest-api.md, order lists; "Order lists" of the REST API;
 * "Supported Order List Types" of the FIX API): what fills, triggers and ends of one leg do to the
 * others, what is locked meanwhile, and in which order it is sent.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { Frame } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { kindOf, type Params, Trader } from '../trader.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }
const TRIGGERED = { status: 'EXPIRED', expiryReason: 'OCO_TRIGGER' }

let exchange: ExchangeProcess
let own: Trader
let market: Trader
let other: Trader

beforeAll(async () => {
  const funds = { BTC: 100, USDT: 1_000_000 }
  exchange = await stageExchange({
    assets: ['BTC', 'USDT'],
    symbols: [{ name: SYMBOL }],
    accounts: { own: { funds }, market: { funds }, other: { funds } },
  })
  await exchange.run()
  own = new Trader(exchange, 'own')
  market = new Trader(exchange, 'market')
  other = new Trader(exchange, 'other')
})
afterAll(() => exchange?.remove())

/** Nothing is open, and the last price is 100. */
beforeEach(async () => {
  for (const trader of [own, market, other])
    await trader.send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  await tradeAt('100')
})

async function tradeAt(price: string): Promise<void> {
  await market.place({ ...LIMIT, side: 'SELL', quantity: '0.01', price })
  const answer = await other.place({ ...LIMIT, side: 'BUY', quantity: '0.01', price })
  expect(answer.status).toBe('FILLED')
}

const idsOf = (answer: Frame) => (answer.orders as Frame[]).map(({ orderId }) => Number(orderId))

const placeList = (kind: string, params: Params): Promise<Frame> =>
  own.ask('POST', `/api/v3/orderList/${kind}`, { symbol: SYMBOL, ...params })

async function expectOrders(answer: Frame, expected: readonly Frame[]): Promise<void> {
  for (const [index, orderId] of idsOf(answer).entries()) {
    const found = await own.order(SYMBOL, orderId)
    expect(found, `leg ${index}`).toMatchObject(expected[index] as Frame)
    const reason = (expected[index] as Frame).expiryReason
    if (reason === undefined) expect(found).not.toHaveProperty('expiryReason')
  }
}

async function expectDone(answer: Frame): Promise<void> {
  const query = { orderListId: Number(answer.orderListId) }
  expect(await own.ask('GET', '/api/v3/orderList', query)).toMatchObject({
    listStatusType: 'ALL_DONE',
    listOrderStatus: 'ALL_DONE',
  })
}

/** Sells at 110 or, when the price falls to 90, at 89 or better. */
const sellPair = (quantity: string, more: Params = {}): Promise<Frame> =>
  placeList('oco', {
    side: 'SELL',
    quantity,
    aboveType: 'LIMIT_MAKER',
    abovePrice: '110',
    belowType: 'STOP_LOSS_LIMIT',
    belowStopPrice: '90',
    belowPrice: '89',
    belowTimeInForce: 'GTC',
    ...more,
  })

test('OCO: both legs lock the quantity once, a BUY the larger cost', async () => {
  const before = await own.balances()
  await sellPair('2')
  expect((await own.balances()).BTC).toEqual({
    free: (Number(before.BTC?.free) - 2).toFixed(8),
    locked: '2.00000000',
  })
  await placeList('oco', {
    side: 'BUY',
    quantity: '2',
    aboveType: 'STOP_LOSS_LIMIT',
    aboveStopPrice: '120',
    abovePrice: '125',
    aboveTimeInForce: 'GTC',
    belowType: 'LIMIT_MAKER',
    belowPrice: '80',
  })
  expect((await own.balances()).USDT?.locked).toBe('250.00000000')
  await own.ask('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  expect(await own.balances()).toEqual(before)
})

test('OCO: the first partial fill of the limit leg ends the stop leg', async () => {
  await own.follow()
  const pair = await sellPair('2')
  await own.events(4)
  await market.place({ ...LIMIT, side: 'BUY', quantity: '0.5', price: '110' })
  await expectOrders(pair, [
    { ...TRIGGERED, type: 'STOP_LOSS_LIMIT', executedQty: '0.00000000', isWorking: false },
    { status: 'PARTIALLY_FILLED', type: 'LIMIT_MAKER', executedQty: '0.50000000' },
  ])
  expect((await own.balances()).BTC?.locked).toBe('1.50000000')
  const events = await own.events(4)
  expect(events.map(kindOf)).toEqual([
    'TRADE PARTIALLY_FILLED',
    'EXPIRED EXPIRED',
    'listStatus',
    'outboundAccountPosition',
  ])
  expect(events[1]).toMatchObject({ eR: 'OCO_TRIGGER', g: pair.orderListId })
  expect(events[2]).toMatchObject({ l: 'EXEC_STARTED', L: 'EXECUTING', g: pair.orderListId })

  await market.place({ ...LIMIT, side: 'BUY', quantity: '1.5', price: '110' })
  await expectDone(pair)
  const end = await own.events(3)
  expect(end.map(kindOf)).toEqual(['TRADE FILLED', 'listStatus', 'outboundAccountPosition'])
  expect(end[1]).toMatchObject({ l: 'ALL_DONE', L: 'ALL_DONE' })
  await own.leave()
})

test('OCO: the trigger of the stop leg ends the limit leg, then it works', async () => {
  await own.follow()
  const pair = await sellPair('2')
  await own.events(4)
  await tradeAt('90')
  await expectOrders(pair, [
    { status: 'NEW', type: 'STOP_LOSS_LIMIT', isWorking: true },
    { ...TRIGGERED, type: 'LIMIT_MAKER', executedQty: '0.00000000' },
  ])
  expect((await own.balances()).BTC?.locked).toBe('2.00000000')
  const events = await own.events(4)
  expect(events.map(kindOf)).toEqual([
    'NEW NEW',
    'EXPIRED EXPIRED',
    'listStatus',
    'outboundAccountPosition',
  ])
  const [stopId, limitId] = idsOf(pair)
  expect(events.find(({ x }) => x === 'EXPIRED')).toMatchObject({ i: limitId, eR: 'OCO_TRIGGER' })
  const triggered = events.find(({ x }) => x === 'NEW') as Frame
  expect(triggered).toMatchObject({ i: stopId, w: true })
  expect(triggered.W).toBe(triggered.T)

  await market.place({ ...LIMIT, side: 'BUY', quantity: '2', price: '89' })
  await expectOrders(pair, [{ status: 'FILLED', executedQty: '2.00000000' }, TRIGGERED])
  await expectDone(pair)
  await own.leave()
})

test('OCO: a market stop leg sells what the trigger finds', async () => {
  const pair = await placeList('oco', {
    side: 'SELL',
    quantity: '2',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '110',
    belowType: 'STOP_LOSS',
    belowStopPrice: '90',
  })
  await market.place({ ...LIMIT, side: 'BUY', quantity: '1', price: '88' })
  await market.place({ ...LIMIT, side: 'BUY', quantity: '3', price: '87' })
  await market.place({ ...LIMIT, side: 'BUY', quantity: '0.01', price: '90' })
  await other.place({ ...LIMIT, side: 'SELL', quantity: '0.01', price: '90' })
  await expectOrders(pair, [
    { status: 'FILLED', executedQty: '2.00000000', cummulativeQuoteQty: '175.00000000' },
    TRIGGERED,
  ])
  await expectDone(pair)
})

const bracket = {
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '95',
  workingQuantity: '2',
  workingTimeInForce: 'GTC',
}
const pendingSell = {
  pendingType: 'LIMIT',
  pendingSide: 'SELL',
  pendingPrice: '120',
  pendingQuantity: '2',
  pendingTimeInForce: 'GTC',
}
const pendingPair = {
  pendingSide: 'SELL',
  pendingQuantity: '2',
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '110',
  pendingBelowType: 'STOP_LOSS_LIMIT',
  pendingBelowStopPrice: '90',
  pendingBelowPrice: '89',
  pendingBelowTimeInForce: 'GTC',
}

test('OTO: the pending leg goes live when the working leg is wholly filled', async () => {
  const before = await own.balances()
  const pair = await placeList('oto', { ...bracket, ...pendingSell })
  expect((await own.balances()).BTC).toEqual(before.BTC)
  await market.place({ ...LIMIT, side: 'SELL', quantity: '1.5', price: '95' })
  await expectOrders(pair, [
    { status: 'PARTIALLY_FILLED' },
    { status: 'PENDING_NEW', isWorking: false, workingTime: -1 },
  ])
  await own.follow()
  await market.place({ ...LIMIT, side: 'SELL', quantity: '0.5', price: '95' })
  await expectOrders(pair, [{ status: 'FILLED' }, { status: 'NEW', isWorking: true }])
  expect((await own.balances()).BTC?.locked).toBe('2.00000000')
  await market.place({ ...LIMIT, side: 'BUY', quantity: '2', price: '120' })
  await expectOrders(pair, [{ status: 'FILLED' }, { status: 'FILLED' }])
  await expectDone(pair)
  await own.leave()
})

test('OTO: filled at once, it is answered PENDING_NEW, and live right after', async () => {
  await market.place({ ...LIMIT, side: 'SELL', quantity: '2', price: '95' })
  await own.follow()
  const pair = await placeList('oto', { ...bracket, ...pendingSell })
  expect(pair.orderReports).toMatchObject([
    { status: 'FILLED', executedQty: '2.00000000', fills: [{ qty: '2.00000000' }] },
    { status: 'PENDING_NEW', workingTime: -1, fills: [] },
  ])
  await expectOrders(pair, [{ status: 'FILLED' }, { status: 'NEW', isWorking: true }])
  const events = await own.events(9)
  expect(events.map(kindOf)).toEqual([
    'NEW NEW',
    'NEW PENDING_NEW',
    'TRADE FILLED',
    'listStatus',
    'listStatus',
    'outboundAccountPosition',
    'NEW NEW',
    'listStatus',
    'outboundAccountPosition',
  ])
  await own.leave()
})

test('OTO: canceled with the working leg', async () => {
  const pair = await placeList('oto', { ...bracket, ...pendingSell })
  const [workingId] = idsOf(pair)
  await own.ask('DELETE', '/api/v3/order', { symbol: SYMBOL, orderId: workingId as number })
  await expectOrders(pair, [{ status: 'CANCELED' }, { status: 'CANCELED' }])
  await expectDone(pair)
})

test('OTO: expired with the working leg, also when that was filled in part', async () => {
  await market.place({ ...LIMIT, side: 'SELL', quantity: '0.5', price: '95' })
  await own.follow()
  const pair = await placeList('oto', { ...bracket, ...pendingSell, workingTimeInForce: 'IOC' })
  const phaseOne = { status: 'EXPIRED', expiryReason: 'OTO_PHASE_ONE_EXPIRED' }
  await expectOrders(pair, [
    {
      status: 'EXPIRED',
      executedQty: '0.50000000',
      expiryReason: 'UNFILLED_IOC_QUANTITY_EXPIRED',
    },
    phaseOne,
  ])
  await expectDone(pair)
  const events = await own.events(8)
  expect(events.map(kindOf)).toEqual([
    'NEW NEW',
    'NEW PENDING_NEW',
    'TRADE PARTIALLY_FILLED',
    'EXPIRED EXPIRED',
    'EXPIRED EXPIRED',
    'listStatus',
    'listStatus',
    'outboundAccountPosition',
  ])
  expect(events[6]).toMatchObject({ l: 'ALL_DONE', L: 'ALL_DONE', g: pair.orderListId })
  await own.leave()
})

test('OTO: a pending leg that cannot be paid when its time comes expires as rejected', async () => {
  const pair = await placeList('oto', {
    ...bracket,
    ...pendingSell,
    pendingQuantity: '5000',
  })
  await market.place({ ...LIMIT, side: 'SELL', quantity: '2', price: '95' })
  await expectOrders(pair, [
    { status: 'FILLED' },
    { status: 'EXPIRED', expiryReason: 'REJECTED', isWorking: false },
  ])
  await expectDone(pair)
})

test('OTOCO: the pair goes live together, locks once, and then is an OCO', async () => {
  const trio = await placeList('otoco', { ...bracket, ...pendingPair })
  await market.place({ ...LIMIT, side: 'SELL', quantity: '2', price: '95' })
  await expectOrders(trio, [
    { status: 'FILLED' },
    { status: 'NEW', type: 'STOP_LOSS_LIMIT', isWorking: false, workingTime: -1 },
    { status: 'NEW', type: 'LIMIT_MAKER', isWorking: true },
  ])
  expect((await own.balances()).BTC?.locked).toBe('2.00000000')
  await tradeAt('90')
  await expectOrders(trio, [
    { status: 'FILLED' },
    { status: 'NEW', type: 'STOP_LOSS_LIMIT', isWorking: true },
    TRIGGERED,
  ])
  await market.place({ ...LIMIT, side: 'BUY', quantity: '2', price: '89' })
  await expectDone(trio)
})

test('OTOCO: a pair whose prices do not stand around the last price expires as rejected', async () => {
  const trio = await placeList('otoco', {
    ...bracket,
    ...pendingPair,
    pendingBelowStopPrice: '96',
    pendingBelowPrice: '96',
  })
  await market.place({ ...LIMIT, side: 'SELL', quantity: '2', price: '95' })
  const rejected = { status: 'EXPIRED', expiryReason: 'REJECTED' }
  await expectOrders(trio, [{ status: 'FILLED' }, rejected, rejected])
  await expectDone(trio)
})

/** The asset's balance in the last of the positions. */
function positionOf(events: readonly Frame[]): Frame | undefined {
  const last = events.findLast(({ e }) => e === 'outboundAccountPosition')
  return (last?.B as readonly Frame[] | undefined)?.find(({ a }) => a === 'BTC')
}

test('OPO: each fill locks what it received, and the pending order sells it all', async () => {
  const { pendingQuantity: _, ...pending } = pendingSell
  await own.follow()
  const pair = await placeList('opo', { ...bracket, ...pending })
  const [working, unsized] = pair.orderReports as Frame[]
  expect(pair.contingencyType).toBe('OTO')
  expect(working).toMatchObject({ origQty: '2.00000000', status: 'NEW' })
  expect(unsized).toMatchObject({ status: 'PENDING_NEW', executedQty: '0.00000000' })
  expect(unsized).not.toHaveProperty('origQty')
  await market.place({ ...LIMIT, side: 'SELL', quantity: '0.5', price: '95' })
  expect((await own.balances()).BTC?.locked).toBe('0.50000000')
  await own.eventsUntil((events) => positionOf(events)?.l === '0.50000000')
  const amend = { symbol: SYMBOL, orderId: idsOf(pair)[1]!, newQty: '1' }
  expect((await own.send('PUT', '/api/v3/order/amend/keepPriority', amend)).body).toMatchObject({
    code: -2038,
    msg: 'Order amend (pending OPO order) is not supported.',
  })
  await market.place({ ...LIMIT, side: 'SELL', quantity: '1.5', price: '95' })
  await expectOrders(pair, [
    { status: 'FILLED' },
    { status: 'NEW', origQty: '2.00000000', price: '120.00000000', isWorking: true },
  ])
  expect((await own.balances()).BTC?.locked).toBe('2.00000000')
  await own.leave()
  await own.send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  await expectDone(pair)
  expect((await own.balances()).BTC).not.toHaveProperty('locked', '2.00000000')
})

test('OPOCO: what was received is free once the list is canceled', async () => {
  const { pendingQuantity: _, ...pair } = pendingPair
  const before = await own.balances()
  const trio = await placeList('opoco', { ...bracket, ...pair })
  await market.place({ ...LIMIT, side: 'SELL', quantity: '0.5', price: '95' })
  expect((await own.balances()).BTC).toEqual({ ...before.BTC, locked: '0.50000000' })
  await own.ask('DELETE', '/api/v3/orderList', {
    symbol: SYMBOL,
    orderListId: Number(trio.orderListId),
  })
  await expectDone(trio)
  expect((await own.balances()).BTC).toEqual({
    free: (Number(before.BTC?.free) + 0.5).toFixed(8),
    locked: '0.00000000',
  })
})

test('OPOCO: the pair sells what was bought, once', async () => {
  const { pendingQuantity: _, ...pair } = pendingPair
  const trio = await placeList('opoco', { ...bracket, ...pair })
  await market.place({ ...LIMIT, side: 'SELL', quantity: '2', price: '95' })
  await expectOrders(trio, [
    { status: 'FILLED' },
    { status: 'NEW', type: 'STOP_LOSS_LIMIT', origQty: '2.00000000' },
    { status: 'NEW', type: 'LIMIT_MAKER', origQty: '2.00000000', isWorking: true },
  ])
  expect((await own.balances()).BTC?.locked).toBe('2.00000000')
})

test('a list that is refused is told, and leaves nothing behind', async () => {
  const before = await own.balances()
  const lists = await own.ask('GET', '/api/v3/allOrderList')
  await own.follow()
  const params = { symbol: SYMBOL, side: 'SELL', quantity: '5000' }
  const answer = await own.send('POST', '/api/v3/orderList/oco', {
    ...params,
    aboveType: 'LIMIT_MAKER',
    abovePrice: '110',
    belowType: 'STOP_LOSS',
    belowStopPrice: '90',
  })
  expect([answer.status, answer.body]).toEqual([
    400,
    { code: -2010, msg: 'Account has insufficient balance for requested action.' },
  ])
  expect(await own.balances()).toEqual(before)
  expect(await own.ask('GET', '/api/v3/allOrderList')).toEqual(lists)
  expect(await own.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })).toEqual([])
  const [refused] = await own.events(1)
  expect(refused).toMatchObject({ e: 'listStatus', l: 'RESPONSE', L: 'REJECT' })
  await sellPair('1')
  const events = await own.events(4)
  expect(kindOf(events[0] as Frame)).toBe('NEW NEW')
  await own.leave()
})
