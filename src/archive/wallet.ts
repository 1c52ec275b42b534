/**
 * Deposits and withdrawals of accounts, movements between accounts, and chains of the house, each as its last event has it. No retention removes
 * any. Clients see them from the newest on.
 *
 * | table              | key                                   | value                  |
 * |--------------------|---------------------------------------|------------------------|
 * | deposits           | DepositKey                            | DepositValue           |
 * | withdrawals        | WithdrawalKey                         | WithdrawalValue        |
 * | withdrawalRequests | WithdrawalRequestKey, the client's id | WithdrawalRequestValue |
 * | movements          | MovementKey, of either account        | MovementValue          |
 * | movementRequests   | MovementRequestKey, the master's id   | MovementValue          |
 * | chains             | ChainKey                              | ChainValue             |
 *
 * The ids of an account's rows rise with their times.
 */
import type { AccountId } from '../base/units.ts'
import type {
  ChainRow,
  DepositRow,
  DepositsQuery,
  MovementOfRequest,
  MovementRow,
  Movements,
  MovementsQuery,
  RequestQuery,
  WithdrawalRow,
  WithdrawalsQuery,
} from '../history/account-history.ts'
import type { Environment, Table } from '../journal/environment.ts'
import {
  ChainChanged,
  DepositChanged,
  EventHeader,
  FundsMoved,
  WithdrawalChanged,
} from '../layout/accessors.gen.ts'
import {
  ChainKey,
  DepositKey,
  KEY_ID_MAX,
  MovementKey,
  MovementRequestKey,
  WithdrawalKey,
  WithdrawalRequestKey,
} from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import {
  ChainValue,
  DepositValue,
  MovementValue,
  WithdrawalRequestValue,
  WithdrawalValue,
} from '../layout/rows.gen.ts'
import { EXCHANGE_ACCOUNT } from '../market/listing.ts'
import { TableName } from './tables.ts'

/** Writes rows within the indexer's transactions. */
export class WalletProjection {
  private readonly deposits: Table
  private readonly withdrawals: Table
  private readonly requests: Table
  private readonly movements: Table
  private readonly movementRequests: Table
  private readonly chains: Table
  private readonly movement = RecordBuffer.allocate(MovementValue.bytes)
  private readonly request = RecordBuffer.allocate(WithdrawalRequestValue.bytes)

  constructor(environment: Environment) {
    this.deposits = environment.table(TableName.DEPOSITS)
    this.withdrawals = environment.table(TableName.WITHDRAWALS)
    this.requests = environment.table(TableName.WITHDRAWAL_REQUESTS)
    this.movements = environment.table(TableName.MOVEMENTS)
    this.movementRequests = environment.table(TableName.MOVEMENT_REQUESTS)
    this.chains = environment.table(TableName.CHAINS)
  }

  depositChanged(records: RecordBuffer, at: number): void {
    const account = DepositChanged.account(records, at)
    const key = new DepositKey().of(account, DepositChanged.depositId(records, at))
    const from = DepositChanged.depositBlockAt(at)
    this.deposits.put(key, records.bytes.slice(from, from + DepositValue.bytes))
  }

  withdrawalChanged(records: RecordBuffer, at: number): void {
    const account = WithdrawalChanged.account(records, at)
    const withdrawalId = WithdrawalChanged.withdrawalId(records, at)
    const from = WithdrawalChanged.withdrawalBlockAt(at)
    const row = records.bytes.slice(from, from + WithdrawalValue.bytes)
    this.withdrawals.put(new WithdrawalKey().of(account, withdrawalId), row)
    const requestId = WithdrawalChanged.requestId(records, at)
    if (requestId === '') return
    WithdrawalRequestValue.setWithdrawalId(this.request, 0, withdrawalId)
    this.requests.put(requestKey(account, requestId), this.request.bytes)
  }

  fundsMoved(records: RecordBuffer, at: number): void {
    const from = FundsMoved.movementBlockAt(at)
    MovementValue.writeMovement(this.movement, 0, MovementValue.movementOf(records, from))
    MovementValue.setMovedMs(this.movement, 0, EventHeader.timeMs(records, at))
    const movementId = FundsMoved.movementId(records, at)
    for (const account of [FundsMoved.from(records, at), FundsMoved.to(records, at)]) {
      this.movements.put(new MovementKey().of(account, movementId), this.movement.bytes)
    }
    const requestId = FundsMoved.requestId(records, at)
    if (requestId === '') return
    for (const key of [movementKey(FundsMoved.master(records, at), requestId), newestMovement]) {
      this.movementRequests.put(key, this.movement.bytes)
    }
  }

  chainChanged(records: RecordBuffer, at: number): void {
    const key = new ChainKey().of(ChainChanged.chainId(records, at))
    const from = ChainChanged.chainBlockAt(at)
    this.chains.put(key, records.bytes.slice(from, from + ChainValue.bytes))
  }
}

/** Queries of these tables, by the last refresh of the environment. */
export class WalletHistory {
  private readonly depositTable: Table
  private readonly withdrawalTable: Table
  private readonly requests: Table
  private readonly movementTable: Table
  private readonly movementRequests: Table
  private readonly chainTable: Table

  constructor(environment: Environment) {
    this.depositTable = environment.table(TableName.DEPOSITS)
    this.withdrawalTable = environment.table(TableName.WITHDRAWALS)
    this.requests = environment.table(TableName.WITHDRAWAL_REQUESTS)
    this.movementTable = environment.table(TableName.MOVEMENTS)
    this.movementRequests = environment.table(TableName.MOVEMENT_REQUESTS)
    this.chainTable = environment.table(TableName.CHAINS)
  }

