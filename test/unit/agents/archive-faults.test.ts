/**
 * What an indexer does when the archive fails beneath it: it never throws, and afterwards the archive is
 * what a plain twin has.
 */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventStream } from '../../../bench/workloads/event-stream.ts'
import { Indexer, MISSING } from '../../../src/agents/indexer.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { ArchiveWriter } from '../../../src/archive/archive-writer.ts'
import { History } from '../../../src/archive/history.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Ms, SymbolId } from '../../../src/base/units.ts'
import { BlockWriter, JournalDamage } from '../../../src/journal/block.ts'
import { Environment, PAGE_BYTES, StorageError } from '../../../src/journal/environment.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { JournalMerge, recoverWals } from '../../../src/journal/recovery.ts'
import { ArchiveCells, ArchiveState } from '../../../src/shared/archive-cells.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const MDB_BAD_TXN = -30782
const AGAIN = 'The archive is applied again from the journals'

const folder = folderPerTest()
let journal: Journal
let blocks: BlockWriter
let stream: EventStream
let cells: ArchiveCells
let archived: BigInt64Array
let log: string[]
let degraded: (string | undefined)[]
let indexer: Indexer
let time: ManualTime

beforeEach(() => {
  time = new ManualTime(new ManualClock(Ms(1_000_000)))
  journal = openJournal(folder(), 0, 'committed')
  blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  stream = new EventStream(5)
  cells = new ArchiveCells()
  archived = new BigInt64Array(new SharedArrayBuffer(8))
  log = []
  degraded = []
})
afterEach(() => {
  vi.restoreAllMocks()
  indexer.close()
  journal.close()
})

function open(): Indexer {
  indexer = new Indexer({
    time,
    dataFolder: folder(),
    matchers: 1,
    wals: [journal.cells],
    archived,
    cells,
    log: (it) => log.push(it),
    logMended: (it) => log.push(it),
    degraded: (it) => degraded.push(it),
  })
  return indexer
}

/** Journals so many commands, in blocks of ten. */
function trade(commands: number): void {
  for (let done = 0; done < commands; done += 10) {
    stream.reset()
    for (let i = 0; i < 10; i++) stream.step(SymbolId(0))
    journal.append(blocks.seal(stream.events, stream.end, journal.lastPosition + 1, stream.timeMs))
  }
}

function work(): void {
  while (indexer.doWork() > 0);
}

/** The time passes that the indexer waits for. */
function wait(): number {
  const waitedMs = indexer.waitMs
  time.clock.advance(waitedMs)
  return waitedMs
}

/** From now on the writer meets the error, so many times. */
function plant(error: Error, times = Number.POSITIVE_INFINITY) {
  const { apply } = ArchiveWriter.prototype
  let left = times
  return vi.spyOn(ArchiveWriter.prototype, 'apply').mockImplementation(function (
    this: ArchiveWriter,
    first,
    next,
  ) {
    if (left-- > 0) throw error
    return apply.call(this, first, next)
  })
}

const lmdbError = (code: number | string): StorageError =>
  new StorageError('The planted fault.', { cause: Object.assign(new Error('planted'), { code }) })

const archives = (): string[] => readdirSync(folder()).filter((name) => name.startsWith('archive'))

/** The archive that queries are led to has every trade, and nothing else. */
function checkArchive(): void {
  const history = new History(archiveFolder(folder(), cells.number))
  const trades = history.publicTrades({ symbolId: SymbolId(0), limit: 1_000_000 })
  history.close()
  expect(trades.map(({ tradeId }) => tradeId)).toEqual(stream.trades.map((it) => it.tradeId))
  expect(Number(archived[0])).toBe(journal.lastPosition)
}

test('an archive that is missing is made again, and the log says so, but never of the first one', () => {
  open()
  work()
  expect(log).toEqual([])
  trade(100)
  journal.close()
  recoverWals(folder())
  indexer.close()
  rmSync(folder('archive'), { recursive: true })
  archived.fill(0n)
  cells = new ArchiveCells()
  journal = openJournal(folder(), 0, 'committed')
  open()
  work()
  expect(log).toEqual([MISSING])
  checkArchive()
  indexer.close()
  cells = new ArchiveCells()
  open()
  expect(log).toHaveLength(1)
})

