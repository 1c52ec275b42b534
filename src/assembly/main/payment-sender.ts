/**
 * Has withdrawals paid: outside of the core, since a chain's node is a program elsewhere. The matcher of the wallet
 * reports each withdrawal that is to be signed or sent, once all that led to it is on its journal's disk or quorum: its
 * debit, and then its transaction. What other matchers credited and have not flushed, no debit has spent
 * (docs/decisions/holds-and-settlement.md). So a power loss takes no money that was sent, and no transaction; a start,
 * or another leader, sends the same one again.
 */
import type { Logger } from 'pino'
import { WithdrawalDecision } from '../../base/codes.ts'
import { TX_ID_MAX, WITHDRAWAL_TEXT_MAX } from '../../base/limits.ts'
import type { Time, Timer } from '../../base/time.ts'
import type { Payment, PaymentStep } from '../../shared/payment.ts'
import type { ChainPort } from './chain-port.ts'

const RETRY_MS = 1_000
const RETRY_MS_MAX = 60_000

export interface PaymentSenderParts {
  readonly port: ChainPort
  readonly time: Time
  readonly log: Logger
  /** Orders the wallet's matcher to journal it. */
  readonly journal: (step: PaymentStep) => void
}

export class PaymentSender {
  private readonly parts: PaymentSenderParts
  /** By withdrawal: a timer of those that failed. */
  private readonly retries = new Map<number, Timer>()
  private isClosed = false

  constructor(parts: PaymentSenderParts) {
    this.parts = parts
  }

  /** Takes the next step of each. A report of the same withdrawal as before replaces that one. */
  take(payments: readonly Payment[]): void {
    for (const payment of payments) {
      this.forget(payment.withdrawalId)
      void this.step(payment, RETRY_MS)
    }
  }

  /** The exchange ends: nothing is sent again. */
  close(): void {
    this.isClosed = true
    for (const id of [...this.retries.keys()]) this.forget(id)
  }

  private forget(withdrawalId: number): void {
    this.retries.get(withdrawalId)?.cancel()
    this.retries.delete(withdrawalId)
  }

  private async step(payment: Payment, retryMs: number): Promise<void> {
    const { port, journal } = this.parts
    const { withdrawalId } = payment
    try {
      if (payment.txId === '') {
        const { txId, transaction } = await port.sign(payment)
        checkSigned(txId, transaction)
        const { SIGN: decision } = WithdrawalDecision
        journal({ kind: 'payment', withdrawalId, decision, txId, transaction })
        return
      }
      await port.send(payment)
      const { txId } = payment
      const { SEND: decision } = WithdrawalDecision
      journal({ kind: 'payment', withdrawalId, decision, txId, transaction: '' })
    } catch (error) {
      this.retry(payment, retryMs, error as Error)
    }
  }

  private retry(payment: Payment, retryMs: number, error: Error): void {
    if (this.isClosed) return
    const { time, log } = this.parts
    const { withdrawalId } = payment
    log.warn({ withdrawalId, retryMs }, `a withdrawal was not sent: ${error.message}`)
    const again = () => {
      this.retries.delete(withdrawalId)
      void this.step(payment, Math.min(2 * retryMs, RETRY_MS_MAX))
    }
    this.forget(withdrawalId)
    this.retries.set(withdrawalId, time.after(retryMs, again))
  }
}

/** Throws RangeError for what the journal has no room for. */
function checkSigned(txId: unknown, transaction: unknown): void {
  const fits = (text: unknown, max: number) =>
    typeof text === 'string' && text.length <= max && /^[ -ÿ]*$/.test(text)
  if (txId === '' || !fits(txId, TX_ID_MAX) || !fits(transaction, WITHDRAWAL_TEXT_MAX)) {
    throw new RangeError('what was signed has no id, or does not fit into the journal')
  }
}
