/** The accounts of the house, opened by acts on a registry without an exchange behind it. */
import { beforeEach, expect, test } from 'vitest'
import type { ExchangeView } from '../../../src/operator/act.ts'
import { Clerk, type ExchangeFloor } from '../../../src/operator/clerk.ts'
import { exchangeAccount } from '../../../src/operator/demo.ts'
import type { Fact } from '../../../src/operator/facts.ts'
import { type HouseKeyRow, openHouse } from '../../../src/operator/house.ts'
import { Registry } from '../../../src/operator/registry.ts'
import { Vault } from '../../../src/operator/vault.ts'

let registry: Registry
let clerk: Clerk
let journaled: Fact[]
let kept: HouseKeyRow[]

beforeEach(() => {
  registry = new Registry()
  journaled = []
  kept = []
  registry.apply(exchangeAccount())
  registry.apply({ fact: 'asset', id: 0, name: 'BTC' })
  registry.apply({ fact: 'asset', id: 1, name: 'FULL' })
  const atoms = String(2n ** 62n - 2n ** 40n)
  registry.apply({ fact: 'deposit', account: 0, asset: 1, atoms, timeMs: 1 })
  const view: Partial<ExchangeView> = { accountsMax: 3 }
  const floor: Partial<ExchangeFloor> = {
    view: view as ExchangeView,
    prepare: () => {},
    journal: (facts) => {
      journaled.push(...facts)
    },
    enforce: async () => {},
  }
  const vault = new Vault(Buffer.alloc(32, 1))
  clerk = new Clerk(registry, vault, floor as ExchangeFloor, () => 1)
})

const open = (...names: string[]) =>
  openHouse(
    clerk,
    registry,
    names.map((name) => ({ name, assets: registry.assets })),
    [...kept],
    (key) => {
      kept.push(key)
    },
  )

test('what is missing is opened, funded and given a key, once', async () => {
  const keys = await open('house-a', 'house-b')
  expect(keys).toEqual(kept)
  expect(keys.map(({ account }) => account)).toEqual(['house-a', 'house-b'])
  expect(registry.keys.get(keys[0]!.apiKey)).toMatchObject({ account: 1, canTrade: true })
  const deposits = registry.deposits.filter(({ account }) => account !== 0)
  const funds = deposits.map(({ account, asset, atoms }) => [account, asset, atoms])
  // Ten million, or a 64th of what there is room for.
  expect(funds[0]).toEqual([1, 0, 10_000_000n * 10n ** 8n])
  expect(funds[1]).toEqual([1, 1, 2n ** 34n])
  expect(funds).toHaveLength(4)
  const before = journaled.length
  expect(await open('house-a', 'house-b')).toEqual(keys)
  expect(journaled).toHaveLength(before)
})

test('a new asset is given, a key that was revoked is not made anew', async () => {
  const [key] = await open('house-a')
  registry.apply({ fact: 'asset', id: 2, name: 'NEW' })
  await clerk.act('key-revoke', { key: key!.apiKey })
  expect(await open('house-a')).toEqual([])
  const deposits = registry.deposits.filter(({ account }) => account !== 0)
  expect(deposits.map(({ asset }) => asset)).toEqual([0, 1, 2])
  expect(kept).toHaveLength(1)
})

test('a key whose secret was lost is replaced by another', async () => {
  const [key] = await open('house-a')
  kept = []
  const [other] = await open('house-a')
  expect(other!.apiKey).not.toBe(key!.apiKey)
})

test('an exchange without room refuses in a sentence', async () => {
  await expect(open('house-a', 'house-b', 'house-c')).rejects.toThrow(
    'There is room for 3 accounts (--accounts).',
  )
})
