/**
 * A command of the wallet as a request makes it: what the wallet answers, and what of it a client learns. With an id of
 * the client's the archive, which has all of them, is asked first: the wallet remembers the newest alone.
 */
import { WalletRefusal } from '../../base/codes.ts'
import {
  FundsMoved,
  MovementBlock,
  MovementState,
  WalletRejected,
  WithdrawalBlock,
  WithdrawalChanged,
  WithdrawalState,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { AssetSpec } from '../../market/listing.ts'
import type { Collector, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { refuse } from './place-order.ts'

interface Answered {
  /** Replies with the id of what was made, now or before. */
  readonly made: (id: number) => void
  readonly faultOf: (reason: number) => Fault
  readonly responder: Responder
}

/** By type of record: the id of what it tells of. */
const ids = new Map<number, (buffer: RecordBuffer, at: number) => number>([
  [WithdrawalChanged.type, idOf(WithdrawalChanged.withdrawalBlockAt, WithdrawalBlock.withdrawalId)],
  [WithdrawalState.type, idOf(WithdrawalState.withdrawalBlockAt, WithdrawalBlock.withdrawalId)],
  [FundsMoved.type, idOf(FundsMoved.movementBlockAt, MovementBlock.movementId)],
  [MovementState.type, idOf(MovementState.movementBlockAt, MovementBlock.movementId)],
])

function idOf(
  blockAt: (at: number) => number,
  id: (buffer: RecordBuffer, block: number) => number,
): (buffer: RecordBuffer, at: number) => number {
  return (buffer, at) => id(buffer, blockAt(at))
}

export class WalletAnswer implements Collector {
  private readonly answered: Answered
  private id = 0
  private fault: Fault | undefined = undefined

  constructor(answered: Answered) {
    this.answered = answered
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === WalletRejected.type) {
      this.fault = this.answered.faultOf(WalletRejected.reason(buffer, at))
    } else this.id = ids.get(type)?.(buffer, at) ?? this.id
  }

  done(): void {
    const { made, responder } = this.answered
    if (this.fault === undefined) made(this.id)
    else refuse(responder, this.fault)
  }

  failed(id: ErrorId): void {
    this.answered.responder.error(id)
  }
}

const plain: Readonly<Partial<Record<WalletRefusal, ErrorId>>> = {
  [WalletRefusal.NO_NETWORK]: 'NOT_OPEN_FOR_WITHDRAWAL',
  [WalletRefusal.SUSPENDED]: 'NOT_OPEN_FOR_WITHDRAWAL',
  [WalletRefusal.BAD_ADDRESS]: 'BAD_ADDRESS',
  [WalletRefusal.BAD_TAG]: 'BAD_ADDRESS_TAG',
  [WalletRefusal.ABOVE_MAXIMUM]: 'WITHDRAWAL_LIMITED',
  [WalletRefusal.ABOVE_DAY_LIMIT]: 'WITHDRAWALS_OF_DAY',
  [WalletRefusal.INSUFFICIENT_BALANCE]: 'WITHDRAWAL_EXCEEDS_BALANCE',
  [WalletRefusal.IN_DEBT]: 'WITHDRAWAL_IN_DEBT',
  [WalletRefusal.ACCOUNT_CLOSED]: 'WITHDRAWAL_LIMITED',
  [WalletRefusal.FULL]: 'TOO_MANY_WITHDRAWALS',
  [WalletRefusal.TIMESTAMP_OUTSIDE_WINDOW]: 'TIMESTAMP_TOO_OLD',
  [WalletRefusal.NOT_LEADING]: 'NOT_LEADING',
  [WalletRefusal.NOT_ARCHIVED]: 'SERVER_BUSY',
}

/** Why the wallet moves nothing of the asset from the account; `other`: what was asked for before under the id. */
export function walletFault(reason: number, asset: AssetSpec, other: ErrorId): Fault {
  if (reason === WalletRefusal.NOT_UNLOCKED) return new Fault('NOT_UNLOCKED', asset.name)
  if (reason === WalletRefusal.OTHER_CONTENT) return new Fault(other)
  return new Fault(plain[reason as WalletRefusal] ?? 'WITHDRAWAL_LIMITED')
}
