// Keeps a local book from diffs in SBE, which come every 20 ms, and compares it with the best prices. API_KEY names an
// Ed25519 key: `npx ringbook key-create --account trader1 --kind ED25519 --public-key @public.pem`.
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { decode } from 'ringbook/sbe'
import WebSocket from 'ws'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const streams = 'btcusdt@depth/btcusdt@bestBidAsk'
const address = `${url.replace(/^http/, 'ws')}/sbe/stream?streams=${streams}`
// The handshake needs the key alone, and no signature.
const socket = new WebSocket(address, { headers: { 'X-MBX-APIKEY': process.env.API_KEY ?? '' } })

const bids = new Map()
const asks = new Map()
/** The last update that the book has; undefined before its snapshot. */
let updateId
/** The last message of the best prices. */
let newest
let diffs = 0
let compared = 0
const early = []

function change(side, levels) {
  for (const { price, qty } of levels) {
    if (Number(qty) === 0) side.delete(price)
    else side.set(price, qty)
  }
}

function apply({ firstBookUpdateId, lastBookUpdateId, bids: newBids, asks: newAsks }) {
  // The snapshot has it already.
  if (lastBookUpdateId <= updateId) return
  if (firstBookUpdateId > updateId + 1n) throw new Error('a diff is missing: take another snapshot')
  change(bids, newBids)
  change(asks, newAsks)
  updateId = lastBookUpdateId
  diffs++
}

/** Both are of the same update. */
function compare({ bidPrice, askPrice }) {
  const own = [best(bids, 1), best(asks, -1)].join(' and ')
  const theirs = [bidPrice, askPrice].join(' and ')
  if (own !== theirs) throw new Error(`the book has ${own}, the exchange ${theirs}`)
  compared++
}

const best = (side, of) => [...side.keys()].sort((a, b) => of * (Number(b) - Number(a)))[0]

socket.on('message', (frame, isBinary) => {
  // Answers to requests, and serverShutdown, are JSON.
  if (!isBinary) return
  const { template, message } = decode(frame)
  if (template === 'DepthDiffStreamEvent') {
    if (updateId === undefined) early.push(message)
    else apply(message)
  } else if (template === 'BestBidAskStreamEvent') newest = message
  if (newest !== undefined && newest.bookUpdateId === updateId) compare(newest)
})
await once(socket, 'open')

const headers = { accept: 'application/sbe', 'x-mbx-sbe': '3:5' }
const response = await fetch(`${url}/api/v3/depth?symbol=BTCUSDT&limit=5000`, { headers })
const { message } = decode(new Uint8Array(await response.arrayBuffer()))
change(bids, message.bids)
change(asks, message.asks)
updateId = message.lastUpdateId
for (const diff of early.splice(0)) apply(diff)

await setTimeout(1_000 * Number(process.env.SECONDS_LONG ?? 5))
socket.close()
console.log(
  `bid ${best(bids, 1)}, ask ${best(asks, -1)} after ${diffs} diffs, compared ${compared} times`,
)
