/** What lists of deposits and of withdrawals are asked for alike. */
import { AssetId, Ms } from '../../base/units.ts'
import { DAY_MS } from '../../market/intervals.ts'
import type { Context, Request } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'
import type { Params } from '../params.ts'

export const LISTED_DAYS = 90
const LISTED_MAX = 1000

export interface WalletPage extends Times {
  readonly assetId: AssetId | undefined
  readonly status: number | undefined
  readonly offset: number
  readonly limit: number
}

export interface Times {
  readonly startTime: Ms
  readonly endTime: Ms
}

/** Without times the last days; no more than those. */
export function timesWithin(params: Params, nowMs: Ms, days: number): Times | ErrorId {
  const start = params.unit(Param.startTime, Ms)
  const end = params.unit(Param.endTime, Ms)
  const endTime = end ?? (start === undefined ? nowMs : Ms(start + days * DAY_MS))
  const startTime = start ?? Ms(endTime - days * DAY_MS)
  const isTooWide = endTime - startTime > days * DAY_MS || endTime < startTime
  return isTooWide ? 'MORE_THAN_90_DAYS' : { startTime, endTime }
}

/** Of such times. A coin that is not listed has no rows. */
export function pageOf(
  { params, nowMs }: Request,
  { assets }: Context,
  days = LISTED_DAYS,
): WalletPage | ErrorId {
  const coin = params.text(RareParam.coin)
  const named = assets.find(({ name }) => name === coin)?.id ?? AssetId(-1)
  const times = timesWithin(params, nowMs, days)
  if (typeof times === 'string') return times
  return {
    assetId: coin === undefined ? undefined : named,
    status: params.number(RareParam.status),
    ...times,
    offset: params.number(RareParam.offset) ?? 0,
    limit: Math.min(params.number(Param.limit) ?? LISTED_MAX, LISTED_MAX),
  }
}
