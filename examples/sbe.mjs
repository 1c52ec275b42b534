// Reads a book over REST, and trades over the WebSocket API, all of it in SBE: the decoder is part of the package.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { decode } from 'ringbook/sbe'
import WebSocket from 'ws'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const keys = JSON.parse(readFileSync(process.env.KEYS_FILE ?? 'data/demo-keys.json', 'utf8'))
const { apiKey, secretKey } = keys.find(({ account }) => account === 'trader2')

const headers = { accept: 'application/sbe', 'x-mbx-sbe': '3:5' }
const response = await fetch(`${url}/api/v3/depth?symbol=BTCUSDT&limit=5`, { headers })
const book = decode(new Uint8Array(await response.arrayBuffer()))
if (book.template !== 'DepthResponse') throw new Error(book.message.msg)
const [bid] = book.message.bids
const [offer] = book.message.asks
console.log(`bid ${bid.qty} at ${bid.price}, ask ${offer.qty} at ${offer.price}`)

const query = 'responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=5'
const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws-api/v3?${query}`)
await once(socket, 'open')

const waiting = new Map()
const filled = new Promise((resolve) => {
  // Responses and events are binary frames, each one message.
  socket.on('message', (frame) => {
    const { template, message } = decode(frame)
    if (template === 'WebSocketResponse') {
      const { resolve, reject } = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.status === 200) resolve(message.result.message)
      else reject(new Error(`${message.result.message.code} ${message.result.message.msg}`))
    } else if (template === 'ExecutionReportEvent' && message.executionType === 'TRADE') {
      resolve(message)
    }
  })
})

let ids = 0
/** Requests are JSON. */
function ask(method, params = {}) {
  const id = String(++ids)
  const signed = { ...params, apiKey, timestamp: Date.now() }
  const payload = Object.keys(signed)
    .sort()
    .map((name) => `${name}=${signed[name]}`)
    .join('&')
  const signature = createHmac('sha256', secretKey).update(payload).digest('hex')
  socket.send(JSON.stringify({ id, method, params: { ...signed, signature } }))
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

await ask('userDataStream.subscribe.signature')
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.001' }
const { orderId, status } = await ask('order.place', { ...order, newOrderRespType: 'RESULT' })
console.log(`order ${orderId} is ${status}`)
// Identifiers and times are bigint, times in microseconds; decimals are texts that have lost no digit.
const { lastQty, lastPrice, transactTime } = await filled
console.log(`${lastQty} at ${lastPrice}, ${new Date(Number(transactTime / 1000n)).toISOString()}`)
socket.close()
