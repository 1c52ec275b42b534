/**
 * The seeds of a simulator's test: fixed ones, and in each run a fresh one beside them, so that the suite
 * continues looking. A failure names the seed and how to run it again (simulators.ts).
 */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { runSeed, simulatorNamed } from './simulators.ts'

/** Above all fixed ones. */
const FRESH_FROM = 1_000_000
const FRESH_BELOW = 2 ** 31

/** How long the test of so many seeds may take; one seed takes some 3 s of a processor that has much else to do. */
export const patienceMs = (seeds: readonly number[]): number => seeds.length * 120_000

const only = process.env.RINGBOOK_SIM_SEED
const count = process.env.RINGBOOK_SIM_SEEDS

/**
 * The seeds of a run. `areEnough` is whether they must meet all that must happen: one that is run again
 * need not, nor do the few of `npm test`.
 */
export interface Seeds {
  readonly seeds: readonly number[]
  readonly areEnough: boolean
}

/** `eventful` are further seeds, which a run of at least `usualCount` has beside those from 1 on. */
export function seedsFor(usualCount: number, eventful: readonly number[] = []): Seeds {
  if (only !== undefined) return { seeds: [Number(only)], areEnough: false }
  const areEnough = count === undefined || Number(count) >= usualCount
  const fresh = randomInt(FRESH_FROM, FRESH_BELOW)
  process.stderr.write(`fresh seed ${fresh}\n`)
  const first = Array.from({ length: Number(count ?? usualCount) }, (_, i) => i + 1)
  return { seeds: [...first, fresh, ...(areEnough ? eventful : [])], areEnough }
}

/**
 * Tests that a simulator agrees with its twin on each seed. The seeds together must meet what `mustHappen`
 * names, or they prove little.
 */
export function testSeeds(
  simulator: string,
  name: string,
  { seeds, areEnough }: Seeds,
  mustHappen: readonly string[],
): void {
  test(
    name,
    async () => {
      const happened = new Set<string>()
      for (const seed of seeds) {
        const counts = await runSeed(simulatorNamed(simulator), seed)
        for (const what of counts.keys()) happened.add(what)
      }
      if (areEnough) expect(mustHappen.filter((what) => !happened.has(what))).toEqual([])
    },
    patienceMs(seeds),
  )
}
