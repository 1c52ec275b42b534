/**
 * Days of orders: every type and every way to end, by script and by chance, through both entrances, with
 * the user events of four accounts; then every query of the past, and what operators see.
 */

import { type Operation, operations } from '../../src/api/operations/index.ts'
import { paramNames } from '../../src/api/parameters.ts'
import { Prng } from '../../src/base/prng.ts'
import { randomRequest } from '../e2e/random-requests.ts'
import type { RecordedSocket } from './recorded-socket.ts'
import { ENTRANCES, type Entrance, type Params, type Stage } from './stage.ts'

const ACCOUNTS = ['maker', 'taker', 'trader1', 'trader2']
/** Symbols that trade by chance, at prices around 100. */
const SYMBOLS = ['SOLUSDT', 'BNBUSDT', 'ETHBTC']
const RANDOM_REQUESTS = 800
const MODES = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT', 'TRANSFER']
const LIST_STREAMS = '"method":"LIST_SUBSCRIPTIONS"'
const LIST_SESSION = '"method":"session.subscriptions"'

const byId = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]))
const byRoute = new Map(
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
)
const named = (id: string): Operation => byId.get(id)!

/** An account's events, by listen key or by a subscription of the WebSocket API. */
interface Events {
  readonly account: string
  readonly socket: RecordedSocket
  readonly barrier: string
}

class TradingDay {
  private readonly stage: Stage
  private readonly events: Events[] = []

  constructor(stage: Stage) {
    this.stage = stage
  }

  /** Two accounts read their events by listen key, in both framings and units; two as sessions. */
  async follow(): Promise<void> {
    const stage = this.stage
    const places = ['/ws/KEY', '/stream?streams=KEY&timeUnit=MICROSECOND']
    for (const [i, place] of places.entries()) {
      const account = ACCOUNTS[i]!
      const as = stage.key(account)
      const { body } = await stage.ask('REST', named('startListenKey'), {}, { as })
      const { listenKey } = body as { listenKey: string }
      const socket = await stage.socket(place.replace('KEY', listenKey))
      this.events.push({ account, socket, barrier: LIST_STREAMS })
    }
    for (const [i, query] of ['', '?timeUnit=MICROSECOND&returnRateLimits=false'].entries()) {
      const account = ACCOUNTS[2 + i]!
      const socket = await stage.socket(`/ws-api/v3${query}`)
      const params = JSON.stringify(stage.signed({}, stage.key(account)))
      const method = 'userDataStream.subscribe.signature'
      await socket.ask(`{"id":1,"method":"${method}","params":${params}}`)
      this.events.push({ account, socket, barrier: LIST_SESSION })
    }
  }

  /** Sends, and records the events of all accounts that come of it. */
  async trade(
    entrance: Entrance,
    id: string,
    account: string,
    params: Params,
  ): Promise<Record<string, unknown>> {
    const stage = this.stage
    await stage.clock.advance(137)
    const { body } = await stage.ask(entrance, named(id), params, { as: stage.key(account) })
    await this.writeEvents()
    return body as Record<string, unknown>
  }

  async writeEvents(): Promise<void> {
    const { exchange } = this.stage
    // What a matcher answers comes behind the events before it, orders that were released included.
    for (const { account, socket, barrier } of this.events) {
      if (barrier === LIST_SESSION) {
        const params = JSON.stringify(this.stage.signed({}, exchange.keys()[account]!))
        await socket.reach(`"method":"openOrders.status","params":${params}`)
      }
    }
    for (const { account, socket, barrier } of this.events) await socket.write(account, barrier)
  }

  async query(entrance: Entrance, id: string, account: string, params: Params): Promise<unknown> {
    const as = named(id).security === 'NONE' ? undefined : this.stage.key(account)
    const { body } = await this.stage.ask(entrance, named(id), params, { as })
    return body
  }
}

