/** What the wallet knows of an account: fees, volume, how it trades, what it was given. */
import { formatBigDecimal, formatDecimal } from '../../base/fixed.ts'
import { isMore } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { AssetId, Ms } from '../../base/units.ts'
import { DAY_MS, MINUTE_MS } from '../../market/intervals.ts'
import type { NetworkSpec } from '../../market/network.ts'
import { tradeFee as tradeFeeAnswer } from '../answers/account.ts'
import { type Answer, Rows } from '../answers/answer.ts'
import type { Elements, RowOf } from '../answers/element.ts'
import {
  type AssetDetail,
  accountState as accountStateAnswer,
  accountStatus as accountStatusAnswer,
  assetDetails,
  coin,
  distributions as distributionsAnswer,
  dividends as dividendsAnswer,
  keyRights as keyRightsAnswer,
  tradingState as tradingStateAnswer,
  tradingStatus as tradingStatusAnswer,
  tradingVolume as tradingVolumeAnswer,
  userAsset,
} from '../answers/wallet.ts'
import type { BalanceRow, Context, Request, Responder } from '../context.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam } from '../parameters.ts'
import { accountStatusRow, tradingStatusRow } from '../rows/trading-status.ts'
import { timesOf } from './history.ts'
import { ownerOf } from './owner.ts'
import { askWithdrawing } from './withdrawing.ts'
import { VALUATION_COIN, worthOf } from './worth.ts'

const DISTRIBUTIONS_DEFAULT = 20
const DISTRIBUTIONS_MAX = 500
/** Trading volume is of this many whole UTC days. */
const VOLUME_DAYS = 30

/** An array even for one symbol (Binance.US, wallet). */
export function tradeFee(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(Param.symbol)
  const spec = name === undefined ? undefined : context.symbolNamed(name)
  if (name !== undefined && spec === undefined) responder.error('INVALID_SYMBOL')
  else {
    const symbols = spec === undefined ? context.symbols : [spec]
    const { makerRate, takerRate } = ownerOf(request)
    const rows = symbols.map((it) => ({ spec: it, makerRate, takerRate }))
    responder.reply(new Rows(tradeFeeAnswer, rows, request))
  }
}

export function coins(request: Request, context: Context, responder: Responder): void {
  askWithdrawing(request, context, responder, (withdrawing) => {
    const rows = context.balances(ownerOf(request).id).map((balance) => {
      const { asset } = balance
      const networks = context.networks
        .filter((network) => network.asset === asset.id)
        .map((network) => ({ ...network, asset, ...chainOf(network, context) }))
      return { ...balance, withdrawing: withdrawing(asset.id), networks }
    })
    responder.reply(new Rows(coin, rows, request))
  })
}

function chainOf({ chain, minConfirm }: NetworkSpec, { chains }: Context) {
  const { name, hasMemo, blockMs } = chains[chain]!
  return { network: name, hasMemo, arrivalMinutes: Math.ceil((minConfirm * blockMs) / MINUTE_MS) }
}

/** Whether and why the account may not trade. */
async function statusOf(request: Request, context: Context) {
  const owner = ownerOf(request)
  const { lockedUntilMs } = await context.history.tradingStatus({ account: owner.id })
  const minutesLeft = Math.ceil((lockedUntilMs - request.nowMs) / MINUTE_MS)
  return accountStatusRow(owner, Math.max(0, minutesLeft))
}

/** Of a caller of this process, which has no key, all of them. */
export function keyRights(request: Request, _: Context, responder: Responder): void {
  const { key = inner } = request
  const { canWithdraw = false, createdMs = Ms(0), addresses } = key
  const row = { ...key, canWithdraw, createdMs, isBoundToAddresses: addresses !== undefined }
  responder.reply(new Rows(keyRightsAnswer, row, request))
}
const inner: NonNullable<Request['key']> = {
  apiKey: '',
  canRead: true,
  canTrade: true,
  canWithdraw: true,
}

export function accountStatus(request: Request, context: Context, responder: Responder): void {
  answer(request, responder, accountStatusAnswer, statusOf(request, context), (row) => row)
}

export function accountState(request: Request, context: Context, responder: Responder): void {
  answer(request, responder, accountStateAnswer, statusOf(request, context), (row) => row)
}

export function tradingStatus(request: Request, context: Context, responder: Responder): void {
  const found = context.history.tradingStatus({ account: ownerOf(request).id })
  answer(request, responder, tradingStatusAnswer, found, (row) =>
    tradingStatusRow(context, row, request.nowMs),
  )
}

export function tradingState(request: Request, context: Context, responder: Responder): void {
  const found = context.history.tradingStatus({ account: ownerOf(request).id })
  answer(request, responder, tradingStateAnswer, found, (row) =>
    tradingStatusRow(context, row, request.nowMs),
  )
}

