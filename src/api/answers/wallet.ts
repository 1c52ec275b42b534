/** The wallet's answers (Binance.US, wallet). */

import { Answer } from './answer.ts'
import {
  asset,
  constant,
  derived,
  flag,
  integer,
  optional,
  type RowOf,
  row,
  rows,
  signedUnits,
  text,
  time,
  units,
  wireValue,
} from './element.ts'
import { integer as integerSchema, list, object, oneOfNames, text as textSchema } from './schema.ts'

const yes = derived(flag(''), () => true)
const no = derived(flag(''), () => false)
const zero = constant('0')
const number = { type: 'number' }

/** A network that carries a coin; its `network` is the chain's name. */
const networkElements = {
  network: text('network'),
  coin: asset('asset'),
  withdrawIntegerMultiple: units('withdrawMultiple'),
  isDefault: flag('isDefault'),
  depositEnable: flag('depositEnabled'),
  withdrawEnable: flag('withdrawEnabled'),
  depositDesc: text('depositText'),
  withdrawDesc: text('withdrawText'),
  name: text('title'),
  resetAddressStatus: no,
  withdrawFee: units('withdrawFee'),
  withdrawMin: units('withdrawMin'),
  withdrawMax: units('withdrawMax'),
  addressRegex: text('addressRegex'),
  memoRegex: text('memoRegex'),
  minConfirm: integer('minConfirm'),
  unLockConfirm: integer('unLockConfirm'),
  withdrawInternalMin: units('withdrawMin'),
  depositDust: units('depositMin'),
  sameAddress: flag('hasMemo'),
  estimatedArrivalTime: integer('arrivalMinutes'),
  busy: no,
}
interface Coin {
  readonly networks: readonly RowOf<typeof networkElements>[]
}

export const coin = new Answer({
  coin: asset('asset'),
  name: asset('asset'),
  free: units('free'),
  locked: units('locked'),
  isLegalMoney: no,
  trading: yes,
  depositAllEnable: derived(flag(''), ({ networks }: Coin) =>
    networks.some(({ depositEnabled }) => depositEnabled),
  ),
  withdrawAllEnable: derived(flag(''), ({ networks }: Coin) =>
    networks.some(({ withdrawEnabled }) => withdrawEnabled),
  ),
  networkList: rows('networks', new Answer(networkElements)),
  freeze: zero,
  withdrawing: text('withdrawing'),
  ipoing: zero,
  ipoable: zero,
  storage: zero,
})

export const accountStatus = new Answer({
  msg: text('message'),
  success: constant(true),
  objs: optional(wireValue<readonly string[]>(list(textSchema))('minutes')),
})

/** What a key may do. Nothing here has margin, futures, options or FIX. */
export const keyRights = new Answer({
  ipRestrict: flag('isBoundToAddresses'),
  createTime: time('createdMs'),
  enableReading: flag('canRead'),
  enableWithdrawals: flag('canWithdraw'),
  enableInternalTransfer: flag('canWithdraw'),
  enableMargin: no,
  enableFutures: no,
  permitsUniversalTransfer: no,
  enableVanillaOptions: no,
  enableFixApiTrade: no,
  enableFixReadOnly: no,
  enableSpotAndMarginTrading: flag('canTrade'),
  enablePortfolioMarginTrading: no,
})

/** As Binance's libraries read it. */
export const accountState = new Answer({ data: text('message') })

export interface ShownIndicator {
  readonly i: 'UFR' | 'IFER' | 'GCR'
  readonly c: number
  readonly v: number
  readonly t: number
}
const indicator = object({
  i: oneOfNames(['UFR', 'IFER', 'GCR']),
  c: integerSchema,
  v: number,
  t: number,
})

const lock = new Answer({
  isLocked: flag('isLocked'),
  plannedRecoverTime: time('recoverMs'),
  triggerCondition: row(
    'triggers',
    new Answer({ GCR: integer('GCR'), IFER: integer('IFER'), UFR: integer('UFR') }),
  ),
  indicators: wireValue<Readonly<Record<string, readonly ShownIndicator[]>>>({
    type: 'object',
    additionalProperties: list(indicator),
  })('indicators'),
  updateTime: time('asOfMs'),
})

