/** Answers as data: one table of elements gives the JSON of a row, its schema and the order of its members. */
import { expect, test } from 'vitest'
import { Answer, Rows } from '../../../src/api/answers/answer.ts'
import { bookTicker } from '../../../src/api/answers/market.ts'
import { textOf } from '../../../src/api/render/json-bytes.ts'
import { Lots, Ms, Ticks } from '../../../src/base/units.ts'
import { tradedSymbols } from '../../fixtures/one-thread-exchange.ts'

const [symbol] = tradedSymbols() as [ReturnType<typeof tradedSymbols>[0]]
const best = {
  ...{ symbol, bidPrice: Ticks(100_001), bidQty: Lots(3) },
  ...{ askPrice: Ticks(100_002), askQty: Lots(0) },
}
const text =
  '{"symbol":"BTCUSDT","bidPrice":"1000.01000000","bidQty":"0.00003000",' +
  '"askPrice":"1000.02000000","askQty":"0.00000000"}'

test('a row is written in the order of its elements, with the decimals of its symbol', () => {
  expect(textOf(new Rows(bookTicker, best, false))).toBe(text)
})

test('no digit is lost beyond 2^53 - 1 units', () => {
  const row = { ...best, bidQty: Lots(100_000_000_000_001) }
  const mean = new Answer({ mean: 'units' })
  expect(textOf(new Rows(bookTicker, row, false))).toContain('"bidQty":"1000000000.00001000"')
  expect(textOf(new Rows(mean, { mean: 9_007_199_254_740_993n }, false))).toBe(
    '{"mean":"90071992.54740993"}',
  )
})

test('several rows, and none', () => {
  expect(textOf(new Rows(bookTicker, [best, best], false))).toBe(`[${text},${text}]`)
  expect(textOf(new Rows(bookTicker, [], false))).toBe('[]')
})

test('times are in the unit that was asked for', () => {
  const moment = new Answer({ at: 'time', count: 'integer', mean: 'units' })
  const row = { at: Ms(1_781_697_600_000), count: 7, mean: 150_000_000 }
  const members = '"count":7,"mean":"1.50000000"}'
  expect(textOf(new Rows(moment, row, false))).toBe(`{"at":1781697600000,${members}`)
  expect(textOf(new Rows(moment, row, true))).toBe(`{"at":1781697600000000,${members}`)
})

test('the schema has the same members', () => {
  expect(bookTicker.schema).toMatchObject({
    required: ['symbol', 'bidPrice', 'bidQty', 'askPrice', 'askQty'],
    additionalProperties: false,
  })
})