/** The days end at the last midnight UTC. */
export function tradingVolume(request: Request, context: Context, responder: Responder): void {
  const toDay = Math.floor(request.nowMs / DAY_MS)
  const days = { fromDay: toDay - VOLUME_DAYS, toDay }
  const rowOf = (atoms: bigint) => ({ volume: Number(formatBigDecimal(atoms, WIRE_DECIMALS)) })
  if (context.valuationAsset === undefined) {
    responder.reply(new Rows(tradingVolumeAnswer, rowOf(0n), request))
    return
  }
  const found = context.history.tradingVolume({ account: ownerOf(request).id, ...days })
  answer(request, responder, tradingVolumeAnswer, found, rowOf)
}

/** Ascending; of too many the newest, or, from a startTime, the oldest. */
async function distributionsOf({ account, params }: Request, context: Context) {
  const asset = params.text(RareParam.asset)
  const { rows, total } = await context.history.distributions({
    account: account!.id,
    assetId: asset === undefined ? undefined : assetIdOf(context, asset),
    category: params.text(RareParam.category),
    ...timesOf(params),
    limit: Math.min(params.number(Param.limit) ?? DISTRIBUTIONS_DEFAULT, DISTRIBUTIONS_MAX),
  })
  const shown = rows.map((row) => ({ ...row, assetName: context.assets[row.assetId]!.name }))
  return { shown, total }
}

export function distributions(request: Request, context: Context, responder: Responder): void {
  answer(request, responder, distributionsAnswer, distributionsOf(request, context), (row) => row)
}

export function dividends(request: Request, context: Context, responder: Responder): void {
  answer(request, responder, dividendsAnswer, distributionsOf(request, context), (row) => row)
}

/** Only assets that the account has something of; in BTC where that is asked for and prices join the two. */
export function userAssets(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const name = params.text(RareParam.asset)
  const needsWorth = params.number(RareParam.needBtcValuation) === 1
  askWithdrawing(request, context, responder, (withdrawing) => {
    const rows = context
      .balances(ownerOf(request).id)
      .map((row) => ({ ...row, withdrawing: withdrawing(row.asset.id) }))
      .filter((row) => (name === undefined ? hasAny(row) : row.asset.name === name))
      .map((row) => ({ ...row, worth: needsWorth ? worthOf(context, row, VALUATION_COIN) : 0 }))
    responder.reply(new Rows(userAsset, rows, request))
  })
}

interface Owned extends BalanceRow {
  readonly withdrawing: string
}
const hasAny = ({ free, locked, withdrawing }: Owned): boolean =>
  isMore(free, 0) || isMore(locked, 0) || Number(withdrawing) > 0

/** Of coins with a network, or of the one asked for. */
export function assetDetail(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(RareParam.asset)
  const details = new Map<string, AssetDetail>()
  for (const network of context.networks) {
    const coin = context.assets[network.asset]!.name
    if (network.isDefault && (name ?? coin) === coin) details.set(coin, detailOf(network))
  }
  const table = detailsOf([...details.keys()])
  responder.reply(new Rows(table, Object.fromEntries(details), request))
}

function detailOf(network: NetworkSpec): AssetDetail {
  const { depositText, withdrawFee, withdrawMin } = network
  return {
    minWithdrawAmount: formatDecimal(withdrawMin, WIRE_DECIMALS),
    depositStatus: network.depositEnabled,
    withdrawFee: Number(formatDecimal(withdrawFee, WIRE_DECIMALS)),
    withdrawStatus: network.withdrawEnabled,
    ...(depositText === '' ? {} : { depositTip: depositText }),
  }
}

/** Tables of the last lists of coins that were asked for: encoders compile each once. */
const detailTables = new Map<string, ReturnType<typeof assetDetails>>()
const DETAIL_TABLES_MAX = 256

function detailsOf(coins: readonly string[]): ReturnType<typeof assetDetails> {
  const key = coins.join()
  const known = detailTables.get(key)
  if (known !== undefined) return known
  if (detailTables.size === DETAIL_TABLES_MAX) detailTables.clear()
  const made = assetDetails(coins)
  detailTables.set(key, made)
  return made
}

/** That of no asset where none has the name. */
const assetIdOf = ({ assets }: Context, name: string): AssetId =>
  assets.find((asset) => asset.name === name)?.id ?? AssetId(-1)

function answer<Found, E extends Elements>(
  request: Request,
  responder: Responder,
  of: Answer<E>,
  found: Promise<Found>,
  rowOf: (found: Found) => RowOf<E>,
): void {
  found.then(
    (row) => responder.reply(new Rows(of, rowOf(row), request)),
    (failure: unknown) => responder.error(historyError(failure)),
  )
}
