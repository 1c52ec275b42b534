/**
 * Deliberate defects, one or more for each room that the simulators run, and within how many steps
 * they must be found. A row whose text is gone from the source fails: choose another place then.
 */
import type { Defect } from './defective.ts'

export interface PlantedDefect extends Defect {
  /** Which simulator: its module's file, without its ending. */
  readonly simulator: 'pipeline' | 'simulation'
  /** Steps over the seeds 1, 2, … within which it is found. */
  readonly steps: number
}

export const defects: readonly PlantedDefect[] = [
  {
    name: 'base: commissions are rounded down',
    file: 'src/base/fixed.ts',
    from: 'return Math.floor((product * 2 + denominator) / (denominator * 2))',
    to: 'return Math.floor(product / denominator)',
    simulator: 'simulation',
    steps: 500,
  },
  {
    name: 'base: a carry between the words of a balance is forgotten',
    file: 'src/base/int64.ts',
    from: '+ high + (low >= WORD ? 1 : 0)',
    to: '+ high',
    simulator: 'simulation',
    steps: 2000,
  },
  {
    name: 'layout: the length of a large record is cut off',
    file: 'src/layout/record-buffer.ts',
    from: 'buffer.i32[at >> 2]! >>> 16',
    to: '(buffer.i32[at >> 2]! >>> 16) & 0xff',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'core/ledger: a lost hold, which is asked for and not taken',
    file: 'src/core/ledger/holds.ts',
    from: 'if (!this.#balances.hold(account, asset, missing)) return false',
    to: 'if (this.#balances.available(account, asset) < missing) return false',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'core/ledger: a surplus that is not flushed yet is forgotten',
    file: 'src/core/ledger/holds.ts',
    from: 'const isKept = !flushed && (surplus !== 0',
    to: 'const isKept = !flushed && (surplus < 0',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'core/ledger: recovery forgets the price improvement of a buyer',
    file: 'src/core/ledger/effects.ts',
    from: 'const improvement = f64[double + Trade.buyerReleasedAtoms]!',
    to: 'const improvement = 0 * f64[double + Trade.buyerReleasedAtoms]!',
    simulator: 'simulation',
    steps: 500,
  },
  {
    name: 'core/matching: price improvement is not released',
    file: 'src/core/matching/matching.ts',
    from: 'if (takerBuys && order.priceTicks > priceTicks) {',
    to: 'if (takerBuys && order.priceTicks > priceTicks + 1) {',
    simulator: 'simulation',
    steps: 2000,
  },
  {
    name: 'core/matching: an order that was prevented keeps what is left',
    file: 'src/core/matching/prevention.ts',
    from: 'const lots = Math.min(order.leftLots, makerLots)',
    to: 'const lots = order.leftLots',
    simulator: 'simulation',
    steps: 2000,
  },
  {
    name: 'core/matching: recovery takes hidden quantity of icebergs for shown',
    file: 'src/core/matching/event-fold.ts',
    from: 'order.lots - order.filledLots - order.preventedLots - restedLots',
    to: '0 * restedLots',
    simulator: 'simulation',
    steps: 500,
  },
  {
    name: 'core/folds: a diff begins one update late',
    file: 'src/core/folds/depth-diff.ts',
    from: 'firstUpdateId: this.#takenUpdateId + 1,',
    to: 'firstUpdateId: this.#takenUpdateId + 2,',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'core/folds: trades that gateway and history both know are taken twice',
    file: 'src/core/folds/tape.ts',
    from: 'if (tradeId <= this.lastTradeId) return',
    to: 'if (tradeId < this.lastTradeId) return',
    simulator: 'pipeline',
    steps: 3000,
  },
  {
    name: 'ring: a full command ring takes one more',
    file: 'src/ring/command-ring.ts',
    from: 'const free = this.#slots - count - padding',
    to: 'const free = this.#slots - count - padding + 1',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'ring: a stale-page read, of a page that the writer has overwritten',
    file: 'src/ring/event-ring.ts',
    from: 'if (this.#load(INTENT) - this.#cursor > capacity) {',
    to: 'if (this.#load(INTENT) - this.#cursor > 2 * capacity) {',
    simulator: 'pipeline',
    steps: 12_000,
  },
  {
    name: 'journal: a block does not name the one before',
    file: 'src/journal/block.ts',
    from: 'this.#previous = checksum\n    return block',
    to: 'return block',
    simulator: 'pipeline',
    steps: 3000,
  },
  {
    name: 'agents: a reordered flush, balances are settled before the block is written',
    file: 'src/agents/matcher.ts',
    from: 'if (output.eventsEnd > 0) this.#append()\n',
    to: 'holds.settle(true)\n    if (output.eventsEnd > 0) this.#append()\n',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'agents: other matchers may spend what is not flushed yet',
    file: 'src/agents/matcher.ts',
    from: 'holds.settle(journal.flushedPosition === journal.lastPosition, this.#nowMs)',
    to: 'holds.settle(true, this.#nowMs)',
    simulator: 'pipeline',
    steps: 2000,
  },
  {
    name: 'agents: events are published before the block is written',
    file: 'src/agents/matcher.ts',
    from: 'if (output.eventsEnd > 0) this.#append()\n',
    to: 'events.write(output.events, output.eventsEnd)\n    events.publish()\n    if (output.eventsEnd > 0) this.#append()\n',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'agents: a clock that steps back takes the journal with it',
    file: 'src/agents/matcher.ts',
    from: 'Math.max(this.#nowMs, clock.nowMs())',
    to: 'clock.nowMs()',
    simulator: 'pipeline',
    steps: 500,
  },
  {
    name: 'agents: a reader that sleeps is not rung',
    file: 'src/agents/matcher.ts',
    from: 'of this.#options.readerBells) bell.ring()',
    to: 'of this.#options.readerBells.slice(1)) bell.ring()',
    simulator: 'pipeline',
    steps: 500,
  },
]
