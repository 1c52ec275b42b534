/** Faults of JSON texts are found where JSON.parse stops, and only in texts that it refuses. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault } from '../../../src/control/json-fault.ts'

test.each([
  ['', 'line 1, column 1: the text ends'],
  ['{', 'line 1, column 2: the text ends'],
  ['[1,]', 'line 1, column 4: unexpected "]"'],
  ['[1 2]', 'line 1, column 4: unexpected "2"'],
  ['{"a":1,}', 'line 1, column 8: unexpected "}"'],
  ['{"a" 1}', 'line 1, column 6: unexpected "1"'],
  ['{a:1}', 'line 1, column 2: unexpected "a"'],
  ['[\n  {"a": tru},\n]', 'line 2, column 9: unexpected "t"'],
  ['[1}', 'line 1, column 3: unexpected "}"'],
  ['[] []', 'line 1, column 4: unexpected "["'],
  ['"a\nb"', 'line 1, column 1: unexpected "\\""'],
  ['01', 'line 1, column 2: unexpected "1"'],
])('%j', (text, fault) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonFault(text)).toBe(fault)
})

test('the whole of a JSON text is read, and no cut of one is taken for whole', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      expect(jsonFault(`${text}?`)).toMatch(/unexpected "\?"$/)
      const head = text.slice(0, cut % text.length)
      try {
        JSON.parse(head)
      } catch {
        const [, line, column] = /^line (\d+), column (\d+): /.exec(jsonFault(head)) ?? []
        expect(Number(line)).toBe(1)
        expect(Number(column)).toBeLessThanOrEqual(head.length + 1)
      }
    }),
  )
})
