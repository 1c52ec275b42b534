/** Strangers who send much and read nothing, at a gateway with a small heap. */
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { handshake } from '../fixtures/handshake.ts'
import { FrameLog } from './frame-log.ts'

const HEAP_MB = 128
const UNREAD_MB = 8
const STRANGERS = 60
const FRAMES = 40

let exchange: ExchangeProcess
const sockets: net.Socket[] = []

beforeAll(async () => {
  exchange = await ExchangeProcess.start([
    `--gateway-heap-mb=${HEAP_MB}`,
    `--unread-mb=${UNREAD_MB}`,
    `--unread-mb-per-address=${UNREAD_MB}`,
  ])
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await exchange?.remove()
})

function stranger(...bytes: readonly (string | Buffer)[]): net.Socket {
  const socket = net.connect(exchange.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  for (const each of bytes) socket.write(each)
  return socket
}

/** A text frame of 126 to 65,535 bytes, masked by zeros. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

async function gauge(name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
  const line = new RegExp(`^ringbook_gateway_${name}(?:{[^}]*})? (\\S+)$`, 'm')
  return Number(line.exec(await response.text())?.[1])
}

async function expectServed(): Promise<void> {
  const { status } = await fetch(`${exchange.url}/api/v3/ping`)
  expect(status).toBe(200)
  const log = await FrameLog.open(`${exchange.wsUrl}/ws`)
  log.send('{"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1}')
  await eventually('an answer', () => log.frames.length > 0 || undefined)
  expect(log.frames[0]).toEqual({ result: null, id: 1 })
  await log.close()
}

test('names of 64 KB, more of them than the heap has room for', async () => {
  // Each would take 256 KB of the heap: two bytes a character, and a page to itself.
  for (let of = 0; of < STRANGERS; of++) {
    const socket = stranger(handshake())
    socket.resume()
    for (let i = 0; i < FRAMES; i++) {
      const name = `${of}-${i}-ж`.padEnd(65_000, 'x')
      socket.write(frame(JSON.stringify({ method: 'SUBSCRIBE', params: [name], id: i })))
    }
  }
  await eventually(
    'all of it read',
    () => sockets.every(({ writableLength }) => writableLength === 0) || undefined,
  )
  await expectServed()
  expect(await gauge('stream_names')).toBeLessThan(STRANGERS)
})

test('documents that are asked for and never read', async () => {
  const asked = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(6_000)
  for (let i = 0; i < 20; i++) stranger(asked).pause()
  await expectServed()
  expect(await gauge('unread_bytes')).toBeLessThanOrEqual(UNREAD_MB << 20)
})

test('bodies and frames that never end', async () => {
  const head = 'POST /api/v3/order HTTP/1.1\r\nHost: x\r\nContent-Length: 64000\r\n\r\n'
  for (let i = 0; i < 300; i++) stranger(head, 'a'.repeat(60_000)).resume()
  const half = frame('x'.repeat(60_000)).subarray(0, 50_000)
  for (let i = 0; i < 300; i++) stranger(handshake(), half).resume()
  await expectServed()
  expect(await gauge('unread_bytes')).toBeLessThanOrEqual(UNREAD_MB << 20)
})
