/**
 * Every method for spot of the package `binance`, over REST and the WebSocket API, against a running exchange: each gets an
 * answer that its own types take (compiled-answers.ts). It also calls wallets, futures and more, which is no part of it.
 */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/api/operations/index.ts'
import type { LoopExchange } from '../fixtures/loop-exchange.ts'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { operate } from './command-line.ts'
import {
  type Before,
  type Call,
  callAll,
  compiled,
  type Library,
  methodsOf,
  type Params,
} from './compiled-answers.ts'
import { expectRouted, startGrouped } from './grouped-symbols.ts'
import { spotClient } from './spot-clients.ts'

interface Package {
  readonly MainClient: new (options: object, requests: object) => object
  readonly WebsocketAPIClient: new (
    options: object,
    log: object,
  ) => {
    disconnectAll(): Promise<void>
  }
}

const SYMBOL = 'BTCUSDT'
const PATIENCE_MS = 120_000
const NOT_SUPPORTED = -1020
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const folder = folderPerTest()
const silent = { trace: () => {}, info: () => {}, error: () => {} }
let exchange: LoopExchange
let client: object
let socket: InstanceType<Package['WebsocketAPIClient']>

beforeAll(async () => {
  exchange = await startGrouped()
  const mean = ['--reference', 'mean', '--buckets', '300', '--bucket-ms', '1000']
  await exchange.operate(['symbol-reference', SYMBOL, ...mean])
  await exchange.operate(['block-trade', SYMBOL, 'taker', 'trader1', '60000', '1', '--id', 'a'])
  await tradeOnce()
  const name = 'binance'
  const { MainClient, WebsocketAPIClient } = (await import(name)) as Package
  const { apiKey, secretKey } = exchange.keys().maker!
  const credentials = { api_key: apiKey, api_secret: secretKey }
  const own = {
    ...credentials,
    baseUrl: exchange.url,
    disableTimeSync: true,
    recvWindow: PATIENCE_MS / 2,
  }
  client = new MainClient(own, { timeout: PATIENCE_MS })
  socket = new WebsocketAPIClient(
    {
      api_key: await keyOf('trader1'),
      api_secret: privateKey,
      wsUrl: exchange.wsUrl,
      attachEventListeners: false,
      muteLatencyWarning: true,
      restOptions: { baseUrl: exchange.url },
    },
    silent,
  )
})
afterAll(async () => {
  await socket?.disconnectAll()
  await exchange?.remove()
})

/** It logs on with an Ed25519 key alone. */
async function keyOf(account: string): Promise<string> {
  const create = ['key-create', '--account', account, '--kind', 'ED25519']
  const [row] = await operate(exchange, ...create, '--public-key', publicKey)
  return row!.apiKey!
}

/** So that market data have something to show. */
async function tradeOnce(): Promise<void> {
  const order = {
    symbol: SYMBOL,
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 1,
    price: 60_000,
  } as const
  for (const [account, side] of [
    ['maker', 'SELL'],
    ['taker', 'BUY'],
  ] as const) {
    await spotClient(exchange, account).restAPI.newOrder({ ...order, side } as never)
  }
}

const symbol = { symbol: SYMBOL }
const limit = { ...symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }
const rest = { ...limit, price: 50_000 }
const ofOrder = (before: Before) => ({ ...symbol, orderId: before.order!.orderId })
const ofList = (before: Before) => ({ orderListId: before.list!.orderListId })
const listOf = (before: Before) => ({ ...symbol, ...ofList(before) })
const oco = {
  ...symbol,
  side: 'SELL',
  quantity: 1,
  aboveType: 'LIMIT_MAKER',
  abovePrice: 80_000,
  belowType: 'STOP_LOSS',
  belowStopPrice: 30_000,
}
const working = {
  ...symbol,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '50000',
  workingQuantity: '1',
  workingTimeInForce: 'GTC',
  pendingSide: 'SELL',
}
const pending = { pendingType: 'LIMIT_MAKER', pendingPrice: '90000' }
const pendingPair = {
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '90000',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '20000',
}
const older = {
  ...symbol,
  side: 'SELL',
  quantity: 1,
  price: 70_000,
  stopPrice: 40_000,
  stopLimitPrice: 39_000,
  stopLimitTimeInForce: 'GTC',
}
const sor = rest
const klines = { ...symbol, interval: '1m' }
const pendingQuantity = '1'
const amended = (before: Before) => ({ ...ofOrder(before), newQty: 0.5 })
const replaced = (before: Before) => ({
  ...rest,
  cancelReplaceMode: 'STOP_ON_FAILURE',
  cancelOrderId: before.order!.orderId,
})

