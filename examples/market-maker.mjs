// A skeleton of a market maker: quotes both sides of a symbol around the middle of its book.
//   SYMBOL=ETHUSDT SECONDS_LONG=60 node examples/market-maker.mjs
//
// It shows what every market maker has to get right:
//   1. The local book: a snapshot and diffs, and a new snapshot when a diff is missing or nothing comes.
//   2. Quotes of both sides in one request, which replaces the last ones at once: what stays keeps its priority.
//   3. Quotes whose response is lost: behind their recvWindow they can no longer be executed, and the next
//      quote replaces them, whether they were or not.
//   4. The program fails: a countdown cancels its orders if it is not renewed, and so does the end of its connection.
//   5. The market runs over it: a protection cancels its orders after so many fills, until it is reset.
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

/** Levels of a side, and the quantity of each, in the base asset. */
const LEVELS = 3
const QUANTITY = 0.01
/** Distance of the best quotes from the middle and of levels from each other, as ratios of the price. */
const HALF_SPREAD = 0.002
const LEVEL_SPACING = 0.0005
/** Each quote replaces the orders of the last one with this id, at most 12 characters, and no other orders. */
const ofQuotes = { symbol, quoteId: `mm-${Date.now().toString(36)}` }
/** A smaller move of the middle, as a ratio, changes no quote. */
const TOLERANCE = 0.00005
const RECV_WINDOW_MS = 1_000
const ANSWER_MS = 2_000
const QUOTE_EVERY_MS = 200
const COUNTDOWN_MS = 5_000
const RENEW_EVERY_MS = 1_500
/** Fills within the window that end quoting for PAUSE_MS. */
const PROTECTION = { windowMs: 2_000, maxFills: 20 }
const PAUSE_MS = 1_000
/** A book without a diff for so long is loaded again: the connection may be dead. */
const SILENT_MS = 5_000
/** The exchange does not know what became of the request. */
const UNKNOWN_CODES = [-1006, -1007]

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
      const silent = setTimeout(() => stream.terminate(), SILENT_MS)
      stream.on('message', (text) => {
        silent.refresh()
        this.#take(JSON.parse(text))
      })
      stream.on('error', () => {})
      stream.on('open', () => this.#load().catch(() => stream.terminate()))
      await once(stream, 'close').catch(() => {})
      clearTimeout(silent)
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
    if (!this.isOpen) return undefined
    this.#socket.close()
    return once(this.#socket, 'close')
  }

  /** Ends the connection without a farewell: its peer may be silent. */
  drop() {
    this.#socket.terminate()
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

class Maker {
  #session
  #middle = 0
  #renewedMs = 0
  #tickSize
  counts = { quotes: 0, placed: 0, kept: 0, refused: 0, lost: 0, trips: 0 }

  async run(book, untilMs) {
    const { symbols } = await read(`/api/v3/exchangeInfo?symbol=${symbol}`)
    const filter = symbols[0].filters.find(({ filterType }) => filterType === 'PRICE_FILTER')
    this.#tickSize = Number(filter.tickSize)
    while (Date.now() < untilMs) {
      const sentMs = Date.now()
      try {
        if (!this.#session?.isOpen) await this.#begin()
        await this.#renew()
        await this.#quote(book.middle)
      } catch (error) {
        if (error instanceof TypeError) throw error
        console.error(`continues after: ${error.message}`)
        if (isUnknown(error)) await this.#forget(sentMs)
        else if (error.message.includes('protection has tripped')) await this.#resume()
      }
      await sleep(QUOTE_EVERY_MS)
    }
    await this.#end()
  }

  /** A new connection has no quotes: the exchange has canceled those of the last one. */
  async #begin() {
    this.#middle = 0
    this.#renewedMs = 0
    this.#session = await Session.open()
    await this.#session.signed('protection.set', { symbol, ...PROTECTION })
  }

  /** As long as this program lives its countdown does not fire. */
  async #renew() {
    if (Date.now() - this.#renewedMs < RENEW_EVERY_MS) return
    await this.#session.signed('countdown.cancelAll', { symbol, countdownTime: COUNTDOWN_MS })
    this.#renewedMs = Date.now()
  }

  async #quote(middle) {
    if (middle === undefined || Math.abs(middle / this.#middle - 1) < TOLERANCE) return
    const [bids, asks] = [-1, 1].map((sign) => JSON.stringify(this.#levels(middle, sign)))
    const wanted = { ...ofQuotes, bids, asks, postOnly: true }
    const quoted = await this.#session.signed('quote', wanted)
    this.#middle = middle
    this.counts.quotes++
    for (const { outcome } of [...quoted.bids, ...quoted.asks]) this.counts[names[outcome]]++
  }

  /** Prices and quantities of one side, the best first. */
  #levels(middle, sign) {
    return Array.from({ length: LEVELS }, (_, level) => {
      const wanted = middle * (1 + sign * (HALF_SPREAD + level * LEVEL_SPACING))
      const price = (Math.round(wanted / this.#tickSize) * this.#tickSize).toFixed(8)
      return [price, String(QUANTITY)]
    })
  }

  /** Too much was filled at once: looks again when the market is calmer. */
  async #resume() {
    this.counts.trips++
    this.#middle = 0
    await sleep(PAUSE_MS)
    await this.#session.signed('protection.reset', { symbol })
  }

  /** Nothing is known of what was sent last. It can be executed until its recvWindow ends, not later. */
  async #forget(sentMs) {
    this.counts.lost++
    this.#session?.drop()
    await sleep(Math.max(0, sentMs + ANSWER_MS + RECV_WINDOW_MS - Date.now()))
  }

  /** A quote without levels cancels the last one. Tries until an answer says so. */
  async #end() {
    for (;;) {
      const sentMs = Date.now()
      try {
        if (!this.#session?.isOpen) await this.#begin()
        await this.#session.signed('quote', ofQuotes)
        await this.#session.signed('countdown.cancelAll', { symbol, countdownTime: 0 })
        await this.#session.signed('protection.set', { symbol, windowMs: 0 })
        await this.#session.close()
        return
      } catch (error) {
        if (!isUnknown(error)) throw error
        await this.#forget(sentMs)
      }
    }
  }
}

/** What becomes of a level. An order whose price stays keeps its priority, unless it grows. */
const names = { KEPT: 'kept', LOWERED: 'kept', PLACED: 'placed', REFUSED: 'refused' }

const isUnknown = (error) => error instanceof Unknown || UNKNOWN_CODES.includes(error.code)

const book = new LocalBook()
void book.run()
const maker = new Maker()
await maker.run(book, Date.now() + 1000 * secondsLong)
const { quotes, placed, kept, refused, lost, trips } = maker.counts
console.log(`${quotes} quotes: ${placed} orders placed, ${kept} kept, ${refused} refused`)
console.log(`${lost} answers lost, protection tripped ${trips} times`)
console.log(`the book was loaded again ${book.resyncs} times`)
process.exit(0)
