import { beforeEach, expect, test } from 'vitest'
import {
  type EnvironmentFigures,
  PAGE_BYTES,
  StorageError,
} from '../../../src/journal/environment.ts'
import { type StoreReading, StoreWatch } from '../../../src/journal/store-watch.ts'

let figures: EnvironmentFigures
let readings: StoreReading[]
let warnings: string[]
let watch: StoreWatch

beforeEach(() => {
  figures = {
    fileBytes: 100_000,
    freePages: 3,
    freeEntries: 2,
    lastTransaction: 9,
    oldestReader: undefined,
  }
  readings = []
  warnings = []
  watch = new StoreWatch({
    name: 'archive',
    figures: () => figures,
    note: (reading) => readings.push(reading),
    warn: (sentence) => warnings.push(sentence),
  })
})

test('looks every five seconds', () => {
  for (let ms = 0; ms <= 10_000; ms += 100) watch.look(ms)
  expect(readings).toHaveLength(3)
  expect(readings[0]).toEqual({
    fileBytes: 100_000,
    freeBytes: 3 * PAGE_BYTES,
    freeEntries: 2,
    readerAgeMs: 0,
  })
})

test('counts how long one state is held, and warns once of each that is held for a minute', () => {
  const at = (ms: number, oldestReader: number | undefined) => {
    figures = { ...figures, oldestReader }
    watch.look(ms)
    return readings.at(-1)!.readerAgeMs
  }
  expect(at(0, 7)).toBe(0)
  expect(at(10_000, 7)).toBe(10_000)
  // Another state: that of a new query.
  expect(at(20_000, 8)).toBe(0)
  expect(at(79_000, 8)).toBe(59_000)
  expect(warnings).toEqual([])
  expect(at(85_000, 8)).toBe(65_000)
  expect(at(95_000, 8)).toBe(75_000)
  expect(warnings).toEqual([
    'A reader of archive has held one state for 65 s: the file grows until it ends.',
  ])
  expect(at(105_000, undefined)).toBe(0)
})

test('a store that cannot be read is not its concern', () => {
  const failing = new StoreWatch({
    name: 'archive',
    warn: () => {},
    note: () => expect.unreachable(),
    figures: () => {
      throw new StorageError('gone')
    },
  })
  failing.look(0)
})
