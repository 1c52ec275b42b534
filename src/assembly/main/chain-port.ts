/**
 * What pays withdrawals outside of the exchange. The chains of the house are the one that the exchange brings; the node
 * of a real chain would be another, and has to hold what test/contract/chain-port.ts asks of it.
 */
import { WITHDRAWAL_TEXT_MAX } from '../../base/limits.ts'
import { transactionId } from '../../market/deposit-address.ts'
import type { Payment } from '../../shared/payment.ts'

export interface SignedTransaction {
  /** At most TX_ID_MAX letters of Latin-1. */
  readonly txId: string
  /** What is sent, at most WITHDRAWAL_TEXT_MAX letters of Latin-1. */
  readonly transaction: string
}

export interface ChainPort {
  /**
   * Whether what it sends goes back with a state of the exchange. Where it does not, states are neither loaded nor forked:
   * nothing is undone outside.
   */
  readonly isUndoable: boolean
  /** Makes the transaction that pays it, and sends nothing: the exchange journals the transaction first. */
  sign(payment: Payment): Promise<SignedTransaction>
  /**
   * Sends the journaled transaction. The same one may be sent any number of times, also by another process: it pays once.
   * Resolves when the chain has it; rejects when that is unknown, and is sent again later.
   */
  send(payment: Payment): Promise<void>
}

/** The chains of the house take a transaction as soon as the wallet is told that it was sent (core/wallet). */
export class HouseChains implements ChainPort {
  readonly isUndoable = true

  async sign({
    withdrawalId,
    chain,
    networkId,
    atoms,
    address,
    tag,
  }: Payment): Promise<SignedTransaction> {
    const txId = transactionId(chain, 'withdrawal', withdrawalId)
    const transaction = JSON.stringify({ networkId, atoms: String(atoms), address, tag })
    return { txId, transaction }
  }

  async send({ txId, transaction }: Payment): Promise<void> {
    if (txId === '' || transaction.length > WITHDRAWAL_TEXT_MAX) {
      throw new RangeError('a transaction is sent once it is signed')
    }
  }
}
