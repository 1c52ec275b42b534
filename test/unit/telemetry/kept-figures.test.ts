/** The figures that plots begin with: a day in memory, a month in one file that never grows. */
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { isContent } from '../../../src/journal/content.ts'
import {
  FILE_BYTES,
  KEPT_FILE,
  KeptFigures,
  type KeptName,
  type KeptValues,
  keptNames,
  MARKS_MAX,
  MEMORY_BYTES,
  MONTH_MINUTES,
  POINTS_MAX,
  SPAN_SECONDS_MAX,
} from '../../../src/telemetry/kept-figures.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
let file: string
let nowMs: number
let warnings: string[]

beforeEach(() => {
  file = folder(KEPT_FILE)
  ;[nowMs, warnings] = [1_800_000_000_000, []]
})

function open(): KeptFigures {
  const kept = new KeptFigures({ nowMs: () => Ms(nowMs) }, (sentence) => warnings.push(sentence))
  kept.open(file)
  return kept
}

const valuesOf = (value: number): KeptValues =>
  Object.fromEntries(keptNames.map((name) => [name, value])) as Record<KeptName, number>

/** Notes so many seconds, each with its number. */
function pass(kept: KeptFigures, seconds: number, value = (at: number) => at): void {
  for (let at = 0; at < seconds; at++) {
    kept.add(valuesOf(value(at)))
    nowMs += 1_000
  }
}

test('there are at most 24 series, and their day takes less than 8 MiB and their month less than 6', () => {
  expect(keptNames.length).toBeLessThanOrEqual(24)
  expect(MEMORY_BYTES).toBeLessThanOrEqual(24 * 86_400 * 4 + 86_400 * 4)
  expect(FILE_BYTES).toBeLessThan(6 * 2 ** 20)
})

test('the last ten minutes are there second by second', () => {
  const kept = open()
  pass(kept, 900)
  nowMs -= 1_000
  const { beginMs, stepMs, series } = kept.read(600)
  expect([stepMs, series.orders.length]).toEqual([1_000, 600])
  expect(beginMs).toBe(nowMs - 599_000)
  kept.mark('first')
  nowMs += 599_000
  expect(kept.read(600).marks).toHaveLength(1)
  nowMs += 1_000
  expect(kept.read(600).marks).toEqual([])
  expect(series.orders).toEqual(Array.from({ length: 600 }, (_, at) => 300 + at))
})

test('after a start the minutes are there, each series summed up in its way', () => {
  const kept = open()
  pass(kept, 600)
  nowMs -= 1_000
  kept.close()
  const { series } = open().read(600)
  // Minutes of the values 0 to 59, 60 to 119, and so on.
  expect(series.orders.filter((value) => value === 29.5)).toHaveLength(60)
  expect(series.flushMax.filter((value) => value === 59)).toHaveLength(60)
  expect(new Set(series.orders).size).toBe(10)
  expect(warnings).toEqual([])
})

test('a second that is not known is null, and neither a mean nor a maximum of others', () => {
  const kept = open()
  pass(kept, 60, (at) => (at % 2 === 0 ? Number.NaN : 8))
  nowMs += 59_000
  const { series } = kept.read(119)
  expect(series.orders.slice(0, 2)).toEqual([8, null])
  expect(series.orders.slice(59)).toEqual(new Array(60).fill(null))
  pass(kept, 61)
  kept.close()
  const minute = open().read(181).series
  expect([minute.orders[0], minute.orderP99[0]]).toEqual([8, 8])
})

test('a month of writing grows by nothing, and an answer is bounded', () => {
  const kept = open()
  const before = fs.statSync(file)
  expect(before.mode & 0o777).toBe(0o600)
  for (let minute = 0; minute < MONTH_MINUTES + 10; minute++) {
    kept.add(valuesOf(minute))
    if (minute % 7 === 0) kept.mark(`action ${minute}`)
    nowMs += 60_000
  }
  kept.close()
  const after = fs.statSync(file)
  expect([after.size, after.blocks, after.ino]).toEqual([FILE_BYTES, before.blocks, before.ino])
  expect(fs.readdirSync(folder())).toEqual([KEPT_FILE])
  const { series, marks } = open().read(SPAN_SECONDS_MAX)
  expect(series.orders).toHaveLength(POINTS_MAX)
  expect(marks).toHaveLength(MARKS_MAX)
  expect(JSON.stringify({ series, marks }).length).toBeLessThan(512 * 1_024)
  expect(series.orders.at(-1)).toBeGreaterThan(MONTH_MINUTES - 60)
  expect(series.orders[0]).toBeLessThan(100)
  expect(series.orders).not.toContain(null)
})

test('marks are there after a start, in their order, however long their texts are', () => {
  const kept = open()
  kept.add(valuesOf(1))
  for (let at = 0; at < MARKS_MAX + 3; at++) {
    kept.mark(`${at} ${'x'.repeat(200)}`)
    nowMs++
  }
  expect(kept.read(600).marks).toHaveLength(MARKS_MAX)
  kept.close()
  const { marks } = open().read(600)
  expect(marks).toHaveLength(MARKS_MAX)
  expect([marks[0]!.text.slice(0, 3), marks.at(-1)!.text.slice(0, 4)]).toEqual(['3 x', '514 '])
  expect(Math.max(...marks.map(({ text }) => text.length))).toBeLessThan(116)
  // One that is made before the file is open comes behind those of the file, and into it.
  const later = new KeptFigures({ nowMs: () => Ms(nowMs) }, () => {})
  later.mark('early')
  later.open(file)
  expect(
    later
      .read(600)
      .marks.slice(-2)
      .map(({ text }) => text.slice(0, 5)),
  ).toEqual(['514 x', 'early'])
  later.add(valuesOf(1))
  later.close()
  expect(open().read(600).marks.at(-1)!.text).toBe('early')
})

