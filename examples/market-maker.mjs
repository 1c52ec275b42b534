// A skeleton of a market maker: quotes both sides of a symbol around the middle of its book.
//   SYMBOL=ETHUSDT SECONDS_LONG=60 node examples/market-maker.mjs
//
// It shows what every market maker has to get right:
//   1. The local book: a snapshot and diffs, and a new snapshot when a diff is missing.
//   2. Its own client order ids, by which it can query its orders.
//   3. The fate of an order whose response is lost: a query finds the order, or it is still absent after its
//      recvWindow and can never be placed.
//   4. Cancel on disconnect: when the connection ends, the exchange cancels the orders.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'

const url = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080'
const sockets = url.replace(/^http/, 'ws')
const symbol = process.env.SYMBOL ?? 'ETHUSDT'
const secondsLong = Number(process.env.SECONDS_LONG ?? 10)
const keys = JSON.parse(readFileSync(process.env.KEYS_FILE ?? 'data/demo-keys.json', 'utf8'))
const { apiKey, secretKey } = keys.find(({ account }) => account === 'trader1')

/** Quantity of each quote, in the base asset. */
const QUANTITY = 0.01
/** Distance of a quote from the middle, and from its wanted price before it is replaced; both as ratios. */
const HALF_SPREAD = 0.002
const TOLERANCE = 0.0002
const RECV_WINDOW_MS = 1_000
const ANSWER_MS = 2_000
const QUOTE_EVERY_MS = 200

/** A refusal of the exchange, with its code. */
class Refusal extends Error {
  constructor({ code, msg }) {
    super(`${code} ${msg}`)
    this.code = code
  }
}
/** The response did not arrive: the request was carried out, or it was not. */
class Unknown extends Error {}

async function read(path) {
  const answer = await fetch(`${url}${path}`)
  if (!answer.ok) throw new Refusal(await answer.json())
  return answer.json()
}

/** The book from a snapshot and diffs. `middle` is undefined while the book is not complete. */
class LocalBook {
  #levels = { b: new Map(), a: new Map() }
  #lastUpdateId
  #waiting = []
  resyncs = 0

  async run() {
    for (;;) {
      const stream = new WebSocket(`${sockets}/ws/${symbol.toLowerCase()}@depth@100ms`)
      stream.on('message', (text) => this.#take(JSON.parse(text)))
      stream.on('error', () => {})
      stream.on('open', () => this.#load().catch(() => stream.terminate()))
      await once(stream, 'close').catch(() => {})
      this.#forget()
      await sleep(500)
    }
  }

  get middle() {
    const bid = Math.max(...this.#levels.b.keys())
    const ask = Math.min(...this.#levels.a.keys())
    return Number.isFinite(bid + ask) ? (bid + ask) / 2 : undefined
  }

  #forget() {
    this.#lastUpdateId = undefined
    this.#waiting = []
    this.#levels = { b: new Map(), a: new Map() }
  }

  async #load() {
    const { lastUpdateId, bids, asks } = await read(`/api/v3/depth?symbol=${symbol}&limit=1000`)
    this.#apply({ b: bids, a: asks })
    this.#lastUpdateId = lastUpdateId
    const early = this.#waiting
    this.#waiting = []
    for (const diff of early) this.#take(diff)
  }

  /** U and u are the first and the last update of a diff. The next diff begins at u + 1. */
  #take(diff) {
    if (this.#lastUpdateId === undefined) {
      this.#waiting.push(diff)
    } else if (diff.U > this.#lastUpdateId + 1) {
      this.resyncs++
      this.#forget()
      this.#load().catch(() => this.#forget())
    } else if (diff.u > this.#lastUpdateId) {
      this.#apply(diff)
      this.#lastUpdateId = diff.u
    }
  }

  #apply(levels) {
    for (const side of ['b', 'a']) {
      for (const [price, quantity] of levels[side]) {
        if (Number(quantity) === 0) this.#levels[side].delete(Number(price))
        else this.#levels[side].set(Number(price), Number(quantity))
      }
    }
  }
}

/** A connection of the WebSocket API. The exchange cancels its orders when it ends. */
class Session {
  #socket
  #ids = 0
  #asked = new Map()

  static async open() {
    const session = new Session()
    await session.#connect()
    await session.ask('session.cancelOnDisconnect', { enabled: true })
    return session
  }

  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /** Rejects with Refusal or Unknown. */
  ask(method, params) {
    const id = ++this.#ids
    return new Promise((resolve, reject) => {
      const lost = () => reject(new Unknown(method))
      const timer = setTimeout(lost, ANSWER_MS)
      this.#asked.set(id, { resolve, reject, lost, timer })
      this.#socket.send(JSON.stringify({ id, method, params }), (error) => error && lost())
    })
  }

  signed(method, params) {
    const all = { ...params, apiKey, recvWindow: RECV_WINDOW_MS, timestamp: Date.now() }
    const names = Object.keys(all).sort()
    const payload = names.map((name) => `${name}=${all[name]}`).join('&')
    const signature = createHmac('sha256', secretKey).update(payload).digest('hex')
    return this.ask(method, { ...all, signature })
  }