test('a transaction that fails once is done again, in the same archive', () => {
  trade(100)
  open()
  work()
  trade(100)
  plant(lmdbError(MDB_BAD_TXN), 1)
  expect(indexer.doWork()).toBe(0)
  expect([cells.state, indexer.waitMs > 0]).toEqual([ArchiveState.CURRENT, true])
  wait()
  work()
  expect(archives()).toEqual(['archive'])
  const failed = 'A transaction of the archive failed, and is tried again: The planted fault.'
  expect(log).toEqual([failed, 'The archive has all rows again.'])
  expect(degraded).toEqual([undefined, failed, undefined])
  checkArchive()
})

test('one that keeps failing is left for another archive, with the same rows', () => {
  trade(100)
  open()
  work()
  trade(100)
  plant(lmdbError(MDB_BAD_TXN), 4)
  const states: number[] = []
  for (let i = 0; i < 4; i++) {
    indexer.doWork()
    states.push(cells.state)
    wait()
  }
  const { CURRENT, WAITING } = ArchiveState
  expect(states).toEqual([CURRENT, CURRENT, CURRENT, WAITING])
  expect([archived[0], cells.number, archives()]).toEqual([0n, 2, []])
  work()
  expect([cells.state, archives()]).toEqual([CURRENT, ['archive-2']])
  expect(log.slice(1)).toEqual([`The planted fault. ${AGAIN}.`, 'The archive has all rows again.'])
  expect(degraded.at(-1)).toBeUndefined()
  checkArchive()
})

// Over noise LMDB may end the process: the start counts such ends (open-mark.ts).
test.each([0, 0xff])('pages overwritten with %i: another archive is made', (byte) => {
  trade(400)
  open()
  work()
  indexer.tend(Ms(1_800_000_000_000))
  const file = path.join(archiveFolder(folder()), 'data.mdb')
  const length = statSync(file).size - 2 * PAGE_BYTES
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, new Uint8Array(length).fill(byte), 0, length, 2 * PAGE_BYTES)
  closeSync(descriptor)
  trade(100)
  for (let i = 0; i < 6; i++) {
    work()
    wait()
  }
  expect(archives()).toEqual(['archive-2'])
  checkArchive()
})

