/** Random bytes, halves of requests, and heads and bodies that are far too large. */
import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { requestBytes } from '../bytes.ts'

const EVERY_MS = 25
const GARBAGE_BYTES = 4_096
const HUGE_BYTES = 512 * 1024
const STAY_MS = 2_000

/** By turns; each ends its connection, or stays unfinished. */
const kinds: readonly (() => Buffer)[] = [
  () => randomBytes(GARBAGE_BYTES),
  () =>
    Buffer.from('POST /api/v3/order HTTP/1.1\r\nHost: siege\r\nContent-Length: 100000\r\n\r\nsym'),
  () => requestBytes('GET', '/api/v3/time', { 'X-Huge': 'x'.repeat(HUGE_BYTES) }),
  () => requestBytes('GET', `/api/v3/depth?symbol=${'x'.repeat(HUGE_BYTES)}`),
  () => {
    const head = requestBytes('POST', '/api/v3/order', { 'Content-Length': String(HUGE_BYTES) })
    return Buffer.concat([head, Buffer.alloc(HUGE_BYTES, 'a=b&')])
  },
  () => Buffer.from('POST /api/v3/order HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n'),
  () => Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(1_000)}`),
]

export const garbage: Attack = {
  name: 'garbage',
  about: 'sends garbage, halves of requests, and heads and bodies of 512 KB',
  addresses: 1,
  run: (raid) => {
    let count = 0
    raid.every(EVERY_MS, () => {
      const line = raid.visit(0, { first: kinds[count++ % kinds.length]!() })
      setTimeout(() => line.reset(), STAY_MS)
    })
  },
}
