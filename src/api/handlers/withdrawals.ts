/** Withdrawals: applying for one, and those of an account. */
import { WalletRefusal, WithdrawalDecision, WithdrawalStatus } from '../../base/codes.ts'
import { formatDecimal } from '../../base/fixed.ts'
import { isMore, plus } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { type AccountId, Atoms, type Ms } from '../../base/units.ts'
import type { WithdrawalRow } from '../../history/account-history.ts'
import { ApplyWithdrawal } from '../../layout/accessors.gen.ts'
import { mayWithdrawTo } from '../../market/key-spec.ts'
import { WALLET } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import { withdrawal, withdrawalId } from '../answers/wallet.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { RareParam } from '../parameters.ts'
import { type CoinNetwork, confirmationsOf, heightsAt, networkOf } from './coin-networks.ts'
import { ownerOf } from './owner.ts'
import { refuse } from './place-order.ts'
import { WalletAnswer, walletFault } from './wallet-command.ts'
import { pageOf, type WalletPage } from './wallet-page.ts'

/** With a client's id of a withdrawal, times are at most so far apart. */
const NAMED_DAYS = 7

/** What is applied for. */
interface Wish extends CoinNetwork {
  readonly account: AccountId
  readonly address: string
  readonly tag: string
  /** With the fee. */
  readonly atoms: Atoms
  readonly walletType: number
  /** '' for none. */
  readonly requestId: string
}

export function withdraw(request: Request, context: Context, responder: Responder): void {
  const wish = wishOf(request, context)
  if (wish instanceof Fault) {
    refuse(responder, wish)
    return
  }
  const { account, requestId } = wish
  if (requestId === '') {
    apply(wish, request, context, responder)
    return
  }
  context.history.withdrawalOf({ account, requestId }).then(
    (known) => {
      if (known === undefined) apply(wish, request, context, responder)
      else if (isSame(known, wish)) answer(known.withdrawalId, request, responder)
      else responder.error('OTHER_WITHDRAWAL')
    },
    (failure: unknown) => responder.error(historyError(failure)),
  )
}

function wishOf(request: Request, context: Context): Wish | Fault {
  const { params, key } = request
  const address = params.text(RareParam.address)!
  const tag = params.text(RareParam.addressTag) ?? ''
  if (key !== undefined && !mayWithdrawTo(key, address, tag)) {
    return new Fault(key.canWithdraw === true ? 'ADDRESS_NOT_LISTED' : 'REJECTED_API_KEY')
  }
  const found = networkOf(params, context, 'NOT_OPEN_FOR_WITHDRAWAL')
  if (typeof found === 'string') return new Fault(found)
  return {
    ...found,
    account: ownerOf(request).id,
    address,
    tag,
    atoms: Atoms(params.units(RareParam.amount)!),
    walletType: params.number(RareParam.walletType) ?? 0,
    requestId: params.text(RareParam.withdrawOrderId) ?? '',
  }
}

const isSame = (known: WithdrawalRow, { network, address, tag, atoms }: Wish): boolean =>
  known.networkId === network.id &&
  known.address === address &&
  known.tag === tag &&
  plus(known.atoms, known.feeAtoms) === atoms

function apply(wish: Wish, request: Request, context: Context, responder: Responder): void {
  const slot = context.command(WALLET, ApplyWithdrawal.bytes)
  if (slot === undefined) {
    responder.error('SERVER_BUSY')
    return
  }
  const { buffer, at } = slot
  ApplyWithdrawal.setAccount(buffer, at, wish.account)
  ApplyWithdrawal.setNetworkId(buffer, at, wish.network.id)
  ApplyWithdrawal.setAtoms(buffer, at, wish.atoms)
  ApplyWithdrawal.setExpiresMs(buffer, at, request.expiresMs)
  ApplyWithdrawal.setIsFeeIncluded(buffer, at, 1)
  ApplyWithdrawal.setWalletType(buffer, at, wish.walletType)
  ApplyWithdrawal.setRequestId(buffer, at, wish.requestId)
  ApplyWithdrawal.setAddress(buffer, at, wish.address)
  ApplyWithdrawal.setTag(buffer, at, wish.tag)
  const collector = new WalletAnswer({
    made: (id) => answer(id, request, responder),
    faultOf: (reason) => refusalOf(reason, wish),
    responder,
  })
  slot.submit(ApplyWithdrawal.type, ApplyWithdrawal.bytes, collector, request.charge)
}

const answer = (id: number, request: Request, responder: Responder): void =>
  responder.reply(new Rows(withdrawalId, { id: String(id) }, request))

function refusalOf(reason: number, { network, asset, atoms }: Wish): Fault {
  switch (reason) {
    case WalletRefusal.BELOW_MINIMUM:
      if (!isMore(atoms, network.withdrawFee)) return new Fault('WITHDRAWAL_BELOW_FEE')
      return new Fault('WITHDRAWAL_BELOW_MINIMUM', amountText(network.withdrawMin))
    case WalletRefusal.NOT_A_MULTIPLE:
      return new Fault('WITHDRAWAL_NOT_A_MULTIPLE', amountText(network.withdrawMultiple))
    default:
      return walletFault(reason, asset, 'OTHER_WITHDRAWAL')
  }
}

const amountText = (atoms: Atoms): string => formatDecimal(atoms, WIRE_DECIMALS)

/** The newest first. */
export function withdrawals(request: Request, context: Context, responder: Responder): void {
  const isNamed = request.params.has(RareParam.withdrawOrderId)
  const page = isNamed ? pageOf(request, context, NAMED_DAYS) : pageOf(request, context)
  if (typeof page === 'string') responder.error(page)
  else {
    withdrawalRows(request, context, page).then(
      (rows) => responder.reply(new Rows(withdrawal, rows, request)),
      (failure: unknown) => responder.error(historyError(failure)),
    )
  }
}

async function withdrawalRows(request: Request, context: Context, page: WalletPage) {
  const { assets, chains, networks, history } = context
  const { params, nowMs } = request
  const account = ownerOf(request).id
  const requestId = params.text(RareParam.withdrawOrderId)
  const ids = params.text(RareParam.idList)?.split(',').map(Number)
  const rows = await history.withdrawals({ account, ...page, requestId, ids })
  const newest = await heightsAt(nowMs, context)
  return rows.map((row) => {
    const { chain } = networks[row.networkId]!
    const isCompleted = row.status === WithdrawalStatus.COMPLETED
    return {
      ...row,
      id: String(row.withdrawalId),
      coin: assets[row.assetId]!.name,
      network: chains[chain]!.name,
      applyTime: timeText(row.applyMs),
      withdrawOrderId: row.requestId === '' ? undefined : row.requestId,
      info: endings[row.reason as WithdrawalDecision] ?? '',
      confirmNo: confirmationsOf(row.height, newest(chain), row.confirmations),
      completeTime: isCompleted ? timeText(row.completeMs) : undefined,
    }
  })
}

/** Why a withdrawal ended without being paid. */
const endings: Readonly<Partial<Record<WithdrawalDecision, string>>> = {
  [WithdrawalDecision.CANCEL]: 'The withdrawal was cancelled.',
  [WithdrawalDecision.REJECT]: 'The withdrawal was rejected.',
  [WithdrawalDecision.FAIL]: 'The network did not take the withdrawal.',
}

/** `2019-10-12 11:12:02`, UTC. */
const timeText = (timeMs: Ms): string =>
  new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')
