// Buys 0.01 BTC at the market with ccxt, and prints the order and the account's balances.
import { readFileSync } from 'node:fs'
import ccxt from 'ccxt'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const keys = JSON.parse(readFileSync(process.env.KEYS_FILE ?? 'data/demo-keys.json', 'utf8'))
const taker = keys.find(({ account }) => account === 'taker')

const exchange = new ccxt.binanceus({
  apiKey: taker.apiKey,
  secret: taker.secretKey,
  urls: {
    api: {
      public: `${url}/api/v3`,
      private: `${url}/api/v3`,
      sapi: `${url}/sapi/v1`,
      sapiV3: `${url}/sapi/v3`,
    },
  },
  options: { quoteOrderQty: true },
})

const ticker = await exchange.fetchTicker('BTC/USDT')
console.log(`bid ${ticker.bid}, ask ${ticker.ask}`)

const order = await exchange.createOrder('BTC/USDT', 'market', 'buy', 0.01)
console.log(`bought ${order.filled} BTC at ${order.average}: ${order.status}`)

const balance = await exchange.fetchBalance()
console.log(`now ${balance.BTC.free} BTC and ${balance.USDT.free} USDT`)
