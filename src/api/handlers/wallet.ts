/** What the wallet knows of an account: fees, volume, how it trades, what it was given. */
import { formatBigDecimal } from '../../base/fixed.ts'
import { int64 } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { DAY_MS, MINUTE_MS } from '../../market/intervals.ts'
import { tradeFee as tradeFeeAnswer } from '../answers/account.ts'
import { type Answer, Rows } from '../answers/answer.ts'
import type { Elements, RowOf } from '../answers/element.ts'
import {
  accountStatus as accountStatusAnswer,
  coin,
  distributions as distributionsAnswer,
  tradingStatus as tradingStatusAnswer,
  tradingVolume as tradingVolumeAnswer,
} from '../answers/wallet.ts'
import type { Context, Request, Responder } from '../context.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam } from '../parameters.ts'
import { accountStatusRow, tradingStatusRow } from '../rows/trading-status.ts'
import { ownerOf } from './owner.ts'

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
  responder.reply(new Rows(coin, context.balances(ownerOf(request).id), request))
}

export function accountStatus(request: Request, context: Context, responder: Responder): void {
  const owner = ownerOf(request)
  const found = context.history.tradingStatus({ account: owner.id })
  answer(request, responder, accountStatusAnswer, found, ({ lockedUntilMs }) => {
    const minutesLeft = Math.ceil((lockedUntilMs - request.nowMs) / MINUTE_MS)
    return accountStatusRow(owner, Math.max(0, minutesLeft))
  })
}

export function tradingStatus(request: Request, context: Context, responder: Responder): void {
  const found = context.history.tradingStatus({ account: ownerOf(request).id })
  answer(request, responder, tradingStatusAnswer, found, (row) =>
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
export function distributions(request: Request, context: Context, responder: Responder): void {
  const { params } = request
  const asset = params.text(RareParam.asset)
  const category = params.text(RareParam.category)
  const startTime = params.number(Param.startTime)
  const endTime = params.number(Param.endTime) ?? Number.POSITIVE_INFINITY
  const limit = Math.min(params.number(Param.limit) ?? DISTRIBUTIONS_DEFAULT, DISTRIBUTIONS_MAX)
  const matching = context
    .distributions(ownerOf(request).id)
    .filter(
      (row) =>
        (asset === undefined || context.assets[row.assetId]?.name === asset) &&
        (category === undefined || row.category === category) &&
        row.timeMs >= (startTime ?? 0) &&
        row.timeMs <= endTime,
    )
    .sort((one, other) => one.timeMs - other.timeMs)
  const newest = startTime === undefined ? matching.slice(-limit) : matching.slice(0, limit)
  const shown = newest.map(({ assetId, atoms, ...row }) => ({
    ...row,
    assetName: context.assets[assetId]?.name ?? '',
    units: int64(BigInt(atoms)),
  }))
  const total = matching.length
  responder.reply(new Rows(distributionsAnswer, { shown, total }, request))
}

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
