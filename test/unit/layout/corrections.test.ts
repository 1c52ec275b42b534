/** What a correction of the clock makes of times: of blocks, and of all times in their records. */
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { DETAILED } from '../../../src/base/codes.ts'
import {
  type Correction,
  correctedMs,
  shownMs,
  withCorrection,
} from '../../../src/base/corrections.ts'
import { Prng } from '../../../src/base/prng.ts'
import { Ms } from '../../../src/base/units.ts'
import { BlockReader, BlockWriter } from '../../../src/journal/block.ts'
import { readCorrections, storeCorrections } from '../../../src/journal/corrections.ts'
import {
  DetailsSection,
  EventHeader,
  OrderAccepted,
  PhaseChanged,
  Trade,
} from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { fieldsOf, schemas } from '../../../src/layout/schema.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const ONE: readonly Correction[] = [{ fromMs: 1_000, toMs: 5_000 }]

test('ordering times of a wrong clock are shown at the correction, and later ones run on from there', () => {
  const shown = [0, 999, 1_000, 1_001, 3_000, 5_000, 5_001, 9_000].map((ms) => shownMs(ms, ONE))
  expect(shown).toEqual([0, 999, 1_000, 1_000, 1_000, 1_000, 1_001, 5_000])
  expect(correctedMs(ONE)).toBe(4_000)
  expect(shownMs(7, [])).toBe(7)
})

describe('several corrections', () => {
  test('take what was shown when each was made', () => {
    // Now it is 2,000, and the last moment is 8,000.
    const two = withCorrection(ONE, { fromMs: 2_000, toMs: 8_000 })
    expect(two).toEqual([
      { fromMs: 1_000, toMs: 5_000 },
      { fromMs: 6_000, toMs: 12_000 },
    ])
    expect([1_500, 5_500, 6_000, 9_000, 12_000, 12_500].map((ms) => shownMs(ms, two))).toEqual([
      1_000, 1_500, 2_000, 2_000, 2_000, 2_500,
    ])
  })

  test.each([1_000, 400])('take another in that is not before it: to %i', (fromMs) => {
    const two = withCorrection(ONE, { fromMs, toMs: 8_000 })
    expect(two).toEqual([{ fromMs, toMs: 12_000 }])
  })

  test('never let shown times fall, and continue where the last one ends', () => {
    const prng = new Prng(51)
    for (let round = 0; round < 20; round++) {
      let corrections: readonly Correction[] = []
      let lastMs = 0
      for (let i = 0; i < 5; i++) {
        lastMs += prng.below(10_000)
        const fromMs = prng.below(lastMs + 1)
        corrections = withCorrection(corrections, { fromMs, toMs: lastMs })
        // The next block has the shown time `fromMs`.
        expect(shownMs(fromMs + correctedMs(corrections), corrections)).toBe(fromMs)
        let beforeMs = 0
        for (let ms = 0; ms < 60_000; ms += 1_009) {
          const now = shownMs(ms, corrections)
          expect(now).toBeGreaterThanOrEqual(beforeMs)
          beforeMs = now
        }
        lastMs = fromMs
      }
    }
  })
})

/** Returns the block of one record, as it is read with corrections. */
function readBack(records: RecordBuffer, bytes: number, timeMs: number, origin = {}) {
  const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0, ...origin })
  const block = writer.seal(records, bytes, 1, Ms(timeMs)).slice()
  const reader = new BlockReader(ONE)
  reader.open(block, 'the block')
  expect(Buffer.compare(reader.bytes, block)).toBe(0)
  return reader
}

/** Returns a change of phase at a moment, which ends at another one. */
function phaseChanged(timeMs: number, endsMs: number): RecordBuffer {
  const records = RecordBuffer.allocate(PhaseChanged.bytes)
  records.i32[0] = PhaseChanged.type | (PhaseChanged.bytes << 16)
  EventHeader.setTimeMs(records, 0, Ms(timeMs))
  PhaseChanged.setEndsMs(records, 0, Ms(endsMs))
  return records
}

test('a block of the wrong clock has the time of the correction, its end of a phase as much later', () => {
  const records = phaseChanged(4_000, 4_300)
  const { timeMs, records: read, start } = readBack(records, PhaseChanged.bytes, 4_000)
  expect(timeMs).toBe(1_000)
  expect(EventHeader.timeMs(read, start)).toBe(1_000)
  expect(PhaseChanged.endsMs(read, start)).toBe(1_300)
})

test('a block before it, and one after it, stay as they are', () => {
  for (const [ms, origin] of [
    [900, {}],
    [1_200, { correctedMs: 4_000 }],
  ] as const) {
    const records = phaseChanged(ms, 9_999)
    const { timeMs, records: read, start } = readBack(records, PhaseChanged.bytes, ms, origin)
    expect([timeMs, EventHeader.timeMs(read, start)]).toEqual([ms, ms])
    expect(PhaseChanged.endsMs(read, start)).toBe(9_999)
  }
})

test('every time of every event is corrected, with those of both orders of a trade', () => {
  for (const schema of schemas.filter(({ kind }) => kind === 'event')) {
    const fields = fieldsOf(schema)
    const bytes = 1_024
    const records = RecordBuffer.allocate(bytes)
    records.i32[0] = schema.type | (bytes << 16)
    const times = fields.filter(({ type, name }) => type === 'ms' && name !== 'windowMs')
    for (const { offset } of times) records.f64[offset >> 3] = 4_000
    for (const { name, offset } of fields) {
      if (/terms$/i.test(name)) records.i32[offset >> 2] = DETAILED
    }
    // Times of details are found by a value that nothing else has.
    const at = {
      [OrderAccepted.type]: () => [OrderAccepted.detailsAt(records, 0)],
      [Trade.type]: () => [Trade.takerDetailsAt(records, 0), Trade.makerDetailsAt(records, 0)],
    }[schema.type]
    const details = at?.() ?? []
    for (const place of details) {
      expect(place).toBeGreaterThan(0)
      DetailsSection.setTrailingMs(records, place, Ms(3_000))
      DetailsSection.setWorkingMs(records, place, Ms(-1))
    }
    const { records: read, start } = readBack(records, bytes, 4_000)
    for (const { name, offset } of times) {
      expect(read.f64[(start + offset) >> 3], `${schema.name}.${name}`).toBe(1_000)
    }
    for (const place of details) {
      expect(DetailsSection.trailingMs(read, start + place)).toBe(1_000)
      expect(DetailsSection.workingMs(read, start + place)).toBe(-1)
    }
  }
})

test('the file beside the journals is made again when it is missing, damaged or of other facts', () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'clock-corrections')

  for (const text of [undefined, '', '[{', '[]', '[{"fromMs":1,"toMs":2}]']) {
    if (text === undefined) fs.rmSync(file, { force: true })
    else fs.writeFileSync(file, text)
    if (text === '[{')
      expect(() => readCorrections(folder)).toThrow(`${file} is damaged. Remove it`)
    storeCorrections(folder, ONE)
    expect(readCorrections(folder), text).toEqual(ONE)
  }
  storeCorrections(folder, [])
  expect(fs.readdirSync(folder)).toEqual([])
})
