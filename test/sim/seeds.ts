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

/** Seeds after all others, of which as many are run as it takes until all has happened. */
const FURTHER = Array.from({ length: 60 }, (_, i) => 1_000 + i)

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
 * names, or they prove little: where they do not, since a change has turned what they draw, further ones are run.
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
      const missing = new Set(mustHappen)
      const run = async (seed: number) => {
        const counts = await runSeed(simulatorNamed(simulator), seed)
        for (const what of counts.keys()) missing.delete(what)
      }
      for (const seed of seeds) await run(seed)
      if (!areEnough) return
      for (const seed of FURTHER) if (missing.size > 0) await run(seed)
      expect([...missing]).toEqual([])
    },
    patienceMs([...seeds, ...FURTHER]),
  )
}
