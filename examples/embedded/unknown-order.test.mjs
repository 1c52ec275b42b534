/**
 * A bot with ccxt whose answer is lost: was the order placed, or not? A naive bot tries again and buys twice.
 *
 *   npm install ccxt && node --test unknown-order.test.mjs
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import ccxt from 'ccxt'
import { startExchange } from 'ringbook'

const SYMBOL = 'BTC/USDT'
/** The exchange refuses an order that arrives later than this after its timestamp. */
const RECV_WINDOW_MS = 1_000

/** Tries again whatever happens. */
async function naiveBuy(client, quantity, price) {
  for (;;) {
    try {
      return await client.createOrder(SYMBOL, 'limit', 'buy', quantity, price)
    } catch (error) {
      if (!(error instanceof ccxt.NetworkError)) throw error
    }
  }
}

/**
 * Names the order itself, so that it can ask for it. An order that is not there once its recvWindow is over can never
 * come: only then it tries again.
 */
async function carefulBuy(client, quantity, price, clientOrderId) {
  for (;;) {
    const sentMs = Date.now()
    try {
      const params = { clientOrderId, recvWindow: RECV_WINDOW_MS }
      return await client.createOrder(SYMBOL, 'limit', 'buy', quantity, price, params)
    } catch (error) {
      // A refusal is an answer. ccxt passes on what its HTTP client throws in the middle of an answer.
      if (error instanceof ccxt.ExchangeError) throw error
    }
    const found = await fateOf(client, clientOrderId, sentMs + 2 * RECV_WINDOW_MS)
    if (found !== undefined) return found
  }
}

/** The order, or undefined when it cannot come any more. */
async function fateOf(client, clientOrderId, untilMs) {
  for (;;) {
    const isLast = Date.now() > untilMs
    try {
      return await client.fetchOrder('', SYMBOL, { clientOrderId })
    } catch (error) {
      if (error instanceof ccxt.OrderNotFound && isLast) return undefined
    }
    await sleep(100)
  }
}

let exchange
let client
before(async () => {
  exchange = await startExchange({ accounts: { bot: { USDT: 100_000 } } })
  const { apiKey, secretKey } = exchange.accounts.bot
  const api = `${exchange.url}/api/v3`
  client = new ccxt.binanceus({
    apiKey,
    secret: secretKey,
    enableRateLimit: false,
    urls: { api: { public: api, private: api } },
    options: { fetchOpenOrders: { warnWithoutSymbol: false } },
  })
  await client.loadMarkets()
})
after(() => exchange.close())
beforeEach(async () => {
  client.timeout = 10_000
  await exchange.faults.remove('all')
  for (const { id } of await client.fetchOpenOrders(SYMBOL)) await client.cancelOrder(id, SYMBOL)
})
const openOrders = async () => (await client.fetchOpenOrders(SYMBOL)).length

test('a naive bot buys twice', async () => {
  await exchange.faults.add({ do: 'unknown', operation: 'placeOrder', times: 1 })
  await naiveBuy(client, 0.01, 20_000)
  assert.equal(await openOrders(), 2)
})

describe('a careful bot buys once', () => {
  const placing = { operation: 'placeOrder', times: 1 }
  const cases = {
    'an order that is executed, and answered with -1007': { do: 'unknown', ...placing },
    'a connection that ends before the answer': { do: 'cut', ...placing },
    'half an answer': { do: 'half', ...placing },
    "a proxy's page, and no order": { do: 'proxy', status: 504, ...placing },
    'an order that arrives after the bot has given up waiting': {
      do: 'delay',
      way: 'in',
      ms: 700,
      ...placing,
    },
    'an order that arrives too late, and is refused': {
      do: 'delay',
      way: 'in',
      ms: 1_500,
      ...placing,
    },
  }
  for (const [name, fault] of Object.entries(cases)) {
    test(name, async () => {
      await exchange.faults.add(fault)
      if (fault.do === 'delay') client.timeout = 300
      const order = await carefulBuy(client, 0.01, 20_000, `buy-${name.length}-${Date.now()}`)
      assert.equal(order.status, 'open')
      const [rule] = await exchange.faults.list()
      assert.equal(rule.touched, 1)
      await sleep(fault.do === 'delay' ? 1_500 : 0)
      assert.equal(await openOrders(), 1)
    })
  }
})
