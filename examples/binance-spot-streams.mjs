// Reads the trades of a symbol from its stream, and trades over the WebSocket API, with the official
// connector.
import { readFileSync } from 'node:fs'

// The connector logs every connection unless it is set not to before it loads.
process.env.LOG_LEVEL ??= 'error'
const { Spot } = await import('@binance/spot')

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const sockets = url.replace(/^http/, 'ws')
const keys = JSON.parse(readFileSync(process.env.KEYS_FILE ?? 'data/demo-keys.json', 'utf8'))
const { apiKey, secretKey } = keys.find(({ account }) => account === 'trader2')

const client = new Spot({
  configurationWebsocketAPI: { apiKey, apiSecret: secretKey, wsURL: `${sockets}/ws-api/v3` },
  configurationWebsocketStreams: { wsURL: sockets },
})

const streams = await client.websocketStreams.connect()
const traded = new Promise((resolve) => {
  streams.trade({ symbol: 'btcusdt' }).on('message', resolve)
})

const api = await client.websocketAPI.connect()
const { data: order } = await api.orderPlace({
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'MARKET',
  quantity: 0.001,
})
console.log(`order ${order.orderId} is ${order.status}`)

const trade = await traded
console.log(`a trade of ${trade.q} at ${trade.p}`)

await api.disconnect()
await streams.disconnect()
