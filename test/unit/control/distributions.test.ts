/** Credits in a category: noted in the control journal, asked of the archive. */
import { expect, test } from 'vitest'
import { Indexer } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { History } from '../../../src/archive/history.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, AssetId, Ms } from '../../../src/base/units.ts'
import { distributionsIn } from '../../../src/control/distributions.ts'
import type { DistributionsQuery } from '../../../src/history/account-history.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import type { DistributionSpec } from '../../../src/market/listing.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
const ONE = AccountId(1)

const given = (transferId: number, more: Partial<DistributionSpec> = {}): DistributionSpec => ({
  account: ONE,
  assetId: AssetId(0),
  atoms: '5',
  category: 'rebate',
  timeMs: Ms(transferId),
  transferId,
  ...more,
})

/** Writes values of the control journal. */
function note(...values: readonly unknown[]): void {
  const control = ControlStore.open(folder())
  control.appendAll(values)
  control.close()
}

const deposit = (timeMs: number, category?: string) => ({
  fact: 'deposit',
  account: ONE,
  asset: AssetId(0),
  atoms: '5',
  timeMs: Ms(timeMs),
  ...(category === undefined ? {} : { category }),
})

/** Opens the archive that the control journal makes, and does something with it. */
function withIndexer(act: (indexer: Indexer) => void): void {
  const indexer = new Indexer({
    dataFolder: folder(),
    matchers: 1,
    archived: new BigInt64Array(new SharedArrayBuffer(8)),
    distributions: () => distributionsIn(folder()),
    time: new ManualTime(new ManualClock(Ms(0))),
    log: () => {},
  })
  act(indexer)
  indexer.close()
}

function ask(query: Partial<DistributionsQuery> = {}) {
  const history = new History(archiveFolder(folder()))
  const whole = { account: ONE, assetId: undefined, category: undefined, limit: 500, ...query }
  const { rows, total } = history.read(() => history.distributions(whole))
  history.close()
  return { ids: rows.map(({ transferId }) => transferId), rows, total }
}

test('the control journal counts all deposits, and moves what was noted later than a correction', () => {
  note(deposit(500), deposit(9_000, 'rebate'))
  note({ fact: 'correction', fromMs: Ms(1_000), toMs: Ms(10_000) }, deposit(12_000, 'airdrop'))
  expect(distributionsIn(folder())).toEqual([
    given(2, { timeMs: Ms(1_000) }),
    given(3, { timeMs: Ms(12_000), category: 'airdrop' }),
  ])
})

test('an archive that is opened gets what the control journal has, and later credits once each', () => {
  note(deposit(1, 'rebate'))
  withIndexer((indexer) => {
    expect(ask().ids).toEqual([1])
    note(deposit(2, 'rebate'))
    for (let times = 0; times < 2; times++) indexer.distribute(given(2))
    expect(ask()).toMatchObject({ ids: [1, 2], total: 2 })
  })
  note(deposit(3, 'rebate'))
  withIndexer(() => expect(ask().ids).toEqual([1, 2, 3]))
})

test('an archive that is made again has them all', () => {
  note(deposit(1, 'rebate'), deposit(2, 'rebate'))
  withIndexer((indexer) => {
    indexer.setValuation({ symbols: [], assetId: AssetId(3) })
    indexer.doWork()
    expect(ask().ids).toEqual([1, 2])
  })
})

test('a row has its whole amount and text', () => {
  const large = given(1, { atoms: '4611686018427387904', category: 'a b_c.d-' })
  withIndexer((indexer) => indexer.distribute(large))
  const { account: _, ...row } = { ...large, atoms: 2n ** 62n }
  expect(ask().rows).toEqual([row])
})

test.each<
  [string, Partial<DistributionsQuery>, [first: number, last: number, count: number, total: number]]
>([
  ['the newest of all', { limit: 20 }, [582, 601, 20, 601]],
  ['of an asset', { assetId: AssetId(1) }, [601, 601, 1, 1]],
  ['of a category', { category: 'rebate', limit: 1 }, [600, 600, 1, 600]],
  ['from a time', { startTime: Ms(10), limit: 2 }, [10, 11, 2, 592]],
  ['up to a time', { endTime: Ms(10), limit: 2 }, [9, 10, 2, 10]],
  ['between times', { startTime: Ms(3), endTime: Ms(3) }, [3, 3, 1, 1]],
  ['up to a time beyond all', { endTime: Ms(2 ** 52), limit: 1 }, [601, 601, 1, 601]],
])('rows and how many there are: %s', (_, query, expected) => {
  note(
    ...Array.from({ length: 600 }, (_, index) => deposit(index + 1, 'rebate')),
    { ...deposit(601, 'airdrop'), asset: AssetId(1) },
    { ...deposit(602, 'airdrop'), account: AccountId(2) },
  )
  withIndexer(() => {
    const { ids, total } = ask(query)
    expect([ids[0], ids.at(-1), ids.length, total]).toEqual(expected)
  })
})
