import { describe, expect, test } from 'vitest'
import { demoFacts, exchangeAccount } from '../../../src/operator/demo.ts'
import { Registry } from '../../../src/operator/registry.ts'
import { Vault } from '../../../src/operator/vault.ts'

test('the demo is a listing that the engine can represent, and survives being written as JSON', () => {
  const vault = new Vault(Buffer.alloc(32, 1))
  const { facts, keys } = demoFacts(vault, 1_700_000_000_000)
  const registry = new Registry()
  for (const fact of facts) registry.apply(JSON.parse(JSON.stringify(fact)))
  expect(registry.symbols.map((spec) => spec.name)).toEqual([
    'BTCUSDT',
    'ETHUSDT',
    'SOLUSDT',
    'ETHBTC',
    'BNBUSDT',
    'ADAUSDT',
  ])
  expect(registry.symbols[0]).toMatchObject({ atomsPerTickLot: 10, priceTicksMax: 100_000_000 })
  expect(registry.symbols[3]).toMatchObject({ atomsPerTickLot: 10, priceTicksMax: 100_000_000 })
  expect(registry.accounts.map((account) => account.name)).toEqual([
    'exchange',
    'maker',
    'taker',
    'trader1',
    'trader2',
  ])
  expect(keys.map((key) => key.account)).toEqual(['maker', 'taker', 'trader1', 'trader2'])
  for (const { apiKey, secretKey } of keys) {
    expect(apiKey).toMatch(/^[A-Za-z0-9]{64}$/)
    expect(vault.unseal(registry.keys.get(apiKey)!.sealedSecret, apiKey)).toBe(secretKey)
  }
  expect(registry.deposits).toHaveLength(4 * 6)
})

test('deposits of one account and asset add up; a later fact of an id replaces an earlier', () => {
  const registry = new Registry()
  registry.apply({ ...exchangeAccount(), id: 1, name: 'a' })
  registry.apply({ ...exchangeAccount(), id: 1, name: 'b' })
  registry.apply({ fact: 'deposit', account: 1, asset: 0, atoms: '9007199254740993', timeMs: 1 })
  registry.apply({ fact: 'deposit', account: 1, asset: 0, atoms: '-3', timeMs: 2 })
  registry.apply({ fact: 'start', epoch: 7, timeMs: 3 })
  expect(registry.accounts[1]?.name).toBe('b')
  expect(registry.deposits).toEqual([{ account: 1, asset: 0, atoms: 9007199254740990n }])
  expect(registry.epoch).toBe(7)
})

describe('what there is no room for', () => {
  test.each([
    [{ fact: 'asset', id: 64, name: 'A', decimals: 8 } as const, 'there is room for 64 assets'],
    [{ fact: 'asset', id: 0, name: 'A', decimals: 7 } as const, 'asset A has 7 decimals'],
    [{ fact: 'asset', id: 0, name: 'A', decimals: 13 } as const, 'asset A has 13 decimals'],
    [
      { ...exchangeAccount(), name: 'a', takerRate: 30_000_000, sellerRate: 20_000_001 },
      'account a pays over half',
    ],
  ])('%j is refused', (fact, why) => {
    expect(() => new Registry().apply(fact)).toThrow(why)
  })
})
