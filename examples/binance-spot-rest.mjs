// Places, amends and cancels an order over REST with the official connector.
import { readFileSync } from 'node:fs'
import { Spot } from '@binance/spot'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const keys = JSON.parse(readFileSync(process.env.KEYS_FILE ?? 'data/demo-keys.json', 'utf8'))
const { apiKey, secretKey } = keys.find(({ account }) => account === 'trader1')

const client = new Spot({
  configurationRestAPI: { apiKey, apiSecret: secretKey, basePath: url },
})
const symbol = 'BTCUSDT'

const ticker = await (await client.restAPI.tickerBookTicker({ symbol })).data()
console.log(`best bid ${ticker.bidPrice}, best ask ${ticker.askPrice}`)

// An order a tenth below the best bid rests in the book. Prices of BTCUSDT are multiples of 0.01.
const price = Number((ticker.bidPrice * 0.9).toFixed(2))
const placed = await (
  await client.restAPI.newOrder({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 0.002,
    price,
  })
).data()
console.log(`order ${placed.orderId} is ${placed.status}`)

const { orderId } = placed
const amended = await (
  await client.restAPI.orderAmendKeepPriority({ symbol, orderId, newQty: 0.001 })
).data()
console.log(`its quantity is ${amended.amendedOrder.qty}, its place in the queue as before`)

const canceled = await (await client.restAPI.deleteOrder({ symbol, orderId })).data()
console.log(`order ${canceled.orderId} is ${canceled.status}`)
