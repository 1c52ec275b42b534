/**
 * A client that sends too much. A naive one tries again at once, is banned, and waits far longer than it had to. Waiting
 * takes no time here: the exchange's clock is virtual.
 *
 *   node --test backoff.test.mjs
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startExchange } from 'ringbook'

const PATH = '/api/v3/depth?symbol=BTCUSDT&limit=5000'
const TRIES_MAX = 100

let exchange
before(async () => {
  exchange = await startExchange({
    clock: 'virtual',
    // A depth of 5000 levels has a weight of 250: so every fourth request in a minute is refused.
    settings: { limits: true, 'weight-limit': 750 },
  })
  await exchange.clock.pause()
})
after(() => exchange.close())
beforeEach(async () => {
  await exchange.faults.remove('all')
  // Weight and bans of the tests before are over.
  await exchange.clock.advance('4d')
})

/** In a program: setTimeout. */
const wait = (seconds) => exchange.clock.advance(`${seconds}s`)

/** Sends until it succeeds, whatever the refusals. */
async function naiveRead(seen) {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await fetch(exchange.url + PATH)
    seen.push(answer.status)
    if (answer.ok) return answer.json()
    await wait(0.1)
  }
  throw new Error(`no answer after ${TRIES_MAX} requests`)
}

/** Waits for as long as the exchange says, and longer each time where it says nothing. */
async function politeRead(seen, waits, path = PATH) {
  let pause = 1
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await fetch(exchange.url + path)
    seen.push(answer.status)
    if (answer.ok) return answer.json()
    // Only these say that it should be tried again.
    if (![418, 429, 502, 503, 504].includes(answer.status)) throw new Error(await answer.text())
    const told = Number(answer.headers.get('retry-after'))
    const seconds = told > 0 ? told : pause
    pause = Math.min(60, pause * 2)
    waits.push(seconds)
    await wait(seconds)
  }
  throw new Error(`no answer after ${TRIES_MAX} requests`)
}

test('a naive client is banned', async () => {
  const seen = []
  await assert.rejects(async () => {
    for (let i = 0; i < 8; i++) await naiveRead(seen)
  }, /no answer after 100 requests/)
  assert.ok(seen.includes(429) && seen.includes(418), seen.join(' '))
})

test('a polite client is served in each minute, and never banned', async () => {
  const seen = []
  const waits = []
  for (let i = 0; i < 9; i++) await politeRead(seen, waits)
  assert.deepEqual([...new Set(seen)], [200, 429])
  // Nine requests need three minutes.
  assert.equal(seen.filter((status) => status === 429).length, 2)
  assert.ok(
    waits.every((seconds) => seconds > 0 && seconds <= 60),
    waits.join(' '),
  )
})

test('a polite client waits through an outage as it is told, or longer each time', async () => {
  await exchange.faults.add({ do: 'proxy', status: 503, retry: 7, times: 2, operation: 'ping' })
  await exchange.faults.add({ do: 'proxy', status: 502, times: 3, operation: 'ping' })
  const seen = []
  const waits = []
  await politeRead(seen, waits, '/api/v3/ping')
  assert.deepEqual(seen, [503, 503, 502, 502, 502, 200])
  assert.deepEqual(waits, [7, 7, 4, 8, 16])
})

test('a ban by script has its end in its text, and is over then', async () => {
  await exchange.faults.add({ do: 'ban', retry: 120, operation: 'depth', seconds: 120 })
  const answer = await fetch(exchange.url + PATH)
  const { msg } = await answer.json()
  const until = Number(/banned until (\d{13})/.exec(msg)?.[1])
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [418, '120'])
  const seen = []
  await politeRead(seen, [])
  assert.deepEqual(seen, [418, 200])
  assert.ok(exchange.clock.now() >= until)
})
