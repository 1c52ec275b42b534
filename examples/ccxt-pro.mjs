// Watches a book and the account's orders with ccxt.pro while it places an order and cancels it.
import { readFileSync } from 'node:fs'
import ccxt from 'ccxt'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const sockets = url.replace(/^http/, 'ws')
const keys = JSON.parse(readFileSync(process.env.KEYS_FILE ?? 'data/demo-keys.json', 'utf8'))
const trader = keys.find(({ account }) => account === 'trader1')

const exchange = new ccxt.pro.binanceus({
  apiKey: trader.apiKey,
  secret: trader.secretKey,
  urls: {
    api: {
      public: `${url}/api/v3`,
      private: `${url}/api/v3`,
      sapi: `${url}/sapi/v1`,
      sapiV3: `${url}/sapi/v3`,
      ws: { spot: `${sockets}/ws`, 'ws-api': { spot: `${sockets}/ws-api/v3` } },
    },
  },
  options: { quoteOrderQty: true },
})
if (sockets.startsWith('ws://')) await exchange.loadHttpProxyAgent()

const book = await exchange.watchOrderBook('BTC/USDT')
const [bid] = book.bids[0]
console.log(`best bid ${bid}, best ask ${book.asks[0][0]}`)

// The first call subscribes to the events of the account's orders.
const watched = exchange.watchOrders('BTC/USDT')
const price = exchange.priceToPrecision('BTC/USDT', bid * 0.9)
const placed = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.001, price)
const [opened] = await watched
console.log(`order ${opened.id} is ${opened.status} at ${opened.price}`)

const canceled = exchange.watchOrders('BTC/USDT')
await exchange.cancelOrder(placed.id, 'BTC/USDT')
const [closed] = await canceled
console.log(`order ${closed.id} is ${closed.status}`)
await exchange.close()
