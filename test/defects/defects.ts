/** All planted defects, and the tests that each simulator finds its own. */
import { expect, test } from 'vitest'
import { simulatorNamed, stepsUntilFound } from '../sim/simulators.ts'
import { aggregateDefects } from './aggregates.ts'
import { coreDefects } from './core.ts'
import type { SimulatedDefect } from './defect.ts'
import { edgeDefects } from './edges.ts'
import { faultDefects } from './faults.ts'
import { memberDefects } from './members.ts'
import { phaseDefects } from './phases.ts'
import { Planting } from './planting.ts'
import { replicaDefects } from './replica.ts'
import { routingDefects } from './routing.ts'
import { stateDefects } from './states.ts'
import { transportDefects } from './transport.ts'

/** The rarest take a tenth of it. */
const PATIENCE_MS = 900_000

export const defects: readonly SimulatedDefect[] = [
  ...[...coreDefects, ...phaseDefects, ...routingDefects, ...transportDefects, ...edgeDefects],
  ...[...aggregateDefects, ...replicaDefects, ...memberDefects, ...stateDefects, ...faultDefects],
]

/** Defines a test for each defect that the simulator must find. */
export function testDefectsOf(name: SimulatedDefect['simulator']): void {
  const simulator = simulatorNamed(name)
  test('nothing is found without a defect', async () => {
    expect(await stepsUntilFound(simulator, Math.ceil(simulator.steps / 4))).toBeUndefined()
  })
  test.each(defects.filter((it) => it.simulator === name))(
    '$name',
    async ({ plant, steps, seeds }) => {
      const planting = new Planting()
      try {
        plant(planting)
        expect(await stepsUntilFound(simulator, steps, seeds), 'it is found').toBeDefined()
      } finally {
        planting.remove()
      }
    },
    PATIENCE_MS,
  )
}
