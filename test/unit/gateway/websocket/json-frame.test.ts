import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  JsonFault,
  memberNamed,
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