/**
 * Without `getServerTime`, which asks Binance whatever address was given, and `amendOrderKeepPriority`, which asks for
 * futures. Its types of lists have OCOs alone, and that of all that was canceled no list, so these come first.
 */
const restCalls: readonly Call[] = [
  ['testConnectivity'],
  ['getExchangeInfo', symbol],
  ['getOrderBook', symbol],
  ['getRecentTrades', symbol],
  ['getHistoricalTrades', symbol],
  ['getHistoricalBlockTrades', { ...symbol, fromId: 1 }],
  ['getAggregateTrades', symbol],
  ['getKlines', klines],
  ['getUIKlines', klines],
  ['getAvgPrice', symbol],
  ['getExecutionRules', symbol],
  ['getReferencePrice', symbol],
  ['getReferencePriceCalculation', symbol],
  ['get24hrChangeStatistics', symbol],
  ['getTradingDayTicker', symbol],
  ['getSymbolPriceTicker', symbol],
  ['getSymbolOrderBookTicker', symbol],
  ['getRollingWindowTicker', { symbols: [SYMBOL, 'ETHUSDT'] }],
  ['submitNewOrder', rest],
  ['getOrder', ofOrder],
  ['replaceOrder', replaced],
  ['testNewOrder', rest],
  ['getOpenOrders', symbol],
  ['cancelOrder', ofOrder],
  ['submitNewOrder', rest],
  ['cancelAllSymbolOrders', symbol],
  ['submitNewOrderList', oco],
  ['getOCO', ofList],
  ['getAllOpenOCO'],
  ['cancelOCO', listOf],
  ['submitNewOCO', older],
  ['getAllOCO'],
  ['submitNewOrderListOTO', { ...working, ...pending, pendingQuantity }],
  ['submitNewOrderListOTOCO', { ...working, ...pendingPair, pendingQuantity }],
  ['submitNewOrderListOPO', { ...working, ...pending }],
  ['submitNewOrderListOPOCO', { ...working, ...pendingPair }],
  ['getAllOrders', symbol],
  ['submitNewSOROrder', sor],
  ['testNewSOROrder', sor],
  ['getAccountInformation'],
  ['getAccountTradeList', symbol],
  ['getOrderRateLimit'],
  ['getPreventedMatches', { ...symbol, preventedMatchId: 1 }],
  ['getAllocations', symbol],
  ['getCommissionRates', symbol],
]

const publicCalls: readonly Call[] = [
  ['testSpotConnectivity'],
  ['getSpotServerTime'],
  ['getSpotExchangeInfo', symbol],
  ['getSpotOrderBook', symbol],
  ['getSpotRecentTrades', symbol],
  ['getSpotHistoricalTrades', symbol],
  ['getSpotHistoricalBlockTrades', { ...symbol, fromId: 1 }],
  ['getSpotAggregateTrades', symbol],
  ['getSpotKlines', klines],
  ['getSpotUIKlines', klines],
  ['getSpotAveragePrice', symbol],
  ['getSpotExecutionRules', symbol],
  ['getSpotReferencePrice', symbol],
  ['getSpotReferencePriceCalculation', symbol],
  ['getSpot24hrTicker', symbol],
  ['getSpotTradingDayTicker', symbol],
  ['getSpotTicker', symbol],
  ['getSpotSymbolPriceTicker', symbol],
  ['getSpotSymbolOrderBookTicker', symbol],
  ['getSpotSessionStatus'],
]

