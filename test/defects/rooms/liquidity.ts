/** Defects of src/liquidity. */
import { inRoom } from '../defect.ts'

export const liquidity = inRoom('liquidity', [
  [
    'a quote is rounded up beyond its bound',
    'unit/liquidity/plan',
    'market.ts',
    'this.text(Math.floor((value * WIRE_UNIT) / this.step))',
    'this.text(Math.ceil((value * WIRE_UNIT) / this.step))',
  ],
  [
    'a value at its upper bound is not taken',
    'unit/liquidity/plan',
    'market.ts',
    'steps <= this.max',
    'steps < this.max',
  ],
  [
    'a quote goes beyond its bounds',
    'unit/liquidity/plan',
    'market.ts',
    'Math.min(this.max, Math.max(this.min, steps))',
    'Math.max(this.min, steps)',
  ],
  [
    'a value between two steps is taken',
    'unit/liquidity/plan',
    'market.ts',
    'steps * BigInt(this.step) === units && ',
    '',
  ],
])
