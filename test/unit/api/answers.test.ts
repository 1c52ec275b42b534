/** Answers as data: one table of elements gives the JSON of a row, its plain value and its schema. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, expectTypeOf, test } from 'vitest'
import { Answer, MixedRows, Rows } from '../../../src/api/answers/answer.ts'
import {
  above,
  answer,
  asset,
  assetOrNull,
  choice,
  constant,
  decimalText,
  derived,
  endTime,
  equal,
  fixed,
  flag,
  formSymbol,
  id,
  integer,
  levels,
  listOf,
  maskedName,
  moment,
  name,
  optional,
  price,
  priceChange,
  quantity,
  type RowOf,
  row,
  rows,
  signedUnits,
  symbol,
  symbolId,
  text,
  time,
  units,
  variant,
  volume,
  type WireRow,
  wireValue,
  within,
} from '../../../src/api/answers/element.ts'
import { textOf } from '../../../src/api/answers/json.ts'
import { bookTicker } from '../../../src/api/answers/market.ts'
import { plainRows } from '../../../src/api/answers/plain.ts'
import { oneOfNames, text as textSchema } from '../../../src/api/answers/schema.ts'
import { Lots, Ms, SymbolId, Ticks } from '../../../src/base/units.ts'
import { tradedSymbols } from '../../fixtures/one-thread-exchange.ts'

const spec = tradedSymbols()[0]!
const form = { spec, microseconds: false }
const best = {
  spec,
  bestBidTicks: Ticks(100_001),
  bestBidLots: Lots(3),
  bestAskTicks: Ticks(100_002),
  bestAskLots: Lots(0),
}
const bestText =
  '{"symbol":"BTCUSDT","bidPrice":"1000.01000000","bidQty":"0.00003000",' +
  '"askPrice":"1000.02000000","askQty":"0.00000000"}'

test('a row is written in the order of its elements, with the decimals of its symbol', () => {
  expect(textOf(new Rows(bookTicker, best, form))).toBe(bestText)
})

test('no digit is lost beyond 2^53 - 1 units', () => {
  const row = { ...best, bestBidLots: Lots(100_000_000_000_001) }
  const mean = new Answer({ mean: units('mean') })
  expect(textOf(new Rows(bookTicker, row, form))).toContain('"bidQty":"1000000000.00001000"')
  expect(textOf(new Rows(mean, { mean: 9_007_199_254_740_993n }, form))).toBe(
    '{"mean":"90071992.54740993"}',
  )
})

test('several rows, and none', () => {
  expect(textOf(new Rows(bookTicker, [best, best], form))).toBe(`[${bestText},${bestText}]`)
  expect(textOf(new Rows(bookTicker, [], form))).toBe('[]')
  expect(textOf(new Rows(new Answer({}), {}, form))).toBe('{}')
})

const bits = ['A', 'B', 'A', 'B']
const otherBits = ['X', 'X', 'Y', 'Y']
const leg = new Answer({ symbol: formSymbol, orderId: integer('orderId'), qty: quantity('lots') })
const pair = new Answer({ price: price('priceTicks'), qty: quantity('lots') }, true)
interface Rule {
  readonly kind: string
  readonly limit?: string
  readonly count?: number
}
const rules = {
  LIMIT: new Answer({ kind: constant('LIMIT'), limit: decimalText('limit') }),
  COUNT: new Answer({ kind: constant('COUNT'), count: integer('count') }),
}
const everything = new Answer({
  symbol: formSymbol,
  kind: constant('spot'),
  one: maskedName('terms', bits, oneOfNames(['A', 'B'])),
  other: maskedName('terms', otherBits, oneOfNames(['X', 'Y'])),
  status: name('status', ['NEW', 'FILLED']),
  price: price('priceTicks'),
  change: priceChange('change'),
  qty: quantity('lots'),
  volume: volume('sumLots'),
  paid: units('paidAtoms'),
  percent: fixed('percentThousandths', 3),
  limit: choice('limit', ['ORDERS', 'CONNECTIONS']),
  asset: asset('paidAsset'),
  clientOrderId: id('clientOrderId'),
  note: text('note'),
  time: time('timeMs'),
  workingTime: moment('workingMs'),
  closeTime: endTime('timeMs'),
  isOpen: flag('isOpen'),
  more: optional(text('more')),
  labels: within('details', above('label', -1, integer('label'))),
  stopPrice: within('details', price('stopTicks'), Ticks(0)),
  reason: equal('status', 1, id('clientOrderId')),
  double: derived(integer(''), ({ count }: { readonly count: number }) => 2 * count),
  leg: row('leg', leg),
  legs: rows('legs', leg),
  pairs: rows('pairs', pair),
  bids: levels('bids'),
  free: wireValue<{ readonly a: string }>({
    type: 'object',
    properties: { a: textSchema },
    required: ['a'],
  })('free'),
  sets: listOf('sets', listOf('', text(''))),
  statuses: listOf('statuses', name('', ['NEW', 'FILLED'])),
  rules: listOf('rules', variant<Rule>('kind', rules, { type: 'object' })('')),
  inner: answer<unknown>({})('inner'),
  none: answer<unknown>({})('none'),
  moved: signedUnits('moved'),
  paidIn: within('fee', assetOrNull('asset'), null),
  shifted: maskedName('packed', bits, oneOfNames(['A', 'B']), 6),
  last: flag('isOpen'),
})
const legRow = { orderId: 7, lots: Lots(2) }
const full = {
  terms: 7,
  status: 1,
  priceTicks: Ticks(5),
  change: -3,
  lots: Lots(4),
  sumLots: 10n ** 17n,
  paidAtoms: 2n ** 60n,
  paidAsset: spec.quote,
  clientOrderId: 'a-1',
  note: 'a "quoted" ü\n',
  timeMs: Ms(1_781_697_600_000),
  workingMs: Ms(-1),
  isOpen: true,
  more: 'yes',
  count: 3,
  percentThousandths: -1_500n,
  limit: 'ORDERS' as const,
  details: { label: 2 ** 40, stopTicks: Ticks(9) },
  leg: legRow,
  legs: [legRow, legRow],
  pairs: [{ priceTicks: Ticks(1), lots: Lots(1) }],
  free: { a: '"' },
  sets: [['a "b"', 'ü'], [], ['c']],
  statuses: [1, 0],
  rules: [
    { kind: 'LIMIT', limit: '0.2' },
    { kind: 'COUNT', count: 2 },
  ] as readonly Rule[],
  bids: [[Ticks(2), Lots(3)] as const, [Ticks(1), Lots(8)] as const],
  inner: new Rows(bookTicker, [best], form),
  none: null,
  moved: -3,
  packed: 1 << 6,
  fee: { asset: spec.quote },
}
const bare = {
  ...full,
  terms: 0,
  status: 0,
  isOpen: false,
  more: undefined,
  details: undefined,
  legs: [],
  pairs: [],
  bids: [],
  sets: [],
  statuses: [],
  rules: [],
  workingMs: Ms(1_781_697_600_001),
  change: 3,
  inner: new Rows(bookTicker, best, form),
  moved: 2n ** 60n,
  packed: 1,
  fee: undefined,
}

test.each([
  ['with all', full],
  ['with what each has', bare],
  ['without labels', { ...full, details: { label: -1, stopTicks: Ticks(1) } }],
])('JSON is what its plain twin says, %s, and of its schema', (_name, value) => {
  for (const microseconds of [false, true]) {
    const shown = new Rows(everything, value, { spec, microseconds })
    const json = JSON.parse(textOf(shown))
    expect(json).toEqual(plainRows(shown))
    expect(Object.keys(json)).toEqual(Object.keys(plainRows(shown) as object))
    const validate = new Ajv2020({ strict: false, formats: { int64: true } }).compile(
      everything.schema,
    )
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
  }
})

test('a row has what its elements need, and a client gets what the table says', () => {
  type Got = WireRow<(typeof everything)['elements']>
  expectTypeOf<Got['price']>().toEqualTypeOf<string>()
  expectTypeOf<Got['status']>().toEqualTypeOf<'NEW' | 'FILLED'>()
  expectTypeOf<Got['more']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Got['legs'][number]['orderId']>().toEqualTypeOf<number>()
  // A quantity is no price.
  type Mistaken = { readonly priceTicks: Lots; readonly lots: Lots }
  expectTypeOf<Mistaken>().not.toExtend<RowOf<(typeof pair)['elements']>>()
})

test('an answer that is kept shows each row as it was when it was first written', () => {
  const kept = Answer.kept({ note: text('note') })
  const list = new Answer({ first: row('first', kept), all: rows('all', kept) })
  const [one, other] = [{ note: 'ü' }, { note: 'a' }]
  const shown = new Rows(list, { first: one, all: [one, other, one] }, form)
  const before = '{"first":{"note":"ü"},"all":[{"note":"ü"},{"note":"a"},{"note":"ü"}]}'
  expect(textOf(shown)).toBe(before)
  one.note = 'b'
  expect(textOf(shown)).toBe(before)
  expect(textOf(new Rows(kept, [one, { note: 'b' }], form))).toBe('[{"note":"ü"},{"note":"b"}]')
})

test('each row of a list has its own symbol where its answer says so', () => {
  const other = tradedSymbols()[1]!
  const list = new Answer({ symbol: symbol('spec'), price: price('ticks') })
  const shown = [spec, other].map((one) => ({ spec: one, ticks: Ticks(1) }))
  expect(JSON.parse(textOf(new Rows(list, shown, { microseconds: false })))).toEqual(
    plainRows(new Rows(list, shown, { microseconds: false })),
  )
})

test('rows name their symbol by its id, where the form has all, and rows within are of it', () => {
  const symbols = tradedSymbols()
  const list = new Answer({ symbol: symbolId('id'), legs: rows('legs', leg) })
  const shown = new Rows(
    list,
    [1, 0].map((id) => ({ id: SymbolId(id), legs: [legRow] })),
    {
      symbols,
      microseconds: false,
    },
  )
  const text = textOf(shown)
  expect(JSON.parse(text)).toEqual(plainRows(shown))
  expect(text).toContain(`{"symbol":"${symbols[1]!.name}","legs":[{"symbol":"${symbols[1]!.name}"`)
})

test('a list of rows of several answers', () => {
  const mixed = new MixedRows([new Rows(bookTicker, best, form), new Rows(leg, legRow, form)])
  expect(JSON.parse(textOf(mixed))).toEqual(plainRows(mixed))
  expect(textOf(new MixedRows([]))).toBe('[]')
})

test('the first element of several may not be absent', () => {
  const late = new Answer({ at: optional(time('atMs')), name: text('name') })
  const write = () => textOf(new Rows(late, { name: 'a' }, form))
  expect(write).toThrow('the first element of several is not optional')
})
