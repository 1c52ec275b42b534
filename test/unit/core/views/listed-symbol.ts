/** A listing for views to be made of; ticks of 0.01, lots of 0.001. */
import { SelfTradePrevention, SymbolStatus } from '../../../../src/base/codes.ts'
import { AssetId, SymbolId } from '../../../../src/base/units.ts'
import type { FilterSpec } from '../../../../src/market/filter-spec.ts'
import { specifySymbol } from '../../../../src/market/listing.ts'

export const listedSymbol = (extraFilters: readonly FilterSpec[] = []) =>
  specifySymbol({
    id: SymbolId(0),
    name: 'BTCUSDT',
    base: { id: AssetId(0), name: 'BTC' },
    quote: { id: AssetId(1), name: 'USDT' },
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '100000', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '900', stepSize: '0.001' },
      ...extraFilters,
    ],
    preventionModes: [SelfTradePrevention.NONE],
    preventionDefault: SelfTradePrevention.NONE,
  })
