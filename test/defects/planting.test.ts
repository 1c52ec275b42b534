/** Defects are planted and removed whole, and in every room. */
import { existsSync, readdirSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import * as fixed from '../../src/base/fixed.ts'
import { powerOfTen } from '../../src/base/fixed.ts'
import { patched } from './checkout.ts'
import { roomOf } from './defect.ts'
import { defects } from './defects.ts'
import { patches } from './patches.ts'
import { Extent, Planting } from './planting.ts'

class Counter {
  count = 1
  get doubled(): number {
    return this.count * 2
  }
  add(more: number): number {
    this.count += more
    return this.count
  }
}

const planting = new Planting()
afterEach(() => planting.remove())

test('a defect is planted in every room', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((it) => it.isDirectory())
  const planted = new Set([...defects, ...patches].map(roomOf))
  const without = rooms.map(({ name }) => name).filter((name) => !planted.has(name))
  expect(without).toEqual([])
})

test.each(patches)('$name: its text occurs once in $file', (defect) => {
  expect(patched(defect)).toContain(defect.wrong)
  expect(existsSync(`test/${defect.test}.test.ts`)).toBe(true)
})

test('a method, a getter and an export are replaced until the defect is removed', () => {
  const counter = new Counter()
  planting.method(Counter, 'add', (usual) => (self, more) => usual(self, more + 1))
  planting.getter(Counter, 'doubled', (usual) => (self) => usual(self) + 100)
  planting.member(fixed, 'powerOfTen', (usual) => (exponent) => usual(exponent) + 1)
  expect([counter.add(1), counter.doubled, powerOfTen(1)]).toEqual([3, 106, 11])
  planting.remove()
  expect([counter.add(1), counter.doubled, powerOfTen(1)]).toEqual([4, 8, 10])
})

test('what is replaced twice is usual again after all', () => {
  const counter = new Counter()
  for (let time = 0; time < 2; time++) {
    planting.method(Counter, 'add', (usual) => (self, more) => usual(self, more * 2))
  }
  expect(counter.add(1)).toBe(5)
  planting.remove()
  expect(counter.add(1)).toBe(6)
})

test('an extent ends where its code ends, or throws', () => {
  const extent = new Extent()
  expect(extent.within(() => extent.within(() => extent.isEntered))).toBe(true)
  expect(() => extent.within(() => JSON.parse('{'))).toThrow()
  expect(extent.isEntered).toBe(false)
})