  close() {
    this.#socket.close()
    return once(this.#socket, 'close')
  }

  async #connect() {
    this.#socket = new WebSocket(`${sockets}/ws-api/v3?returnRateLimits=false`)
    this.#socket.on('message', (text) => {
      const { id, status, result, error } = JSON.parse(text)
      const asked = this.#asked.get(id)
      this.#asked.delete(id)
      clearTimeout(asked?.timer)
      if (status === 200) asked?.resolve(result)
      else asked?.reject(new Refusal(error))
    })
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      for (const { lost, timer } of this.#asked.values()) {
        clearTimeout(timer)
        lost()
      }
      this.#asked.clear()
    })
    await once(this.#socket, 'open')
  }
}

/** Queries an order over REST until its fate is certain. Returns its status, or that it was never placed. */
async function fateOf(newClientOrderId, sentMs) {
  for (;;) {
    const params = `symbol=${symbol}&origClientOrderId=${newClientOrderId}&timestamp=${Date.now()}`
    const signature = createHmac('sha256', secretKey).update(params).digest('hex')
    try {
      const answer = await fetch(`${url}/api/v3/order?${params}&signature=${signature}`, {
        headers: { 'X-MBX-APIKEY': apiKey },
      })
      const body = await answer.json()
      if (answer.ok) return body.status
      // -2013: no such order. After its recvWindow the exchange no longer accepts it.
      if (body.code === -2013 && Date.now() > sentMs + 2 * RECV_WINDOW_MS) return 'never placed'
    } catch {
      // The exchange cannot be reached: try again.
    }
    await sleep(200)
  }
}

class Maker {
  #session
  #quotes = new Map()
  #names = 0
  #prefix = `mm-${Date.now().toString(36)}-`
  counts = { placed: 0, canceled: 0, refused: 0, lost: 0 }
  #tickSize

  async run(book, untilMs) {
    const { symbols } = await read(`/api/v3/exchangeInfo?symbol=${symbol}`)
    const filter = symbols[0].filters.find(({ filterType }) => filterType === 'PRICE_FILTER')
    this.#tickSize = Number(filter.tickSize)
    while (Date.now() < untilMs) {
      try {
        if (!this.#session?.isOpen) await this.#begin()
        await this.#quote(book.middle)
      } catch (error) {
        if (error instanceof TypeError) throw error
        console.error(`continues after: ${error.message}`)
      }
      await sleep(QUOTE_EVERY_MS)
    }
    for (const side of [...this.#quotes.keys()]) await this.#cancel(side)
    await this.#session?.close()
  }

  /** A new connection has no quotes: the exchange has canceled those of the last one. */
  async #begin() {
    this.#quotes.clear()
    this.#session = await Session.open()
  }

  async #quote(middle) {
    if (middle === undefined) return
    for (const [side, sign] of [
      ['BUY', -1],
      ['SELL', 1],
    ]) {
      const wanted = middle * (1 + sign * HALF_SPREAD)
      const quote = this.#quotes.get(side)
      if (quote !== undefined && Math.abs(wanted / quote.price - 1) < TOLERANCE) continue
      if (quote !== undefined) await this.#cancel(side)
      await this.#place(side, wanted)
    }
  }

  async #place(side, wanted) {
    const price = Math.round(wanted / this.#tickSize) * this.#tickSize
    const newClientOrderId = `${this.#prefix}${++this.#names}`
    const sentMs = Date.now()
    const order = { symbol, side, type: 'LIMIT_MAKER', quantity: QUANTITY, newClientOrderId }
    try {
      await this.#session.signed('order.place', { ...order, price: price.toFixed(8) })
      this.counts.placed++
      this.#quotes.set(side, { newClientOrderId, price })
    } catch (error) {
      if (error instanceof Refusal) this.counts.refused++
      else await this.#learn(newClientOrderId, sentMs)
    }
  }

  /** A refusal means that the order is gone: it has traded. */
  async #cancel(side) {
    const { newClientOrderId } = this.#quotes.get(side)
    this.#quotes.delete(side)
    try {
      await this.#session.signed('order.cancel', { symbol, origClientOrderId: newClientOrderId })
      this.counts.canceled++
    } catch (error) {
      if (!(error instanceof Refusal)) await this.#learn(newClientOrderId, Date.now())
    }
  }

  async #learn(newClientOrderId, sentMs) {
    this.counts.lost++
    console.error(`${newClientOrderId}: no answer; it is ${await fateOf(newClientOrderId, sentMs)}`)
  }
}

const book = new LocalBook()
void book.run()
const maker = new Maker()
await maker.run(book, Date.now() + 1000 * secondsLong)
const { placed, canceled, refused, lost } = maker.counts
console.log(
  `${placed} quotes placed, ${canceled} canceled, ${refused} refused, ${lost} answers lost`,
)
console.log(`the book was loaded again ${book.resyncs} times`)
process.exit(0)
