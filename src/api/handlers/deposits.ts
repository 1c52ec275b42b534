/** Addresses that an account deposits to, and its deposits. */
import { depositAddress as addressOf } from '../../market/deposit-address.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { Rows } from '../answers/answer.ts'
import {
  deposit,
  depositAddress as depositAddressAnswer,
  listedAddress,
} from '../answers/wallet.ts'
import type { Context, Request, Responder } from '../context.ts'
import { Fault } from '../errors.ts'
import { historyError } from '../history-failure.ts'
import { RareParam } from '../parameters.ts'
import { confirmationsOf, heightsAt, networkOf } from './coin-networks.ts'
import { ownerOf } from './owner.ts'
import { namedOf } from './sub-accounts.ts'
import { pageOf, type WalletPage } from './wallet-page.ts'

export function depositAddress(request: Request, context: Context, responder: Responder): void {
  addressOfAccount(ownerOf(request), request, context, responder)
}

/** The newest first. */
export function deposits(request: Request, context: Context, responder: Responder): void {
  depositsOfAccount(ownerOf(request), request, context, responder)
}

/** Of each network of the coin that takes deposits, or of the one that is named. */
export function depositAddresses(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const chainName = params.text(RareParam.network)
  const asset = context.assets.find(({ name }) => name === params.text(RareParam.coin))
  if (asset === undefined) {
    responder.error('NO_SUCH_ASSET')
    return
  }
  const rows = context.networks
    .filter((it) => it.asset === asset.id && it.depositEnabled)
    .map(({ chain, isDefault }) => ({ isDefault, chain: context.chains[chain]! }))
    .filter(({ chain }) => chainName === undefined || chain.name === chainName)
    .map(({ isDefault, chain }) => ({ asset, isDefault, ...addressOf(chain, ownerOf(request).id) }))
  responder.reply(new Rows(listedAddress, rows, request))
}

/** Makes what an account learns of itself what its master learns of it. */
const ofSubAccount =
  (serve: typeof addressOfAccount) =>
  (request: Request, context: Context, responder: Responder): void => {
    const named = namedOf(request, context)
    if (named instanceof Fault) responder.error(named.id)
    else serve(named[0]!, request, context, responder)
  }

function addressOfAccount(
  { id }: AccountSpec,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const found = networkOf(request.params, context, 'NO_DEPOSIT_ADDRESS')
  if (typeof found === 'string') responder.error(found)
  else if (!found.network.depositEnabled) responder.error('NO_DEPOSIT_ADDRESS')
  else {
    const row = { asset: found.asset, ...addressOf(found.chain, id) }
    responder.reply(new Rows(depositAddressAnswer, row, request))
  }
}

function depositsOfAccount(
  account: AccountSpec,
  request: Request,
  context: Context,
  responder: Responder,
): void {
  const page = pageOf(request, context)
  if (typeof page === 'string') responder.error(page)
  else {
    depositRows(account, request, context, page).then(
      (rows) => responder.reply(new Rows(deposit, rows, request)),
      (failure: unknown) => responder.error(historyError(failure)),
    )
  }
}

async function depositRows(
  { id: account }: AccountSpec,
  request: Request,
  context: Context,
  page: WalletPage,
) {
  const { assets, chains, networks, history } = context
  const txId = request.params.text(RareParam.txId)
  const rows = await history.deposits({ account, ...page, txId })
  const newest = await heightsAt(request.nowMs, context)
  return rows.map((row) => {
    const { networkId, assetId, minConfirm, completeMs } = row
    const { chain } = networks[networkId]!
    const confirmations = confirmationsOf(row.height, newest(chain), minConfirm)
    return {
      ...row,
      id: String(row.depositId),
      coin: assets[assetId]!.name,
      network: chains[chain]!.name,
      creditedMs: completeMs === 0 ? undefined : completeMs,
      confirmTimes: `${confirmations}/${minConfirm}`,
    }
  })
}

export const subAccountDepositAddress = ofSubAccount(addressOfAccount)
export const subAccountDeposits = ofSubAccount(depositsOfAccount)
