/** The wallet's objects (spec, Other account-level objects; supplement 2h and 3.2). */
import { formatBigDecimal } from '../../base/fixed.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { Ms } from '../../base/units.ts'
import type { TradingStatusRow } from '../../history/account-history.ts'
import { indicatorsOf, indicatorTriggers } from '../../history/trading-indicators.ts'
import type { AccountSpec, DistributionSpec } from '../../market/listing.ts'
import type { BalanceRow, Context } from '../context.ts'
import { list } from '../shapes/schema.ts'
import { shapes } from '../shapes/shapes.ts'
import { timeOf } from './decimals.ts'
import { rendererOf } from './shape-text.ts'

const coinsJson = rendererOf(list(shapes.Coin))

/** Nothing moves in or out over the network: the lists of networks are empty. */
export const coinsText = (balances: readonly BalanceRow[]): string =>
  coinsJson(
    balances.map(({ asset, free, locked }) => ({
      coin: asset,
      name: asset,
      free,
      locked,
      isLegalMoney: false,
      trading: true,
      depositAllEnable: false,
      withdrawAllEnable: false,
      networkList: [],
    })),
  )

/** `minutesLeft`: of a lock that trading brought about; 0 when there is none. */
export function accountStatusText(account: AccountSpec, minutesLeft: number): string {
  if (minutesLeft > 0) {
    const msg = `Order failed:Low Order fill rate! Will be reactivated after ${minutesLeft} minutes.`
    return JSON.stringify({ msg, success: true, objs: [String(minutesLeft)] })
  }
  return JSON.stringify({ msg: standingOf(account), success: true })
}

/** What the operator decided reads as the answer to an order would. */
function standingOf({ frozen, canTrade }: AccountSpec): string {
  if (frozen) return 'This account may not place or cancel orders.'
  return canTrade ? 'Normal' : 'This action is disabled on this account.'
}

const triggerCondition = Object.fromEntries(
  [...indicatorTriggers].reverse().map(({ name, orders }) => [name, orders]),
)

export function tradingStatusText(
  context: Context,
  { asOfMs, lockedUntilMs, symbols }: TradingStatusRow,
  nowMs: Ms,
  microseconds: boolean,
): string {
  const isLocked = lockedUntilMs > nowMs
  const shown = symbols.flatMap(({ symbolId, tally }) => {
    const spec = context.symbols[symbolId]
    const rows = indicatorsOf(tally).map(({ trigger, count, share }) => ({
      i: trigger.name,
      c: count,
      v: share,
      t: trigger.share,
    }))
    return spec === undefined ? [] : [[spec.name, rows] as const]
  })
  return JSON.stringify({
    success: true,
    status: {
      isLocked,
      plannedRecoverTime: isLocked ? timeOf(lockedUntilMs, microseconds) : 0,
      triggerCondition,
      indicators: Object.fromEntries(shown),
      updateTime: timeOf(asOfMs, microseconds),
    },
  })
}

/** The one amount that the protocol writes as a number. */
export const tradingVolumeText = (atoms: bigint): string =>
  JSON.stringify({
    past30DaysTradingVolume: Number(formatBigDecimal(atoms, WIRE_DECIMALS)),
  })

/**
 * `total`: how many there are beyond those that are shown as well. `divTime` is in ms, whatever unit
 * the request asks for.
 */
export const distributionsText = (
  context: Context,
  shown: readonly DistributionSpec[],
  total: number,
): string =>
  JSON.stringify({
    rows: shown.map(({ assetId, atoms, timeMs, category, transferId }) => {
      const asset = context.assets[assetId]
      return {
        amount: formatBigDecimal(BigInt(atoms), WIRE_DECIMALS),
        asset: asset?.name ?? '',
        divTime: timeMs,
        category,
        tranId: transferId,
      }
    }),
    total,
  })