export async function recordTrading(stage: Stage): Promise<void> {
  for (const symbol of SYMBOLS) await stage.act('symbol-features', { symbol, prevention: MODES })
  await stage.act('symbol-fees', {
    symbol: 'SOLUSDT',
    'special-taker': '0.001',
    'tax-maker': '0.0005',
  })
  await stage.act('account-discount', { account: 'taker' })
  const day = new TradingDay(stage)
  await day.follow()
  for (const entrance of ENTRANCES) await recordEveryType(day, entrance)
  for (const entrance of ENTRANCES) await recordEveryEnding(day, entrance)
  await recordChance(day)
  await recordThePast(stage, day)
  await recordOperator(stage)
}

const pair = { symbol: 'BTCUSDT' }
const limit = { ...pair, type: 'LIMIT', timeInForce: 'GTC' }
const labels = { strategyId: 7, strategyType: 1_000_001 }

/** Makers on both sides first, so that each order meets some. */
async function recordEveryType(day: TradingDay, entrance: Entrance): Promise<void> {
  const place = (account: string, params: Params) =>
    day.trade(entrance, 'placeOrder', account, params)
  for (const step of [1, 2, 3, 4, 5]) {
    const bid = { ...limit, side: 'BUY', quantity: '0.5', price: 50_000 - step }
    const ask = { ...limit, side: 'SELL', quantity: '0.5', price: 50_000 + step }
    await place('maker', { ...bid, newOrderRespType: 'ACK' })
    await place('maker', { ...ask, newOrderRespType: 'RESULT', ...labels })
  }
  for (const newOrderRespType of ['ACK', 'RESULT', 'FULL']) {
    for (const side of ['BUY', 'SELL']) {
      const shared = { ...pair, side, newOrderRespType, quantity: '0.05' }
      const price = side === 'BUY' ? 50_002 : 49_998
      const beyond = side === 'BUY' ? 50_050 : 49_950
      const away = side === 'BUY' ? 49_000 : 51_000
      const limited = { ...shared, timeInForce: 'GTC' }
      await place('taker', { ...shared, type: 'MARKET' })
      await place('taker', { ...pair, side, newOrderRespType, type: 'MARKET', quoteOrderQty: 900 })
      for (const timeInForce of ['GTC', 'IOC', 'FOK']) {
        await place('taker', { ...shared, type: 'LIMIT', timeInForce, price, ...labels })
      }
      await place('taker', { ...shared, type: 'LIMIT', timeInForce: 'FOK', price, quantity: 20 })
      await place('taker', { ...shared, type: 'LIMIT_MAKER', price: away })
      await place('taker', { ...shared, type: 'LIMIT_MAKER', price })
      await place('taker', { ...limited, type: 'LIMIT', price: away, icebergQty: '0.01' })
      await place('trader1', { ...shared, type: 'STOP_LOSS', stopPrice: beyond })
      await place('trader1', { ...shared, type: 'TAKE_PROFIT', stopPrice: away })
      await place('trader1', { ...shared, type: 'STOP_LOSS', trailingDelta: 100 })
      const stop = { ...limited, price: beyond }
      await place('trader1', { ...stop, type: 'STOP_LOSS_LIMIT', stopPrice: beyond })
      await place('trader1', { ...stop, type: 'TAKE_PROFIT_LIMIT', stopPrice: away })
      await place('trader1', {
        ...stop,
        type: 'TAKE_PROFIT_LIMIT',
        stopPrice: away,
        trailingDelta: 150,
        icebergQty: '0.02',
      })
    }
  }
  await recordRefusals(day, entrance)
}

