/**
 * Segments that retention removed: the exchange, its snapshots, its archive, backups and the audit work
 * without them, and a crash at any step of the removal loses nothing else.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditJournals } from '../../scripts/audit/journal-audit.ts'
import { noteSealed, sealSegment } from '../../src/agents/compactor.ts'
import { Indexer } from '../../src/agents/indexer.ts'
import { removeOldSegments } from '../../src/agents/journal-retention.ts'
import { coveredByAll, makeSnapshot } from '../../src/agents/snapshots.ts'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import { History } from '../../src/archive/history.ts'
import { keepEverything } from '../../src/archive/retention.ts'
import { ManualClock, ManualTime } from '../../src/base/manual-time.ts'
import { Ms } from '../../src/base/units.ts'
import { makeBackup } from '../../src/journal/backup.ts'
import { BlockReader } from '../../src/journal/block.ts'
import { isContent } from '../../src/journal/content.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { restoreBackup } from '../../src/journal/restore.ts'
import {
  archiveBaseFile,
  beginningOf,
  lastSealedBlock,
  segmentsIn,
} from '../../src/journal/sealed-segments.ts'
import { snapshotFile } from '../../src/journal/snapshot.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { makeQuickFolder } from '../sim/quick-folder.ts'
import { ACCOUNTS, symbols } from '../sim/world.ts'
import { readAll } from '../unit/archive/archive-contents.ts'
import { appendBlocks, dataFolder, tradedBlocks } from './audit-folder.ts'
import { diesAt } from './dying-files.ts'
import { ORDERS_MAX } from './engine-run.ts'
import { newArchive, valuation } from './new-archive.ts'
import { RecoveredExchange, snapshotOptions } from './recovered-exchange.ts'

const BATCHES = 80
const COVERED = 60
const SEALED_BYTES = 4_000

let root = ''
let folder = ''
let blocks: readonly Uint8Array[] = []
let times: readonly Ms[] = []
let nowMs = Ms(0)
const makeRoot = () => makeQuickFolder('ringbook-journal-retention-')
beforeAll(() => {
  const source = makeRoot()
  blocks = tradedBlocks(source, 1, BATCHES)
  const block = new BlockReader()
  times = blocks.map((bytes) => {
    block.open(bytes, 'A block')
    return block.timeMs
  })
  nowMs = Ms(times.at(-1)! + 1_000)
  fs.rmSync(source, { recursive: true })
})
beforeEach(() => {
  root = makeRoot()
  folder = path.join(root, 'data')
  appendBlocks(folder, blocks.slice(0, COVERED))
  makeSnapshot(snapshotOptions(folder))
  appendBlocks(folder, blocks.slice(COVERED))
  seal()
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

const journal = (data = folder) => journalFolder(data, 0)

/** Seals all that may be, and removes it from LMDB, as a start does. */
function seal(): void {
  const cells = new WalCells()
  const covered = coveredByAll(folder).get(0)!.position
  const options = { dataFolder: folder, matcher: 0, cells, covered, goesOn: () => true }
  while (sealSegment({ ...options, segmentBytes: SEALED_BYTES }) !== undefined);
  noteSealed(folder, 0, cells)
  const store = new LmdbStore(journal())
  while (store.removeUpTo(cells.sealed, 1 << 20) > 0);
  store.close()
}

