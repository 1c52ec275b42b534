/** Defects of src/console. */
import { inRoom } from '../defect.ts'

export const console = inRoom('console', [
  [
    "an iceberg's parts are rounded down",
    'unit/console/order-ticket',
    'trade/order-checks.ts',
    '(quantityAtoms + iceberg - 1n) / iceberg',
    'quantityAtoms / iceberg',
  ],
  [
    'an iceberg may have a part more',
    'unit/console/order-ticket',
    'trade/order-checks.ts',
    'if (limit > 0 && parts > limit)',
    'if (limit > 0 && parts > limit + 1)',
  ],
  [
    'orders that are closed stay in the rows',
    'unit/console/open-order-rows',
    'trade/open-order-rows.ts',
    '      this.rows.delete(key)\n',
    '',
  ],
  [
    'reads use all of the weight',
    'unit/console/weight',
    'net/weight.ts',
    "if (!isShared || !isThisMinute || !isHalf) return ''",
    "return ''",
  ],
  [
    'half of the weight is still free',
    'unit/console/weight',
    'net/weight.ts',
    'weight.used >= READS_SHARE',
    'weight.used > READS_SHARE',
  ],
  [
    'what is for an order waits for the weight',
    'unit/console/weight',
    'net/weight.ts',
    '!isShared || !isThisMinute',
    '!isThisMinute',
  ],
  [
    'a shorter pause ends a longer one',
    'unit/console/weight',
    'net/weight.ts',
    'Math.max(pausedUntilMs, performance.now() + lengthMs)',
    'performance.now() + lengthMs',
  ],
  [
    'a withdrawal at its minimum is refused',
    'unit/console/wallet',
    'trade/wallet.ts',
    'atoms < of(network.withdrawMin)',
    'atoms <= of(network.withdrawMin)',
  ],
  [
    'all is not floored to the step',
    'unit/console/wallet',
    'trade/wallet.ts',
    'step > 0n ? atoms - (atoms % step) : atoms',
    'atoms',
  ],
])
