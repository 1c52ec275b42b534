/**
 * How WebSockets end: with a close frame where the gateway ends them; without one where uWebSockets.js
 * closes by itself, which these tests pin.
 */
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handshake } from '../../fixtures/handshake.ts'
import { limitSettings, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange

beforeAll(async () => {
  exchange = await OneThreadExchange.start({ limits: limitSettings() })
})
afterAll(() => exchange.close())

/** One masked frame with a mask of zeros; `head` is its first byte. */
function frame(head: number, payload: Buffer): Buffer {
  const length = Buffer.alloc(payload.length < 126 ? 1 : payload.length < 65_536 ? 3 : 9)
  if (length.length === 1) length[0] = payload.length
  else if (length.length === 3) length.writeUInt16BE(payload.length, 1)
  else length.writeBigUInt64BE(BigInt(payload.length), 1)
  if (length.length > 1) length[0] = length.length === 3 ? 126 : 127
  length[0]! |= 0x80
  return Buffer.concat([Buffer.from([head]), length, Buffer.alloc(4), payload])
}

/** Opens a WebSocket and sends the bytes. Resolves to what came behind the handshake. */
function bytesAfter(path: string, ...sent: readonly Buffer[]): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = net.connect(exchange.port, '127.0.0.1')
    let received = Buffer.alloc(0)
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received.subarray(received.indexOf('\r\n\r\n') + 4)))
    socket.write(handshake(path))
    socket.once('data', () => {
      for (const bytes of sent) socket.write(bytes)
    })
  })
}

/** `1008 Too many requests` of a close frame at the end of the bytes; '' without one. */
function closeFrameOf(bytes: Buffer): string {
  const at = bytes.lastIndexOf(0x88)
  if (at < 0) return ''
  const payload = bytes.subarray(at + 2)
  if (payload.length !== bytes[at + 1]) return ''
  return `${payload.readUInt16BE(0)} ${payload.subarray(2)}`
}

const TEXT = 0x81
const PING = 0x89
const list = Buffer.from('{"method":"LIST_SUBSCRIPTIONS","id":1}')

describe('a close frame', () => {
  test('follows the answers to messages within the limit', async () => {
    const bytes = await bytesAfter('/ws', Buffer.concat(new Array(6).fill(frame(TEXT, list))))
    expect(closeFrameOf(bytes)).toBe('1008 Too many requests')
    expect(String(bytes).match(/"result":\[\]/g)).toHaveLength(5)
  })

  test.each(['/ws', '/ws-api/v3'])('follows too many pings on %s', async (path) => {
    const pings = Buffer.concat(new Array(6).fill(frame(PING, Buffer.alloc(0))))
    expect(closeFrameOf(await bytesAfter(path, pings))).toBe('1008 Too many requests')
  })

  test.each([65_537, 131_072])('follows a message of %i bytes', async (bytes) => {
    const sent = frame(TEXT, Buffer.alloc(bytes, 'x'))
    expect(closeFrameOf(await bytesAfter('/ws', sent))).toBe('1009 Message too big')
  })

  test.each(['/ws', '/ws-api/v3'])('answers that of a client of %s', async (path) => {
    const sent = frame(0x88, Buffer.from([0x03, 0xe8]))
    expect(closeFrameOf(await bytesAfter(path, sent))).toBe('1000 ')
  })
})

describe('uWebSockets.js closes without a close frame after', () => {
  test.each([
    ['a message beyond what it reads', frame(TEXT, Buffer.alloc(131_073, 'x'))],
    ['a reserved bit', frame(0xc1, list)],
    ['a reserved opcode', frame(0x83, list)],
    ['text that is not UTF-8', frame(TEXT, Buffer.from([0xff, 0xfe]))],
    ['a ping of more than 125 bytes', frame(PING, Buffer.alloc(126))],
    ['a ping in pieces', frame(0x09, Buffer.alloc(1))],
    ['a continuation of nothing', frame(0x80, list)],
  ])('%s', async (_, sent) => {
    expect(await bytesAfter('/ws', sent)).toEqual(Buffer.alloc(0))
  })
})

test('a flood beyond a limit gets no close frame', async () => {
  const bytes = await bytesAfter('/ws', Buffer.concat(new Array(500).fill(frame(TEXT, list))))
  expect(closeFrameOf(bytes)).toBe('')
})
