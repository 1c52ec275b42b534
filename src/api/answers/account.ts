/** Answers about an account: balances, rates, listen keys. */
import { RATE_DECIMALS } from '../../base/limits.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { standardRates } from '../../market/rates.ts'
import { Answer } from './answer.ts'
import {
  above,
  asset,
  constant,
  derived,
  flag,
  id,
  integer,
  listOf,
  type RowOf,
  row,
  rows,
  signedUnits,
  symbol,
  text,
  time,
  units,
  wireValue,
} from './element.ts'
import { list } from './schema.ts'

/** Rates are integers of 1e-8. */
const rates = new Answer({
  maker: signedUnits('maker'),
  taker: signedUnits('taker'),
  buyer: signedUnits('buyer'),
  seller: signedUnits('seller'),
})

/** The older integers of 1/10000 (faqs/commission_faq.md). */
const tenThousandths = (rate: number): number => Math.round(rate / 10 ** (RATE_DECIMALS - 4))
const no = derived(flag(''), () => false)

/** Its row is the account with its balances, and when one of them last changed. */
export const account = new Answer({
  makerCommission: derived(integer(''), ({ makerRate }: AccountSpec) => tenThousandths(makerRate)),
  takerCommission: derived(integer(''), ({ takerRate }: AccountSpec) => tenThousandths(takerRate)),
  buyerCommission: derived(integer(''), ({ buyerRate }: AccountSpec) => tenThousandths(buyerRate)),
  sellerCommission: derived(integer(''), (it: AccountSpec) => tenThousandths(it.sellerRate)),
  commissionRates: derived(row('', rates), standardRates),
  canTrade: derived(flag(''), ({ canTrade, frozen }: AccountSpec) => canTrade && !frozen),
  canWithdraw: derived(flag(''), ({ frozen }: AccountSpec) => !frozen),
  canDeposit: derived(flag(''), ({ closed = false }: AccountSpec) => !closed),
  brokered: no,
  requireSelfTradePrevention: no,
  preventSor: no,
  updateTime: time('changedMs'),
  balances: rows(
    'balances',
    new Answer({ asset: asset('asset'), free: units('free'), locked: units('locked') }),
  ),
  permissions: listOf('permissions', text('')),
  uid: integer('id'),
  accountType: constant('SPOT'),
  tradeGroupId: above('tradeGroupId', -1, integer('tradeGroupId')),
})

/** What standard rates are multiplied with. */
const discount = new Answer({
  enabledForAccount: flag('enabledForAccount'),
  enabledForSymbol: flag('enabledForSymbol'),
  discountAsset: id('assetName'),
  discount: signedUnits('rate'),
})

/** What an account pays on a symbol. */
export const commission = new Answer({
  symbol: symbol('spec'),
  standardCommission: row('standard', rates),
  specialCommission: row('special', rates),
  taxCommission: row('tax', rates),
  discount: row('discount', discount),
})

const sideRates = new Answer({ maker: signedUnits('maker'), taker: signedUnits('taker') })

/** What one order would pay. */
export const orderRates = new Answer({
  standardCommissionForOrder: row('standard', sideRates),
  specialCommissionForOrder: row('special', sideRates),
  taxCommissionForOrder: row('tax', sideRates),
  discount: row('discount', discount),
})

/** The older list of fees knows standard rates only. */
export const tradeFee = new Answer({
  symbol: symbol('spec'),
  makerCommission: signedUnits('makerRate'),
  takerCommission: signedUnits('takerRate'),
})

export const listenKey = new Answer({ listenKey: id('listenKey') })
export const keptListenKey = new Answer({})
export const closedListenKey = new Answer({})

/** A stage of an account's orders, ns: percentiles are upper bounds of their buckets. An extension. */
const stage = {
  stage: id('name'),
  count: integer('count'),
  mean: integer('mean'),
  p50: integer('p50'),
  p90: integer('p90'),
  p99: integer('p99'),
  p999: integer('p999'),
  /** Upper bound and count of each bucket that has some; null for beyond the last. */
  buckets: wireValue<readonly (readonly [number | null, number])[]>(
    list(list({ type: ['number', 'null'] })),
  )('buckets'),
}
export const stageLatency = new Answer(stage)
export type StageLatency = RowOf<typeof stage>