const privateCalls: readonly Call[] = [
  ['submitNewSpotOrder', rest],
  ['testSpotOrder', rest],
  ['getSpotOrderStatus', ofOrder],
  ['amendSpotOrderKeepPriority', amended],
  ['cancelReplaceSpotOrder', replaced],
  ['getSpotOpenOrders', symbol],
  ['cancelSpotOrder', ofOrder],
  ['placeSpotOrderList', older],
  ['placeSpotOCOOrderList', oco],
  ['getSpotOrderListStatus', ofList],
  ['getSpotOpenOrderLists'],
  ['cancelSpotOrderList', listOf],
  ['placeSpotOTOOrderList', { ...working, ...pending, pendingQuantity }],
  ['placeSpotOTOCOOrderList', { ...working, ...pendingPair, pendingQuantity }],
  ['placeSpotOPOOrderList', { ...working, ...pending }],
  ['placeSpotOPOCOOrderList', { ...working, ...pendingPair }],
  ['submitNewSpotOrder', rest],
  ['cancelAllSpotOpenOrders', symbol],
  ['getSpotAllOrders', symbol],
  ['getSpotAllOrderLists', {}],
  ['getSpotMyTrades', symbol],
  ['getSpotPreventedMatches', { ...symbol, preventedMatchId: 1 }],
  ['getSpotAccountInformation', {}],
  ['getSpotAccountCommission', symbol],
  ['getSpotOrderRateLimits', {}],
  ['placeSpotSOROrder', sor],
  ['getSpotAllocations', symbol],
  ['testSpotSOROrder', sor],
]

/** As its users send them: it adds a signature or a session, and no time. */
const timed = (given: Call[1]) => (before: Before) => ({
  ...((typeof given === 'function' ? given(before) : given) as Params),
  timestamp: Date.now(),
  recvWindow: PATIENCE_MS / 2,
})
const socketCalls: readonly Call[] = [
  ...publicCalls,
  ...privateCalls.map(([method, given]): Call => [method, timed(given)]),
]

const library = {
  placing: /^submitNew(Spot)?Order$/,
  replacing: /^(replaceOrder|cancelReplaceSpotOrder)$/,
  // The type of an account has a field accoountType, those of an exchange no TRAILING_DELTA, and trades of all are
  // taken for one's own.
  untyped: new Set([
    ...['getAccountInformation', 'getExchangeInfo', 'getSpotExchangeInfo'],
    ...['getSpotRecentTrades', 'getSpotHistoricalTrades'],
  ]),
} satisfies Partial<Library>

const head = (api: string, data: string): string => `import type { ${api} as Api } from 'binance'
type Of<Api, Method extends keyof Api> =
  Api[Method] extends (...given: never[]) => Promise<infer Data> ? ${data} : never`

test('each method for spot over REST gets an answer that its types take', async () => {
  const failed: string[] = []
  const dataOf = (answer: unknown) => answer
  const answers = await callAll({ ...library, api: client, dataOf }, restCalls, failed)
  expect(failed).toEqual([])
  expectRouted(answers)
  expect(await compiled(folder(), head('MainClient', 'Data'), answers)).toBe('')
})

test('each method for spot of the WebSocket API gets an answer that its types take', async () => {
  const failed: string[] = []
  const dataOf = (answer: unknown) => (answer as { readonly result: unknown }).result
  const answers = await callAll({ ...library, api: socket, dataOf }, socketCalls, failed)
  expect(failed).toEqual([])
  expectRouted(answers)
  const called = new Set(socketCalls.map(([method]) => method))
  expect(methodsOf(socket).filter((name) => /Spot/.test(name) && !called.has(name))).toEqual([])
  const data = 'Data extends { result: infer Result } ? Result : never'
  expect(await compiled(folder(), head('WebsocketAPIClient', data), answers)).toBe('')
})