/** What handlers and engine refuse: filters, funds, unknown orders. */
async function recordRefusals(day: TradingDay, entrance: Entrance): Promise<void> {
  const buy = { ...limit, side: 'BUY', quantity: '0.1', price: 49_000 }
  const refused: readonly Params[] = [
    { ...buy, price: '49000.001' },
    { ...buy, price: 2_000_000 },
    { ...buy, price: 0 },
    { ...buy, quantity: '0.000001' },
    { ...buy, quantity: 10_000 },
    { ...buy, quantity: '0.00001', price: 1 },
    { ...buy, quantity: 5_000 },
    { ...buy, icebergQty: '0.2' },
    { ...buy, timeInForce: 'IOC', icebergQty: '0.05' },
    { ...buy, selfTradePreventionMode: 'TRANSFER' },
    { ...buy, stopPrice: 49_000 },
    { ...buy, strategyType: 5 },
    { ...buy, quoteOrderQty: 100 },
    { ...pair, side: 'BUY', type: 'MARKET' },
    { ...pair, side: 'BUY', type: 'MARKET', quantity: 1, quoteOrderQty: 100 },
    { ...pair, side: 'SELL', type: 'MARKET', quantity: 119 },
    { ...pair, side: 'SELL', type: 'LIMIT', quantity: 1 },
    { ...pair, side: 'SELL', type: 'STOP_LOSS', quantity: 1 },
    { ...pair, side: 'SELL', type: 'STOP_LOSS', quantity: 1, stopPrice: 60_000 },
    { ...pair, side: 'SELL', type: 'STOP_LOSS', quantity: 1, trailingDelta: 5 },
    { ...buy, newClientOrderId: 'twice' },
    { ...buy, newClientOrderId: 'twice' },
  ]
  for (const params of refused) {
    await day.trade(entrance, 'placeOrder', 'trader2', params)
    await day.query(entrance, 'testOrder', 'trader2', { ...params, computeCommissionRates: 'true' })
  }
  const unknown: readonly [id: string, params: Params][] = [
    ['cancelOrder', { ...pair, orderId: 99_999 }],
    ['cancelOrder', { ...pair, origClientOrderId: 'nothing' }],
    ['cancelOrder', pair],
    ['queryOrder', { ...pair, orderId: 99_999 }],
    ['queryOrder', { ...pair, origClientOrderId: 'nothing' }],
    ['cancelOrderList', { ...pair, orderListId: 99_999 }],
    ['cancelOrderList', { ...pair, listClientOrderId: 'nothing' }],
    ['amendOrder', { ...pair, orderId: 99_999, newQty: '0.1' }],
    ['cancelOpenOrders', { symbol: 'ADAUSDT' }],
    ['orderList', { orderListId: 99_999 }],
  ]
  for (const [id, params] of unknown) await day.trade(entrance, id, 'trader2', params)
}

/** Cancels, amendments, replacements and lists, with what can become of each. */
async function recordEveryEnding(day: TradingDay, entrance: Entrance): Promise<void> {
  const ask = (id: string, params: Params) => day.trade(entrance, id, 'trader2', params)
  const buy = { ...limit, side: 'BUY', quantity: '0.2', price: 49_500 }
  const place = async (more: Params = {}) => {
    const { orderId = 0 } = await ask('placeOrder', { ...buy, ...more })
    return orderId as number
  }
  await ask('cancelOrder', { ...pair, orderId: await place(labels) })
  const partly = await place({ price: 50_001 })
  for (const cancelRestrictions of ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED']) {
    await ask('cancelOrder', { ...pair, orderId: partly, cancelRestrictions })
    const newClientOrderId = `cancel-${cancelRestrictions}`
    const orderId = await place()
    await ask('cancelOrder', { ...pair, orderId, cancelRestrictions, newClientOrderId })
  }
  for (const newQty of ['0.3', '0.2', '0.15', '0.1000001', '0.1']) {
    const orderId = await place({ newClientOrderId: `amended-${newQty}` })
    await ask('amendOrder', { ...pair, orderId, newQty, newClientOrderId: `after-${newQty}` })
    await ask('amendOrder', { ...pair, origClientOrderId: `after-${newQty}`, newQty: '0.05' })
    await day.query(entrance, 'amendments', 'trader2', { ...pair, orderId })
  }
  for (const cancelReplaceMode of ['STOP_ON_FAILURE', 'ALLOW_FAILURE']) {
    for (const newOrderRespType of ['ACK', 'RESULT', 'FULL']) {
      const again = { ...buy, cancelReplaceMode, newOrderRespType, price: 49_400 }
      await ask('replaceOrder', { ...again, cancelOrderId: await place() })
      await ask('replaceOrder', { ...again, cancelOrderId: 99_999 })
      await ask('replaceOrder', { ...again, quantity: 9_000, cancelOrderId: await place() })
      await ask('replaceOrder', { ...again, quantity: 9_000, cancelOrigClientOrderId: 'nothing' })
      await ask('replaceOrder', { ...again, price: 50_002, cancelOrderId: await place() })
    }
  }
  await recordLists(ask, entrance)
  for (const account of ACCOUNTS) await day.trade(entrance, 'cancelOpenOrders', account, pair)
}

