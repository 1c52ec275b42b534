/**
 * What operators credited in a category (Binance.US, wallet). The control journal has it, not a matcher's: the
 * indexer brings all of it to an archive that it opens, and each later credit as it is noted. Clients see them
 * by time.
 *
 * | key             | value                              |
 * |-----------------|------------------------------------|
 * | LAST_KEY        | TransferValue: the last one stored |
 * | DistributionKey | DistributionValue, the category    |
 */
import { int64 } from '../base/int64.ts'
import { type AccountId, Atoms, Ms } from '../base/units.ts'
import type {
  DistributionRow,
  Distributions,
  DistributionsQuery,
} from '../history/account-history.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { DistributionKey, KEY_ID_MAX, keyId } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { DistributionValue, TransferValue } from '../layout/rows.gen.ts'
import type { DistributionSpec } from '../market/listing.ts'
import { TableName } from './tables.ts'

const LAST_KEY = new Uint8Array([0])

export class DistributionWriter {
  private readonly table: Table
  private readonly row = RecordBuffer.allocate(DistributionValue.bytes)
  private readonly last = RecordBuffer.allocate(TransferValue.bytes)

  constructor(environment: Environment) {
    this.table = environment.table(TableName.DISTRIBUTIONS)
  }

  /** Stores those that it does not have, within a transaction. They ascend by their ids. */
  store(distributions: readonly DistributionSpec[]): void {
    const lastId = this.lastId()
    for (const distribution of distributions) {
      if (distribution.transferId > lastId) this.put(distribution)
    }
    TransferValue.setTransferId(
      this.last,
      0,
      Math.max(lastId, distributions.at(-1)?.transferId ?? 0),
    )
    this.table.put(LAST_KEY, this.last.bytes)
  }

  private lastId(): number {
    const stored = this.table.get(LAST_KEY)
    if (stored === undefined) return 0
    this.last.bytes.set(stored)
    return TransferValue.transferId(this.last, 0)
  }

  private put({ account, assetId, atoms, category, timeMs, transferId }: DistributionSpec): void {
    DistributionValue.setAtoms(this.row, 0, Atoms(int64(BigInt(atoms))))
    DistributionValue.setAssetId(this.row, 0, assetId)
    DistributionValue.setZero(this.row, 0, 0)
    const key = new DistributionKey().of(account, timeMs, transferId)
    this.table.put(key, Buffer.concat([this.row.bytes, Buffer.from(category)]))
  }
}

/** Ascending by time: the newest, or, from a startTime, the oldest; with how many match. */
export function readDistributions(table: Table, query: DistributionsQuery): Distributions {
  const { account, assetId, category, startTime, endTime = KEY_ID_MAX, limit } = query
  const first = keyAt(account, startTime ?? 0)
  const past = keyAt(account, endTime + 1)
  const isNewest = startTime === undefined
  const range = isNewest ? { start: past, end: first, reverse: true } : { start: first, end: past }
  const rows: DistributionRow[] = []
  let total = 0
  for (const { key, value } of table.rows(range)) {
    const row = distributionRow(key, value)
    if (assetId !== undefined && row.assetId !== assetId) continue
    if (category !== undefined && row.category !== category) continue
    total++
    if (rows.length < limit) rows.push(row)
  }
  return { rows: isNewest ? rows.reverse() : rows, total }
}

const keyAt = (account: AccountId, timeMs: number): Uint8Array =>
  new DistributionKey().of(account, Ms(Math.min(timeMs, KEY_ID_MAX)), 0)

function distributionRow(key: Uint8Array, value: Uint8Array): DistributionRow {
  const row = RecordBuffer.allocate(DistributionValue.bytes)
  row.bytes.set(value.subarray(0, DistributionValue.bytes))
  return {
    assetId: DistributionValue.assetId(row, 0),
    atoms: DistributionValue.atoms(row, 0),
    category: Buffer.from(value.subarray(DistributionValue.bytes)).toString(),
    timeMs: DistributionKey.timeMs(key),
    transferId: keyId(key),
  }
}
