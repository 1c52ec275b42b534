// Logs on to the WebSocket API with an Ed25519 key. Later requests of the session, like the order here, need no
// signature. Needs an API key and the file of its private key, see ed25519.sh:
//   API_KEY=… PRIVATE_KEY=private.pem node examples/session.mjs
import { createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import WebSocket from 'ws'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const apiKey = process.env.API_KEY
const privateKey = createPrivateKey(readFileSync(process.env.PRIVATE_KEY))

const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws-api/v3`)
await once(socket, 'open')

const waiting = new Map()
socket.on('message', (text) => {
  const { id, status, result, error } = JSON.parse(text)
  const { resolve, reject } = waiting.get(id)
  waiting.delete(id)
  if (status === 200) resolve(result)
  else reject(new Error(`${error.code} ${error.msg}`))
})

let ids = 0
function ask(method, params) {
  const id = ++ids
  socket.send(JSON.stringify({ id, method, params }))
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

// Only the logon is signed: its parameters, sorted by name.
const logon = { apiKey, timestamp: Date.now() }
const payload = Object.entries(logon).map(([name, value]) => `${name}=${value}`)
const signature = sign(null, Buffer.from(payload.join('&')), privateKey).toString('base64')
await ask('session.logon', { ...logon, signature })
console.log('logged on')

const order = await ask('order.place', {
  symbol: 'BTCUSDT',
  side: 'SELL',
  type: 'MARKET',
  quantity: '0.001',
  timestamp: Date.now(),
})
console.log(`order ${order.orderId} is ${order.status}`)
socket.close()
