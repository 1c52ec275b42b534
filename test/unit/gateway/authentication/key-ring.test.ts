import { expect, test } from 'vitest'
import { AccountId } from '../../../../src/base/units.ts'
import { isApiKeyFormat, KeyRing } from '../../../../src/gateway/authentication/key-ring.ts'
import { mayWithdrawTo } from '../../../../src/market/key-spec.ts'
import { usualAccount } from '../../../../src/market/listing.ts'
import { keyOf } from '../../../fixtures/one-thread-exchange.ts'

const owner = { ...usualAccount, id: AccountId(1), name: 'owner' }

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

test('a key without an account is a mistake of the exchange', () => {
  expect(() => new KeyRing([keyOf(2)], [owner])).toThrow('every key belongs to an account')
})

test('an account that changes is changed for all of its keys, and new ones may have keys', () => {
  const second = { ...keyOf(1), apiKey: 'y'.repeat(64) }
  const third = { ...keyOf(1), apiKey: 'z'.repeat(64), account: AccountId(2) }
  const ring = new KeyRing([keyOf(1), second], [owner])
  for (const { apiKey } of [keyOf(1), second]) expect(ring.find(apiKey)?.account).toEqual(owner)
  ring.setAccount({ ...owner, frozen: true })
  for (const { apiKey } of [keyOf(1), second]) {
    expect(ring.find(apiKey)?.account.frozen).toBe(true)
  }
  ring.setAccount({ ...owner, id: AccountId(2), name: 'other' })
  ring.put(third)
  expect(ring.find(third.apiKey)?.account.name).toBe('other')
  expect(ring.find(second.apiKey)?.account.name).toBe('owner')
})

test('keys that differ in the middle only are told apart, in any order', () => {
  const names = ['a', 'b', 'c'].map((letter) => `x${letter.repeat(62)}y`)
  const ring = new KeyRing(
    names.map((apiKey) => ({ ...keyOf(1), apiKey })),
    [owner],
  )
  for (const name of [...names, ...names.toReversed(), ...names]) {
    expect(ring.find(name)?.apiKey).toBe(name)
    expect(ring.find(`x${'d'.repeat(62)}y`)).toBeUndefined()
  }
  expect(ring.find('')).toBeUndefined()
})

test.each([
  [{}, 'a', '', false],
  [{ canWithdraw: true }, 'a', '7', true],
  [{ withdrawTo: ['a'] }, 'a', '', false],
  [{ canWithdraw: true, withdrawTo: ['b', 'a'] }, 'a', '', true],
  [{ canWithdraw: true, withdrawTo: ['a'] }, 'b', '', false],
  [{ canWithdraw: true, withdrawTo: ['a'] }, 'a', '7', false],
  [{ canWithdraw: true, withdrawTo: ['a:7'] }, 'a', '7', true],
  [{ canWithdraw: true, withdrawTo: ['a:7'] }, 'a', '', false],
])('a key with %o withdraws to %s with the memo "%s": %s', (rights, address, memo, may) => {
  const ring = new KeyRing([{ ...keyOf(1), ...rights }], [owner])
  expect(mayWithdrawTo(ring.find(keyOf(1).apiKey)!, address, memo)).toBe(may)
})
