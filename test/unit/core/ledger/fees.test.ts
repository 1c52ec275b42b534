/** The numbers of the protocol's commission FAQ, and the rules around them. */
import { describe, expect, test } from 'vitest'
import { SelfTradePrevention, SymbolStatus } from '../../../../src/base/codes.ts'
import { int64ToBigint } from '../../../../src/base/int64.ts'
import { AccountId, AssetId, Atoms, SymbolId, Ticks } from '../../../../src/base/units.ts'
import { AccountTable } from '../../../../src/core/ledger/accounts.ts'
import { BALANCE_WORDS, Balances } from '../../../../src/core/ledger/balances.ts'
import { TradeFees } from '../../../../src/core/ledger/fees.ts'
import { Holds } from '../../../../src/core/ledger/holds.ts'
import { LastPrices } from '../../../../src/core/ledger/last-prices.ts'
import {
  type AccountSpec,
  noFees,
  plainExchange,
  type SymbolFees,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
} from '../../../../src/market/listing.ts'

const UNIT = 10 ** 8
const usdt = { id: AssetId(0), name: 'USDT' }
const btc = { id: AssetId(1), name: 'BTC' }
const bnb = { id: AssetId(2), name: 'BNB' }

/** The FAQ's rates, in 1e-8. */
const standard = { makerRate: 10, takerRate: 20, buyerRate: 30, sellerRate: 40 }
const faqFees: SymbolFees = {
  special: { maker: 1_000_000, taker: 2_000_000, buyer: 3_000_000, seller: 4_000_000 },
  tax: { maker: 112, taker: 114, buyer: 118, seller: 116 },
  discountEnabled: true,
}
const onlyTax: SymbolFees = { ...noFees, tax: faqFees.tax }
const onlySpecial: SymbolFees = { ...noFees, special: faqFees.special }

function symbol(id: number, base: typeof btc, fees: SymbolFees): SymbolSpec {
  return specifySymbol({
    id: SymbolId(id),
    name: `${base.name}USDT`,
    base,
    quote: usdt,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
    ],
    preventionModes: [],
    preventionDefault: SelfTradePrevention.NONE,
    fees,
  })
}

interface Stage {
  readonly fees?: SymbolFees
  readonly account?: Partial<AccountSpec>
  readonly discountAssetId?: number
  /** Discount assets that account 1 owns, in 10^-8. */
  readonly funds?: number
  readonly bnbPrice?: number
}

function open(stage: Stage = {}) {
  const { fees = faqFees, funds = 100 * UNIT, bnbPrice = 260, discountAssetId = bnb.id } = stage
  const balances = new Balances(new SharedArrayBuffer(Balances.bytesFor(2, 3)), 2, 3)
  balances.credit(AccountId(1), AssetId(bnb.id), Atoms(funds))
  const holds = new Holds(balances, 2, 3)
  const accounts = new AccountTable(2)
  const account = {
    ...usualAccount,
    ...standard,
    id: AccountId(1),
    name: 'a',
    discountEnabled: true,
  }
  accounts.set({ ...account, ...stage.account })
  const symbols = [symbol(0, btc, fees), symbol(1, bnb, fees)] as const
  const lastPrices = new LastPrices(new SharedArrayBuffer(LastPrices.bytes))
  lastPrices.publish(SymbolId(1), Ticks(bnbPrice * 100))
  const exchange = {
    ...plainExchange,
    discountAssetId: AssetId(discountAssetId),
    discountRate: 25_000_000,
  }
  const of = (spec: SymbolSpec) =>
    new TradeFees({ spec, accounts, holds, exchange, symbols, lastPrices })
  const bnbOf = (owner: number) => {
    const words = new Int32Array(BALANCE_WORDS)
    holds.settle(true)
    balances.read(AccountId(owner), AssetId(bnb.id), words)
    return [Number(int64ToBigint(words, 1)), Number(int64ToBigint(words, 3))]
  }
  return { btcusdt: of(symbols[0]), bnbusdt: of(symbols[1]), bnbOf, symbols }
}

/** 35,000 × 0.49975 USDT. */
const RECEIVED = 17_491.25 * UNIT

function charged(fees: TradeFees, isMaker: boolean, isBuyer: boolean, atoms = RECEIVED) {
  const charge = Number(fees.charge(AccountId(1), isMaker, isBuyer, Atoms(atoms)))
  return [Math.max(0, charge), Math.max(0, 0 - charge)]
}

