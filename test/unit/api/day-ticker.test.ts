/** A remembered 24 hour ticker equals one that is rendered again. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TickerType } from '../../../src/api/parameters.ts'
import { dayTicker } from '../../../src/api/render/ticker.ts'
import { Lots, Ms, QuoteAtoms, Ticks, TradeId } from '../../../src/base/units.ts'
import type { DepthFold } from '../../../src/core/folds/depth.ts'
import { Bar } from '../../../src/history/bar.ts'
import { quietBar } from '../../../src/history/market-history.ts'
import { listedSymbol } from '../core/folds/listed-symbol.ts'

const spec = listedSymbol()
const small = fc.nat(2)
const state = fc.record({
  bestBidTicks: small,
  bestBidLots: small,
  bestAskTicks: small,
  bestAskLots: small,
  closeTicks: small,
  lastLots: small,
  /** Of the trades 1, 2 and 3, each at a price of its own, the window holds these. */
  first: fc.integer({ min: 1, max: 3 }),
  last: fc.nat(3),
  nowMs: fc.integer({ min: 1e12, max: 1e12 + 5 }).map(Ms),
  type: fc.constantFrom(TickerType.FULL, TickerType.MINI),
  microseconds: fc.boolean(),
})

test('a ticker that follows others is that of a fold which was never asked', () => {
  fc.assert(
    fc.property(fc.array(state, { minLength: 2, maxLength: 20 }), (states) => {
      const asked = {}
      for (const {
        first,
        last,
        nowMs,
        type,
        microseconds,
        closeTicks,
        lastLots,
        ...best
      } of states) {
        const bar = new Bar()
        for (let id = first; id <= last; id++)
          bar.add(TradeId(id), Ticks(100 + id), Lots(id), QuoteAtoms(100 * id), id % 2 === 0)
        const row = last < first ? quietBar(Ticks(closeTicks)) : bar.row()
        const span = { bar: row, openMs: Ms(nowMs - 10), closeMs: nowMs }
        const text = (depth: object) =>
          dayTicker(
            spec,
            span,
            { closeTicks: Ticks(closeTicks), lastLots: Lots(lastLots) },
            depth as DepthFold,
            type,
            microseconds,
          )
        expect(text(Object.assign(asked, best))).toBe(text({ ...best }))
      }
    }),
    { numRuns: 300 },
  )
})
