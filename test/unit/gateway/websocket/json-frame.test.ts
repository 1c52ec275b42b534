import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/api/errors.ts'
import { Param, paramNames } from '../../../../src/api/parameters.ts'
import { RawParams } from '../../../../src/api/params.ts'
import {
  JsonFault,
  memberNamed,
  RequestFrame,
  readMembers,
  stringOf,
} from '../../../../src/gateway/websocket/json-frame.ts'

describe('members', () => {
  test('keep their texts, offsets and order', () => {
    const text = ' { "a" : 1.50 ,"b":[1, {"a":2}],"\\u0063":"x\\"y" } '
    expect(readMembers(text)).toEqual([
      { name: 'a', text: '1.50', end: 13 },
      { name: 'b', text: '[1, {"a":2}]', end: 31 },
      { name: 'c', text: '"x\\"y"', end: 47 },
    ])
  })

  test('of one name: the last counts', () => {
    const members = readMembers('{"a":1,"a":2}')
    expect(memberNamed(members as never, 'a')!.text).toBe('2')
  })

  test.each(['[]', '5', 'null', '"{}"', ' true '])('%s is JSON without members', (text) => {
    expect(readMembers(text)).toBeUndefined()
  })

  test('are strings or not', () => {
    const members = readMembers('{"a":"\\u0041","b":5}')
    expect(stringOf(memberNamed(members as never, 'a'))).toBe('A')
    expect(stringOf(memberNamed(members as never, 'b'))).toBeUndefined()
    expect(stringOf(memberNamed(members as never, 'c'))).toBeUndefined()
  })
})

describe('what is not JSON is found where it stops being JSON', () => {
  test.each([
    ['', 0],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{"a":01}', 6],
    ['{"a":+1}', 5],
    ['{"a":tru}', 5],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['{"a":1} x', 8],
    ['{"a":"\n"}', 6],
    ['{"a":"\\x"}', 6],
    ['{"a":"\\u12g4"}', 6],
    ['{"a', 3],
    ['[[1]', 4],
  ])('%j at %i', (text, offset) => {
    expect(readMembers(text)).toEqual(new JsonFault(offset))
  })

  test('nested too deeply', () => {
    expect(readMembers('['.repeat(100_000))).toBeInstanceOf(JsonFault)
  })
})

test('it accepts what JSON.parse accepts, with the same values', () => {
  const shallow = fc.json({ maxDepth: 5, depthSize: 'large' })
  fc.assert(
    fc.property(shallow, (text) => {
      const members = readMembers(text)
      expect(members).not.toBeInstanceOf(JsonFault)
      const value: unknown = JSON.parse(text)
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      expect(members !== undefined).toBe(isObject)
      for (const { name, text: part } of (members as []) ?? []) {
        expect(JSON.parse(part)).toEqual((value as Record<string, unknown>)[name])
      }
    }),
  )
})

test('it refuses what JSON.parse refuses', () => {
  const damaged = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, insert]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + insert + text.slice(place + 1)
    })
  fc.assert(
    fc.property(damaged, (text) => {
      let refused = false
      try {
        JSON.parse(text)
      } catch {
        refused = true
      }
      expect(readMembers(text) instanceof JsonFault).toBe(refused)
    }),
    { numRuns: 2_000 },
  )
})

test('a long string is read as JSON.parse reads it, wherever it is escaped or broken', () => {
  const piece = fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '\\u0041',
    '\\x',
    '\n',
    '\u001f',
    '\u007f',
    '\u2028',
    'Ж',
  )
  const run = fc.nat(300).map((length) => 'x'.repeat(length))
  fc.assert(
    fc.property(fc.array(fc.oneof(run, piece), { maxLength: 12 }), (parts) => {
      const text = `{"a":"${parts.join('')}"}`
      let parsed: { a: unknown } | undefined
      try {
        parsed = JSON.parse(text) as { a: unknown }
      } catch {
        parsed = undefined
      }
      const members = readMembers(text)
      if (members instanceof JsonFault || parsed === undefined) {
        expect([members instanceof JsonFault, parsed]).toEqual([true, undefined])
      } else expect(stringOf(memberNamed(members ?? [], 'a'))).toBe(parsed.a)
    }),
    { numRuns: 1_000 },
  )
})

