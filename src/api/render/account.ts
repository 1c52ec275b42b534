/** The account object (spec, Resources). */
import { RATE_DECIMALS } from '../../base/limits.ts'
import type { Ms } from '../../base/units.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { standardRates } from '../../market/rates.ts'
import type { BalanceRow } from '../context.ts'
import { shapes } from '../shapes/shapes.ts'
import { rateTexts } from './commission.ts'
import { timeOf } from './decimals.ts'
import { rendererOf } from './shape-text.ts'

const accountJson = rendererOf(shapes.Account)

/** Rates in 1e-8 as the older integers of 1/10000 (supplement 2c.8). */
const tenThousandths = (rate: number): number => Math.round(rate / 10 ** (RATE_DECIMALS - 4))

/** `changedMs`: when a balance last changed. */
export function accountText(
  account: AccountSpec,
  balances: readonly BalanceRow[],
  changedMs: Ms,
  microseconds: boolean,
): string {
  return accountJson({
    makerCommission: tenThousandths(account.makerRate),
    takerCommission: tenThousandths(account.takerRate),
    buyerCommission: tenThousandths(account.buyerRate),
    sellerCommission: tenThousandths(account.sellerRate),
    commissionRates: rateTexts(standardRates(account)),
    canTrade: account.canTrade && !account.frozen,
    canWithdraw: true,
    canDeposit: true,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: timeOf(changedMs, microseconds),
    accountType: 'SPOT',
    balances,
    permissions: account.permissions,
    uid: account.id,
    ...(account.tradeGroupId >= 0 ? { tradeGroupId: account.tradeGroupId } : {}),
  })
}
