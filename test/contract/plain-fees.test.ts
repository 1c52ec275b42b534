/** The plain twin's commissions against the numbers of the public commission document. */
import { expect, test } from 'vitest'
import { SelfTradePrevention, SymbolStatus } from '../../src/base/codes.ts'
import { AccountId, AssetId, OrderListId, SymbolId } from '../../src/base/units.ts'
import { noRates, plainExchange, specifySymbol, usualAccount } from '../../src/market/listing.ts'
import { feeFor } from '../model/plain-fees.ts'
import { PlainLedger } from '../model/plain-ledger.ts'
import { PlainMarket, type PlainWorld } from '../model/plain-market.ts'

const BTC = { id: AssetId(0), name: 'BTC' }
const USDT = { id: AssetId(1), name: 'USDT' }
const BNB = { id: AssetId(2), name: 'BNB' }
const PRICE = 260
/** 0.49975 BTC at 35,000. */
const RECEIVED = 1_749_125_000_000n

const listing = {
  quote: USDT,
  status: SymbolStatus.TRADING,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0', maxPrice: '1000000', tickSize: '1' },
    { filterType: 'LOT_SIZE', minQty: '0.1', maxQty: '10', stepSize: '0.1' },
  ],
  preventionModes: [SelfTradePrevention.NONE],
  preventionDefault: SelfTradePrevention.NONE,
}
const rates = { makerRate: 10, takerRate: 20, buyerRate: 30, sellerRate: 40 }
const special = { maker: 1_000_000, taker: 2_000_000, buyer: 3_000_000, seller: 4_000_000 }
const tax = { maker: 112, taker: 114, buyer: 118, seller: 116 }

function feeOf(funds: bigint, parts: { readonly tax: boolean; readonly special: boolean }) {
  const ledger = new PlainLedger(1)
  ledger.deposit(1, BNB.id, funds)
  const accounts = [0, 1].map((id) => ({
    ...usualAccount,
    ...rates,
    id: AccountId(id),
    name: `account-${id}`,
    discountEnabled: true,
  }))
  const exchange = { ...plainExchange, discountAssetId: BNB.id, discountRate: 25_000_000 }
  const world: PlainWorld = {
    ledger,
    accounts,
    exchange,
    ordersMax: 1,
    markets: [],
    orderListId: OrderListId(0),
    executionMatchesMax: 0,
    levelLotsMax: 0n,
    publishedTicks: [0, PRICE],
  }
  const fees = {
    special: parts.special ? special : noRates,
    tax: parts.tax ? tax : noRates,
    discountEnabled: true,
  }
  const btc = specifySymbol({ ...listing, id: SymbolId(0), name: 'BTCUSDT', base: BTC, fees })
  const bnb = specifySymbol({ ...listing, id: SymbolId(1), name: 'BNBUSDT', base: BNB })
  const market = new PlainMarket(btc, 0, world)
  new PlainMarket(bnb, 0, world)
  return feeFor(market, 1, false, false, RECEIVED)
}

const none = { tax: false, special: false }
const all = { tax: true, special: true }

test.each([
  ['standard, in what is received', 0n, none, { received: 1_049_475n, discounted: 0n }],
  ['standard and tax', 0n, { ...none, tax: true }, { received: 5_072_463n, discounted: 0n }],
  ['all, in what is received', 0n, all, { received: 104_952_572_463n, discounted: 0n }],
  ['standard, discounted', 10n ** 9n, none, { received: 0n, discounted: 1_009n }],
  ['all, discounted', 10n ** 9n, all, { received: 0n, discounted: 403_660_713n }],
  ['too little to pay with', 403_660_712n, all, { received: 104_952_572_463n, discounted: 0n }],
])('%s', (_name, funds, parts, fee) => {
  expect(feeOf(funds, parts)).toEqual(fee)
})
