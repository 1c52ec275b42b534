/** A seed of the large venue (venue/large-venue.ts), in which each extreme deed happens. */
import { expect, test } from 'vitest'
import { seedsFor } from './seeds.ts'
import { runSeed, simulatorNamed } from './simulators.ts'

const { seeds, areEnough } = seedsFor(0)

const mustHappen = [
  ...['sweep', 'cancel of all', 'open orders', 'stops', 'stops and a kill', 'icebergs'],
  ...['a full level', 'overrun', 'late start', 'kill in a cascade', 'clock set'],
]

test.each(seeds)('books of 100,000 levels are held, read and recovered, seed %i', async (seed) => {
  const counts = await runSeed(simulatorNamed('venue'), seed)
  const missing = mustHappen.filter((what) => !counts.has(what))
  if (areEnough) expect(missing).toEqual([])
})
