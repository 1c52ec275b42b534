/** Defects of src/market. */
import { inRoom } from '../defect.ts'

export const market = inRoom('market', [
  [
    'weeks begin on the day of the epoch, a Thursday',
    'unit/market/intervals',
    'intervals.ts',
    "interval === Interval['1w'] ? WEEK_SHIFT_MS : 0",
    '0',
  ],
  [
    'a price of one tick too many is listed',
    'unit/market/listing',
    'listing.ts',
    'if (priceTicksMax > PRICE_TICKS_MAX)',
    'if (priceTicksMax > PRICE_TICKS_MAX + 1)',
  ],
  [
    'a band without a window binds trades',
    'unit/core/matching/auctions: needs a window',
    'listing.ts',
    'interruptionWindowMs === 0 ? 0 : interruptionBasisPoints',
    'interruptionBasisPoints',
  ],
])
