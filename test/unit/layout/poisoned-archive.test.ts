/**
 * The archive writes every declared field of each row. The events of one run are archived twice, through
 * memory that is filled with two patterns, and filled again behind each row: no row keeps a byte of both.
 * A row that the schema gains is looked for at once.
 */

import { afterEach, expect, test, vi } from 'vitest'
import {
  readAllocation,
  readChainChanged,
  readDepositChanged,
  readFundsMoved,
  readWithdrawalChanged,
  writeAllocation,
  writeChainChanged,
  writeDepositChanged,
  writeFundsMoved,
  writeWithdrawalChanged,
} from '../../../scripts/layout/codecs.gen.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { ArchiveWriter } from '../../../src/archive/archive-writer.ts'
import { RareProjection } from '../../../src/archive/rare-projection.ts'
import { archiveOptions, TableName } from '../../../src/archive/tables.ts'
import { WalletProjection } from '../../../src/archive/wallet.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { AccountId, AssetId, Lots, Ms, OrderId, Ticks } from '../../../src/base/units.ts'
import { Environment, Table } from '../../../src/journal/environment.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import {
  AggregateValue as aggregateValue,
  PreventedValue as preventedValue,
  TapeValue as tapeValue,
} from '../../../src/layout/rows.gen.ts'
import { archiveRows } from '../../../src/layout/schema/archive-rows.ts'
import { detailsSection } from '../../../src/layout/schema/order-fields.ts'
import { placesOf, sectionBytes } from '../../../src/layout/schema.ts'
import { WALLET } from '../../../src/market/listing.ts'
import { PATTERNS, unwrittenFields } from '../../fixtures/poison.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { zeroRecord } from '../../fixtures/zero-record.ts'
import { EngineRun } from '../../replay/engine-run.ts'
import { symbols } from '../../sim/world.ts'

// Both archives hash client order ids alike.
vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  randomBytes: (length: number) => Buffer.alloc(length, 7),
}))

// Entries of some symbols wait, those of others do not.
vi.mock('../../../src/archive/client-ids.ts', async (original) => ({
  ...(await original<typeof import('../../../src/archive/client-ids.ts')>()),
  RECENT_MAX: 150,
}))

/** Accessors are constants; a planted defect replaces one. */
type Setters = Record<string, unknown>
const forgotten = [
  ['tape: TapeValue.timeMs', tapeValue as Setters, 'setTimeMs'],
  ['aggregates: AggregateValue.isBuyerMaker', aggregateValue as Setters, 'setIsBuyerMaker'],
  ['prevented: PreventedValue.makerTerms', preventedValue as Setters, 'writeMatch'],
] as const

const SEEDS = [1, 2]
const BATCHES = 200
/** Tables whose writer continues the chunk that it wrote last. */
const continued: readonly string[] = [
  ...[TableName.ORDERS, TableName.TRADES, TableName.TAPE, TableName.AGGREGATES],
  TableName.RECENT_IDS,
]
/** A writer stores a row of these tables for each party. The row is filled behind the last one. */
const shared: readonly string[] = [
  ...[TableName.PREVENTED, TableName.PREVENTED_OF_ORDER],
  ...[TableName.MOVEMENTS, TableName.MOVEMENT_REQUESTS],
]
const rows = [...archiveRows, { ...detailsSection, tables: [TableName.DETAILS] }]

/** Its category fills the row to its own length. */
const distribution = {
  account: AccountId(1),
  assetId: AssetId(0),
  atoms: '5',
  category: 'sixteen letters.',
  timeMs: Ms(5),
  transferId: 1,
}

/** What the engines of a run do not do: a routed order's fill, and what the wallet does. */
function addOthers(run: EngineRun): void {
  const [orders] = run.told
  const [orderId, { account }] = [...orders!][0]!
  const takerOrderId = OrderId(orderId)
  const routed = { ...zeroRecord(readAllocation), symbolId: symbols[0]!.id, takerOrderId }
  run.add(writeAllocation, { ...routed, takerAccount: account })
  const ofWallet = { symbolId: WALLET, account: AccountId(1) }
  run.add(writeDepositChanged, { ...zeroRecord(readDepositChanged), ...ofWallet, depositId: 1 })
  const named = { ...ofWallet, withdrawalId: 1, requestId: 'mine' }
  run.add(writeWithdrawalChanged, { ...zeroRecord(readWithdrawalChanged), ...named })
  const moved = { ...named, from: AccountId(1), to: AccountId(2), movementId: 1 }
  run.add(writeFundsMoved, { ...zeroRecord(readFundsMoved), ...moved })
  run.add(writeChainChanged, { ...zeroRecord(readChainChanged), ...ofWallet })
}

const folder = folderPerTest()
afterEach(() => vi.restoreAllMocks())