const coin = { coin: 'USDT', network: 'ETH' }
const bot = 'maker.bot@ringbook.invalid'
const moved = { toEmail: bot, asset: 'USDT', amount: 5, clientTranId: 'refill' }
const accountTypes = { fromAccountType: 'SPOT', toAccountType: 'SPOT' }
const walletCalls: readonly Call[] = [
  ['getBalances'],
  ['getDepositAddress', coin],
  ['getDepositAddresses', coin],
  ['getDepositHistory', {}],
  ['withdraw', { ...coin, address: `0x${'a'.repeat(40)}`, amount: 25, withdrawOrderId: 'w' }],
  ['getWithdrawHistory', {}],
  ['getAssetDetail', {}],
  ['getUserAsset', { needBtcValuation: true }],
  ['getAssetDividendRecord', {}],
  ['getTradeFee', {}],
  ['getAccountStatus'],
  ['getApiTradingStatus'],
  ['getApiKeyPermissions'],
  ['getSubAccountList', {}],
  ['getSubAccountStatusOnMarginOrFutures', { email: bot }],
  ['subAccountUniversalTransfer', { ...moved, ...accountTypes }],
  ['getSubAccountUniversalTransferHistory', { toEmail: bot }],
  ['getSubAccountUniversalTransferHistory', { clientTranId: 'refill' }],
  ['getSubAccountSpotAssetTransferHistory', { toEmail: bot }],
  ['getSubAccountAssets', { email: bot }],
  ['getSubAccountSpotAssetsSummary', {}],
  ['getSubAccountDepositAddress', { email: bot, ...coin }],
  ['getSubAccountDepositHistory', { email: bot }],
]
/**
 * Without types that tell something else than Binance's documents: unLockConfirm has another name, transferType is a text,
 * a time is shown no more, one row stands for a list, the id of a transfer is txnId.
 */
const untypedOfWallet = new Set([
  ...['getBalances', 'getWithdrawHistory', 'getApiKeyPermissions'],
  ...['subAccountUniversalTransfer', 'getSubAccountSpotAssetTransferHistory'],
])

/** Methods of these areas by what they ask for: `GET /sapi/…`. */
function walletMethods(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const name of methodsOf(client)) {
    const text = String((client as Record<string, unknown>)[name])
    const asked =
      /\.(get|post|delete)Private\('(sapi\/v\d\/(?:capital|asset|account|sub-account)\/[^']*)'/.exec(
        text,
      )
    if (asked !== null) found.set(name, `${asked[1]!.toUpperCase()} /${asked[2]!}`)
  }
  return found
}

test('each method for deposits, withdrawals, assets and sub-accounts gets an answer that its types take', async () => {
  const { getDepositAddress, getSubAccountDepositAddress } = client as Record<
    string,
    (of: object) => Promise<{ address: string }>
  >
  await exchange.operate(['account-open', 'maker.bot', '--master', 'maker'])
  for (const { address } of [
    await getDepositAddress!.call(client, coin),
    await getSubAccountDepositAddress!.call(client, { ...coin, email: bot }),
  ]) {
    await exchange.operate(['chain-send', address, '25', '--coin', 'USDT'])
  }
  await exchange.operate(['distribute', 'maker', 'USDT', '5', 'rebate'])
  const failed: string[] = []
  const dataOf = (answer: unknown) => answer
  const api = { ...library, untyped: untypedOfWallet, api: client, dataOf }
  const answers = await callAll(api, walletCalls, failed)
  expect(failed).toEqual([])
  const rows = answers.filter(({ data }) => Array.isArray(data) && data.length === 0)
  expect(rows).toEqual([])
  expect(await compiled(folder(), head('MainClient', 'Data'), answers)).toBe('')
})

test('no method is left out whose path is served, and each other one is told that it is not', async () => {
  const served = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  const called = new Set(walletCalls.map(([method]) => method))
  const methods = [...walletMethods()]
  const areServed = methods.filter(([, asked]) => served.has(asked)).map(([name]) => name)
  expect(areServed.filter((name) => !called.has(name))).toEqual([])
  expect(areServed.length).toBeGreaterThan(20)
  const answered: unknown[] = []
  for (const [name, asked] of methods) {
    if (served.has(asked)) continue
    const call = (client as Record<string, (of: object) => Promise<unknown>>)[name]!
    const { code } = await call.call(client, {}).then(
      () => ({ code: 'answered' }),
      (error: { code: unknown }) => error,
    )
    if (code !== NOT_SUPPORTED) answered.push([name, asked, code])
  }
  expect(answered).toEqual([])
})
