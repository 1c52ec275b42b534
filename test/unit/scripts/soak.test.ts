/** The judgement of a soak: what grows is found, what only varies is not, and a run that was cut is read. */
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { pictureOf } from '../../../scripts/soak/picture.ts'
import { keptOf, readReport } from '../../../scripts/soak/report.ts'
import type { Minute, Sample, SoakEnd } from '../../../scripts/soak/samples.ts'
import { leastSquares } from '../../../scripts/soak/slopes.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const MIB = 1024 * 1024
const HOURS = 4
const STEP_SECONDS = 60
/** Bytes of events in an hour. */
const EVENT_BYTES = 30 * MIB

const folder = temporaryFolder()

const calm = (hours: number): Sample => ({
  kind: 'sample',
  atSeconds: 3600 * hours,
  eventBytes: EVENT_BYTES * hours,
  memory: {
    resident: 300 * MIB,
    anonymous: 200 * MIB,
    files: 60 * MIB,
    swapped: 0,
    nativeHeap: 4 * MIB,
    largeMappings: 90 * MIB,
    smallMappings: 100 * MIB,
    virtual: 2 ** 34,
    mappedDatabases: 128 * MIB,
  },
  handles: { files: 28, sockets: 34, others: 47, threads: 19 },
  folders: {
    'journal-0': 16 * MIB + 1.3 * EVENT_BYTES * hours,
    archive: 0.9 * EVENT_BYTES * hours,
    control: 100_000,
    snapshots: 70_000,
    log: 4_096,
  },
  gauges: { 'ringbook_store_reader_age_ms{store="archive"}': 0 },
  clients: { requests: 100, failed: 0, orders: 80, queries: 20 },
})

const minute = (hours: number): Minute => ({
  kind: 'minute',
  atSeconds: 3600 * hours,
  orders: 1200,
  p50Ms: 1,
  p99Ms: 9,
  maxMs: 20,
  lateP99Ms: 3,
  outcomes: { 'place 200': 80 },
})

const end: SoakEnd = {
  kind: 'end',
  died: '',
  isRestarted: true,
  isStopped: true,
  lost: 0,
  compared: 70,
  requests: 100,
  failed: 0,
  orders: 80,
  queries: 20,
  outcomes: {},
  warnings: {},
  disk: 'a tmpfs',
  rate: 20,
}

/** The report of a run whose samples `change` makes of calm ones, `at` hours from the start. */
function reportOf(
  change: (sample: Sample, at: number) => Sample,
  last: SoakEnd | 'cut' = end,
  hours = HOURS,
  changeMinute: (at: number) => Partial<Minute> = () => ({}),
) {
  const lines: string[] = []
  for (let at = 0; at <= hours; at += STEP_SECONDS / 3600) {
    lines.push(
      JSON.stringify(change(calm(at), at)),
      JSON.stringify({ ...minute(at), ...changeMinute(at) }),
    )
  }
  const file = path.join(folder, 'samples.jsonl')
  const text = last === 'cut' ? '{"kind":"end",' : `${JSON.stringify(last)}\n`
  fs.writeFileSync(file, `${lines.join('\n')}\n${text}`)
  return readReport(file)
}

const brokenOf = (change: (sample: Sample, at: number) => Sample) =>
  reportOf(change)
    .report.slopes.filter(({ isBroken }) => isBroken)
    .map(({ name }) => name)

/** Deterministic noise around 0. */
const wave = (at: number): number => Math.sin(at * 1_000)

test('latencies are judged by their median, and by the p99 beside that of timers', () => {
  const slopeOf = (change: (at: number) => Partial<Minute>, name: string) =>
    reportOf((sample) => sample, end, HOURS, change).report.slopes.find((row) => row.name === name)
  const p99 = 'p99 of orders over timers'
  // The machine is busier by the hour.
  const busier = (at: number) => ({ p99Ms: 9 + 90 * at, lateP99Ms: 3 + 30 * at })
  expect(slopeOf(busier, p99)).toMatchObject({ isBroken: false })
  expect(slopeOf((at) => ({ p99Ms: 9 + 9 * at }), p99)).toMatchObject({ isBroken: true })
  expect(slopeOf((at) => ({ p50Ms: 1 + 2 * at }), 'p50 of orders')).toMatchObject({
    isBroken: true,
  })
})