/** Removes segments of blocks that are older than that of `position`; all that it may, without. */
function remove(position?: number, goesOn = () => true) {
  const steps = removeOldSegments({
    dataFolder: folder,
    valuation,
    retention: keepEverything,
    nowMs,
    goesOn,
    beforeMs: position === undefined ? nowMs : times[position - 1]!,
  })
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const replayed = (data = folder) => newArchive(data, nowMs)

const audited = (data = folder) =>
  auditJournals({
    data: dataFolder(data),
    accountsMax: ACCOUNTS,
    ordersMax: ORDERS_MAX,
    advanced: () => {},
  })

/** The hash of the exchange, and of its audit; and the archive. */
const results = (data = folder) => {
  const { findings, hash, snapshots } = audited(data)
  const { hash: recovered } = new RecoveredExchange(data)
  return { findings, hash, snapshots, recovered, archive: replayed(data) }
}

describe('retention of journals', () => {
  test('removes old segments, and nothing else changes', () => {
    const before = results()
    expect(before.findings).toEqual([])
    const sealed = segmentsIn(journal())
    const [removed] = remove(40)
    expect(removed!.segments).toBeGreaterThan(1)
    expect(removed!.last).toBeLessThan(40)
    expect(segmentsIn(journal())).toEqual(sealed.slice(removed!.segments))
    expect(beginningOf(journal()).position).toBe(removed!.last)
    expect(results()).toEqual(before)

    // Another round, then all that may go.
    expect(remove(40)).toEqual([])
    for (const until of [50, undefined]) {
      expect(remove(until)[0]!.last).toBeGreaterThan(removed!.last)
      expect(results()).toEqual(before)
    }
    expect(beginningOf(journal()).position).toBeLessThan(COVERED)
    expect(fs.readdirSync(folder).filter((name) => !isContent(name))).toEqual([])
  })

  test('goes on with snapshots and segments behind what was removed', () => {
    remove()
    expect(lastSealedBlock(journal())).toBeGreaterThan(0)
    makeSnapshot(snapshotOptions(folder))
    fs.rmSync(snapshotFile(folder, 1))
    seal()
    expect(lastSealedBlock(journal())).toBeGreaterThan(COVERED)
    expect(audited()).toMatchObject({ findings: [], snapshots: [2] })
    expect(remove()[0]!.last).toBeGreaterThan(COVERED - 1)
    expect(audited()).toMatchObject({ findings: [], snapshots: [2] })
  })

  test('removes nothing that is too young, or that no snapshot covers', () => {
    expect(remove(1)).toEqual([])
    fs.rmSync(snapshotFile(folder, 1))
    expect(remove()).toEqual([])
    expect(beginningOf(journal()).position).toBe(0)
    expect(fs.existsSync(archiveBaseFile(folder))).toBe(false)
  })

  test('ends early, and removes what the summary has by then', () => {
    const before = results()
    let asked = 0
    const some = remove(undefined, () => ++asked < 30)
    expect(some[0]!.last).toBeLessThan(30)
    expect(results()).toEqual(before)
    expect(remove()[0]!.last).toBeGreaterThan(some[0]!.last)
    expect(results()).toEqual(before)
  })

  test('leaves a start without snapshots one sentence', () => {
    remove(40)
    fs.rmSync(snapshotFile(folder, 1))
    const sentence =
      'Block 1 of journal-0 was removed with its segment (--keep-journal-days): a start needs a newer snapshot.'
    expect(() => new RecoveredExchange(folder)).toThrow(sentence)
    expect(audited().findings).toEqual([
      'Blocks were removed, and no snapshot has what they came to.',
    ])
    const reader = new JournalReader(journal())
    expect(() => reader.block(1)).toThrow(sentence)
    reader.close()
  })

  test('tells blocks that are lost from those that it removed', () => {
    remove(40)
    fs.rmSync(segmentsIn(journal())[0]!.file)
    const { position } = beginningOf(journal())
    expect(audited().findings).toEqual([
      expect.stringContaining(`Block ${position + 1} of journal-0 is missing, also in `),
    ])
  })

  test('is part of a backup, which is restored without the removed blocks', () => {
    const before = results()
    remove(40)
    ControlStore.open(folder).close()
    fs.writeFileSync(path.join(folder, 'secret.key'), 'key')
    const target = path.join(root, 'backup')
    const cut = { timeMs: Ms(1), control: 0, positions: [], snapshot: 1 }
    makeBackup(folder, target, cut, [], { goesOn: () => true, copied: () => {} })
    const restored = path.join(root, 'restored')
    restoreBackup(target, restored)
    expect(beginningOf(journal(restored))).toEqual(beginningOf(journal()))
    expect(results(restored)).toEqual(before)
  })

  test('may remove blocks that a backup is about to copy', () => {
    const before = results()
    ControlStore.open(folder).close()
    fs.writeFileSync(path.join(folder, 'secret.key'), 'key')
    const target = path.join(root, 'backup')
    const cut = { timeMs: Ms(1), control: 0, positions: [], snapshot: 1 }
    const goesOn = () => remove(40) !== undefined
    makeBackup(folder, target, cut, [], { goesOn, copied: () => {} })
    const restored = path.join(root, 'restored')
    restoreBackup(target, restored)
    expect(beginningOf(journal(restored)).position).toBeGreaterThan(0)
    expect(beginningOf(journal(restored))).toEqual(beginningOf(journal()))
    expect(results(restored)).toEqual(before)
  })
})

describe('an archive that lacks removed blocks begins from the summary', () => {
  /** Returns what it logs in some rounds, with pauses; calls `opened` before the first. */
  const worked = (opened: () => void): readonly string[] => {
    const logged: string[] = []
    const time = new ManualTime(new ManualClock(nowMs))
    const indexer = new Indexer({
      dataFolder: folder,
      matchers: 1,
      valuation,
      time,
      archived: new BigInt64Array(new SharedArrayBuffer(8)),
      log: (sentence) => logged.push(sentence),
    })
    opened()
    for (let round = 0; round < 5; round++) {
      indexer.doWork()
      time.advance(1_000)
    }
    indexer.close()
    return logged
  }
  const contents = () => {
    const history = new History(archiveFolder(folder))
    const rows = symbols.map(({ id }) => readAll(history, id, nowMs))
    history.close()
    return rows
  }

  test('when it is found without rows', () => {
    const before = replayed()
    remove(40)
    fs.rmSync(archiveFolder(folder), { recursive: true })
    fs.mkdirSync(archiveFolder(folder))
    fs.writeFileSync(path.join(archiveFolder(folder), 'data.mdb'), '')
    const logged = worked(() => {})
    expect(logged).toEqual([expect.stringContaining('applied again')])
    expect(contents()).toEqual(before)
  })

  test('when they are removed before it has applied any', () => {
    const before = replayed()
    fs.rmSync(archiveFolder(folder), { recursive: true })
    const logged = worked(() => void remove(40))
    expect(logged.at(-1)).toContain('applied again')
    expect(contents()).toEqual(before)
  })
})

test('a crash at any step of the removal loses nothing else', () => {
  const before = results()
  const whole = path.join(root, 'whole')
  fs.cpSync(folder, whole, { recursive: true })
  let isDone = false
  for (let step = 1; !isDone; step++) {
    isDone = !diesAt(step, () => remove(40))
    expect(results(), `after step ${step - 1}`).toEqual(before)
    remove(40)
    expect(beginningOf(journal()).position).toBeGreaterThan(0)
    expect(segmentsIn(journal())[0]!.first).toBe(beginningOf(journal()).position + 1)
    expect(audited().findings, `after step ${step - 1}, and another round`).toEqual([])
    fs.rmSync(folder, { recursive: true })
    fs.cpSync(whole, folder, { recursive: true })
    if (isDone) expect(step).toBeGreaterThan(8)
  }
})
