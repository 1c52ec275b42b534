/** Hostile WebSocket frames, on the streams and on the WebSocket API. */
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from './eventually.ts'
import { Fortress } from './fortress.ts'
import { FrameLog } from './frame-log.ts'

const SEED = 31_339

const HANDSHAKE = [
  'GET /ws HTTP/1.1',
  'Host: 127.0.0.1',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  '\r\n',
].join('\r\n')

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

test('random bytes after the handshake', async () => {
  const prng = new Prng(SEED)
  for (let round = 0; round < 30; round++) {
    const noise = Uint8Array.from({ length: prng.between(20, 2000) }, () => prng.below(256))
    const socket = net.connect(fortress.exchange.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    const end = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.write(HANDSHAKE)
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

/** An error of the streams is flat; one of the WebSocket API is wrapped and has a status. */
function expectFrameRefusal(frame: object, sent: string): void {
  const { status, error } = frame as { status?: number; error?: object }
  if (status !== undefined) {
    expect(status, sent).toBeGreaterThanOrEqual(400)
    expect(status, sent).toBeLessThan(500)
  }
  expect(error ?? frame, sent).toMatchObject({ code: expect.any(Number), msg: expect.any(String) })
}
