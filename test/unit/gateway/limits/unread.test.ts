/** What clients of HTTP leave unread, or do not send in full, is counted and bounded. */

import type { HttpResponse } from 'uWebSockets.js'
import net from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Quota } from '../../../../src/gateway/limits/quota.ts'
import { UnreadBytes } from '../../../../src/gateway/limits/unread.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import {
  keyOf,
  limitSettings,
  OneThreadExchange,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'

const MIB = 1 << 20

let exchange: OneThreadExchange
let sockets: net.Socket[]

beforeEach(async () => {
  const flags = ['--limits', 'off', '--unread-mb', '4', '--unread-mb-per-address', '1']
  exchange = await OneThreadExchange.start({ limits: limitSettings(flags) })
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await exchange.close()
})

/** A connection from a loopback address, that reads nothing until resume(). */
function connect(bytes: string, localAddress = '127.0.0.1'): net.Socket {
  const socket = net.connect({ port: exchange.port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.pause()
  socket.write(bytes)
  return socket
}

const document = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
const unread = () => exchange.counter('unreadBytes')
const refused = () => exchange.counter('unreadRefused')

/** Requests one document after the other, until one finds no room in the kernel's buffers. */
async function stall(localAddress?: string): Promise<[net.Socket, 'kept' | 'refused']> {
  // The gateway may end an earlier connection at any time: what is kept may become less meanwhile.
  let least = unread()
  const refusals = refused()
  for (;;) {
    const socket = connect('', localAddress)
    // A request that comes while an answer waits ends the connection: then another is tried.
    for (let sent = 0; sent < 100; sent++) {
      socket.write(document)
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (refused() > refusals) return [socket, 'refused']
      if (unread() > least) return [socket, 'kept']
      least = Math.min(least, unread())
    }
  }
}

describe('answers that are not read', () => {
  test('requests in one packet are cut off where the first answer finds no room', async () => {
    const before = exchange.counter('requests')
    const socket = connect(document.repeat(6_000))
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    await eventually('the end', () => {
      // The end is seen once what the kernel holds is read.
      socket.resume()
      return isClosed || undefined
    })
    expect(socket.bytesRead).toBeLessThan(20 * MIB)
    await eventually('nothing kept', () => unread() === 0 || undefined)
    expect(exchange.counter('requests') - before).toBeLessThan(6_000)
  })

  test('the rest of an answer is sent, whole, to a client that reads late', async () => {
    const { body } = await exchange.send('GET', '/openapi.json')
    const length = Buffer.byteLength(JSON.stringify(body))
    const [socket] = await stall()
    expect(unread()).toBe(length)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.resume()
    await eventually('all that was answered', () => unread() === 0 || undefined)
    const text = Buffer.concat(chunks).toString()
    expect(text.split('HTTP/1.1 200 OK').length).toBeGreaterThan(3)
    const [, first = ''] = text.split('\r\n\r\n')
    expect(Buffer.byteLength(first.slice(0, first.lastIndexOf('}') + 1))).toBe(length)
  })

  test('an address that leaves more unread than it may is closed, others are not', async () => {
    while (refused() === 0) {
      await stall()
      expect(unread()).toBeLessThanOrEqual(MIB)
    }
    const [, outcome] = await stall('127.0.0.2')
    expect(outcome).toBe('kept')
    const { status } = await exchange.send('GET', '/api/v3/ping')
    expect(status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await eventually('nothing kept', () => unread() === 0 || undefined)
  })
})

/** Takes a third of a response at a time, as a connection whose client reads late. */
class LateReader {
  private readonly chunks: Buffer[] = []
  private writableHandler: ((offset: number) => boolean) | undefined = undefined

  tryEnd(bytes: Uint8Array, total: number): [boolean, boolean] {
    this.chunks.push(Buffer.from(bytes.subarray(0, Math.ceil(total / 3))))
    const isWhole = this.sent.length === total
    return [isWhole, isWhole]
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.writableHandler = handler
  }

  onAborted(): void {}

  getRemoteAddress(): ArrayBuffer {
    return new Uint8Array([127, 0, 0, 1]).buffer
  }

  /** The client reads; returns whether all is sent. */
  read(): boolean {
    return this.writableHandler === undefined || this.writableHandler(this.sent.length)
  }

  get sent(): Buffer {
    return Buffer.concat(this.chunks)
  }
}

describe('long texts that follow each other', () => {
  test.each([
    { kind: 'ASCII', textOf: (letter: string) => letter.repeat(5_000) },
    { kind: 'other alphabets', textOf: (letter: string) => `${letter}é€😀`.repeat(1_500) },
    { kind: 'almost a megabyte', textOf: (letter: string) => '€'.repeat(349_524) + letter },
    { kind: 'over a megabyte', textOf: (letter: string) => letter.repeat(1_100_000) },
  ])('$kind: each client gets its own, however late it reads', ({ textOf }) => {
    const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
    const bytes = new UnreadBytes(new Quota(16 * MIB, 16 * MIB), counters)
    const sent = ['a', 'b', 'c'].map((letter) => {
      const text = textOf(letter)
      const reader = new LateReader()
      bytes.end(reader as unknown as HttpResponse, text, undefined)
      return { text, reader }
    })
    for (const { text, reader } of sent) {
      while (!reader.read());
      expect(reader.sent.toString() === text).toBe(true)
    }
  })
})

const head = (length: number) =>
  `POST /api/v3/order HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n` +
  `X-MBX-APIKEY: ${keyOf(1).apiKey}\r\n\r\n`

describe('requests that do not end', () => {
  test('their bytes are bounded by address, and given back', async () => {
    const part = 'a'.repeat(60_000)
    // One by one, until there is no room for another: of many at once, each could keep a piece.
    while (refused() === 0) {
      const whole = unread() + part.length
      connect(head(64_000) + part)
      await eventually('a body', () => unread() >= whole || refused() > 0 || undefined)
      expect(unread()).toBeLessThanOrEqual(MIB)
    }
    expect(unread()).toBeGreaterThan(MIB / 2)
    const other = connect(head(64_000) + part, '127.0.0.2')
    const whole = await exchange.send('POST', '/api/v3/order', 1, { body: 'a'.repeat(60_000) })
    expect([whole.status, whole.body.code]).toEqual([503, -1008])
    expect(other.destroyed).toBe(false)
    for (const socket of sockets) socket.destroy()
    await eventually('nothing kept', () => unread() === 0 || undefined)
  })

  test('long requests count until they are answered', async () => {
    const socket = await exchange.socket('/ws-api/v3')
    const { apiKey } = keyOf(1)
    const timestamp = exchange.nowMs()
    const signature = sign(1, `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`)
    const params = { apiKey, symbol: 'BTCUSDT', timestamp, signature }
    const ask = (id: number, spaces: number) =>
      socket.send(JSON.stringify({ id, method: 'openOrders.status', params }) + ' '.repeat(spaces))
    exchange.pause()
    const count = Math.ceil(MIB / 60_000)
    for (let id = 1; id <= count; id++) ask(id, 60_000)
    ask(count + 1, 0)
    // The one for which there is no room is answered while the others wait.
    expect(await socket.next()).toMatchObject({ id: count, status: 503, error: { code: -1008 } })
    expect(unread()).toBeGreaterThan((count - 1) * 60_000)
    exchange.resume()
    for (let i = 0; i < count; i++) expect(await socket.next()).toMatchObject({ status: 200 })
    await eventually('nothing kept', () => unread() === 0 || undefined)
    socket.close()
  })
})
