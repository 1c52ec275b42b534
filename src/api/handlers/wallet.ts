/** What the wallet knows of an account: fees, volume, how it trades, what it was given. */
import { DAY_MS, MINUTE_MS } from '../../market/intervals.ts'
import type { Context, Request, Responder } from '../context.ts'
import { historyError } from '../history-failure.ts'
import { Param, RareParam } from '../parameters.ts'
import { tradeFees } from '../render/commission.ts'
import {
  accountStatusText,
  coinsText,
  distributionsText,
  tradingStatusText,
  tradingVolumeText,
} from '../render/wallet.ts'
import { ownerOf } from './owner.ts'

const DISTRIBUTIONS_DEFAULT = 20
const DISTRIBUTIONS_MAX = 500
/** Trading volume is of this many whole UTC days. */
const VOLUME_DAYS = 30

/** An array even for one symbol (supplement 2h). */
export function tradeFee(request: Request, context: Context, responder: Responder): void {
  const name = request.params.text(Param.symbol)
  const spec = name === undefined ? undefined : context.symbolNamed(name)
  if (name !== undefined && spec === undefined) responder.error('INVALID_SYMBOL')
  else {
    responder.reply(tradeFees(spec === undefined ? context.symbols : [spec], ownerOf(request)))
  }
}

export function coins(request: Request, context: Context, responder: Responder): void {
  responder.reply(coinsText(context.balances(ownerOf(request).id)))
}

export function accountStatus(request: Request, context: Context, responder: Responder): void {
  const owner = ownerOf(request)
  answer(responder, context.history.tradingStatus({ account: owner.id }), ({ lockedUntilMs }) => {
    const minutesLeft = Math.ceil((lockedUntilMs - request.nowMs) / MINUTE_MS)
    return accountStatusText(owner, Math.max(0, minutesLeft))
  })
}

export function tradingStatus(request: Request, context: Context, responder: Responder): void {
  const { nowMs, microseconds } = request
  const found = context.history.tradingStatus({ account: ownerOf(request).id })
  answer(responder, found, (row) => tradingStatusText(context, row, nowMs, microseconds))
}

/** The days end at the last midnight UTC. */
export function tradingVolume(request: Request, context: Context, responder: Responder): void {
  const { valuationAsset } = context
  if (valuationAsset === undefined) {
    responder.reply(tradingVolumeText(0n))
    return
  }
  const toDay = Math.floor(request.nowMs / DAY_MS)
  const days = { fromDay: toDay - VOLUME_DAYS, toDay }
  const found = context.history.tradingVolume({ account: ownerOf(request).id, ...days })
  answer(responder, found, tradingVolumeText)
}

/** Ascending; of too many the newest, or, from a startTime, the oldest (supplement 2a.1). */
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
  const shown = startTime === undefined ? matching.slice(-limit) : matching.slice(0, limit)
  responder.reply(distributionsText(context, shown, matching.length))
}

function answer<Row>(responder: Responder, found: Promise<Row>, render: (row: Row) => string) {
  found.then(
    (row) => responder.reply(render(row)),
    (failure: unknown) => responder.error(historyError(failure)),
  )
}
