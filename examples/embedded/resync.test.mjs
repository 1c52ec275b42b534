/**
 * A market maker's local book while frames are lost, late, or their connection ends. A naive maker quotes around a book
 * that is not the exchange's any more, and does not notice.
 *
 *   npm install ws && node --test resync.test.mjs
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startExchange } from 'ringbook'
import WebSocket from 'ws'

const SYMBOL = 'ETHUSDT'
const HALF_SPREAD = 0.001

/** A book from a snapshot and the diffs that follow it. */
class NaiveBook {
  updateId = 0
  snapshots = 0
  levels = { b: new Map(), a: new Map() }

  constructor({ url, wsUrl }) {
    this.url = url
    this.address = `${wsUrl}/ws/${SYMBOL.toLowerCase()}@depth@100ms`
  }

  async open() {
    this.socket = new WebSocket(this.address)
    this.socket.on('message', (text) => this.take(JSON.parse(text)))
    this.socket.on('error', () => {})
    this.socket.on('close', () => this.closed())
    await new Promise((resolve) => this.socket.once('open', resolve))
    await this.load()
  }

  async load() {
    const answer = await fetch(`${this.url}/api/v3/depth?symbol=${SYMBOL}&limit=5000`)
    const { lastUpdateId, bids, asks } = await answer.json()
    this.snapshots++
    this.levels = { b: new Map(), a: new Map() }
    this.apply({ b: bids, a: asks, u: lastUpdateId })
  }

  take(diff) {
    if (diff.u > this.updateId) this.apply(diff)
  }

  apply(diff) {
    for (const side of ['b', 'a']) {
      for (const [price, quantity] of diff[side]) {
        if (Number(quantity) === 0) this.levels[side].delete(price)
        else this.levels[side].set(price, quantity)
      }
    }
    this.updateId = diff.u
  }

  /** Prices of both quotes. */
  quotes() {
    const middle = (Math.max(...keys(this.levels.b)) + Math.min(...keys(this.levels.a))) / 2
    return { bid: middle * (1 - HALF_SPREAD), ask: middle * (1 + HALF_SPREAD) }
  }

  closed() {}

  close() {
    this.closed = () => {}
    this.socket.close()
  }
}
const keys = (levels) => [...levels.keys()].map(Number)

/** Knows by U and u that a diff is missing, and starts over; also when its connection ends. */
class CarefulBook extends NaiveBook {
  early = []
  isLoading = false

  take(diff) {
    if (this.isLoading) this.early.push(diff)
    else if (diff.U > this.updateId + 1) void this.load().then(() => this.take(diff))
    else super.take(diff)
  }

  async load() {
    this.isLoading = true
    await super.load()
    this.isLoading = false
    for (const diff of this.early.splice(0)) this.take(diff)
  }

  closed() {
    void sleep(50).then(() => this.open())
  }
}

let exchange
before(async () => {
  exchange = await startExchange({ accounts: { crowd: { USDT: 1_000_000, ETH: 1_000 } } })
})
after(() => exchange.close())
beforeEach(() => exchange.faults.remove('all'))

async function send(method, path, params) {
  const { apiKey, secretKey } = exchange.accounts.crowd
  const query = `${new URLSearchParams({ ...params, timestamp: Date.now() })}`
  const signature = createHmac('sha256', secretKey).update(query).digest('hex')
  const address = `${exchange.url}${path}?${query}&signature=${signature}`
  return (await fetch(address, { method, headers: { 'X-MBX-APIKEY': apiKey } })).json()
}

/** The crowd's prices wander upwards, one order on each side at a time, for so many moves. */
async function trade(moves) {
  for (let move = 0; move < moves; move++) {
    await send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
    const terms = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
    await send('POST', '/api/v3/order', { ...terms, side: 'SELL', price: `${2_010 + move}.00` })
    await send('POST', '/api/v3/order', { ...terms, side: 'BUY', price: `${1_990 + move}.00` })
    await sleep(60)
  }
}

/** The exchange's own book, once the other one has had its last diff. */
async function truth(book) {
  for (let tries = 0; tries < 100; tries++) {
    const depth = await (await fetch(`${exchange.url}/api/v3/depth?symbol=${SYMBOL}`)).json()
    if (book.updateId === depth.lastUpdateId) return { b: depth.bids, a: depth.asks }
    await sleep(100)
  }
  throw new Error('the last diff did not come')
}
const contents = ({ levels }) => ({ b: [...levels.b], a: [...levels.a] })

async function follow(book, moves = 12) {
  await trade(1)
  await book.open()
  await trade(moves)
  const touched = (await exchange.faults.list()).map((row) => row.touched)
  // A lost diff is noticed at the next one, which comes.
  await exchange.faults.remove('all')
  await trade(1)
  const { b, a } = await truth(book)
  const isTrue = JSON.stringify(contents(book)) === JSON.stringify({ b, a })
  const quotes = book.quotes()
  const middle = (Number(b[0][0]) + Number(a[0][0])) / 2
  book.close()
  return { isTrue, offBy: Math.abs((quotes.bid + quotes.ask) / 2 - middle), touched }
}

const lost = { do: 'drop', stream: `${SYMBOL.toLowerCase()}@depth*`, every: 3 }

test('without faults both books are true', async () => {
  assert.deepEqual(await follow(new NaiveBook(exchange)), { isTrue: true, offBy: 0, touched: [] })
  assert.deepEqual(await follow(new CarefulBook(exchange)), { isTrue: true, offBy: 0, touched: [] })
})

test('a naive maker quotes around a middle that is not there', async () => {
  await exchange.faults.add(lost)
  const naive = new NaiveBook(exchange)
  const { isTrue, offBy } = await follow(naive)
  assert.deepEqual([isTrue, naive.snapshots], [false, 1])
  assert.ok(offBy > 0, `its middle is off by ${offBy}`)
})

const cases = {
  'lost frames': [lost],
  'late frames, of which some are lost': [
    { do: 'lag', spread: 'uniform', ms: 0, most: 150, stream: lost.stream },
    { ...lost, every: 4 },
  ],
  'a connection that breaks': [{ do: 'close', stream: lost.stream, after: 4, times: 1 }],
  'a stream that stalls and comes back': [{ do: 'stall', ms: 500, stream: lost.stream, times: 1 }],
}
for (const [name, faults] of Object.entries(cases)) {
  test(`a careful maker's book is true after ${name}`, async () => {
    for (const fault of faults) await exchange.faults.add(fault)
    const book = new CarefulBook(exchange)
    const { isTrue, offBy, touched } = await follow(book)
    assert.deepEqual([isTrue, offBy], [true, 0])
    assert.ok(touched.every((count) => count > 0))
    assert.equal(book.snapshots > 1, !name.startsWith('a stream that stalls'))
  })
}
