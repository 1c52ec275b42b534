// Records trades and book diffs of a symbol as lines of JSON:
//   SECONDS_LONG=60 SYMBOL=ethusdt node examples/recorder.mjs > eth.ndjson
// The first line is a snapshot of the book. With the diffs after it the book of any moment can be rebuilt.
import { once } from 'node:events'
import WebSocket from 'ws'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const symbol = process.env.SYMBOL ?? 'btcusdt'
const seconds = Number(process.env.SECONDS_LONG ?? 10)

const streams = `${symbol}@trade/${symbol}@depth@100ms`
const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/stream?streams=${streams}`)
await once(socket, 'open')

// Diffs wait until the snapshot has arrived. Those that it contains already are left out.
const early = []
let lastUpdateId
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const record = ({ data }) => {
  if (data.e !== 'depthUpdate' || data.u > lastUpdateId) write(data)
}
socket.on('message', (text) => {
  const frame = JSON.parse(text)
  if (lastUpdateId === undefined) early.push(frame)
  else record(frame)
})

const depth = await fetch(`${url}/api/v3/depth?symbol=${symbol.toUpperCase()}&limit=5000`)
const snapshot = await depth.json()
write({ e: 'snapshot', ...snapshot })
lastUpdateId = snapshot.lastUpdateId
for (const frame of early) record(frame)

setTimeout(() => socket.close(), 1000 * seconds)
await once(socket, 'close')