test('a refusal of the system changes nothing, and is tried again after growing pauses', () => {
  trade(100)
  open()
  work()
  const before = archived[0]
  trade(100)
  plant(lmdbError('ENOSPC'), 12)
  const pauses: number[] = []
  for (let i = 0; i < 12; i++) {
    expect(indexer.doWork()).toBe(0)
    expect([cells.state, archived[0], cells.number]).toEqual([ArchiveState.STALLED, before, 1])
    // A thread that pauses does not hang.
    const { beats } = cells
    indexer.doWork()
    expect(cells.beats).toBe(beats + 1)
    pauses.push(wait() / 1_000)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
  expect(log).toHaveLength(1)
  expect(degraded.at(-1)).toBe('The archive takes no more rows for now: The planted fault.')
  work()
  expect([cells.state, archives()]).toEqual([ArchiveState.CURRENT, ['archive']])
  checkArchive()
})

test('a journal that cannot be read is not the fault of the archive', () => {
  trade(100)
  open()
  work()
  trade(100)
  const { next } = JournalMerge.prototype
  const damage = vi.spyOn(JournalMerge.prototype, 'next').mockImplementation(() => {
    throw new JournalDamage('Block 11 of journal-0 is damaged.')
  })
  for (let i = 0; i < 5; i++) {
    expect(indexer.doWork()).toBe(0)
    wait()
  }
  expect([cells.state, archives()]).toEqual([ArchiveState.STALLED, ['archive']])
  expect(log).toEqual(['The archive takes no more rows for now: Block 11 of journal-0 is damaged.'])
  damage.mockImplementation(function (this: JournalMerge) {
    return next.call(this)
  })
  work()
  checkArchive()
})

test('archives that fail one after the other are made ever more rarely', () => {
  trade(100)
  open()
  plant(new Error('A defect of the archive.'))
  const pauses: number[] = []
  while (pauses.length < 12) {
    indexer.doWork()
    const waited = wait() / 1_000
    if (waited > 0.1) pauses.push(waited)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
  vi.restoreAllMocks()
  work()
  expect(archives()).toEqual([path.basename(archiveFolder(folder(), cells.number))])
  checkArchive()
})

test('work by the clock that fails is a failure like any other', () => {
  trade(100)
  open()
  work()
  vi.spyOn(ArchiveWriter.prototype, 'refreshTradingStatus').mockImplementationOnce(() => {
    throw lmdbError(MDB_BAD_TXN)
  })
  indexer.tend(Ms(1_800_000_000_000))
  expect(degraded.at(-1)).toContain('is tried again')
  wait()
  work()
  checkArchive()
})

test('a query that finds damage has another archive made', () => {
  trade(100)
  open()
  work()
  cells.setDamaged(1)
  work()
  expect(log[0]).toBe(`A query found the archive damaged. ${AGAIN}.`)
  expect(archives()).toEqual(['archive-2'])
  checkArchive()
  // For the one before it, it means nothing.
  cells.setDamaged(1)
  work()
  expect(cells.number).toBe(2)
})

test('an indexer in place of one that was lost leaves its archive', () => {
  trade(100)
  open()
  work()
  indexer.close()
  open()
  work()
  expect(log[0]).toBe(`The thread that wrote the archive was lost. ${AGAIN}.`)
  expect(archives()).toEqual(['archive-2'])
  checkArchive()
})

test('a start takes the archive with the highest number, continues with it, and removes the others', () => {
  trade(100)
  open()
  work()
  cells.setDamaged(1)
  indexer.doWork()
  work()
  indexer.close()
  for (const name of ['archive', 'archive-1', 'archive-02', 'archive-x']) {
    mkdirSync(folder(name))
  }
  cells = new ArchiveCells()
  trade(100)
  log.length = 0
  const view = vi.spyOn(ArchiveWriter.prototype, 'apply')
  open()
  work()
  expect(cells.number).toBe(2)
  expect(view).toHaveBeenCalledOnce()
  expect(log).toEqual([])
  // What it did not name is not its own.
  expect(archives()).toEqual(['archive-02', 'archive-1', 'archive-2', 'archive-x'])
  checkArchive()
})

test('a start that the system refuses the archive serves without it, and makes it later', () => {
  trade(100)
  const open_ = vi.spyOn(ArchiveWriter, 'open').mockImplementation(() => {
    throw lmdbError('EACCES')
  })
  open()
  expect([indexer.isCurrent, cells.state, indexer.blocksLeft()]).toEqual([
    false,
    ArchiveState.WAITING,
    0,
  ])
  expect(degraded).toHaveLength(1)
  open_.mockRestore()
  wait()
  work()
  expect(indexer.isCurrent).toBe(true)
  checkArchive()
})

test('a close that fails is said, and nothing more', () => {
  trade(100)
  open()
  work()
  vi.spyOn(Environment.prototype, 'flush').mockImplementationOnce(() => {
    throw lmdbError('EFBIG')
  })
  indexer.close()
  expect(log).toEqual(['The archive was not closed: The planted fault.'])
  expect(existsSync(path.join(archiveFolder(folder()), 'open'))).toBe(true)
  log.length = 0
  cells = new ArchiveCells()
  open()
  expect(log).toEqual([])
})

test('what was refused later waits no longer than what was refused first', () => {
  trade(100)
  open()
  work()
  const waits = [1, 2, 3].map(() => {
    trade(10)
    const planted = plant(lmdbError('ENOSPC'))
    work()
    const waitedMs = wait()
    planted.mockRestore()
    work()
    checkArchive()
    return waitedMs
  })
  expect(waits).toEqual([1_000, 1_000, 1_000])
})
