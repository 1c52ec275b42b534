/**
 * What pays withdrawals, and the outside world that receives the payments. The matcher reports what to sign or send.
 * The node signs a different transaction each time. Sending may fail before or after the world has received it. A start
 * of the exchange may forget every report. The outside world undoes nothing: what it has received, no power loss may take.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import { WithdrawalDecision, WithdrawalStatus } from '../../src/base/codes.ts'
import type { Int64 } from '../../src/base/int64.ts'
import type { Prng } from '../../src/base/prng.ts'
import type { Payment as ReportedPayment } from '../../src/core/wallet/wallet.ts'
import type { PaymentStep } from '../../src/shared/payment.ts'
import type { PlainWalletState } from '../model/plain-wallet.ts'
import type { NamedRecord } from './records.ts'

type Payment = Pick<
  ReportedPayment,
  'withdrawalId' | 'account' | 'networkId' | 'atoms' | 'txId' | 'transaction'
>

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, it) => sum + it, 0n)

export class PipelinePayments {
  private readonly prng: Prng
  private readonly count: (what: string) => void
  /** By withdrawal: the last report of each. */
  private readonly reported = new Map<number, Payment>()
  /** By withdrawal: what the world has got. */
  private readonly sent = new Map<number, Payment>()
  private signatures = 0
  /** Signatures that took long: others may have come before them. */
  private readonly late: PaymentStep[] = []

  constructor(prng: Prng, count: (what: string) => void) {
    this.prng = prng
    this.count = count
  }

  /** The matcher reports them. `flushed`: the wallet by what of its journal is on the disk. */
  take(payments: readonly Payment[], flushed: PlainWalletState): void {
    for (const payment of payments) {
      this.checkJournaled(payment, flushed)
      this.reported.set(payment.withdrawalId, payment)
    }
  }

  /** Signs or sends one; returns what is to be journaled then, undefined without anything to do. */
  step(flushed: PlainWalletState): PaymentStep | undefined {
    if (this.late.length > 0 && this.prng.chance(0.3)) return this.late.shift()
    if (this.reported.size === 0) return undefined
    const payment = this.prng.pick([...this.reported.values()])
    const { withdrawalId, txId } = payment
    const step = { kind: 'payment', withdrawalId } as const
    if (txId === '') {
      const isLate = this.prng.chance(0.25)
      const signed = { txId: `tx-${withdrawalId}-${++this.signatures}`, transaction: 'signed' }
      const signing = { ...step, decision: WithdrawalDecision.SIGN, ...signed }
      if (isLate) {
        this.late.push(signing)
        return undefined
      }
      this.reported.delete(withdrawalId)
      this.count('payment signed')
      return signing
    }
    if (this.prng.chance(0.1)) return undefined
    this.checkJournaled(payment, flushed)
    this.send(payment)
    // The node did not answer: it is sent again later.
    if (this.prng.chance(0.15)) return undefined
    this.reported.delete(withdrawalId)
    return { ...step, decision: WithdrawalDecision.SEND, txId, transaction: '' }
  }

  private send(payment: Payment): void {
    const before = this.sent.get(payment.withdrawalId)
    this.count(before === undefined ? 'payment sent' : 'payment sent again')
    if (before !== undefined) strictEqual(payment.txId, before.txId, 'no withdrawal is paid twice')
    this.sent.set(payment.withdrawalId, payment)
  }

  /** The exchange has begun again from what its journals have. */
  restarted(recovered: PlainWalletState): void {
    this.reported.clear()
    this.late.length = 0
    for (const payment of this.sent.values()) this.checkJournaled(payment, recovered)
    if (this.sent.size > 0) this.count('start with payments sent')
  }

  /** What the journal has of all withdrawals, from the first block on: each is debited once, and paid or refunded once. */
  checkOnce(journal: Iterable<NamedRecord>): void {
    const histories = new Map<number, NamedRecord[]>()
    for (const record of journal) {
      if (record.name !== 'WithdrawalChanged') continue
      const id = Number(record.withdrawalId)
      histories.set(id, [...(histories.get(id) ?? []), record])
    }
    for (const [id, events] of histories) {
      const moved = events.map(({ movedAtoms }) => BigInt(movedAtoms as Int64))
      const fees = events.map(({ feeMovedAtoms }) => BigInt(feeMovedAtoms as Int64))
      const { atoms, feeAtoms } = events[0]!
      const gross = BigInt(atoms as Int64) + BigInt(feeAtoms as Int64)
      const completed = events.filter(({ status }) => status === WithdrawalStatus.COMPLETED).length
      const refunds = moved.filter((it) => it > 0n)
      strictEqual(moved[0], -gross, 'a withdrawal is debited when it is applied for')
      deepStrictEqual(
        moved.slice(1).filter((it) => it !== 0n),
        refunds.slice(0, 1).map(() => gross),
      )
      assert(completed + refunds.length <= 1, 'a withdrawal is paid once, or refunded once')
      strictEqual(sumOf(fees), completed === 1 ? BigInt(feeAtoms as Int64) : 0n, `fee of ${id}`)
      const txIds = new Set(events.map(({ txId }) => txId).filter((txId) => txId !== ''))
      assert(txIds.size <= 1, 'a withdrawal has one transaction')
    }
  }

  private checkJournaled(payment: Payment, { withdrawals }: PlainWalletState): void {
    const { withdrawalId, account, networkId, atoms, txId } = payment
    const row = withdrawals.find(({ id }) => id === withdrawalId)
    assert(row !== undefined, 'a withdrawal is paid once its debit is on the disk')
    const { PROCESSING, COMPLETED } = WithdrawalStatus
    const isTaken = row.status === PROCESSING || row.status === COMPLETED
    assert(isTaken, 'what is paid was neither refunded nor canceled')
    const isSame = row.account === account && row.network.id === networkId
    assert(isSame && row.atoms === BigInt(atoms), 'what is paid is what was debited')
    if (txId !== '') strictEqual(row.txId, txId, 'a transaction is sent once it is on the disk')
  }
}
