/** Hostile WebSocket frames, on the streams and on the WebSocket API. */
import { createHmac } from 'node:crypto'
import net from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from '../fixtures/eventually.ts'
import { handshake } from '../fixtures/handshake.ts'
import { Fortress, goodOrder } from './fortress.ts'
import { FrameLog } from './frame-log.ts'

const SEED = 31_339

let fortress: Fortress

beforeAll(async () => {
  fortress = await Fortress.build()
})
afterAll(() => fortress?.remove())

const addresses = ['/ws', '/ws/btcusdt@trade', '/stream', '/stream?streams=', '/ws-api/v3'] as const
const nonsense: readonly (string | Uint8Array)[] = [
  '',
  'hello',
  '{',
  'null',
  '[]',
  '42',
  '{}',
  '{"id":1}',
  '{"id":{},"method":"SUBSCRIBE","params":[1,2]}',
  '{"id":1,"method":"SUBSCRIBE","params":"btcusdt@trade"}',
  '{"id":1,"method":"SUBSCRIBE","params":[null]}',
  '{"id":1,"method":"EXPLODE"}',
  '{"id":1,"method":"SET_PROPERTY","params":["combined"]}',
  '{"id":1,"method":"order.place","params":[]}',
  '{"id":1,"method":"order.place","params":{"quantity":1e999}}',
  '{"id":1,"method":"__proto__","params":{"__proto__":1}}',
  '{"id":1,"method":"userDataStream.subscribe.signature","params":{"apiKey":1,"signature":{}}}',
  `${'['.repeat(20_000)}`,
  Uint8Array.from([0xff, 0xfe, 0x00, 0x80]),
]

test.each(addresses)('nonsense to %s', async (address) => {
  for (const message of nonsense) {
    const log = await FrameLog.open(fortress.exchange.wsUrl + address)
    log.send(message)
    await eventually('an answer or the end', () => log.frames.length > 0 || log.closed || undefined)
    if (log.frames.length > 0) expectFrameRefusal(log.frames[0] as object, String(message))
    await log.close()
  }
  await fortress.expectUnharmed()
})

/** The frame of a signed order.place: parameters by name, as the WebSocket API signs them. */
function orderFrame(id: number, changes: Readonly<Record<string, unknown>> = {}): string {
  const { apiKey, secretKey } = fortress.key
  const params: Record<string, unknown> = { ...goodOrder, apiKey, timestamp: Date.now() }
  const names = Object.keys(params).sort()
  const payload = names.map((name) => `${name}=${params[name]}`).join('&')
  const signature = createHmac('sha256', secretKey).update(payload).digest('hex')
  const signed = { ...params, signature, ...changes }
  return JSON.stringify({ id, method: 'order.place', params: signed })
}

test('orders signed over other words than were sent', async () => {
  const log = await FrameLog.open(`${fortress.exchange.wsUrl}/ws-api/v3`)
  const changes: readonly Readonly<Record<string, unknown>>[] = [
    { quantity: '9.01' },
    { quantity: 0.010000000000000002 },
    { side: 'SELL' },
    { signature: '' },
    { signature: 'a'.repeat(63) },
    { signature: 'z'.repeat(64) },
    { signature: { of: 'nothing' } },
    { apiKey: 'x'.repeat(64) },
    { apiKey: null },
    { timestamp: 1 },
    { timestamp: '9'.repeat(40) },
    { colour: 'green' },
    { symbol: ['BTCUSDT'] },
    { price: true },
  ]
  for (const [id, change] of changes.entries()) {
    log.send(orderFrame(id, change))
    const answer = await log.first('an answer', (frame) => frame.id === id)
    expectFrameRefusal(answer, JSON.stringify(change))
  }
  await log.close()
  await fortress.expectUnharmed()
})

test('thousands of random changes to signed frames', async () => {
  const lanes = Array.from({ length: 8 }, (_, lane) => spoilFrames(new Prng(SEED + lane), 300))
  await Promise.all(lanes)
  await fortress.expectUnharmed()
})

async function spoilFrames(prng: Prng, rounds: number): Promise<void> {
  const address = `${fortress.exchange.wsUrl}/ws-api/v3`
  let log = await FrameLog.open(address)
  for (let round = 0; round < rounds; round++) {
    const frame = orderFrame(round)
    // From here on to the end everything is signed, or the signature itself.
    const signedFrom = frame.indexOf('"symbol"')
    const at = prng.between(signedFrom, frame.length - 1)
    const piece = prng.pick(['"', '\\', '{', ']', ',', ':', '\0', '7', 'q', '', '\u00fc'])
    const changed = frame.slice(0, at) + piece + frame.slice(at + prng.between(1, 3))
    if (sameOrder(changed, frame)) continue
    const before = log.frames.length
    log.send(changed)
    const answered = () => log.frames.length > before || log.closed || undefined
    await eventually('an answer or the end', answered)
    const answer = log.frames[before]
    if (answer !== undefined) expectFrameRefusal(answer, changed)
    if (log.closed) log = await FrameLog.open(address)
  }
  await log.close()
}

/** Some changes, such as one in a member's escapes, leave a JSON text that means the same. */
function sameOrder(one: string, other: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other))
  } catch {
    return false
  }
}

test('random bytes after the handshake', async () => {
  const prng = new Prng(SEED)
  for (let round = 0; round < 30; round++) {
    const noise = Uint8Array.from({ length: prng.between(20, 2000) }, () => prng.below(256))
    const socket = net.connect(fortress.exchange.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    const end = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.write(handshake())
    socket.write(noise)
    socket.end()
    await end
  }
  await fortress.expectUnharmed()
})

test('a frame of 4 MiB ends the connection', async () => {
  for (const address of addresses) {
    const log = await FrameLog.open(fortress.exchange.wsUrl + address)
    log.send('x'.repeat(4 * 2 ** 20))
    await eventually('the end', () => log.closed || undefined)
  }
  await fortress.expectUnharmed()
})

// The last test, since it changes the book.
test('an order whose sender leaves before the answer stands', async () => {
  const log = await FrameLog.open(`${fortress.exchange.wsUrl}/ws-api/v3`)
  log.send(orderFrame(1))
  await log.leave()
  const { client } = fortress
  const mine = await eventually('the order', async () => {
    const { body } = await client.send('GET', '/api/v3/openOrders', { symbol: goodOrder.symbol })
    const open = body as unknown as { orderId: number; price: string }[]
    return open.find((order) => order.price === '45000.00000000')
  })
  const query = { symbol: goodOrder.symbol, orderId: mine.orderId }
  expect((await client.send('DELETE', '/api/v3/order', query)).status).toBe(200)
})

/** An error of the streams is flat; one of the WebSocket API is wrapped and has a status. */
function expectFrameRefusal(frame: object, sent: string): void {
  const { status, error } = frame as { status?: number; error?: object }
  if (status !== undefined) {
    expect(status, sent).toBeGreaterThanOrEqual(400)
    expect(status, sent).toBeLessThan(500)
  }
  expect(error ?? frame, sent).toMatchObject({ code: expect.any(Number), msg: expect.any(String) })
}
