/** What withdrawals of an account that have not ended took: only the wallet has it, beside the books. */
import { WalletSubject } from '../../base/codes.ts'
import { formatDecimal } from '../../base/fixed.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { AssetId } from '../../base/units.ts'
import { QueryWallet, WithdrawingState } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { WALLET } from '../../market/listing.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { ownerOf } from './owner.ts'

const NONE = '0'

/** Returns what they took of an asset, with fees; '0' for nothing. */
type Withdrawing = (asset: AssetId) => string

/** Calls `found`, at once where no chain carries anything; else the request is refused. */
export function askWithdrawing(
  request: Request,
  context: Context,
  responder: Responder,
  found: (withdrawing: Withdrawing) => void,
): void {
  if (context.networks.length === 0) {
    found(() => NONE)
    return
  }
  const slot = context.query(WALLET)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer, at } = slot
  QueryWallet.setSubject(buffer, at, WalletSubject.WITHDRAWING)
  QueryWallet.setAccount(buffer, at, ownerOf(request).id)
  QueryWallet.setId(buffer, at, 0)
  QueryWallet.setLimit(buffer, at, 0)
  QueryWallet.setAfterId(buffer, at, 0)
  slot.submit(QueryWallet.type, QueryWallet.bytes, new Asking(responder, found), undefined)
}

class Asking implements Collector {
  private readonly responder: Responder
  private readonly found: (withdrawing: Withdrawing) => void
  private readonly taken = new Map<AssetId, string>()

  constructor(responder: Responder, found: (withdrawing: Withdrawing) => void) {
    this.responder = responder
    this.found = found
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) !== WithdrawingState.type) return
    const text = formatDecimal(WithdrawingState.atoms(buffer, at), WIRE_DECIMALS)
    this.taken.set(WithdrawingState.assetId(buffer, at), text)
  }

  done(): void {
    this.found((asset) => this.taken.get(asset) ?? NONE)
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }
}