describe('a taker that sells, as the FAQ computes it', () => {
  const free = { account: { makerRate: 0, takerRate: 0, buyerRate: 0, sellerRate: 0 } }
  const noDiscount = { account: { discountEnabled: false } }
  test.each<[string, Stage, number, number]>([
    ['standard', { fees: noFees }, 1_049_475, 0],
    ['tax, rounded half up', { ...free, fees: onlyTax }, 4_022_988, 0],
    ['special', { ...free, fees: onlySpecial }, 104_947_500_000, 0],
    ['all, rounded once', noDiscount, 104_952_572_463, 0],
    ['all in the discount asset', {}, 0, 403_660_713],
    [
      'tax in the discount asset',
      { ...free, fees: { ...onlyTax, discountEnabled: true } },
      0,
      15_473,
    ],
    [
      'special in the discount asset',
      { ...free, fees: { ...onlySpecial, discountEnabled: true } },
      0,
      403_644_231,
    ],
    ['standard in the discount asset', { fees: { ...noFees, discountEnabled: true } }, 0, 1_009],
  ])('%s', (_, stage, received, discount) => {
    expect(charged(open(stage).btcusdt, false, false)).toEqual([received, discount])
  })
})

test.each([
  ['a taker that sells', false, false, 60 + 230 + 6_000_000],
  ['a taker that buys', false, true, 50 + 232 + 5_000_000],
  ['a maker that sells', true, false, 50 + 228 + 5_000_000],
  ['a maker that buys', true, true, 40 + 230 + 4_000_000],
])('%s pays the rates of its role and side', (_, isMaker, isBuyer, rate) => {
  const { btcusdt } = open({ account: { discountEnabled: false } })
  expect(charged(btcusdt, isMaker, isBuyer, UNIT)).toEqual([rate, 0])
})

describe('a discounted commission', () => {
  const FULL = 104_952_572_463

  test('moves from what the payer has free to the exchange', () => {
    const { btcusdt, bnbOf } = open()
    charged(btcusdt, false, false)
    expect(bnbOf(1)).toEqual([100 * UNIT - 403_660_713, 0])
    expect(bnbOf(0)).toEqual([403_660_713, 0])
  })

  test('is paid to the last atom that the payer has', () => {
    const { btcusdt, bnbOf } = open({ funds: 403_660_713 })
    expect(charged(btcusdt, false, false)).toEqual([0, 403_660_713])
    expect(bnbOf(1)).toEqual([0, 0])
  })

  test.each<[string, Stage]>([
    ['it has an atom too little', { funds: 403_660_712 }],
    ['the account does not want it', { account: { discountEnabled: false } }],
    ['the symbol does not allow it', { fees: { ...faqFees, discountEnabled: false } }],
    ['the exchange has no such asset', { discountAssetId: AssetId(-1) }],
    ['the asset has no price', { bnbPrice: 0 }],
    ['no symbol trades the asset', { discountAssetId: AssetId(7) }],
  ])('is the full one in the asset received when %s', (_, stage) => {
    const { btcusdt, bnbOf } = open(stage)
    expect(charged(btcusdt, false, false)).toEqual([FULL, 0])
    expect(bnbOf(0)).toEqual([0, 0])
  })

  test('is kept from what is received when that is the discount asset', () => {
    // (50 × 0.25 + 232 + 5,000,000) × 10^-8 of one unit, half up.
    expect(charged(open({ funds: 0 }).bnbusdt, false, true, UNIT)).toEqual([5_000_245, 0])
  })

  test('of nothing costs nothing', () => {
    expect(
      charged(open({ fees: { ...noFees, discountEnabled: true } }).btcusdt, true, true, 1),
    ).toEqual([0, 0])
  })
})

test('other fees hold from the next trade on', () => {
  const { btcusdt, symbols } = open()
  btcusdt.respecify({ ...symbols[0], fees: noFees })
  expect(charged(btcusdt, false, false)).toEqual([1_049_475, 0])
  btcusdt.respecify(symbols[0])
  expect(charged(btcusdt, false, false)).toEqual([0, 403_660_713])
})

test('another discount of the exchange, and a symbol more, hold from the next trade on', () => {
  const { btcusdt, symbols } = open()
  const exchange = (discountAssetId: number, discountRate: number) => ({
    ...plainExchange,
    discountAssetId: AssetId(discountAssetId),
    discountRate,
  })
  btcusdt.setExchange(symbols[0], exchange(-1, 0), symbols)
  expect(charged(btcusdt, false, false)).toEqual([104_952_572_463, 0])
  expect(btcusdt.discountAssetId).toBe(-1)
  // No symbol trades the asset until its symbol is listed.
  btcusdt.setExchange(symbols[0], exchange(bnb.id, 25_000_000), [symbols[0]])
  expect(charged(btcusdt, false, false)).toEqual([104_952_572_463, 0])
  btcusdt.setExchange(symbols[0], exchange(bnb.id, 25_000_000), symbols)
  expect(charged(btcusdt, false, false)).toEqual([0, 403_660_713])
  btcusdt.setExchange(symbols[0], exchange(usdt.id, 25_000_000), symbols)
  expect(charged(btcusdt, false, false)[1]).toBe(0)
})