test.each([
  ['a wrong size', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['nothing in it', () => Buffer.alloc(0)],
  ['a wrong magic', (bytes: Buffer) => bytes.fill('X', 0, 1)],
  ['a head of other series', (bytes: Buffer) => bytes.fill(1, 20, 21)],
  ['a changed minute', (bytes: Buffer) => bytes.fill(1, 4_096 + 100, 4_096 + 101)],
  ['a changed mark', (bytes: Buffer) => bytes.fill(1, FILE_BYTES - 100, FILE_BYTES - 99)],
])('a file with %s is made again, and says so', (_, damage) => {
  const kept = open()
  pass(kept, 120)
  kept.close()
  fs.writeFileSync(file, damage(fs.readFileSync(file)))
  const again = open()
  expect(warnings).toEqual([expect.stringContaining('is made again: ')])
  expect(fs.statSync(file).size).toBe(FILE_BYTES)
  expect(new Set(again.read(600).series.orders)).toEqual(new Set([null]))
  again.close()
  open()
  expect(warnings).toHaveLength(1)
})

test('a file that cannot be put in its place leaves nothing beside it', () => {
  fs.mkdirSync(path.join(file, 'inside'), { recursive: true })
  open()
  expect(warnings.at(-1)).toMatch(/^Figures are kept in memory alone/)
  expect(fs.readdirSync(path.dirname(file)).filter((it) => it.endsWith('.partial'))).toEqual([])
})

test('a disk that refuses the file leaves the day in memory, and says so once', () => {
  fs.mkdirSync(file)
  const kept = open()
  pass(kept, 180)
  expect(warnings).toHaveLength(2)
  expect(warnings[1]).toMatch(/^Figures are kept in memory alone until the next start: /)
  nowMs -= 1_000
  expect(kept.read(60).series.orders.at(-1)).toBe(179)
})

test.each([
  'writeSync',
  'readSync',
] as const)('a disk that refuses %s later leaves memory alone, is told once, and nothing stays open', (call) => {
  const kept = open()
  pass(kept, 61)
  spyOnFs(call).mockImplementation(() => {
    throw Object.assign(new Error('refused'), { code: 'EIO' })
  })
  kept.read(SPAN_SECONDS_MAX)
  pass(kept, 120)
  kept.read(SPAN_SECONDS_MAX)
  restoreFs()
  expect(warnings).toEqual([expect.stringMatching(/^Figures are kept in memory alone/)])
  const opened = fs.readdirSync('/proc/self/fd').filter((name) => {
    const link = `/proc/self/fd/${name}`
    return fs.existsSync(link) && fs.readlinkSync(link) === file
  })
  expect(opened).toEqual([])
  nowMs -= 1_000
  expect(kept.read(60).series.orders.at(-1)).toBe(119)
  kept.close()
})

test('a wall clock that steps back is followed', () => {
  const kept = open()
  pass(kept, 120)
  nowMs -= 90_000
  pass(kept, 10, () => 1_000)
  nowMs -= 1_000
  const { series } = kept.read(30)
  expect(series.orders.slice(-11)).toEqual([29, ...new Array(10).fill(1_000)])
})

test('seconds of the day before, whose places nothing took, are not shown', () => {
  const kept = new KeptFigures({ nowMs: () => Ms(nowMs) }, () => {})
  pass(kept, 60)
  nowMs += 86_400_000 - 30_000
  expect(new Set(kept.read(60).series.orders)).toEqual(new Set([null]))
})

test('a minute of the file that was damaged since the start is not shown', () => {
  const kept = open()
  pass(kept, 240)
  nowMs += 86_400_000
  // Points of two minutes: of the seconds 0 to 179 three whole minutes are in the file.
  const read = () => kept.read(86_400 + 600).series.orders.filter((value) => value !== null)
  expect(read()).toContain(149.5)
  const place = Math.floor((nowMs - 86_400_000 - 120_000) / 60_000) % MONTH_MINUTES
  const at = fs.openSync(file, 'r+')
  fs.writeSync(at, Buffer.from([1]), 0, 1, 4_096 + place * 128 + 50)
  fs.closeSync(at)
  expect(Math.max(...read())).toBeLessThan(89.5)
})

test('more than what is kept is not asked for: the answer is that of the longest span', () => {
  const kept = open()
  pass(kept, 60)
  const [most, more] = [kept.read(SPAN_SECONDS_MAX), kept.read(SPAN_SECONDS_MAX * 10)]
  expect(more).toEqual(most)
  expect(kept.read(0).series.orders).toHaveLength(1)
})

test('no content of the data folder: no backup, state, load or reset has it', () => {
  expect(isContent(KEPT_FILE)).toBe(false)
  expect(isContent(`${KEPT_FILE}.partial`)).toBe(false)
})
