/** Addresses of accounts: each is its account's alone, fits its chain's pattern, and leads back to the account. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AccountId } from '../../../src/base/units.ts'
import {
  depositAddress,
  ownerOfAddress,
  transactionId,
} from '../../../src/market/deposit-address.ts'
import { ADDRESS_FORMS, type AddressForm } from '../../../src/market/network.ts'

const patterns: Readonly<Record<AddressForm, RegExp>> = {
  bitcoin: /^bc1[02-9ac-hj-np-z]{39,59}$/,
  ethereum: /^0x[0-9a-f]{40}$/,
  tron: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
}
const chainOf = (addressForm: AddressForm, hasMemo = false) => ({
  ...{ addressForm, hasMemo, name: 'CHAIN', seed: '3'.repeat(64) },
})

describe.each(ADDRESS_FORMS)('%s', (form) => {
  test('leads back to its account, and with one letter more or other to nobody', () => {
    const chain = chainOf(form)
    const property = fc.property(fc.nat(10 ** 6), fc.nat(60), (id, place) => {
      const { address, tag } = depositAddress(chain, AccountId(id))
      expect(address).toMatch(patterns[form])
      expect(tag).toBe('')
      expect(ownerOfAddress(chain, address, '')).toEqual({ account: id })
      const at = place % address.length
      const letter = address[at] === '7' ? '8' : '7'
      const other = address.slice(0, at) + letter + address.slice(at + 1)
      expect(ownerOfAddress(chain, other, '')).toBeUndefined()
      expect(ownerOfAddress(chain, `${address}7`, '')).toBeUndefined()
      expect(ownerOfAddress({ ...chain, seed: '4'.repeat(64) }, address, '')).toBeUndefined()
    })
    fc.assert(property, { numRuns: 100 })
  })

  test('with a memo is everybody’s, and the memo is the account’s', () => {
    const chain = chainOf(form, true)
    const property = fc.property(fc.nat(10 ** 6), (id) => {
      const { address, tag } = depositAddress(chain, AccountId(id))
      expect(tag).toMatch(/^\d{1,10}$/)
      expect(address).toBe(depositAddress(chain, AccountId(7)).address)
      expect(ownerOfAddress(chain, address, tag)).toEqual({ account: id })
      expect(ownerOfAddress(chain, address, '')).toEqual({ account: undefined })
    })
    fc.assert(property, { numRuns: 100 })
  })
})

test('no two transactions have one id', () => {
  const chain = chainOf('ethereum')
  const ids = [1, 2, 3].flatMap((n) => [
    transactionId(chain, 'deposit', n),
    transactionId(chain, 'withdrawal', n),
  ])
  expect(new Set(ids).size).toBe(6)
  expect(ids[0]).toMatch(/^0x[0-9a-f]{64}$/)
})
