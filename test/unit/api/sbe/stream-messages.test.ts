/** Messages of market streams, by example; their templates are compared with the schema in schema.test.ts. */
import { expect, test } from 'vitest'
import { Rows } from '../../../../src/api/answers/answer.ts'
import { bytesOf } from '../../../../src/api/answers/json.ts'
import {
  bestBidAskFrame,
  depthFrame,
  topLevelsFrame,
  tradesFrame,
} from '../../../../src/api/answers/market-streams.ts'
import { plainRows } from '../../../../src/api/answers/plain.ts'
import { streamMessageOf } from '../../../../src/api/sbe/sbe.ts'
import { Lots, Ms, Ticks, TradeId } from '../../../../src/base/units.ts'
import { tradedSymbols } from '../../../fixtures/one-thread-exchange.ts'
import { expectTwin, readMessage } from '../../../fixtures/sbe.ts'

const spec = tradedSymbols()[0]!
/** A coin of tiny prices and large quantities. */
const tiny = { ...spec, tickUnits: 1, lotUnits: 100_000_000 }
const form = { microseconds: true }
const eventMs = Ms(1_700_000_000_123)
const HEADER_BYTES = 8
const SYMBOL_BYTES = 1 + spec.name.length

const levels = (count: number) =>
  Array.from({ length: count }, (_, i) => [Ticks(i + 1), Lots(2 * i)] as const)
const diff = (bids: number, asks: number, of = spec) =>
  new Rows(
    depthFrame,
    {
      ...{ spec: of, eventMs, firstUpdateId: 7, finalUpdateId: 2 ** 53 - 1 },
      ...{ bids: levels(bids), asks: levels(asks) },
    },
    form,
  )
const best = (bidLots: number, of = spec) =>
  new Rows(
    bestBidAskFrame,
    {
      ...{ spec: of, eventMs, updateId: 9, bestBidTicks: Ticks(3), bestBidLots: Lots(bidLots) },
      ...{ bestAskTicks: Ticks(0), bestAskLots: Lots(0) },
    },
    form,
  )

test('the bytes of a message', () => {
  const name = Buffer.from(spec.name).toString('hex')
  const length = spec.name.length.toString(16).padStart(2, '0')
  const hex = (value: bigint) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value)
    return bytes.toString('hex')
  }
  expect(Buffer.from(streamMessageOf(diff(0, 1))).toString('hex')).toBe(
    // A block of 26 bytes, template 10003, schema 1:0; microseconds, both ids, -8 twice.
    `1a00132701000000${hex(BigInt(eventMs) * 1000n)}${hex(7n)}${hex(2n ** 53n - 1n)}f8f8` +
      // No bids, one ask, the symbol.
      `10000000${'10000100'}${hex(BigInt(spec.tickUnits))}${hex(0n)}${length}${name}`,
  )
})

test.each([
  [0, 0],
  [1, 0],
  [0, 20],
  [5_000, 5_000],
])('a diff of %i and %i levels', (bids, asks) => {
  const bytes = streamMessageOf(diff(bids, asks))
  expect(bytes).toHaveLength(HEADER_BYTES + 26 + 2 * 4 + 16 * (bids + asks) + SYMBOL_BYTES)
  expectTwin(readMessage(bytes), plainRows(diff(bids, asks)))
})

test('the best levels', () => {
  const row = { spec, eventMs, updateId: 4, bids: levels(20), asks: levels(3) }
  const rows = new Rows(topLevelsFrame, row, form)
  const message = readMessage(streamMessageOf(rows))
  expect(message.name).toBe('DepthSnapshotStreamEvent')
  expectTwin(message, plainRows(rows))
})

test('best prices, of which one side is empty', () => {
  const message = readMessage(streamMessageOf(best(5)))
  expect(message.values).toMatchObject({ askPrice: 0n, askQty: 0n, bookUpdateId: 9n })
  expectTwin(message, plainRows(best(5)))
})

test('trades of an execution', () => {
  const trade = (id: number, isBuyerMaker: boolean) => ({
    ...{ tradeId: TradeId(id), priceTicks: Ticks(id), lots: Lots(3), isBuyerMaker },
  })
  const trades = [trade(2 ** 53 - 1, true), trade(1, false)]
  const rows = new Rows(tradesFrame, { spec, eventMs, timeMs: Ms(5), trades }, form)
  const message = readMessage(streamMessageOf(rows))
  expect(message.values.transactTime).toBe(5_000n)
  expectTwin(message, plainRows(rows))
})

test('quantities without room have an exponent of their own, and prices keep theirs', () => {
  for (const lots of [92_233_720_368, 92_233_720_369, 2 ** 53 - 1]) {
    const message = readMessage(streamMessageOf(best(lots, tiny)))
    expectTwin(message, plainRows(best(lots, tiny)))
    expect(message.values.priceExponent).toBe(-8n)
  }
})

test('what no exponent shows is no message', () => {
  expect(streamMessageOf(best(2 ** 53 - 1, { ...tiny, lotUnits: 100_000_001 }))).toHaveLength(0)
  expect(streamMessageOf(diff(65_536, 0))).toHaveLength(0)
  // The next one is whole again.
  expectTwin(readMessage(streamMessageOf(best(1))), plainRows(best(1)))
})

test('a diff has at most 0.55 of the bytes of its JSON', () => {
  for (const count of [1, 5, 20, 200]) {
    const prices = levels(count).map(([, lots], i) => [Ticks(6_512_345 + i), Lots(lots + 12_345)])
    const row = { spec, eventMs, firstUpdateId: 61_234_567_890, finalUpdateId: 61_234_567_899 }
    const rows = new Rows(
      depthFrame,
      { ...row, bids: prices as never, asks: prices as never },
      form,
    )
    expect(streamMessageOf(rows).length / bytesOf(rows).length).toBeLessThanOrEqual(0.55)
  }
})
