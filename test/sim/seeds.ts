/**
 * The seeds of a simulator's test: fixed ones, and in each run a fresh one beside them, so that the suite
 * continues looking. A failure says the seed and how to run it again (simulators.ts).
 */
import { randomInt } from 'node:crypto'

/** Above all fixed ones. */
const FRESH_FROM = 1_000_000
const FRESH_BELOW = 2 ** 31

/** How long the test of so many seeds may take; one seed takes some 3 s of a processor that has much else to do. */
export const patienceMs = (seeds: readonly number[]): number => seeds.length * 120_000

const only = process.env.RINGBOOK_SIM_SEED

/** Whether one seed alone is run again, which need not meet all that must happen. */
export const isOneSeed = only !== undefined

export function seedsFor(usualCount: number): readonly number[] {
  if (only !== undefined) return [Number(only)]
  const count = Number(process.env.RINGBOOK_SIM_SEEDS ?? usualCount)
  const fresh = randomInt(FRESH_FROM, FRESH_BELOW)
  process.stderr.write(`fresh seed ${fresh}\n`)
  return [...Array.from({ length: count }, (_, i) => i + 1), fresh]
}
