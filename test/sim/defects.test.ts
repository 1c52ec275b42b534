/** Each deliberate defect is found by its simulator, within as many steps as its row says. */
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DefectiveSource } from './defective.ts'
import { defects } from './defects.ts'
import { stepsUntilFound } from './simulators.ts'

const MODULE = '/test/sim/simulators.ts'

let source: DefectiveSource
beforeAll(async () => {
  source = await DefectiveSource.open()
})
afterAll(() => source.close())

/**
 * Rooms without a defect: types of queries and their answers, a client of the exchange, the market's
 * tables, which unit tests hold, real threads, and cells that only who watches reads.
 */
const OUTSIDE = ['history', 'liquidity', 'market', 'queries', 'shared']

test('a defect is planted in every room', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((it) => it.isDirectory())
  const planted = new Set(defects.map(({ file }) => file.split('/')[1]))
  const without = rooms.map(({ name }) => name).filter((name) => !planted.has(name))
  expect(without).toEqual(OUTSIDE)
})

test('without a defect nothing is found', async () => {
  const { simulators } = await source.load<typeof import('./simulators.ts')>(MODULE, undefined)
  for (const simulator of simulators) {
    const steps = Math.min(simulator.steps, 500)
    expect(await stepsUntilFound(simulator, steps)).toBeUndefined()
  }
})

test.each(defects)('$name', async (defect) => {
  const { simulatorNamed } = await source.load<typeof import('./simulators.ts')>(MODULE, defect)
  const found = await stepsUntilFound(simulatorNamed(defect.simulator), defect.steps)
  expect(found, 'it is found').toBeDefined()
})