async function recordLists(
  ask: (id: string, params: Params) => Promise<Record<string, unknown>>,
  entrance: Entrance,
): Promise<void> {
  const above = { aboveType: 'LIMIT_MAKER', abovePrice: 52_000, aboveStrategyId: 3 }
  const below = { belowType: 'STOP_LOSS_LIMIT', belowStopPrice: 48_000, belowPrice: 47_900 }
  const oco = { ...pair, side: 'SELL', quantity: '0.1', ...above, ...below }
  const working = { ...pair, workingType: 'LIMIT', workingSide: 'BUY', workingTimeInForce: 'GTC' }
  const sized = { workingQuantity: '0.1', pendingQuantity: '0.09', pendingSide: 'SELL' }
  const exits = {
    pendingAboveType: 'TAKE_PROFIT',
    pendingAboveStopPrice: 53_000,
    pendingBelowType: 'STOP_LOSS',
    pendingBelowTrailingDelta: 200,
  }
  for (const newOrderRespType of ['ACK', 'RESULT', 'FULL']) {
    const name = `${entrance}-${newOrderRespType}`
    const shaped = { newOrderRespType, listClientOrderId: `list-${name}` }
    await ask('placeOco', { ...oco, ...shaped, belowTimeInForce: 'GTC' })
    await ask('placeOco', { ...oco, ...shaped, belowTimeInForce: 'GTC' })
    await ask('placeOco', { ...oco, newOrderRespType })
    await ask('orderList', { origClientOrderId: `list-${name}` })
    await ask('cancelOrderList', { ...pair, listClientOrderId: `list-${name}` })
    await ask('placeOldOco', {
      ...pair,
      side: 'SELL',
      quantity: '0.1',
      price: 52_500,
      stopPrice: 47_000,
      newOrderRespType,
      stopLimitPrice: 46_900,
      stopLimitTimeInForce: 'GTC',
    })
    for (const workingPrice of [49_000, 50_003]) {
      const begun = { ...working, ...sized, workingPrice, newOrderRespType }
      await ask('placeOto', { ...begun, pendingType: 'MARKET' })
      await ask('placeOto', { ...begun, pendingType: 'LIMIT', pendingPrice: 52_100 })
      await ask('placeOtoco', { ...begun, ...exits })
    }
  }
  await ask('openOrderLists', {})
  await ask('openOrders', pair)
}

/** Accounts that act at random; open orders are queried, so that some of it concerns them. */
async function recordChance(day: TradingDay): Promise<void> {
  const prng = new Prng(42)
  for (let i = 0; i < RANDOM_REQUESTS; i++) {
    const entrance = prng.pick(ENTRANCES)
    const symbol = prng.pick(SYMBOLS)
    const account = prng.pick(ACCOUNTS)
    const open = await day.query(entrance, 'openOrders', account, { symbol })
    const known = Array.isArray(open) ? open : []
    const { method, path, params } = randomRequest(prng, symbol, symbol !== 'ETHBTC', known)
    await day.trade(entrance, byRoute.get(`${method} ${path}`)!.id, account, params)
  }
}

