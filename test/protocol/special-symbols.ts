/** Symbols and accounts that take less than usual, and filters that few symbols have. */

import { btcusdt, ethbtc, FakeContext, trader } from '../../bench/workloads/fake-context.ts'
import { OrderType } from '../../src/base/codes.ts'
import { AccountId, SymbolId } from '../../src/base/units.ts'
import { type AccountSpec, type SymbolSpec, specifySymbol } from '../../src/market/listing.ts'

/** Nothing but LIMIT and MARKET by quantity. */
const simple: SymbolSpec = {
  ...btcusdt,
  id: SymbolId(2),
  name: 'SIMPLE',
  features: {
    orderTypes: [OrderType.LIMIT, OrderType.MARKET],
    iceberg: false,
    oco: false,
    oto: false,
    opo: false,
    quoteOrderQtyMarket: false,
    trailingStop: false,
    cancelReplace: false,
    amend: false,
    pegInstructions: false,
  },
}

/** All types, but no trailing, no order in an order's place, and of the lists only OTO. */
const untrailing: SymbolSpec = {
  ...btcusdt,
  id: SymbolId(3),
  name: 'UNTRAILING',
  features: { ...btcusdt.features, trailingStop: false, oco: false },
}

const price = {
  filterType: 'PRICE_FILTER',
  minPrice: '0.01',
  maxPrice: '1000000',
  tickSize: '0.01',
}
const lot = { filterType: 'LOT_SIZE', minQty: '0.00010', maxQty: '9000', stepSize: '0.00001' }

export const bounded = specifySymbol({
  ...btcusdt,
  id: SymbolId(4),
  name: 'BOUNDED',
  filters: [
    price,
    lot,
    { filterType: 'ICEBERG_PARTS', limit: 10 },
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 2_000,
      minTrailingBelowDelta: 20,
      maxTrailingBelowDelta: 1_000,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: '1.2',
      bidMultiplierDown: '0.2',
      askMultiplierUp: '5',
      askMultiplierDown: '0.8',
      avgPriceMins: 0,
    },
  ],
})

/** A symbol without a least notional, whose quote atoms are finer than the wire. */
const fine = specifySymbol({
  ...ethbtc,
  id: SymbolId(5),
  name: 'FINE',
  filters: [
    { ...price, minPrice: '0.00001', maxPrice: '1000', tickSize: '0.00001' },
    { ...lot, stepSize: '0.00010' },
  ],
})

export const specialContext = (): FakeContext =>
  new FakeContext([btcusdt, ethbtc, simple, untrailing, bounded, fine])

export const frozen: AccountSpec = { ...trader, frozen: true }
export const unpermitted: AccountSpec = { ...trader, permissions: ['MARGIN'] }
export const subAccount: AccountSpec = { ...trader, id: AccountId(9), master: trader.id }
export const restricted: AccountSpec = { ...trader, restrictedSymbols: [btcusdt.id] }
