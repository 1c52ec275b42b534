/**
 * Moves funds within a family, for a key of the master that trades. A master may give a transfer an id: the same one
 * again moves nothing more. Without one, whether a transfer was made whose answer was lost (-1007) is in the history.
 */
import { Atoms } from '../../base/units.ts'
import type { MovementRow } from '../../history/account-history.ts'
import { MoveFunds } from '../../layout/accessors.gen.ts'
import { emailOf } from '../../market/families.ts'
import { type AccountSpec, type AssetSpec, WALLET } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import {
  subAccountTransfer as subAccountTransferAnswer,
  universalTransfer as universalTransferAnswer,
} from '../answers/sub-accounts.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { RareParam } from '../parameters.ts'
import { refuse } from './place-order.ts'
import { familyOf } from './sub-accounts.ts'
import { WalletAnswer, walletFault } from './wallet-command.ts'

interface Transfer {
  readonly master: AccountSpec
  readonly from: AccountSpec
  readonly to: AccountSpec
  readonly asset: AssetSpec
  readonly atoms: Atoms
  /** '' for none. */
  readonly requestId: string
}

/** Replies with the id of a movement. */
type Answering = (movementId: number) => void

export function subAccountTransfer(request: Request, context: Context, responder: Responder): void {
  transfer(request, context, responder, (id) =>
    responder.reply(new Rows(subAccountTransferAnswer, { txnId: String(id) }, request)),
  )
}

export function universalTransfer(request: Request, context: Context, responder: Responder): void {
  const clientTranId = request.params.text(RareParam.clientTranId)
  transfer(request, context, responder, (tranId) =>
    responder.reply(new Rows(universalTransferAnswer, { tranId, clientTranId }, request)),
  )
}

function transfer(
  request: Request,
  context: Context,
  responder: Responder,
  answer: Answering,
): void {
  const wanted = transferOf(request, context)
  if (wanted instanceof Fault) {
    refuse(responder, wanted)
    return
  }
  const { master, requestId } = wanted
  if (requestId === '') {
    move(wanted, 0, request, context, responder, answer)
    return
  }
  context.history.movementOf({ account: master.id, requestId }).then(
    ({ made, lastId }) => {
      if (made === undefined) move(wanted, lastId, request, context, responder, answer)
      else if (isSame(made, wanted)) answer(made.movementId)
      else responder.error('OTHER_TRANSFER')
    },
    (failure: unknown) => responder.error(historyError(failure)),
  )
}

function move(
  { master, from, to, asset, atoms, requestId }: Transfer,
  archivedId: number,
  request: Request,
  context: Context,
  responder: Responder,
  made: Answering,
): void {
  const slot = context.command(WALLET, MoveFunds.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer, at } = slot
  MoveFunds.setFrom(buffer, at, from.id)
  MoveFunds.setTo(buffer, at, to.id)
  MoveFunds.setAssetId(buffer, at, asset.id)
  MoveFunds.setMaster(buffer, at, master.id)
  MoveFunds.setAtoms(buffer, at, atoms)
  MoveFunds.setRequestId(buffer, at, requestId)
  MoveFunds.setExpiresMs(buffer, at, request.expiresMs)
  MoveFunds.setArchivedId(buffer, at, archivedId)
  const faultOf = (reason: number) => walletFault(reason, asset, 'OTHER_TRANSFER')
  const collector = new WalletAnswer({ made, faultOf, responder })
  slot.submit(MoveFunds.type, MoveFunds.bytes, collector, request.charge)
}

/** Of what is left out it is the master. The wallet refuses frozen accounts: of a frozen master, no account moves anything. */
function transferOf(request: Request, context: Context): Transfer | Fault {
  const { params, key } = request
  if (key?.canTrade === false) return new Fault('REJECTED_API_KEY')
  const family = familyOf(request, context)
  if (family instanceof Fault) return family
  const master = family[0]!
  const [from, to] = [RareParam.fromEmail, RareParam.toEmail].map((slot) => {
    const email = params.text(slot)
    return email === undefined ? master : family.find((account) => emailOf(account) === email)
  })
  if (from === undefined || to === undefined) return new Fault('INVALID_EMAIL')
  if (from === to) return new Fault('INVALID_PARAMETER', 'toEmail')
  const asset = context.assets.find(({ name }) => name === params.text(RareParam.asset))
  if (asset === undefined) return new Fault('NO_SUCH_ASSET')
  const atoms = Atoms(params.units(RareParam.amount)!)
  if (atoms <= 0) return new Fault('INVALID_PARAMETER', 'amount')
  if (master.frozen) return new Fault('WITHDRAWAL_LIMITED')
  const requestId = params.text(RareParam.clientTranId) ?? ''
  return { master, from, to, asset, atoms, requestId }
}

const isSame = (made: MovementRow, { from, to, asset, atoms }: Transfer): boolean =>
  made.from === from.id && made.to === to.id && made.assetId === asset.id && made.atoms === atoms
