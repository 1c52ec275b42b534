/** What a disk that fills is warned of, and when new orders are refused; the file system is a plain one. */

import { beforeEach, expect, test } from 'vitest'
import { DiskWatch } from '../../../../src/assembly/main/disk-watch.ts'
import { Ms } from '../../../../src/base/units.ts'
import { DISK_BYTES, DiskCells, DiskLevel, diskWarning } from '../../../../src/shared/disk.ts'

const MIB = 2 ** 20
const TOTAL = 100_000 * MIB
const RESERVE = 1_000 * MIB
const MINUTE_MS = 60_000

let free = TOTAL
let journals = 0
let others = 0
let nowMs = 0
let isBroken = false
let cells: DiskCells
let log: string[] = []
let watch: DiskWatch

beforeEach(() => {
  ;[free, journals, others, nowMs, isBroken, log] = [TOTAL, 0, 0, 0, false, []]
  cells = new DiskCells(new SharedArrayBuffer(DISK_BYTES))
  watch = watchOf(RESERVE)
})

const watchOf = (reserveBytes: number): DiskWatch =>
  new DiskWatch({
    reserveBytes,
    cells,
    readDisk: () => {
      if (isBroken) throw new Error('EIO')
      const blocks = TOTAL / 4096 + 5_000
      // Some blocks are for root alone.
      return { bsize: 4096, blocks, bfree: free / 4096 + 5_000, bavail: free / 4096 }
    },
    readJournals: () => journals,
    readOthers: () => others,
    clock: { nowMs: () => Ms(0), elapsedNs: () => nowMs * 1e6 },
    log: {
      info: (_, sentence) => log.push(`info ${sentence}`),
      warn: (_, sentence) => log.push(`warn ${sentence}`),
    },
  })

/** A look with so many MiB free; returns what was logged. */
function lookAt(mib: number): string[] {
  free = mib * MIB
  watch.look()
  return log.splice(0)
}

const LOW = 'warn at most 10 % of the disk is free'
const VERY_LOW = 'warn at most 5 % of the disk is free'
const MORE = 'info more of the disk is free again'
const REFUSES =
  'warn only the reserve of the disk is left: new orders are refused, cancels continue'
const TAKES = 'info the disk has more than its reserve again: new orders are taken'

test('10 % and 5 % are warned of once each, and let go a quarter above', () => {
  expect(lookAt(50_000)).toEqual([])
  expect(cells.read()).toMatchObject({ freeBytes: 50_000 * MIB, totalBytes: TOTAL, level: 0 })
  expect(diskWarning(cells.read())).toBeUndefined()
  expect(lookAt(10_001)).toEqual([])
  expect(lookAt(10_000)).toEqual([LOW])
  expect([lookAt(10_100), lookAt(9_000), lookAt(12_500)]).toEqual([[], [], []])
  expect(diskWarning(cells.read())).toBe('12.5 % of the disk (12.2 GiB) is free.')
  expect(lookAt(5_000)).toEqual([VERY_LOW])
  expect([lookAt(5_100), lookAt(6_250)]).toEqual([[], []])
  expect(lookAt(6_251)).toEqual([MORE])
  expect(cells.read().level).toBe(DiskLevel.LOW)
  expect(lookAt(12_501)).toEqual([MORE])
  expect(cells.read().level).toBe(DiskLevel.FINE)
  expect(lookAt(4_000)).toEqual([VERY_LOW])
})

test('on the reserve new orders are refused, until a quarter more is free', () => {
  lookAt(1_001)
  expect(cells.isRefusing).toBe(false)
  expect(lookAt(1_000)).toEqual([REFUSES])
  expect(cells.isRefusing).toBe(true)
  expect([lookAt(900), lookAt(1_249), lookAt(1_250)]).toEqual([[], [], []])
  expect(cells.isRefusing).toBe(true)
  expect(lookAt(1_251)).toEqual([TAKES])
  expect(cells.isRefusing).toBe(false)
})

test('a reserve of none refuses nothing', () => {
  watch = watchOf(0)
  expect(lookAt(0)).toEqual([VERY_LOW])
  expect(cells.isRefusing).toBe(false)
})

test('the growth of the last day says when the reserve is reached', () => {
  lookAt(50_000)
  for (let minute = 1; minute <= 9; minute++) {
    nowMs = minute * MINUTE_MS
    lookAt(50_000 - 10 * minute)
    expect(cells.read().bytesAnHour).toBe(-1)
  }
  nowMs = 10 * MINUTE_MS
  lookAt(49_900)
  expect(cells.read().bytesAnHour).toBe(600 * MIB)
  // Between two samples free bytes are known, the growth is that of the last.
  nowMs += 30_000
  lookAt(9_400)
  expect(cells.read().bytesAnHour).toBe(600 * MIB)
  expect(diskWarning(cells.read())).toBe(
    '9.4 % of the disk (9.2 GiB) is free. ' +
      'At the growth of the last day the disk will reach the reserve in 14 hours.',
  )
  // A day later nothing has grown for a day.
  for (let minute = 11; minute <= 1_500; minute++) {
    nowMs = minute * MINUTE_MS
    lookAt(49_900)
  }
  expect(cells.read().bytesAnHour).toBe(0)
})

test("the store's growth is its own, whatever else fills the disk", () => {
  lookAt(50_000)
  expect(cells.read()).toMatchObject({ storeBytes: 0, storeBytesAnHour: -1 })
  ;[nowMs, journals, others] = [60 * MINUTE_MS, 3 * MIB, 4 * MIB]
  lookAt(40_000)
  const { bytesAnHour, storeBytes, storeBytesAnHour } = cells.read()
  expect([bytesAnHour, storeBytes, storeBytesAnHour]).toEqual([10_000 * MIB, 7 * MIB, 7 * MIB])
})

test('journals that would fill the disk within three days are warned of', () => {
  lookAt(50_000)
  const growing = (mibAnHour: number) => {
    nowMs += 60 * MINUTE_MS
    journals += mibAnHour * MIB
    return lookAt(50_000)
  }
  expect(growing(600)).toEqual([])
  const alarm = 'warn the journals alone would fill the disk within 72 hours'
  expect(growing(800)).toEqual([alarm])
  expect(cells.read()).toMatchObject({ hasJournalAlarm: true, journalBytes: 1_400 * MIB })
  expect(diskWarning(cells.read())).toMatch(/the journals alone will reach the reserve in 70 hours/)
  // 75 hours, then 110.
  expect(growing(560)).toEqual([])
  expect(cells.read().hasJournalAlarm).toBe(true)
  growing(0)
  growing(0)
  expect(cells.read().hasJournalAlarm).toBe(false)
})

test('a disk that cannot be read stays as it was', () => {
  lookAt(900)
  isBroken = true
  expect(lookAt(50_000)).toEqual([])
  expect(cells.isRefusing).toBe(true)
})
