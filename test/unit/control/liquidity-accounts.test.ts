/** The accounts of market makers, opened by actions on a registry without an exchange behind it. */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, AssetId, Ms } from '../../../src/base/units.ts'
import type { ExchangeView } from '../../../src/control/action.ts'
import { CommandExecutor, type ControlPlane } from '../../../src/control/command-executor.ts'
import { exchangeAccount } from '../../../src/control/demo.ts'
import type { Fact } from '../../../src/control/facts.ts'
import {
  LiquidityAccounts,
  type LiquidityKeyRow,
  LiquidityKeysError,
} from '../../../src/control/liquidity-accounts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { Vault } from '../../../src/control/vault.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

let registry: Registry
let executor: CommandExecutor
let journaled: Fact[]
const folder = folderPerTest()
let file: string

beforeEach(() => {
  registry = new Registry()
  journaled = []
  file = folder('keys.json')
  registry.apply(exchangeAccount())
  registry.apply({ fact: 'asset', id: AssetId(0), name: 'BTC' })
  registry.apply({ fact: 'asset', id: AssetId(1), name: 'FULL' })
  const atoms = String(2n ** 62n - 2n ** 40n)
  registry.apply({
    fact: 'deposit',
    account: AccountId(0),
    asset: AssetId(1),
    atoms,
    timeMs: Ms(1),
  })
  const view: Partial<ExchangeView> = { accountsMax: ACCOUNTS_MAX }
  const controlPlane: Partial<ControlPlane> = {
    view: view as ExchangeView,
    prepare: () => {},
    journal: (facts) => {
      journaled.push(...facts)
    },
    enforce: async () => {},
  }
  const vault = new Vault(Buffer.alloc(32, 1))
  executor = new CommandExecutor(
    registry,
    vault,
    controlPlane as ControlPlane,
    Object.assign(new RealTime(), { nowMs: () => Ms(1) }),
  )
})

const ACCOUNTS_MAX = 3
const open = (...names: string[]) =>
  new LiquidityAccounts(executor, registry, file).open(
    names.map((name) => ({ name, assets: registry.assets })),
    ACCOUNTS_MAX,
  )
const kept = (): LiquidityKeyRow[] =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []

test('what is missing is opened, funded and given a key, once', async () => {
  const keys = await open('house-a', 'house-b')
  expect(keys).toEqual(kept())
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

test('a new asset is given, a key that was revoked is not made again', async () => {
  const [key] = await open('house-a')
  registry.apply({ fact: 'asset', id: AssetId(2), name: 'NEW' })
  await executor.act('key-revoke', { key: key!.apiKey })
  expect(await open('house-a')).toEqual([])
  const deposits = registry.deposits.filter(({ account }) => account !== 0)
  expect(deposits.map(({ asset }) => asset)).toEqual([0, 1, 2])
  expect(kept()).toHaveLength(1)
})

test('a key whose secret was lost is replaced by another', async () => {
  const [key] = await open('house-a')
  rmSync(file)
  const [other] = await open('house-a')
  expect(other!.apiKey).not.toBe(key!.apiKey)
})

test('an exchange without room for all of them opens none', async () => {
  await expect(open('house-a', 'house-b', 'house-c')).rejects.toThrow(
    'there is no room for 3 more accounts (--accounts)',
  )
  expect(journaled).toEqual([])
  expect(kept()).toEqual([])
})

test.each([
  ['torn', '[{"account": "house-a", "api'],
  ['empty', ''],
  ['of something else', '{"account": 1}'],
  ['without a secret', '[{"account": "house-a", "apiKey": "a"}]'],
])('a file of keys that is damaged is refused with what to do, and stays: %s', async (_, text) => {
  writeFileSync(file, text)
  await expect(open('house-a')).rejects.toThrow(/is damaged: remove it/)
  expect(() => new LiquidityAccounts(executor, registry, file).keys()).toThrow(LiquidityKeysError)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('the file of keys is put in place of the last one, for its owner alone', async () => {
  await open('house-a')
  const before = openSync(file, 'r')
  await open('house-a', 'house-b')
  expect(JSON.parse(readFileSync(before, 'utf8'))).toHaveLength(1)
  closeSync(before)
  expect(kept()).toHaveLength(2)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
