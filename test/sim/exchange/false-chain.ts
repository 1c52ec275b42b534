/**
 * The chains outside of a simulated exchange, and the node that signs for it: whatever process leads asks the same
 * one. Each signature is another transaction, so a second one shows. The node may be slow, fail before or after it has
 * done what it was asked, and answer only once its process is gone. What was sent once is paid for good.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { ChainPort, SignedTransaction } from '../../../src/assembly/main/chain-port.ts'
import { assert } from '../../../src/base/assert.ts'
import { WithdrawalStatus } from '../../../src/base/codes.ts'
import type { Prng } from '../../../src/base/prng.ts'
import type { Payment } from '../../../src/shared/payment.ts'
import type { PlainWithdrawal } from '../../model/plain-wallet.ts'

const FAILS_CHANCE = 0.2
const SLOW_CHANCE = 0.3

export interface FalseChainParts {
  readonly prng: Prng
  readonly count: (what: string) => void
  /** The withdrawal as it is journaled; throws where a loss of power, or of a machine, could take some of that. */
  readonly safe: (withdrawalId: number) => PlainWithdrawal
}

export class FalseChain {
  private readonly parts: FalseChainParts
  /** What was paid outside: by withdrawal, its transaction. */
  private readonly paid = new Map<number, string>()
  private readonly slow: (() => void)[] = []
  private signed = 0
  private violation: unknown = undefined

  constructor(parts: FalseChainParts) {
    this.parts = parts
  }

  /** For one process. */
  portOf(leads: () => boolean): ChainPort {
    return {
      isUndoable: false,
      sign: async (payment) => {
        this.judge(() => assert(leads(), 'only the leader signs'))
        return this.sign(payment)
      },
      send: async (payment) => {
        this.judge(() => assert(leads(), 'only the leader sends'))
        await this.send(payment)
      },
    }
  }

  /** Throws what was wrong with a payment: its sender would try it again. */
  check(): void {
    if (this.violation !== undefined) throw this.violation
  }

  /** The node comes to answer. */
  stir(): void {
    for (const answer of this.slow.splice(0)) answer()
  }

  /** After a start: what is paid is known, by its one transaction. */
  checkSurvived(withdrawals: readonly PlainWithdrawal[]): void {
    for (const [id, txId] of this.paid) {
      const known = withdrawals.find((row) => row.id === id)
      strictEqual(known?.txId, txId, `withdrawal ${id} is paid, and known so`)
    }
  }

  /** At the end: what was paid, and nothing else, is completed. */
  checkPaid(withdrawals: readonly PlainWithdrawal[]): void {
    const completed = withdrawals.filter(({ status }) => status === WithdrawalStatus.COMPLETED)
    deepStrictEqual(
      [...this.paid.keys()].sort((a, b) => a - b),
      completed.map(({ id }) => id),
      'what is paid is completed',
    )
  }

  private async sign(payment: Payment): Promise<SignedTransaction> {
    const { prng, count } = this.parts
    const { withdrawalId } = payment
    this.judge(() => this.parts.safe(withdrawalId))
    await this.pause()
    if (prng.chance(FAILS_CHANCE)) throw new Error('the node did not sign')
    count('signed')
    return { txId: `tx-${withdrawalId}-${++this.signed}`, transaction: textOf(payment) }
  }

  private async send(payment: Payment): Promise<void> {
    const { prng, count } = this.parts
    const { withdrawalId, txId, transaction } = payment
    this.judge(() => {
      const row = this.parts.safe(withdrawalId)
      strictEqual(txId, row.txId, 'what is sent is the journaled transaction')
      strictEqual(transaction, textOf(payment), 'and pays what was applied for')
      strictEqual(BigInt(payment.atoms), row.atoms)
    })
    if (prng.chance(FAILS_CHANCE)) throw new Error('the node is not there')
    const before = this.paid.get(withdrawalId)
    this.judge(() => assert(before === undefined || before === txId, 'it has one transaction'))
    count(before === undefined ? 'sent' : 'sent again')
    this.paid.set(withdrawalId, txId)
    await this.pause()
    if (prng.chance(FAILS_CHANCE)) throw new Error('the node did not answer')
  }

  private async pause(): Promise<void> {
    if (this.parts.prng.chance(SLOW_CHANCE)) await new Promise<void>((go) => this.slow.push(go))
  }

  private judge(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.violation ??= error
    }
  }
}

const textOf = ({ withdrawalId, atoms, address, tag }: Payment): string =>
  `pays ${withdrawalId}: ${atoms} to ${address} ${tag}`
