/**
 * Real clients with keys of every kind, as their users would give them: ccxt takes the private key as
 * the secret, @binance/spot as `privateKey`; and what keys are refused for.
 */
import type { Spot, SpotWebsocketAPI } from '@binance/spot'
import { SpotRestAPI, SpotWebsocketAPI as WsEnums } from '@binance/spot'
import { AuthenticationError } from 'ccxt'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { restClient, streamClient } from './ccxt-clients.ts'
import { spotClient } from './spot-clients.ts'
import { type StagedAccount, stageExchange } from './staged-exchange.ts'
import { Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
const PAIR = 'BTC/USDT'
const funds = { BTC: 100, USDT: 10_000_000 }
const withKey = (key: StagedAccount['key']): StagedAccount =>
  key === undefined ? { funds } : { funds, key }

let exchange: ExchangeProcess
beforeAll(async () => {
  exchange = await stageExchange({
    assets: ['BTC', 'USDT'],
    symbols: [{ name: SYMBOL }],
    accounts: {
      hmac: withKey({ kind: 'HMAC' }),
      rsa: withKey({ kind: 'RSA' }),
      ed: withKey({ kind: 'ED25519' }),
      looker: withKey({ kind: 'ED25519', canTrade: false }),
      here: withKey({ addresses: '10.0.0.0/8, 127.0.0.1' }),
      elsewhere: withKey({ addresses: '10.0.0.0/8, ::1' }),
      custodial: withKey({ use: 'CUSTODIAL' }),
      creditline: withKey({ use: 'CREDIT_LINE' }),
    },
  })
  await exchange.run()
})
afterAll(() => exchange?.remove())

const kinds = ['hmac', 'rsa', 'ed'] as const

describe.each(kinds)('ccxt with the key of %s', (account) => {
  test('places, finds and cancels', async () => {
    const client = restClient(exchange, account)
    const placed = await client.createOrder(PAIR, 'limit', 'buy', 0.5, 20_000)
    expect(placed).toMatchObject({ status: 'open', amount: 0.5, price: 20_000 })
    expect(await client.fetchOpenOrders(PAIR)).toHaveLength(1)
    const balance = await client.fetchBalance()
    expect(balance.USDT).toMatchObject({ used: 10_000 })
    expect(await client.cancelOrder(String(placed.id), PAIR)).toMatchObject({ status: 'canceled' })
  })

  test('watches its orders, and places over the WebSocket API', async () => {
    const client = streamClient(exchange, account)
    onTestFinished(async () => client.close())
    // The library wants this before it opens an address without TLS.
    await client.loadHttpProxyAgent()
    const placed = await client.createOrderWs(PAIR, 'limit', 'buy', 0.25, 21_000)
    const seen: string[] = []
    const watching = client.watchOrders(PAIR).then((orders) => {
      for (const { id, status } of orders) seen.push(`${id} ${status}`)
    })
    // Rejected by the await below, unless something else fails first.
    watching.catch(() => {})
    const rest = restClient(exchange, account)
    const watched = await eventually('an order on the stream', async () => {
      const { id } = await rest.createOrder(PAIR, 'limit', 'buy', 0.1, 20_000)
      await rest.cancelOrder(String(id), PAIR)
      return seen.at(0)
    })
    await watching
    expect(watched).toMatch(/^\d+ (open|canceled)$/)
    expect(await client.cancelOrderWs(String(placed.id), PAIR)).toMatchObject({
      status: 'canceled',
    })
  })
})

async function socketApi(client: Spot): Promise<SpotWebsocketAPI.WebsocketAPIConnection> {
  return client.websocketAPI.connect()
}
const over = {
  symbol: SYMBOL,
  side: WsEnums.OrderPlaceSideEnum.BUY,
  type: WsEnums.OrderPlaceTypeEnum.LIMIT,
  timeInForce: WsEnums.OrderPlaceTimeInForceEnum.GTC,
  quantity: 0.5,
  price: 20_000,
}

describe.each(kinds)('@binance/spot with the key of %s', (account) => {
  test('places, finds and cancels over REST', async () => {
    const { restAPI } = spotClient(exchange, account)
    const order = {
      symbol: SYMBOL,
      side: SpotRestAPI.NewOrderSideEnum.BUY,
      type: SpotRestAPI.NewOrderTypeEnum.LIMIT,
      timeInForce: SpotRestAPI.NewOrderTimeInForceEnum.GTC,
      quantity: 0.5,
      price: 20_000,
    }
    const placed = await (await restAPI.newOrder(order)).data()
    expect(placed).toMatchObject({ status: 'NEW' })
    const open = await (await restAPI.getOpenOrders({ symbol: SYMBOL })).data()
    expect(open).toHaveLength(1)
    const orderId = Number(placed.orderId)
    const canceled = await (await restAPI.deleteOrder({ symbol: SYMBOL, orderId })).data()
    expect(canceled).toMatchObject({ status: 'CANCELED' })
  })

  test('places and cancels over the WebSocket API', async () => {
    const api = await socketApi(spotClient(exchange, account))
    const placed = await api.orderPlace(over)
    expect(placed.data).toMatchObject({ status: 'NEW' })
    const orderId = Number((placed.data as { orderId?: number }).orderId)
    const canceled = await api.orderCancel({ symbol: SYMBOL, orderId })
    expect(canceled.data).toMatchObject({ status: 'CANCELED' })
    await api.disconnect()
  })
})

test('@binance/spot logs a session on, uses it and logs it out', async () => {
  const client = spotClient(exchange, 'ed')
  const { apiKey } = exchange.keys().ed!
  const api = await socketApi(client)
  const [logon] = await api.sessionLogon()
  expect(logon?.data).toMatchObject({ apiKey, userDataStream: false })
  const { response, stream } = await api.userDataStreamSubscribe()
  expect(response.data).toEqual({ subscriptionId: 0 })
  const events: Record<string, unknown>[] = []
  stream.on('message', (data) => {
    events.push(data as unknown as Record<string, unknown>)
  })
  // The connector leaves key and signature out from now on.
  const placed = await api.orderPlace(over)
  const orderId = Number((placed.data as { orderId?: number }).orderId)
  await eventually('the order on the stream', () => events.find(({ i }) => i === orderId))
  expect((await api.sessionStatus()).data).toMatchObject({ apiKey, userDataStream: true })
  expect((await api.orderCancel({ symbol: SYMBOL, orderId })).data).toMatchObject({ orderId })
  const [out] = await api.sessionLogout()
  expect(out?.data).toMatchObject({ apiKey: null, authorizedSince: null, userDataStream: false })
  const [again] = await api.sessionLogon()
  expect(again?.data).toMatchObject({ apiKey })
  await api.disconnect()
})

test.each(['hmac', 'rsa'])('@binance/spot cannot log on with the key of %s', async (account) => {
  const api = await socketApi(spotClient(exchange, account))
  await expect(api.sessionLogon()).rejects.toMatchObject({ code: -4056 })
  expect((await api.accountStatus()).data).toMatchObject({ canTrade: true })
  await api.disconnect()
})

describe('keys that are not for it', () => {
  test('an address list lets those in that it names', async () => {
    const here = new Trader(exchange, 'here')
    expect(await here.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })).toEqual([])
    expect(await here.askSocket('account.status')).toMatchObject({ status: 200 })
    await here.leave()
  })

  const refusal = { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' }
  test.each(['elsewhere', 'custodial', 'creditline'])('%s is refused', async (account) => {
    const trader = new Trader(exchange, account)
    for (const path of ['/api/v3/account', '/api/v3/openOrders']) {
      const { status, body } = await trader.send('GET', path)
      expect([status, body]).toEqual([401, refusal])
    }
    expect(await trader.askSocket('account.status')).toMatchObject({ status: 401, error: refusal })
    await trader.leave()
  })

  test('as ccxt tells its user', async () => {
    const elsewhere = restClient(exchange, 'elsewhere')
    await expect(elsewhere.fetchOpenOrders(PAIR)).rejects.toBeInstanceOf(AuthenticationError)
    // Once a key has worked, the library takes this refusal for a ban, and names it another way.
    const looker = restClient(exchange, 'looker')
    expect(await looker.fetchOpenOrders(PAIR)).toEqual([])
    await expect(looker.createOrder(PAIR, 'limit', 'buy', 0.5, 20_000)).rejects.toThrow('-2015')
  })
})

test('keys of every kind are found again after kill -9', async () => {
  await exchange.stop('SIGKILL')
  await exchange.run()
  for (const account of kinds) {
    const client = restClient(exchange, account)
    const placed = await client.createOrder(PAIR, 'limit', 'buy', 0.5, 20_000)
    expect(await client.cancelOrder(String(placed.id), PAIR)).toMatchObject({ status: 'canceled' })
  }
})
