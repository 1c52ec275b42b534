/** Price × quantity against plain bigints, from one tick of one lot to the largest that a listing allows. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { int64 } from '../../../src/base/int64.ts'
import { PRICE_TICKS_MAX, QTY_LOTS_MAX } from '../../../src/base/limits.ts'
import { baseAtomsOf, Notional, notionalUnits } from '../../../src/base/notional.ts'
import { Atoms, Lots, Ticks } from '../../../src/base/units.ts'

const upTo = (most: number) =>
  fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: most }))
const ticks = upTo(PRICE_TICKS_MAX)
const lots = upTo(QTY_LOTS_MAX)
const units = fc
  .tuple(
    fc.integer({ min: 0, max: 10 }),
    fc.integer({ min: 0, max: 10 }),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([tick, lot, times]) => notionalUnits(times * 10 ** tick, 10 ** lot))
  .filter((it) => it !== undefined)

test('amounts are exact, rounded down and up', () => {
  fc.assert(
    fc.property(ticks, lots, units, (price, quantity, it) => {
      const notional = new Notional(it)
      const parts = BigInt(price) * BigInt(quantity) * BigInt(it.atomsPerTickLot)
      const divisor = BigInt(it.tickLotParts)
      expect(notional.down(Ticks(price), Lots(quantity))).toBe(int64(parts / divisor))
      expect(notional.up(Ticks(price), Lots(quantity))).toBe(
        int64((parts + divisor - 1n) / divisor),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('the most lots that an amount buys', () => {
  const amount = fc.oneof(
    fc.bigInt({ min: 1n, max: 10n ** 6n }),
    fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  )
  fc.assert(
    fc.property(amount, ticks, units, (atoms, price, it) => {
      const found = BigInt(new Notional(it).lotsFor(Atoms(int64(atoms)), Ticks(price)))
      const exact = (atoms * BigInt(it.tickLotParts)) / (BigInt(price) * BigInt(it.atomsPerTickLot))
      const largest = BigInt(Number.MAX_SAFE_INTEGER)
      expect(found).toBe(exact < largest ? exact : largest)
    }),
    { numRuns: 2_000 },
  )
})

test('base atoms of lots', () => {
  fc.assert(
    fc.property(lots, upTo(10 ** 12), (quantity, atomsPerLot) => {
      expect(baseAtomsOf(Lots(quantity), atomsPerLot)).toBe(
        int64(BigInt(quantity) * BigInt(atomsPerLot)),
      )
    }),
  )
})
