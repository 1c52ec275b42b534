/**
 * Moves funds within a family, for a key of the master that trades. The protocol gives a transfer no id of the client's:
 * whether one was made whose answer was lost (-1007) is in the history.
 */
import { Atoms } from '../../base/units.ts'
import { FundsMoved, MoveFunds, WalletRejected } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { emailOf } from '../../market/families.ts'
import { type AccountSpec, type AssetSpec, WALLET } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import { subAccountTransfer as subAccountTransferAnswer } from '../answers/sub-accounts.ts'
import type { Collector, Context, Request, Responder } from '../context.ts'
import { type ErrorId, Fault } from '../errors.ts'
import { RareParam } from '../parameters.ts'
import { refuse } from './place-order.ts'
import { familyOf } from './sub-accounts.ts'
import { walletFault } from './withdrawals.ts'

interface Transfer {
  readonly from: AccountSpec
  readonly to: AccountSpec
  readonly asset: AssetSpec
  readonly atoms: Atoms
}

export function subAccountTransfer(request: Request, context: Context, responder: Responder): void {
  const transfer = transferOf(request, context)
  if (transfer instanceof Fault) {
    refuse(responder, transfer)
    return
  }
  const slot = context.command(WALLET, MoveFunds.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer, at } = slot
  MoveFunds.setFrom(buffer, at, transfer.from.id)
  MoveFunds.setTo(buffer, at, transfer.to.id)
  MoveFunds.setAssetId(buffer, at, transfer.asset.id)
  MoveFunds.setSpare(buffer, at, 0)
  MoveFunds.setAtoms(buffer, at, transfer.atoms)
  MoveFunds.setExpiresMs(buffer, at, request.expiresMs)
  const collector = new Moving(transfer.asset, request, responder)
  slot.submit(MoveFunds.type, MoveFunds.bytes, collector, request.charge)
}

/** The wallet refuses frozen accounts: of a frozen master, no account of the family moves anything. */
function transferOf(request: Request, context: Context): Transfer | Fault {
  const { params, key } = request
  if (key?.canTrade === false) return new Fault('REJECTED_API_KEY')
  const family = familyOf(request, context)
  if (family instanceof Fault) return family
  const [from, to] = [RareParam.fromEmail, RareParam.toEmail].map((slot) =>
    family.find((account) => emailOf(account) === params.text(slot)),
  )
  if (from === undefined || to === undefined) return new Fault('INVALID_EMAIL')
  if (from === to) return new Fault('INVALID_PARAMETER', 'toEmail')
  const asset = context.assets.find(({ name }) => name === params.text(RareParam.asset))
  if (asset === undefined) return new Fault('NO_SUCH_ASSET')
  const atoms = Atoms(params.units(RareParam.amount)!)
  if (atoms <= 0) return new Fault('INVALID_PARAMETER', 'amount')
  return family[0]!.frozen ? new Fault('WITHDRAWAL_LIMITED') : { from, to, asset, atoms }
}

class Moving implements Collector {
  private readonly asset: AssetSpec
  private readonly request: Request
  private readonly responder: Responder
  private movementId = 0
  private fault: Fault | undefined = undefined

  constructor(asset: AssetSpec, request: Request, responder: Responder) {
    this.asset = asset
    this.request = request
    this.responder = responder
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === FundsMoved.type) this.movementId = FundsMoved.movementId(buffer, at)
    else if (type === WalletRejected.type) {
      this.fault = walletFault(WalletRejected.reason(buffer, at), this.asset)
    }
  }

  done(): void {
    if (this.fault !== undefined) refuse(this.responder, this.fault)
    else {
      const row = { txnId: String(this.movementId) }
      this.responder.reply(new Rows(subAccountTransferAnswer, row, this.request))
    }
  }

  failed(id: ErrorId): void {
    this.responder.error(id)
  }
}