export const tradingStatus = new Answer({ success: constant(true), status: row('status', lock) })

/** As Binance's libraries read it. */
export const tradingState = new Answer({ data: row('status', lock) })

/** The one amount that the protocol writes as a number. */
export const tradingVolume = new Answer({
  past30DaysTradingVolume: wireValue<number>(number)('volume'),
})

/**
 * `total`: how many there are beyond those that are shown as well. `divTime` is in ms, whatever unit
 * the request asks for.
 */
export const distributions = new Answer({
  rows: rows(
    'shown',
    new Answer({
      amount: signedUnits('atoms'),
      asset: text('assetName'),
      divTime: integer('timeMs'),
      category: text('category'),
      tranId: integer('transferId'),
    }),
  ),
  total: integer('total'),
})

/** Distributions as Binance's libraries read them; all came in. */
export const dividends = new Answer({
  rows: rows(
    'shown',
    new Answer({
      id: integer('transferId'),
      amount: signedUnits('atoms'),
      asset: text('assetName'),
      divTime: integer('timeMs'),
      enInfo: text('category'),
      tranId: integer('transferId'),
      direction: constant(1),
    }),
  ),
  total: integer('total'),
})

export const userAsset = new Answer({
  asset: asset('asset'),
  free: units('free'),
  locked: units('locked'),
  freeze: zero,
  withdrawing: text('withdrawing'),
  ipoable: zero,
  btcValuation: units('worth'),
})

/** What a coin's default network is like. `withdrawFee` is a number. */
export interface AssetDetail {
  readonly minWithdrawAmount: string
  readonly depositStatus: boolean
  readonly withdrawFee: number
  readonly withdrawStatus: boolean
  readonly depositTip?: string
}
const assetDetail = wireValue<AssetDetail>(
  object(
    {
      minWithdrawAmount: textSchema,
      depositStatus: { type: 'boolean' },
      withdrawFee: number,
      withdrawStatus: { type: 'boolean' },
    },
    { depositTip: textSchema },
  ),
)
export const assetDetailsSchema = {
  type: 'object',
  additionalProperties: assetDetail('').schema,
} as const

/** Its members are coins: each list of them has a table of its own, of one shape. */
export function assetDetails(coins: readonly string[]) {
  const elements = Object.fromEntries(coins.map((coin) => [coin, assetDetail(coin)]))
  return Object.assign(new Answer(elements), { schema: assetDetailsSchema })
}

export const depositAddress = new Answer({
  coin: asset('asset'),
  address: text('address'),
  tag: text('tag'),
  url: constant(''),
})

/** One of each network of a coin. */
export const listedAddress = new Answer({
  coin: asset('asset'),
  address: text('address'),
  tag: text('tag'),
  isDefault: derived(integer(''), ({ isDefault }: { readonly isDefault: boolean }) =>
    Number(isDefault),
  ),
})

/** `confirmTimes`: of the confirmations that credit it. */
export const deposit = new Answer({
  id: text('id'),
  amount: units('atoms'),
  coin: text('coin'),
  network: text('network'),
  status: integer('status'),
  address: text('address'),
  addressTag: text('tag'),
  txId: text('txId'),
  insertTime: time('insertMs'),
  completeTime: optional(time('creditedMs')),
  transferType: integer('transferType'),
  confirmTimes: text('confirmTimes'),
  unlockConfirm: integer('unlockConfirm'),
  walletType: constant(0),
})

export const withdrawalId = new Answer({ id: text('id') })

/** Times are texts in UTC. */
export const withdrawal = new Answer({
  id: text('id'),
  amount: units('atoms'),
  transactionFee: units('feeAtoms'),
  coin: text('coin'),
  status: integer('status'),
  address: text('address'),
  addressTag: text('tag'),
  txId: text('txId'),
  applyTime: text('applyTime'),
  network: text('network'),
  transferType: integer('transferType'),
  withdrawOrderId: optional(text('withdrawOrderId')),
  info: text('info'),
  confirmNo: integer('confirmNo'),
  walletType: integer('walletType'),
  txKey: constant(''),
  completeTime: optional(text('completeTime')),
})
