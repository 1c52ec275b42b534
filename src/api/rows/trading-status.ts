/** Rows of how an account trades (Binance.US, wallet). */
import { Ms } from '../../base/units.ts'
import type { TradingStatusRow } from '../../history/account-history.ts'
import { indicatorsOf, indicatorTriggers } from '../../history/trading-indicators.ts'
import type { AccountSpec } from '../../market/listing.ts'
import type { ShownIndicator } from '../answers/wallet.ts'
import type { Context } from '../context.ts'

/** `minutesLeft`: of a lock that trading brought about; 0 when there is none. */
export function accountStatusRow(account: AccountSpec, minutesLeft: number) {
  if (minutesLeft === 0) return { message: standingOf(account), minutes: undefined }
  const message = `Order failed:Low Order fill rate! Will be reactivated after ${minutesLeft} minutes.`
  return { message, minutes: [String(minutesLeft)] }
}

/** What the operator decided reads as the answer to an order would. */
function standingOf({ frozen, canTrade }: AccountSpec): string {
  if (frozen) return 'This account may not place or cancel orders.'
  return canTrade ? 'Normal' : 'This action is disabled on this account.'
}

const triggers = Object.fromEntries(
  indicatorTriggers.map(({ name, orders }) => [name, orders]),
) as Record<ShownIndicator['i'], number>

export function tradingStatusRow(
  { symbols }: Context,
  { asOfMs, lockedUntilMs, symbols: traded }: TradingStatusRow,
  nowMs: Ms,
) {
  const isLocked = lockedUntilMs > nowMs
  const shown = traded.flatMap(({ symbolId, tally }) => {
    const spec = symbols[symbolId]
    const indicators = indicatorsOf(tally).map(
      ({ trigger, count, share }): ShownIndicator => ({
        i: trigger.name,
        c: count,
        v: share,
        t: trigger.share,
      }),
    )
    return spec === undefined ? [] : [[spec.name, indicators] as const]
  })
  const indicators = Object.fromEntries(shown)
  const recoverMs = isLocked ? lockedUntilMs : Ms(0)
  return { status: { isLocked, recoverMs, triggers, indicators, asOfMs } }
}
