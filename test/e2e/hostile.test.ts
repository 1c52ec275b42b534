/**
 * Hostile bytes on the public port. Whatever comes is refused or the connection is closed; the
 * process lives, and nothing changes.
 */
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Prng } from '../../src/base/prng.ts'
import { expectRefusal, Fortress, goodOrder, HOST, SYMBOL } from './fortress.ts'
import { exchangeBytes } from './raw-http.ts'

const SEED = 31_337

let fortress: Fortress

beforeAll(async () => {
  fortress = await Fortress.build()
})
afterAll(() => fortress?.remove())

describe('bytes that are no proper request', () => {
  const cases: readonly (readonly [name: string, bytes: string])[] = [
    ['an unknown method', `BREW /api/v3/order HTTP/1.1\r\n${HOST}\r\n`],
    ['a method that the path does not have', `PATCH /api/v3/order HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown path', `GET /api/v9/ping HTTP/1.1\r\n${HOST}\r\n`],
    ['a path that climbs', `GET /../../etc/passwd HTTP/1.1\r\n${HOST}\r\n`],
    ['a header of 1 MiB', `GET /api/v3/ping HTTP/1.1\r\n${HOST}X: ${'x'.repeat(2 ** 20)}\r\n\r\n`],
    [
      'an address of 1 MiB',
      `GET /api/v3/depth?symbol=${'A'.repeat(2 ** 20)} HTTP/1.1\r\n${HOST}\r\n`,
    ],
    ['ten thousand headers', `GET /api/v3/ping HTTP/1.1\r\n${'X: y\r\n'.repeat(10_000)}\r\n`],
    ['no version', 'GET /api/v3/ping\r\n\r\n'],
    ['a version from the future', `GET /api/v3/ping HTTP/9.9\r\n${HOST}\r\n`],
    ['a negative length', `POST /api/v3/order HTTP/1.1\r\n${HOST}Content-Length: -5\r\n\r\n`],
    ['a length that is none', `POST /api/v3/order HTTP/1.1\r\n${HOST}Content-Length: ten\r\n\r\n`],
    [
      'broken chunks',
      `POST /api/v3/order HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`,
    ],
    [
      'both a length and chunks',
      `POST /api/v3/order HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: ` +
        `chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['broken percent-encoding', `GET /api/v3/depth?symbol=%ZZ%4 HTTP/1.1\r\n${HOST}\r\n`],
    ['zero bytes', `GET /api/v3/depth?symbol=%00%00 HTTP/1.1\r\n${HOST}\r\n`],
    ['characters beyond ASCII', `GET /api/v3/depth?symbol=%F0%9F%92%A9 HTTP/1.1\r\n${HOST}\r\n`],
    ['a symbol twice', `GET /api/v3/depth?symbol=A&symbol=B HTTP/1.1\r\n${HOST}\r\n`],
    [
      'a limit of 40 digits',
      `GET /api/v3/depth?symbol=${SYMBOL}&limit=${'9'.repeat(40)} HTTP/1.1\r\n${HOST}\r\n`,
    ],
    ['only separators', `GET /api/v3/depth?&&&===&&& HTTP/1.1\r\n${HOST}\r\n`],
    ['no symbol', `GET /api/v3/depth HTTP/1.1\r\n${HOST}\r\n`],
    [
      'no key',
      `GET /api/v3/account?timestamp=1&signature=${'a'.repeat(64)} HTTP/1.1\r\n${HOST}\r\n`,
    ],
    [
      'a key of 1000 letters',
      `GET /api/v3/account?timestamp=1 HTTP/1.1\r\n${HOST}X-MBX-APIKEY: ${'k'.repeat(1000)}\r\n\r\n`,
    ],
  ]
  test.each(cases)('%s', async (name, bytes) => {
    for (const answer of await exchangeBytes(fortress.exchange.port, bytes))
      expectRefusal(answer, name)
    await fortress.expectUnharmed()
  })

  test('random bytes, on many connections', async () => {
    const prng = new Prng(SEED)
    for (let round = 0; round < 40; round++) {
      const bytes = Uint8Array.from({ length: prng.between(1, 4000) }, () => prng.below(256))
      const end = new TextEncoder().encode('\r\n\r\n')
      for (const answer of await exchangeBytes(fortress.exchange.port, Buffer.concat([bytes, end])))
        expectRefusal(answer, `round ${round}`)
    }
    await fortress.expectUnharmed()
  })

  test('a body of 8 MiB', async () => {
    const head = `POST /api/v3/order HTTP/1.1\r\n${HOST}X-MBX-APIKEY: ${fortress.key.apiKey}\r\n`
    const body = 'symbol='.padEnd(8 * 2 ** 20, 'A')
    const bytes = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    for (const answer of await exchangeBytes(fortress.exchange.port, bytes))
      expectRefusal(answer, 'body')
    await fortress.expectUnharmed()
  })

  test('half requests whose senders go away', async () => {
    const whole = fortress.post(fortress.client.sign(goodOrder))
    const prng = new Prng(SEED)
    for (let round = 0; round < 50; round++) {
      const socket = net.connect(fortress.exchange.port, '127.0.0.1')
      socket.on('error', () => {})
      // Never the whole request: its last byte is always missing.
      socket.write(whole.slice(0, prng.between(1, whole.length - 1)))
      await new Promise<void>((resolve) => socket.end(resolve))
      socket.destroy()
    }
    await fortress.expectUnharmed()
  })
})

describe('many at once', () => {
  test('pipelined requests are answered in order', async () => {
    const pings = `GET /api/v3/ping HTTP/1.1\r\n${HOST}\r\n`.repeat(20)
    const missing = `GET /api/v3/depth HTTP/1.1\r\n${HOST}\r\n`
    const answers = await exchangeBytes(fortress.exchange.port, pings + missing + pings, 41)
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(20).fill(200),
      400,
      ...Array(20).fill(200),
    ])
    await fortress.expectUnharmed()
  })
})
