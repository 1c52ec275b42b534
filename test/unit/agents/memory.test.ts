import { expect, test } from 'vitest'
import { reserve } from '../../../src/agents/memory.ts'
import { PAGE_ORDERS, SYMBOLS_AT_ONCE } from '../../../src/api/handlers/open-orders.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { PIECE_LEVELS } from '../../../src/gateway/engine-link/book-loader.ts'
import { INQUIRIES_MAX } from '../../../src/gateway/engine-link/bulk-queries.ts'
import {
  BookBegin,
  BookEnd,
  BookLevel,
  DetailsSection,
  OrderState,
  QueryEnd,
  Rejected,
} from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { ReplyRingWriter } from '../../../src/ring/reply-ring.ts'

const configOf = (...flags: string[]) =>
  parseConfig(['--accounts', '8', ...flags], {}, () => '').config!

test.each([
  ['the defaults', []],
  ['few orders, a small ring', ['--orders-per-symbol', '1024', '--event-ring-bytes', '1048576']],
  [
    'books larger than a ring, since books come in pieces',
    ['--orders-per-symbol', '393216', '--event-ring-bytes', '1048576'],
  ],
  ['the largest books', ['--orders-per-symbol', '8388608']],
])('%s: %j', (_, flags) => {
  expect(() => reserve(configOf(...flags), [])).not.toThrow()
})

test('a reply ring has room for all that a gateway asks a matcher for at once, and for refusals', () => {
  const pageBytes = PAGE_ORDERS * (OrderState.bytes + DetailsSection.bytes) + QueryEnd.bytes
  const pieceBytes = BookBegin.bytes + PIECE_LEVELS * BookLevel.bytes + BookEnd.bytes
  const { replyRings } = reserve(configOf('--gateways', '2', '--matchers', '3'), [])
  expect(replyRings.map((rings) => rings.length)).toEqual([3, 3])
  const ring = new ReplyRingWriter(replyRings[0]![0]!)
  const answer = RecordBuffer.allocate(Math.max(pageBytes, pieceBytes))
  for (let page = 0; page < INQUIRIES_MAX * SYMBOLS_AT_ONCE; page++) {
    expect(ring.write(0, answer, pageBytes)).toBe(true)
  }
  expect(ring.write(0, answer, pieceBytes)).toBe(true)
  let refusals = 0
  while (ring.hasRoom() && ring.write(0, answer, Rejected.bytes)) refusals++
  expect(refusals).toBeGreaterThan(10_000)
})