const frame = new RequestFrame()

/** The parameters of a frame: each name and text, in order; or the fault's id. */
function paramsOf(text: string): [name: string, text: string][] | string {
  expect(frame.read(text)).toBe(true)
  if (!frame.findParams()) return 'no object'
  const raw = RawParams.ofMembers(frame.params, frame.paramsBegin, frame.paramsEnd)
  if (raw instanceof Fault) return raw.id
  const sent: [name: string, text: string][] = []
  raw.forEach((name, value) => {
    sent.push([name, value])
  })
  return sent
}

describe('the parameters of a request', () => {
  test.each<[json: string, text: string]>([
    ['"BTCUSDT"', 'BTCUSDT'],
    ['"q\\"\\u00e9"', 'q"é'],
    ['"Ж"', 'Ж'],
    ['0.10', '0.10'],
    ['1e-7', '1e-7'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', 'true'],
    ['""', ''],
    ['[ "A", "B" ]', '["A","B"]'],
    ['{"a": 1}', '{"a":1}'],
  ])('%s is a value', (json, text) => {
    const sent = [['symbol', text]]
    expect(paramsOf(`{"params":{"symbol":${json}}}`)).toEqual(sent)
    expect(paramsOf(`{"é":{"a":1},"params": { "s\\u0079mbol" : ${json} } ,"x":{"b":2}}`)).toEqual(
      sent,
    )
  })

  test('that are null were not sent', () => {
    expect(paramsOf('{"params":{"symbol":null}}')).toBe('MANDATORY_PARAMETER')
    expect(paramsOf('{"params":{"symbol":"BTCUSDT","limit": null }}')).toBe('MANDATORY_PARAMETER')
  })

  test('are none, or no object', () => {
    expect(paramsOf('{"id":1}')).toEqual([])
    expect(paramsOf('{"params":{}}')).toEqual([])
    for (const json of ['[{"a":1}]', 'null', '"{}"', '5']) {
      expect(paramsOf(`{"params":${json}}`)).toBe('no object')
    }
  })

  test('a name twice is a fault, however it is spelled', () => {
    expect(paramsOf('{"params":{"symbol":"A","symbol":"A"}}')).toBe('DUPLICATE_PARAMETER')
    expect(paramsOf('{"params":{"symbol":"A","\\u0073ymbol":"A"}}')).toBe('DUPLICATE_PARAMETER')
  })

  test('the last of several counts, as with every member', () => {
    const text = '{"params":{"side":"A"},"id":1,"params":{"type":"B"},"id":2,"method":"m"}'
    expect(paramsOf(text)).toEqual([['type', 'B']])
    expect(frame.jsonOf('id')).toBe('2')
    expect(frame.stringOf('method')).toBe('m')
    expect(frame.stringOf('id')).toBeUndefined()
    expect(frame.jsonOf('other')).toBeUndefined()
  })

  test.each(['', '[]', '5', '{', '{"a":1}x', '{"a":"\u0000"}'])('%j is no request', (text) => {
    expect(frame.read(text)).toBe(false)
  })

  test('whatever a client sends, they are what JSON.parse reads', () => {
    const name = fc.oneof(
      fc.constantFrom(...paramNames.slice(0, 12)),
      fc.string({ unit: 'binary' }),
    )
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean())
    const params = fc.uniqueArray(fc.tuple(name, value), { selector: ([it]) => it, maxLength: 12 })
    const other = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(params, other, other, fc.nat(2), (sent, first, last, indent) => {
        const object = Object.fromEntries(sent.map(([key, it]) => [key, it]))
        const text = JSON.stringify({ first, params: object, last }, undefined, indent)
        const read = paramsOf(text)
        expect(Object.fromEntries(read as [])).toEqual(
          Object.fromEntries(Object.entries(object).map(([key, it]) => [key, String(it)])),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('stay what they were when the next frame is read', () => {
    frame.read('{"params":{"symbol":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}')
    frame.findParams()
    const raw = RawParams.ofMembers(frame.params, frame.paramsBegin, frame.paramsEnd)
    frame.read(`{"params":{"symbol":"${'é'.repeat(40_000)}"}}`)
    expect((raw as RawParams).text(Param.symbol)).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  })
})