/** Fills new memory of rows, and that of each row once it is stored. */
function poison(pattern: number): void {
  const names = new WeakMap<Table, string>()
  const { allocate } = RecordBuffer
  const { table } = Environment.prototype
  const { put } = Table.prototype
  const { prevented } = RareProjection.prototype
  const { fundsMoved } = WalletProjection.prototype
  const { setAggregateId } = aggregateValue
  let lastShared: Uint8Array = new Uint8Array()
  vi.spyOn(RecordBuffer, 'allocate').mockImplementation((length) => {
    const buffer = allocate(length)
    buffer.bytes.fill(pattern)
    return buffer
  })
  vi.spyOn(Environment.prototype, 'table').mockImplementation(function (this: Environment, name) {
    const found = table.call(this, name)
    if (name !== undefined) names.set(found, name)
    return found
  })
  vi.spyOn(Table.prototype, 'put').mockImplementation(function (this: Table, key, value) {
    put.call(this, key, value)
    const name = names.get(this) ?? ''
    if (shared.includes(name)) lastShared = value
    else if (value.length > 1 && !continued.includes(name)) value.fill(pattern)
  })
  vi.spyOn(RareProjection.prototype, 'prevented').mockImplementation(function (
    this: RareProjection,
    records,
    at,
  ) {
    prevented.call(this, records, at)
    lastShared.fill(pattern)
  })
  vi.spyOn(WalletProjection.prototype, 'fundsMoved').mockImplementation(function (
    this: WalletProjection,
    records,
    at,
  ) {
    fundsMoved.call(this, records, at)
    lastShared.fill(pattern)
  })
  // The first field of a new aggregate; all others follow.
  vi.spyOn(aggregateValue, 'setAggregateId').mockImplementation((row, at, id) => {
    row.bytes.fill(pattern)
    setAggregateId(row, at, id)
  })
}

/** Archives the journals of the folder; the accounts are locked or not at the end. */
function archive(dataFolder: string, run: EngineRun, pattern: number): void {
  poison(pattern)
  const past = { seed: 7, fromMs: Ms(60_000), days: 3, closeTicks: Ticks(5), lots: Lots(9) }
  const klines = [{ symbol: symbols[0]!.id, ...past }]
  const valuation = { symbols, assetId: symbols[0]!.quote.id, klines }
  const archived = new BigInt64Array(new SharedArrayBuffer(8))
  const log = () => {}
  const agent = new Indexer({
    time: new RealTime(),
    dataFolder,
    matchers: 1,
    wals: run.wals,
    archived,
    log,
    valuation,
    distributions: () => [distribution],
  })
  while (agent.doWork() > 0);
  agent.close()
  const writer = ArchiveWriter.open(archiveFolder(dataFolder), valuation)
  const nowMs = Math.ceil(run.nowMs / 30_000) * 30_000
  writer.refreshTradingStatus(Ms(nowMs), () => {})
  writer.close()
  vi.restoreAllMocks()
}

/** Table → key as hexadecimal digits → value. */
function readAll(dataFolder: string): Map<string, Map<string, Uint8Array>> {
  const environment = new Environment(archiveOptions(archiveFolder(dataFolder)))
  const all = Object.values(TableName).map((name) => {
    const found = [...environment.table(name).rows({})].map(
      ({ key, value }) => [Buffer.from(key).toString('hex'), new Uint8Array(value)] as const,
    )
    return [name, new Map(found)] as const
  })
  environment.close()
  return new Map(all)
}

/** What a value of a table is; its length distinguishes them where a table has several. */
function rowOf(table: string, key: string, { length }: Uint8Array) {
  const candidates = rows.filter(({ tables }) => tables.includes(table))
  const fitting = candidates.filter((row) => length % sectionBytes(row) === 0)
  const exact = fitting.filter((row) => length === sectionBytes(row))
  if (table === TableName.PROGRESS && exact.length > 1) return exact[key.length === 2 ? 1 : 0]!
  return exact[0] ?? fitting[0]!
}

const seen = new Set<string>()

/** Fields that have a byte that was never written, by a run of so many batches. */
function unwrittenIn(seed: number, batches: number): string[] {
  const stored = PATTERNS.map((pattern) => {
    const dataFolder = folder(String(pattern))
    const run = new EngineRun(dataFolder, seed)
    for (let batch = 0; batch < batches; batch++) run.batch()
    addOthers(run)
    archive(dataFolder, run, pattern)
    run.close()
    return readAll(dataFolder)
  })
  const unwritten = new Set<string>()
  for (const [table, found] of stored[0]!) {
    expect([...stored[1]!.get(table)!.keys()]).toEqual([...found.keys()])
    for (const [key, value] of found) {
      if (value.length === 1) continue
      const row = rowOf(table, key, value)
      seen.add(row.name)
      const other = stored[1]!.get(table)!.get(key)!
      expect(other.length).toBe(value.length)
      const bytes = sectionBytes(row)
      for (let at = 0; at < value.length; at += bytes) {
        const parts = [value, other].map((it) => it.subarray(at, at + bytes))
        for (const field of unwrittenFields(placesOf(row), parts[0]!, parts[1]!)) {
          unwritten.add(`${table}: ${row.name}.${field}`)
        }
      }
    }
  }
  return [...unwritten]
}

test.each(SEEDS)('rows are written whole: seed %i', (seed) => {
  expect(unwrittenIn(seed, BATCHES)).toEqual([])
})

test.each(forgotten)('%s has a name when a writer forgets it', (name, value, setter) => {
  const usual = value[setter]
  value[setter] = () => {}
  try {
    expect(unwrittenIn(1, BATCHES / 4)).toContain(name)
  } finally {
    value[setter] = usual
  }
})

test('each row was written', () => {
  expect(rows.filter(({ name }) => !seen.has(name)).map(({ name }) => name)).toEqual([])
})

test('the schema names the tables of the archive', () => {
  const named = rows.flatMap(({ tables }) => tables)
  expect(named.filter((name) => !Object.values<string>(TableName).includes(name))).toEqual([])
})
