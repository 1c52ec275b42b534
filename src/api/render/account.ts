/**
 * The account object (spec, Resources). Its shape is fixed and its list of balances long, which is
 * what a compiled serializer is for.
 */
import fastJson from 'fast-json-stringify'
import { RATE_DECIMALS } from '../../base/limits.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { standardRates } from '../../market/rates.ts'
import type { BalanceRow } from '../context.ts'
import { rateTexts } from './commission.ts'
import { timeOf } from './decimals.ts'

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const flag = { type: 'boolean' } as const
const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]))

const accountJson = fastJson({
  type: 'object',
  properties: {
    makerCommission: integer,
    takerCommission: integer,
    buyerCommission: integer,
    sellerCommission: integer,
    commissionRates: { type: 'object', properties: texts('maker', 'taker', 'buyer', 'seller') },
    canTrade: flag,
    canWithdraw: flag,
    canDeposit: flag,
    brokered: flag,
    requireSelfTradePrevention: flag,
    preventSor: flag,
    updateTime: integer,
    accountType: text,
    balances: {
      type: 'array',
      items: { type: 'object', properties: texts('asset', 'free', 'locked') },
    },
    permissions: { type: 'array', items: text },
    uid: integer,
    tradeGroupId: integer,
  },
})

/** Rates in 1e-8 as the older integers of 1/10000 (supplement 2c.8). */
const tenThousandths = (rate: number): number => Math.round(rate / 10 ** (RATE_DECIMALS - 4))

/** `changedMs`: when a balance last changed. */
export function accountText(
  account: AccountSpec,
  balances: readonly BalanceRow[],
  changedMs: number,
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
