import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CLIENT_ORDER_ID_WORDS,
  packClientOrderId,
  unpackClientOrderId,
} from '../../../src/base/client-order-id.ts'

const good = fc.stringMatching(/^[a-zA-Z0-9\-_.:/]{1,36}$/)

test('what is packed is unpacked, within its own words', () => {
  fc.assert(
    fc.property(good, (text) => {
      const words = new Int32Array(CLIENT_ORDER_ID_WORDS + 2)
      expect(packClientOrderId(text, words, 1)).toBe(true)
      expect(unpackClientOrderId(words, 1)).toBe(text)
      expect([words[0], words[CLIENT_ORDER_ID_WORDS + 1]]).toEqual([0, 0])
    }),
  )
})

test('two ids have the same words only when they are the same', () => {
  fc.assert(
    fc.property(good, good, (a, b) => {
      const first = new Int32Array(CLIENT_ORDER_ID_WORDS)
      const second = new Int32Array(CLIENT_ORDER_ID_WORDS)
      packClientOrderId(a, first, 0)
      packClientOrderId(b, second, 0)
      expect(first.join() === second.join()).toBe(a === b)
    }),
  )
})

test.each([
  '',
  'a'.repeat(37),
  'a b',
  'ä',
  'a"',
  '\u0000',
  'a\n',
  '€',
  'a+b',
])('%j is refused and leaves zeros', (text) => {
  const words = new Int32Array(CLIENT_ORDER_ID_WORDS).fill(7)
  expect(packClientOrderId(text, words, 0)).toBe(false)
  expect(words.every((word) => word === 0)).toBe(true)
  expect(unpackClientOrderId(words, 0)).toBe('')
})
