/** Triggers against a plain twin that tries every order at every price. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DETAILED,
  OrderPhase,
  OrderType,
  packTerms,
  type Side,
} from '../../../../src/base/codes.ts'
import { AccountId, Lots, Ms, OrderId, Ticks } from '../../../../src/base/units.ts'
import { Details } from '../../../../src/core/matching/details.ts'
import { Triggers } from '../../../../src/core/matching/triggers.ts'
import { NaiveBook } from '../../../model/naive-book.ts'

/** One order as the rules put it (faqs/trailing-stop-faq.md). */
class PlainStop {
  readonly slot: number
  readonly side: Side
  readonly isStopLoss: boolean
  readonly stopTicks: Ticks
  readonly delta: number
  extreme = 0n

  constructor(slot: number, order: Order, lastTicks: Ticks) {
    this.slot = slot
    this.side = order.side as Side
    this.isStopLoss = order.isStopLoss
    this.stopTicks = Ticks(order.delta > 0 && order.isFree ? 0 : order.stopTicks)
    this.delta = order.delta
    if (this.delta > 0 && this.stopTicks === 0) this.extreme = BigInt(lastTicks)
  }

  /** Whether the price wakes it. */
  meet(priceTicks: Ticks): boolean {
    const isFalling = this.isStopLoss === (this.side === 1)
    const isReached = isFalling ? priceTicks <= this.stopTicks : priceTicks >= this.stopTicks
    if (this.delta === 0) return isReached
    const price = BigInt(priceTicks)
    if (this.extreme === 0n) {
      if (this.stopTicks === 0 || isReached) this.extreme = price
      return false
    }
    const delta = BigInt(this.delta)
    if (this.side === 0) {
      if (price < this.extreme) this.extreme = price
      return price * 10_000n >= this.extreme * (10_000n + delta)
    }
    if (price > this.extreme) this.extreme = price
    return price * 10_000n <= this.extreme * (10_000n - delta)
  }
}

const price = fc.oneof(fc.integer({ min: 90, max: 110 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }))
const order = fc.record({
  side: fc.constantFrom(0, 1),
  isStopLoss: fc.boolean(),
  stopTicks: price,
  isFree: fc.boolean(),
  delta: fc.constantFrom(0, 0, 1, 137, 500, 2000, 9999),
})
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never
const step = fc.oneof(
  fc.record({ place: order }),
  fc.record({ price }),
  fc.record({ price }),
  fc.record({ cancel: fc.nat() }),
)

test('prices wake the stops that the rules say', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const book = new NaiveBook({ priceTicksMax: 2 ** 31 - 1, ordersMax: 120, accountsMax: 1 })
      const details = new Details(book)
      const triggers = new Triggers(details, book)
      let stops: PlainStop[] = []
      let lastTicks = 0
      for (const [index, choice] of steps.entries()) {
        if ('place' in choice) {
          const { side, isStopLoss, delta } = choice.place
          const slot = book.add(side, Ticks(0), Lots(1), OrderId(index + 1), AccountId(0))
          details.add(slot)
          const stop = new PlainStop(slot, choice.place, Ticks(lastTicks))
          const type = isStopLoss ? OrderType.STOP_LOSS : OrderType.TAKE_PROFIT_LIMIT
          book.terms[slot] = packTerms(side as Side, type, 0, 0) | DETAILED
          details.phase.set(slot, OrderPhase.UNTRIGGERED)
          details.stopTicks.set(slot, stop.stopTicks)
          details.trailingDelta.set(slot, delta)
          triggers.add(slot, Ticks(lastTicks), Ms(index))
          stops.push(stop)
        } else if ('cancel' in choice) {
          const stop = stops[choice.cancel % stops.length]
          if (stop !== undefined) triggers.remove(stop.slot)
          stops = stops.filter((other) => other !== stop)
        } else {
          lastTicks = choice.price
          const woken = stops.filter((stop) => stop.meet(Ticks(lastTicks))).map(({ slot }) => slot)
          expect([...triggers.wake(Ticks(lastTicks), Ms(index))].sort()).toEqual(woken.sort())
          stops = stops.filter(({ slot }) => !woken.includes(slot))
        }
        expect(triggers.isWatching).toBe(stops.length > 0)
        for (const { slot, extreme } of stops)
          expect(details.extremeTicks.of(slot)).toBe(Number(extreme))
      }
    }),
    { numRuns: 300 },
  )
})
