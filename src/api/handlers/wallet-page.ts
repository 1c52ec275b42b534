/** What lists of deposits and of withdrawals are asked for alike. */
import { AssetId, Ms } from '../../base/units.ts'
import { DAY_MS } from '../../market/intervals.ts'
import type { Context, Request } from '../context.ts'
import type { ErrorId } from '../errors.ts'
import { Param, RareParam } from '../parameters.ts'

export const LISTED_DAYS = 90
const LISTED_MAX = 1000

export interface WalletPage {
  readonly assetId: AssetId | undefined
  readonly status: number | undefined
  readonly startTime: Ms
  readonly endTime: Ms
  readonly offset: number
  readonly limit: number
}

/** Without times the last days; no more than those. A coin that is not listed has no rows. */
export function pageOf(
  { params, nowMs }: Request,
  { assets }: Context,
  days = LISTED_DAYS,
): WalletPage | ErrorId {
  const coin = params.text(RareParam.coin)
  const named = assets.find(({ name }) => name === coin)?.id ?? AssetId(-1)
  const start = params.unit(Param.startTime, Ms)
  const end = params.unit(Param.endTime, Ms)
  const endTime = end ?? (start === undefined ? nowMs : Ms(start + days * DAY_MS))
  const startTime = start ?? Ms(endTime - days * DAY_MS)
  if (endTime - startTime > days * DAY_MS || endTime < startTime) return 'MORE_THAN_90_DAYS'
  return {
    assetId: coin === undefined ? undefined : named,
    status: params.number(RareParam.status),
    startTime,
    endTime,
    offset: params.number(RareParam.offset) ?? 0,
    limit: Math.min(params.number(Param.limit) ?? LISTED_MAX, LISTED_MAX),
  }
}
