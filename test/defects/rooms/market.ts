/** Defects of src/market. */
import { inRoom } from '../defect.ts'

export const market = inRoom('market', [
  [
    'a key with a list withdraws to any address',
    'unit/gateway/authentication/key-ring: withdraws to',
    'key-spec.ts',
    '(withdrawTo === undefined || withdrawTo.includes(',
    '(withdrawTo !== null || withdrawTo.includes(',
  ],
  [
    'a key that may not withdraw does, where it has a list',
    'unit/gateway/authentication/key-ring: withdraws to',
    'key-spec.ts',
    '  canWithdraw &&\n',
    '  (canWithdraw || withdrawTo !== undefined) &&\n',
  ],
  [
    'a pattern repeats a group',
    'unit/market/network: is refused: the pattern',
    'address-pattern.ts',
    "if ('*+{'.includes(",
    "if ('\\n'.includes(",
  ],
  [
    'a text is matched however long it is',
    'unit/market/network: judges',
    'address-pattern.ts',
    'if (text.length > MATCHED_CHARS_MAX) return false',
    '',
  ],
  [
    'a deposit is unlocked before it is credited',
    'unit/market/network: no network with',
    'network.ts',
    'isWhole(unLockConfirm, minConfirm, CONFIRMATIONS_MAX)',
    'isWhole(unLockConfirm, 1, CONFIRMATIONS_MAX)',
  ],
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
