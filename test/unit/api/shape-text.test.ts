/** Renderers from shapes: what they write is the JSON of the value. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  constant,
  decimal,
  flag,
  integer,
  list,
  object,
  oneOfNames,
  text,
  tuple,
} from '../../../src/api/answers/schema.ts'
import { rendererOf } from '../../../src/api/answers/shape-text.ts'

const shape = object(
  {
    id: integer,
    'a name': text,
    price: decimal,
    side: oneOfNames(['BUY', 'SELL']),
    levels: list(tuple(decimal, integer)),
    isBest: constant(true),
    own: object({ isOpen: flag }),
  },
  { note: text, parts: list(object({ n: integer }, { last: flag })), more: { type: 'array' } },
)
const part = fc.record({ n: fc.integer(), last: fc.boolean() }, { requiredKeys: ['n'] })
const values = fc.record(
  {
    id: fc.maxSafeInteger(),
    'a name': fc.string({ unit: 'binary' }),
    price: fc.nat().map((units) => `${units}.00000001`),
    side: fc.constantFrom('BUY', 'SELL'),
    levels: fc.array(fc.tuple(fc.constant('1.00000000'), fc.integer())),
    own: fc.record({ isOpen: fc.boolean() }),
    note: fc.string(),
    parts: fc.array(part),
    more: fc.array(fc.integer()),
  },
  { requiredKeys: ['id', 'a name', 'price', 'side', 'levels', 'own'] },
)

test('the text is the JSON of the value, constants included', () => {
  const render = rendererOf(shape)
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.parse(render(value))).toEqual({ ...value, isBest: true })
    }),
  )
})

test('required members stand first, in the order of the shape; those that are undefined are absent', () => {
  const value = { parts: undefined, note: 'a "b"', id: 1, 'a name': '', price: '1.00000000' }
  const rest = { side: 'BUY', levels: [], own: { isOpen: true } }
  expect(rendererOf(shape)({ ...value, ...rest })).toBe(
    '{"id":1,"a name":"","price":"1.00000000","side":"BUY","levels":[],' +
      '"own":{"isOpen":true},"isBest":true,"note":"a \\"b\\""}',
  )
})

test('an object of any members is written whole', () => {
  const members = { type: 'object', additionalProperties: { type: 'number' } }
  const value = { b: { '1': 0.5, a: 7 }, size: 0.25 }
  expect(rendererOf(object({ b: members, size: { type: 'number' } }))(value)).toBe(
    JSON.stringify(value),
  )
})

test('a shape that it cannot write is refused when it is compiled', () => {
  expect(() => rendererOf(object({ size: { type: 'null' } }))).toThrow('no renderer for')
})
