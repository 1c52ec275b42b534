import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../src/api/errors.ts'
import {
  COMMON_PARAM_COUNT,
  PARAM_COUNT,
  paramNames,
  RareParam,
} from '../../../src/api/parameters.ts'
import { Params, RawParams, UNKNOWN_PARAMETERS_MAX } from '../../../src/api/params.ts'

function entriesOf(raw: RawParams | Fault): Record<string, string> | string {
  if (raw instanceof Fault) return raw.id
  const entries: Record<string, string> = {}
  raw.forEach((name, text) => {
    entries[name] = text
  })
  return entries
}

const parsed = (query: string, body = '') => entriesOf(RawParams.parse(query, body))

describe('what a query and a body say', () => {
  test.each<[what: string, query: string, body: string, says: Record<string, string> | string]>([
    ['nothing', '', '', {}],
    ['one pair', 'symbol=BTCUSDT', '', { symbol: 'BTCUSDT' }],
    ['an empty text', 'price=', '', { price: '' }],
    ['a name alone', 'price', '', { price: '' }],
    ['empty pairs', '&&a=1&&b=2&', '', { a: '1', b: '2' }],
    ['a text with =', 'signature=abc==', '', { signature: 'abc==' }],
    ['escapes', 'symbols=%5B%22A%22%5D&a+b=c+d', '', { symbols: '["A"]', 'a b': 'c d' }],
    ['an escaped name', '%73ymbol=X', '', { symbol: 'X' }],
    ['names by case', 'Symbol=a&symbol=B', '', { Symbol: 'a', symbol: 'B' }],
    ['query before body', 'price=1', 'price=2&limit=3', { price: '1', limit: '3' }],
    ['unknown names alike', 'x=1', 'x=2&y=3', { x: '1', y: '3' }],
    ['a broken escape', 'symbol=%zz', '', 'BROKEN_ENCODING'],
    ['a cut escape', 'symbol=%4', '', 'BROKEN_ENCODING'],
    ['an escape that is not UTF-8', 'symbol=%ff', '', 'BROKEN_ENCODING'],
    ['a name twice', 'price=1&price=1', '', 'DUPLICATE_PARAMETER'],
    ['a name twice by escapes', 'price=1&%70rice=1', '', 'DUPLICATE_PARAMETER'],
    ['an unknown name twice', 'x=1&x=2', '', 'DUPLICATE_PARAMETER'],
    ['a name twice in the body', '', 'price=1&price=2', 'DUPLICATE_PARAMETER'],
    ['a name twice in the body, once before', 'price=0', 'price=1&price=2', 'DUPLICATE_PARAMETER'],
  ])('%s', (_, query, body, says) => {
    expect(parsed(query, body)).toEqual(says)
  })

  test('many unknown names are a fault, one fewer is not', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `u${i}=1`).join('&')
    expect(parsed(names(UNKNOWN_PARAMETERS_MAX))).toBeTypeOf('object')
    expect(parsed(names(UNKNOWN_PARAMETERS_MAX + 1))).toBe('TOO_MANY_PARAMETERS')
    const half = UNKNOWN_PARAMETERS_MAX
    expect(parsed(names(half), 'other=1')).toBe('TOO_MANY_PARAMETERS')
  })

  test('counts every name once', () => {
    const raw = RawParams.parse('symbol=A&x=1&price=2', 'price=3&y=4')
    expect((raw as RawParams).sentCount).toBe(4)
  })
})

describe('beside URLSearchParams', () => {
  const name = fc.oneof(
    fc.constantFrom('symbol', 'price', 'a', 'é', 'x y', '&', '='),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  )
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const pairs = fc.uniqueArray(fc.tuple(name, text), { maxLength: 20, selector: ([key]) => key })

  test('the same pairs are found', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const encoded = new URLSearchParams(given).toString()
        expect(parsed(encoded)).toEqual(Object.fromEntries(given))
      }),
    )
  })

  test('the same pairs are found whatever was sent before, and in whatever order', () => {
    // Some begin, or end, as others do.
    const known = fc.constantFrom(...paramNames)
    const similar = fc.constantFrom('symbol', 'symbols', 'symbolStatus', 'sym', 'symbolsX', 'Id')
    const plainPairs = fc.uniqueArray(
      fc.tuple(fc.oneof(similar, known), fc.stringMatching(/^[\w=]*$/)),
      {
        maxLength: 12,
        selector: ([key]) => key,
      },
    )
    fc.assert(
      fc.property(fc.array(plainPairs, { maxLength: 6 }), (requests) => {
        for (const given of requests) {
          const plain = given.map(([key, value]) => `${key}=${value}`).join('&')
          expect(parsed(plain)).toEqual(Object.fromEntries(new URLSearchParams(plain)))
        }
      }),
    )
  })

  test('all names that there are, and as many others as may be sent', () => {
    const others = Array.from({ length: UNKNOWN_PARAMETERS_MAX }, (_, i) => `u${i}`)
    const pairs = [...paramNames, ...others].map((name) => `${name}=1`)
    const all = RawParams.parse(pairs.join('&'), '') as RawParams
    expect(all.sentCount).toBe(PARAM_COUNT + UNKNOWN_PARAMETERS_MAX)
    expect(parsed([...pairs, 'more=1'].join('&'))).toBe('TOO_MANY_PARAMETERS')
    expect(parsed([...pairs, 'symbol=1'].join('&'))).toBe('DUPLICATE_PARAMETER')
  })

  test('random bytes never throw', () => {
    const garbage = fc.string({ unit: 'binary', maxLength: 200 })
    const almost = fc
      .array(fc.constantFrom('symbol', '=', '&', '%', '%4', '%41', '+', 'ü', '\0', '1'), {
        maxLength: 40,
      })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(garbage, almost), fc.oneof(garbage, almost), (query, body) => {
        const raw = RawParams.parse(query, body)
        expect(raw instanceof RawParams || raw instanceof Fault).toBe(true)
      }),
    )
  })
})

describe('rare parameters', () => {
  test('have places only where one was sent', () => {
    const plain = RawParams.parse('symbol=A&orderId=1', '') as RawParams
    expect(plain.values).toHaveLength(COMMON_PARAM_COUNT)
    expect(plain.text(RareParam.aboveType)).toBeUndefined()
    expect(new Params(plain).numbers).toHaveLength(COMMON_PARAM_COUNT)
    const rare = RawParams.parse(
      'symbol=A&aboveType=STOP_LOSS',
      'pendingBelowStopPrice=1',
    ) as RawParams
    expect(rare.values).toHaveLength(PARAM_COUNT)
    expect(new Params(rare).numbers).toHaveLength(PARAM_COUNT)
    expect(rare.text(RareParam.aboveType)).toBe('STOP_LOSS')
    expect(rare.text(RareParam.pendingBelowStopPrice)).toBe('1')
    expect(rare.sentCount).toBe(3)
  })

  test('are signed, and twice is once too often', () => {
    const raw = RawParams.parse('belowType=LIMIT_MAKER&symbol=A', '') as RawParams
    const sent: string[] = []
    raw.forEach((name, text) => {
      sent.push(`${name}=${text}`)
    })
    expect(sent.sort()).toEqual(['belowType=LIMIT_MAKER', 'symbol=A'])
    expect(RawParams.parse('belowType=A&belowType=B', '')).toMatchObject({
      id: 'DUPLICATE_PARAMETER',
    })
  })
})