async function recordThePast(stage: Stage, day: TradingDay): Promise<void> {
  await stage.settle()
  const nowMs = stage.clock.nowMs()
  const ranges: readonly Params[] = [
    {},
    { limit: 1 },
    { limit: 1_000 },
    { limit: 1_001 },
    { startTime: nowMs - 60_000 },
    { endTime: nowMs - 60_000, limit: 7 },
    { startTime: nowMs - 90_000, endTime: nowMs - 30_000 },
    { startTime: nowMs, endTime: nowMs - 1 },
    { startTime: nowMs - 3 * 86_400_000, endTime: nowMs },
    { startTime: `${nowMs - 50_000}000`, limit: 3 },
  ]
  const ids: readonly Params[] = [
    ...[{ orderId: 1 }, { orderId: 40 }, { orderId: 100_000 }, { fromId: 0 }, { fromId: 30 }],
    ...[{ fromId: 20, limit: 5 }, { fromPreventedMatchId: 1 }, { preventedMatchId: 1 }],
    ...[
      { orderId: 40, fromId: 3 },
      { fromId: 5, startTime: nowMs - 60_000 },
    ],
    ...[{ fromExecutionId: 1, orderId: 12 }, { fromAllocationId: 1 }],
  ]
  const shapes: readonly Params[] = [
    ...['1s', '1m', '15m', '1h', '1d', '1w', '1M'].map((interval) => ({ interval, limit: 4 })),
    { interval: '1d', timeZone: '+8' },
    { interval: '1m', timeZone: '-12:00', startTime: nowMs - 120_000 },
    ...['1m', '59m', '4h', '7d', '8d'].map((windowSize) => ({ windowSize })),
    ...[{ type: 'MINI' }, { type: 'FULL' }, { symbolStatus: 'TRADING' }, { symbolStatus: 'HALT' }],
    ...[{ timeZone: '5:45' }, { omitZeroBalances: 'true' }, { permissions: 'SPOT' }],
    { showPermissionSets: 'false' },
  ]
  const places: readonly Params[] = [
    {},
    { symbol: 'BTCUSDT' },
    { symbol: 'SOLUSDT' },
    { symbol: 'ADAUSDT' },
    { symbols: '["BTCUSDT","BNBUSDT"]' },
  ]
  const readers = operations.filter(({ method }) => method === 'GET')
  for (const operation of readers) {
    const taken = new Set(operation.params.map(({ slot }) => slot))
    if (taken.size === 0) continue
    stage.note(`# the past by ${operation.id}`)
    const accounts = operation.security === 'NONE' ? ['maker'] : ['maker', 'taker']
    for (const account of accounts) {
      for (const where of places) {
        for (const params of [...ranges, ...ids, ...shapes]) {
          const all = { ...where, ...params }
          if (!takes(operation, all)) continue
          const isSocket = operation.wsMethod !== undefined && account === 'taker'
          await day.query(isSocket ? 'SOCKET' : 'REST', operation.id, account, all)
        }
      }
    }
  }
}

/** Whether the operation has all of these parameters. */
const takes = ({ params }: Operation, sent: Params): boolean =>
  Object.keys(sent).every((name) => params.some(({ slot }) => paramNames[slot] === name))

async function recordOperator(stage: Stage): Promise<void> {
  await stage.act('orders', {})
  await stage.act('orders', { account: 'maker', limit: 5 })
  await stage.act('orders', { symbol: 'SOLUSDT' })
  await stage.act('orders', { symbol: 'NOSUCH' })
  await stage.act('order', { account: 'trader2', symbol: 'BTCUSDT', id: 'twice' })
  await stage.act('order', { account: 'trader2', symbol: 'BTCUSDT', id: 'nothing' })
  await stage.act('trades', { limit: 20 })
  await stage.act('trades', { symbol: 'SOLUSDT', from: 3, limit: 4 })
  await stage.act('trades', { account: 'taker', limit: 10 })
  await stage.act('book', { symbol: 'SOLUSDT', levels: 4 })
  await stage.act('book', { symbol: 'ADAUSDT' })
  await stage.act('accounts', {})
  await stage.act('balances', { account: 'maker' })
  await stage.act('symbols', {})
  await stage.act('sessions', {})
  await stage.act('sessions', { account: 'trader1' })
  await stage.act('audit', {})
}
