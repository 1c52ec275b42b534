import { expect, test } from 'vitest'
import { usualAccount } from '../../../src/base/listing.ts'
import { isApiKeyFormat, KeyRing } from '../../../src/gateway/key-ring.ts'
import { keyOf } from './one-thread-exchange.ts'

const owner = { ...usualAccount, id: 1, name: 'owner' }

test.each([
  ['a'.repeat(64), true],
  ['0aZ9'.repeat(16), true],
  ['a'.repeat(63), false],
  ['a'.repeat(65), false],
  [`${'a'.repeat(63)}-`, false],
  [`${'a'.repeat(63)}é`, false],
  ['', false],
])('%s is an API key: %s', (text, expected) => {
  expect(isApiKeyFormat(text)).toBe(expected)
})

test('a later key of the same name replaces an earlier', () => {
  const ring = new KeyRing([keyOf(1)], [owner])
  const { apiKey } = keyOf(1)
  expect(ring.find(apiKey)).toMatchObject({ account: owner, canRead: true, canTrade: true })
  ring.put({ ...keyOf(1), canRead: false, canTrade: false })
  expect(ring.find(apiKey)).toMatchObject({ canRead: false, canTrade: false })
  expect(ring.find('z'.repeat(64))).toBeUndefined()
})

test('a key of nobody is a mistake of the exchange', () => {
  expect(() => new KeyRing([keyOf(2)], [owner])).toThrow('every key belongs to an account')
})
