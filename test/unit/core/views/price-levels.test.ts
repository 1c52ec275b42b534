import { describe, expect, test } from 'vitest'
import { Side } from '../../../../src/base/codes.ts'
import { Lots, Ticks } from '../../../../src/base/units.ts'
import { PriceLevels } from '../../../../src/core/views/price-levels.ts'

const orders: [string, (index: number) => number][] = [
  ['upwards', (index) => 1 + index],
  ['downwards', (index) => 2000 - index],
  ['from the middle outwards', (index) => 1000 + (index % 2 === 0 ? -index / 2 : (index + 1) / 2)],
  ['scattered', (index) => 1 + ((index * 997) % 2000)],
]

describe.each([
  ['bids', Side.BUY],
  ['asks', Side.SELL],
] as const)('%s', (_, side) => {
  test.each(orders)('filled %s and emptied the same way', (_, priceOf) => {
    const levels = new PriceLevels(side)
    const prices = Array.from({ length: 2000 }, (_, index) => priceOf(index))
    for (const price of prices) levels.add(Ticks(price), Lots(price * 2))
    const walked: number[] = []
    levels.walk(5000, (price, lots) => {
      expect(lots).toBe(price * 2)
      walked.push(price)
    })
    const sorted = [...prices].sort((a, b) => (side === Side.BUY ? b - a : a - b))
    expect(walked).toEqual(sorted)
    expect([levels.bestTicks, levels.bestLots]).toEqual([sorted[0], sorted[0]! * 2])
    for (const [index, price] of prices.entries()) {
      expect(levels.lotsAt(Ticks(price))).toBe(price * 2)
      levels.add(Ticks(price), Lots(-price * 2))
      expect(levels.lotsAt(Ticks(price))).toBe(0)
      expect(levels.count).toBe(prices.length - index - 1)
    }
    expect([levels.bestTicks, levels.bestLots]).toEqual([0, 0])
  })

  test('a level cannot lose what it does not have', () => {
    const levels = new PriceLevels(side)
    expect(() => levels.add(Ticks(5), Lots(-1))).toThrow('only a level that exists')
    levels.add(Ticks(5), Lots(3))
    expect(() => levels.add(Ticks(5), Lots(-4))).toThrow('has the lots that it loses')
  })

  test('cleared, it is empty', () => {
    const levels = new PriceLevels(side)
    levels.add(Ticks(5), Lots(3))
    levels.clear()
    expect([levels.count, levels.bestTicks, levels.lotsAt(Ticks(5))]).toEqual([0, 0, 0])
  })
})
