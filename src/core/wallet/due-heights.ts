/**
 * Blocks at which deposits and withdrawals of one network are due, lowest first. An entry whose row has another height
 * by then is skipped: rows change more often than entries are looked at.
 */
import { DepositStatus, WithdrawalStatus } from '../../base/codes.ts'
import type { Deposit, Withdrawal } from './wallet-state.ts'

interface Entry {
  readonly height: number
  readonly id: number
}

/** The block at which it changes by itself; infinite for none. */
export function dueHeightOfDeposit({ status, height, minConfirm, unlockConfirm }: Deposit): number {
  if (status === DepositStatus.PENDING) return height + minConfirm - 1
  return status === DepositStatus.CREDITED ? height + unlockConfirm - 1 : Number.POSITIVE_INFINITY
}

export function dueHeightOfWithdrawal({ status, height, confirmations }: Withdrawal): number {
  const isSent = status === WithdrawalStatus.PROCESSING && height > 0
  return isSent ? height + confirmations - 1 : Number.POSITIVE_INFINITY
}

export class DueHeights<Row> {
  private readonly entries: Entry[] = []
  private readonly rows: ReadonlyMap<number, Row>
  private readonly heightOf: (row: Row) => number

  constructor(rows: ReadonlyMap<number, Row>, heightOf: (row: Row) => number) {
    this.rows = rows
    this.heightOf = heightOf
  }

  /** The row has changed. */
  add(id: number, row: Row): void {
    // A follower looks at them only here.
    this.first()
    const height = this.heightOf(row)
    if (height === Number.POSITIVE_INFINITY) return
    const entries = this.entries
    let [from, to] = [0, entries.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const entry = entries[middle]!
      if (entry.height < height || (entry.height === height && entry.id < id)) from = middle + 1
      else to = middle
    }
    const there = entries[from]
    if (there?.height !== height || there.id !== id) entries.splice(from, 0, { height, id })
  }

  /** The lowest; undefined when nothing is due at any height. */
  first(): { readonly height: number; readonly row: Row } | undefined {
    const entries = this.entries
    while (entries.length > 0) {
      const { height, id } = entries[0]!
      const row = this.rows.get(id)
      if (row !== undefined && this.heightOf(row) === height) return { height, row }
      entries.shift()
    }
    return undefined
  }
}