test('a line through points on a line has its slope', () => {
  const points = [0, 1, 2, 7].map((x) => [x, 3 - 2 * x] as const)
  expect(leastSquares(points)).toBeCloseTo(-2)
  expect(leastSquares([[1, 5]])).toBe(0)
})

test('a run in which only the journal and its archive grow is well', () => {
  const { report } = reportOf((sample, at) => ({
    ...sample,
    memory: { ...sample.memory, anonymous: (200 + 20 * wave(at)) * MIB },
  }))
  expect(report).toMatchObject({ isWell: true, isWhole: true, samples: 241, p99Ms: 9 })
  const archive = report.slopes.find(({ name }) => name === 'archive')
  expect(archive).toMatchObject({ perEventByte: 0.9, bound: 1.5 })
  expect(report.warmUpMinutes).toBe(30)
})

describe('what grows is found', () => {
  test('memory, by 20 MiB an hour beneath the noise of collections', () => {
    const leaking = (sample: Sample, at: number): Sample => ({
      ...sample,
      memory: { ...sample.memory, anonymous: (200 + 20 * at + 20 * wave(at)) * MIB },
    })
    expect(brokenOf(leaking)).toEqual(['anonymous memory'])
  })

  test('an archive whose pages are not used again', () => {
    const pinned = (sample: Sample, at: number): Sample => ({
      ...sample,
      folders: { ...sample.folders, archive: 11 * EVENT_BYTES * at },
    })
    expect(brokenOf(pinned)).toEqual(['archive'])
  })

  test('files that stay open', () => {
    const open = (sample: Sample, at: number): Sample => ({
      ...sample,
      handles: { ...sample.handles, files: 28 + 4 * at },
    })
    expect(brokenOf(open)).toEqual(['open files'])
  })

  test('one reader that held a state for a minute', () => {
    const held = (sample: Sample, at: number): Sample => ({
      ...sample,
      gauges: {
        'ringbook_store_reader_age_ms{store="archive"}': Math.round(60 * at) === 90 ? 60_000 : 0,
      },
    })
    expect(brokenOf(held)).toEqual(['age of the oldest reader of a store'])
  })
})

test('growth of the warm-up is not judged, nor that of minutes within the noise', () => {
  const warming = (sample: Sample, at: number): Sample => ({
    ...sample,
    memory: { ...sample.memory, anonymous: Math.min(200, 400 * at) * MIB },
  })
  expect(reportOf(warming).report.isWell).toBe(true)
  const steep = (sample: Sample, at: number): Sample => ({
    ...sample,
    memory: { ...sample.memory, anonymous: (200 + 500 * at) * MIB },
  })
  expect(reportOf(steep, end, 0.1).report.isWell).toBe(true)
  expect(reportOf(steep, end, 1).report.isWell).toBe(false)
})

test.each([
  ['an acknowledged order that is lost', { lost: 1 }],
  ['an exchange that died', { died: 'it exited with code 1' }],
  ['a start after the kill that failed', { isRestarted: false }],
  ['requests that were never answered', { failed: 1 }],
  ['an exchange that accepted little', { compared: 9 }],
])('%s is not well', (_, change) => {
  expect(reportOf((sample) => sample, { ...end, ...change }).report.isWell).toBe(false)
})

test('a run that was cut is evaluated by the samples that it has', () => {
  const { report, log } = reportOf((sample) => sample, 'cut')
  expect(report).toMatchObject({ isWhole: false, isWell: true, samples: 241, orders: 80 })
  expect(report.outcomes).toEqual({ 'place 200': 80 })
  expect(pictureOf(log)).toContain('orders by the minute')
})

test('a run that is kept has each slope over its bound, and both in words', () => {
  const { ratios, figures } = keptOf(reportOf((sample) => sample).report)
  expect(ratios.archive).toBeCloseTo(0.6)
  expect(figures['archive, growth']).toBe('0.9 bytes for a byte of events')
  expect(figures['anonymous memory, bound']).toBe('16 MiB an hour')
})