  deposits(query: DepositsQuery): DepositRow[] {
    const { account, assetId, status, txId, startTime, endTime } = query
    const keyOf = (id: number) => new DepositKey().of(account, id)
    const all = newestFirst(this.depositTable, keyOf, depositRow)
    return page(all, query, (row) => {
      if (row.insertMs < startTime) return 'end'
      return (
        row.insertMs <= endTime &&
        (assetId ?? row.assetId) === row.assetId &&
        (status ?? row.status) === row.status &&
        (txId ?? row.txId) === row.txId
      )
    })
  }

  withdrawals(query: WithdrawalsQuery): WithdrawalRow[] {
    const { account, assetId, status, requestId, ids, startTime, endTime } = query
    return page(this.withdrawalsFrom(account, requestId), query, (row) => {
      if (row.applyMs < startTime) return 'end'
      return (
        row.applyMs <= endTime &&
        (assetId ?? row.assetId) === row.assetId &&
        (status ?? row.status) === row.status &&
        (ids === undefined || ids.includes(row.withdrawalId))
      )
    })
  }

  withdrawalOf({ account, requestId }: RequestQuery): WithdrawalRow | undefined {
    const found = this.requests.get(requestKey(account, requestId))
    if (found === undefined) return undefined
    const withdrawalId = WithdrawalRequestValue.withdrawalId(rowOf(found), 0)
    const stored = this.withdrawalTable.get(new WithdrawalKey().of(account, withdrawalId))
    return stored === undefined ? undefined : withdrawalRow(stored)
  }

  movementOf({ account, requestId }: RequestQuery): MovementOfRequest {
    const made = this.requestedMovement(movementKey(account, requestId))
    return { made, lastId: this.requestedMovement(newestMovement)?.movementId ?? 0 }
  }

  /** The table reads each value into the same memory. */
  private requestedMovement(key: Uint8Array): MovementRow | undefined {
    const value = this.movementRequests.get(key)
    return value && movementRow(value)
  }

  /** One between two of the accounts stands under both. */
  movements({ accounts, side, ...query }: MovementsQuery): Movements {
    const { offset, limit, countMax, startTime, endTime } = query
    const newest = { offset: 0, limit: Math.max(offset + limit, countMax) }
    const found = accounts.flatMap((account) => {
      const keyOf = (id: number) => new MovementKey().of(account, id)
      return page(newestFirst(this.movementTable, keyOf, movementRow), newest, (row) => {
        if (row.movedMs < startTime) return 'end'
        return row.movedMs <= endTime && (side === undefined || row[side] === account)
      })
    })
    const rows = [...new Map(found.map((row) => [row.movementId, row])).values()]
      .sort((one, other) => other.movementId - one.movementId)
      .slice(0, newest.limit)
    return { rows: rows.slice(offset, offset + limit), total: rows.length }
  }

  chains(): ChainRow[] {
    return Array.from(this.chainTable.rows({}), ({ value }) => ChainValue.chainOf(rowOf(value), 0))
  }

  private *withdrawalsFrom(
    account: AccountId,
    requestId: string | undefined,
  ): Iterable<WithdrawalRow> {
    if (requestId === undefined) {
      const keyOf = (id: number) => new WithdrawalKey().of(account, id)
      yield* newestFirst(this.withdrawalTable, keyOf, withdrawalRow)
      return
    }
    const row = this.withdrawalOf({ account, requestId })
    if (row !== undefined) yield row
  }
}

function* newestFirst<Row>(
  table: Table,
  keyOf: (id: number) => Uint8Array,
  read: (value: Uint8Array) => Row,
): Iterable<Row> {
  const range = { start: keyOf(KEY_ID_MAX), end: keyOf(0), reverse: true }
  for (const { value } of table.rows(range)) yield read(value)
}

/** The rows that match behind the first `offset` of them. Rows are read no further than to the first 'end'. */
function page<Row>(
  rows: Iterable<Row>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  matches: (row: Row) => boolean | 'end',
): Row[] {
  const found: Row[] = []
  let skipped = 0
  for (const row of rows) {
    const match = matches(row)
    if (match === 'end' || found.length === limit) break
    if (!match) continue
    if (skipped < offset) skipped++
    else found.push(row)
  }
  return found
}

const requestKey = (account: AccountId, requestId: string): Uint8Array =>
  Buffer.concat([new WithdrawalRequestKey().of(account), Buffer.from(requestId, 'latin1')])
const movementKey = (master: AccountId, requestId: string): Uint8Array =>
  Buffer.concat([new MovementRequestKey().of(master), Buffer.from(requestId, 'latin1')])
const newestMovement = movementKey(EXCHANGE_ACCOUNT, '')

const depositRow = (value: Uint8Array): DepositRow => DepositValue.depositOf(rowOf(value), 0)
const movementRow = (value: Uint8Array): MovementRow => {
  const row = rowOf(value)
  return { ...MovementValue.movementOf(row, 0), movedMs: MovementValue.movedMs(row, 0) }
}
const withdrawalRow = (value: Uint8Array): WithdrawalRow =>
  WithdrawalValue.withdrawalOf(rowOf(value), 0)

function rowOf(value: Uint8Array): RecordBuffer {
  const row = RecordBuffer.allocate(value.length)
  row.bytes.set(value)
  return row
}
