import { describe, expect, test } from 'vitest'
import { giveOwnCode } from '../../../src/base/own-code.ts'

class Sum {
  total = 0

  add(amount: number, times = 1): number {
    this.total += amount * times
    return this.total
  }
}

describe('own code', () => {
  test('an object that has it does as the others do', () => {
    const [own, plain] = [new Sum(), new Sum()]
    giveOwnCode(own, 'add', 2)
    for (const sum of [own, plain]) expect(sum.add(2, 3)).toBe(6)
    for (const sum of [own, plain]) expect(sum.add(1)).toBe(7)
  })

  test('each object changes itself alone', () => {
    const sums = Array.from({ length: 3 }, () => new Sum())
    for (const sum of sums) giveOwnCode(sum, 'add', 2)
    for (const [index, sum] of sums.entries()) sum.add(index)
    expect(sums.map(({ total }) => total)).toEqual([0, 1, 2])
  })

  test('an error keeps its message', () => {
    const thrower = {
      fail(what: string): void {
        throw new Error(what)
      },
    }
    giveOwnCode(thrower, 'fail', 1)
    expect(() => thrower.fail('no room')).toThrow('no room')
  })
})
