/** Messages at the bounds of their fields; answers of every operation are compared in test/protocol. */
import { expect, test } from 'vitest'
import { Encoded, Rows } from '../../../../src/api/answers/answer.ts'
import { shownError } from '../../../../src/api/answers/errors.ts'
import { bookTicker, depth, priceTicker } from '../../../../src/api/answers/market.ts'
import { plainRows } from '../../../../src/api/answers/plain.ts'
import { balanceChange } from '../../../../src/api/answers/user-events.ts'
import { type SbeVersion, sbeOf } from '../../../../src/api/sbe/sbe.ts'
import { Lots, Ms, Ticks } from '../../../../src/base/units.ts'
import { tradedSymbols } from '../../../fixtures/one-thread-exchange.ts'
import { expectDecoded, expectTwin, readMessage } from '../../../fixtures/sbe.ts'

const spec = tradedSymbols()[0]!
const form = { spec, microseconds: false }
const coarse = { ...spec, tickUnits: 100_000_000, lotUnits: 100_000_000 }

const read = (reply: Parameters<typeof sbeOf>[1], version: SbeVersion = 5) =>
  readMessage(sbeOf(version, reply))
const best = {
  spec,
  bestBidTicks: Ticks(1),
  bestBidLots: Lots(2),
  bestAskTicks: Ticks(3),
  bestAskLots: Lots(4),
}

test('the bytes of a small message', () => {
  const bytes = sbeOf(5, new Rows(priceTicker, { spec, lastTicks: Ticks(0) }, form))
  const name = Buffer.from(spec.name).toString('hex')
  const length = spec.name.length.toString(16).padStart(2, '0')
  expect(Buffer.from(bytes).toString('hex')).toBe(
    // A block of 9 bytes, template 209, schema 3:5; -8; null; the symbol.
    `0900d10003000500${'f8'}${'0000000000000080'}${length}${name}`,
  )
})

test('an empty side is null, and its quantity is not', () => {
  const row = { ...best, bestBidTicks: Ticks(0), bestBidLots: Lots(0) }
  const { values } = read(new Rows(bookTicker, row, form))
  expect([values.bidPrice, values.bidQty]).toEqual([null, 0n])
})

test('where a mantissa has no room, the smallest exponent that is exact is of the whole message', () => {
  const lots = (count: number) => ({ ...best, spec: coarse, bestBidLots: Lots(count) })
  const exponents = [92_233_720_368, 92_233_720_369, 2 ** 53 - 1].map((count) => {
    const rows = new Rows(bookTicker, lots(count), form)
    const message = read(rows)
    expectTwin(message, plainRows(rows))
    expect(message.values.qtyExponent).toBe(message.values.priceExponent)
    return Number(message.values.qtyExponent)
  })
  expect(exponents).toEqual([-8, -7, -3])
})

test('what no exponent shows is template 999', () => {
  const odd = { ...spec, lotUnits: 100_000_001 }
  const row = { ...best, spec: odd, bestBidLots: Lots(2 ** 53 - 1) }
  expect(read(new Rows(bookTicker, row, form)).name).toBe('NonRepresentableMessage')
  // The next message is whole again.
  expect(read(new Rows(bookTicker, best, form)).name).toBe('BookTickerSymbolResponse')
})

const levels = (count: number) =>
  Array.from({ length: count }, (_, i) => [Ticks(i + 1), Lots(2 * i + 1)] as const)

test.each([0, 1, 5_000])('a book of %i levels on both sides', (count) => {
  const row = { updateId: 2 ** 53 - 1, bids: levels(count), asks: levels(count) }
  for (const _ of ['made', 'kept']) {
    const bytes = sbeOf(5, new Rows(depth, row, form))
    expect(bytes.length).toBe(8 + 10 + 2 * 6 + 2 * 16 * count)
    expectTwin(readMessage(expectDecoded(bytes)), plainRows(new Rows(depth, row, form)))
  }
})

test('rows that are kept are kept by version', () => {
  const row = { updateId: 1, bids: levels(1), asks: [] }
  const versions = ([4, 5, 4, 5] as const).map(
    (version) => read(new Rows(depth, row, form), version).version,
  )
  expect(versions).toEqual([4, 5, 4, 5])
})

test('a book with a level that has no room at 10^-8 is kept as it was sent', () => {
  const row = { updateId: 1, bids: [[Ticks(1), Lots(2 ** 53 - 1)] as const], asks: levels(1) }
  const rows = new Rows(depth, row, { ...form, spec: coarse })
  for (const _ of ['made', 'kept']) expectTwin(read(rows), plainRows(rows))
})

test('texts are UTF-8 behind their bytes, and no text is longer than its length can say', () => {
  const told = (message: string) => read(shownError({ code: -1, message }))
  for (const message of ['', 'a', 'ü', '\ud83d\ude00'.repeat(16_000), 'a'.repeat(65_535)]) {
    expect(told(message).values.msg).toBe(message)
  }
  expect(told('a'.repeat(65_536)).name).toBe('NonRepresentableMessage')
})

test('lists that were encoded before are passed on, in their own encoding alone', () => {
  const bytes = new Uint8Array([1, 2, 3])
  expect(sbeOf(5, new Encoded('SBE 3:5', bytes))).toBe(bytes)
  expect(() => sbeOf(5, new Encoded('JSON', bytes))).toThrow('one encoding')
})

test.each([
  ['BalanceUpdateEvent', 0, 601],
  ['ExternalLockUpdateEvent', 1, 604],
])('a change of a balance from outside: %s', (name, kind, template) => {
  for (const atoms of [0, -1, 150_000_000, 2n ** 62n]) {
    const row = { kind, eventTimeMs: Ms(9), asset: { id: 0, name: 'BTC' }, atoms, timeMs: Ms(7) }
    const rows = new Rows(balanceChange, row as never, form)
    const bytes = sbeOf(5, rows)
    expect(Buffer.from(bytes).readUInt16LE(2)).toBe(template)
    const message = readMessage(bytes)
    expect([message.name, message.values.clearTime]).toEqual([name, 7_000n])
    expectTwin(message, plainRows(rows))
  }
})
