/** Defects of src/core. */
import { inRoom } from '../defect.ts'

export const core = inRoom('core', [
  [
    'a balance keeps its version when only locked changes',
    'unit/core/ledger/balances',
    'ledger/balances.ts',
    'addInt64(words, at + HELD, negative(held))\n    Atomics.store(words, at, (version + 2) | 0)',
    'addInt64(words, at + HELD, negative(held))\n    Atomics.store(words, at, (version + (free === 0 ? 0 : 2)) | 0)',
  ],
  [
    'two matchers draw the same id of a list',
    'unit/core/matching/shared-cells',
    'matching/order-list-ids.ts',
    'return Number(Atomics.add(this._last, 0, 1n) + 1n)',
    'const id = Atomics.load(this._last, 0) + 1n\n    Atomics.store(this._last, 0, id)\n    return Number(id)',
  ],
  [
    'ids of lists go back when one is recovered',
    'unit/core/matching/shared-cells',
    'matching/order-list-ids.ts',
    'const found = Atomics.compareExchange(this._last, 0, last, given)\n      if (found === last) return\n      last = found',
    'Atomics.store(this._last, 0, given)\n      return',
  ],
  [
    'a hold takes one atom more than there is',
    'unit/core/ledger/balances',
    'ledger/balances.ts',
    'this.nearUnpromised(at) >= atoms',
    'this.nearUnpromised(at) >= atoms - 1',
  ],
  [
    "an owner's orders that rest beside a band are not weighed",
    'unit/core/matching/auctions: came to rest',
    'matching/matching.ts',
    'if (!this.state.isUnbounded) this.own.rested(order)',
    'if (!this.state.isTrading) this.own.rested(order)',
  ],
  [
    "a price at a corridor's bound is beyond it",
    'unit/core/matching/auctions: the corridor',
    'matching/phases.ts',
    'const high = Math.floor(referenceTicks + distance)',
    'const high = Math.floor(referenceTicks + distance) - 1',
  ],
  [
    'an interruption is of the hour at its very end',
    'unit/core/matching/auctions: one before began',
    'matching/symbol-state.ts',
    'this.timeMs - beganMs < withinMs',
    'this.timeMs - beganMs <= withinMs',
  ],
])
