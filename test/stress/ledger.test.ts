/** Real threads on one shared ledger: money is conserved, nothing is promised twice or seen torn. */
import { expect, test } from 'vitest'
import { int64ToBigint } from '../../src/base/int64.ts'
import { AccountId, AssetId } from '../../src/base/units.ts'
import { BALANCE_WORDS, Balances } from '../../src/core/ledger/balances.ts'
import type { StressStart } from './ledger-worker.ts'
import { runThreads } from './threads.ts'

const ACCOUNTS = 3
const MATCHERS = 3
const READERS = 2
/** Past 2^53, and with a low word that carries often. */
const WATCHED_ATOMS = 2n ** 60n + 2n ** 32n - 500n
const FUNDS_ATOMS = 20_000n

test('many matchers and readers on the same balances', async () => {
  const memory = new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, 1))
  const balances = new Balances(memory, ACCOUNTS, 1)
  balances.credit(AccountId(0), AssetId(0), WATCHED_ATOMS)
  for (let account = 1; account < ACCOUNTS; account++)
    balances.credit(AccountId(account), AssetId(0), FUNDS_ATOMS)
  const total = balances.total(AssetId(0))
  const done = new SharedArrayBuffer(8)
  const launch = async (role: StressStart['role'], seed: number): Promise<number> => {
    const start: StressStart = {
      role,
      memory,
      done,
      readers: READERS,
      accounts: ACCOUNTS,
      seed,
      steps: 400_000,
      watchedAtoms: WATCHED_ATOMS,
    }
    const tasks = [{ name: `${role} ${seed}`, workerData: start }]
    const [answer] = await runThreads<number>('ledger-worker.js', tasks)
    return answer!
  }
  const readers = Array.from({ length: READERS }, (_, index) => launch('reader', index))
  const refused = await Promise.all(
    Array.from({ length: MATCHERS }, (_, index) => launch('matcher', index + 1)),
  )
  Atomics.store(new Int32Array(done), 0, 1)
  const seen = await Promise.all(readers)

  expect(balances.total(AssetId(0))).toBe(total)
  expect(balances.firstNegative()).toBeUndefined()
  expect(Math.min(...refused)).toBeGreaterThan(0)
  expect(Math.max(...seen)).toBeGreaterThan(1)
  const words = new Int32Array(BALANCE_WORDS)
  for (let account = 0; account < ACCOUNTS; account++) {
    balances.read(AccountId(account), AssetId(0), words)
    expect(int64ToBigint(words, 3), `locked of account ${account}`).toBe(0n)
    const available = BigInt(balances.available(AccountId(account), AssetId(0)))
    expect(available, 'nothing stays promised').toBe(int64ToBigint(words, 1))
  }
})
