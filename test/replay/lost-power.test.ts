/**
 * Power is lost at each moment of what the exchange does with its files outside the write-ahead log, and every
 * kind of state that may be left (recorded-disk.ts) is started from: what was acknowledged is there, and what
 * has a name is whole.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealSegment } from '../../src/agents/compactor.ts'
import { removeOldSegments } from '../../src/agents/journal-retention.ts'
import { makeSnapshot, removeSnapshotsBehind } from '../../src/agents/snapshots.ts'
import { OpenMark } from '../../src/archive/open-mark.ts'
import { keepEverything } from '../../src/archive/retention.ts'
import { claimDataFolder } from '../../src/assembly/main/exclusive.ts'
import { Ms } from '../../src/base/units.ts'
import { FORMAT, MANIFEST, makeBackup, readManifest } from '../../src/journal/backup.ts'
import { BlockReader, JOURNAL_LAYOUT } from '../../src/journal/block.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { readCorrections, storeCorrections } from '../../src/journal/corrections.ts'
import { PAGE_BYTES, StorageError } from '../../src/journal/environment.ts'
import { type Journal, openJournal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { readJournals, recoverWals } from '../../src/journal/recovery.ts'
import { finishReplacing, replaceContent, stageState } from '../../src/journal/replacing.ts'
import { hasFacts, restoreBackup } from '../../src/journal/restore.ts'
import { findLost, giveUpLost } from '../../src/journal/salvage.ts'
import {
  archiveBaseFile,
  beginningOf,
  lastSealedBlock,
  sealedFolder,
} from '../../src/journal/sealed-segments.ts'
import { SnapshotFile, snapshotsIn } from '../../src/journal/snapshot.ts'
import { removeState } from '../../src/journal/states.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { segmentFile } from '../../src/journal/wal-writer.ts'
import { writeWholeFile } from '../../src/journal/whole-file.ts'
import { makeQuickFolder } from '../sim/quick-folder.ts'
import { appendBlocks, tradedBlocks } from './audit-folder.ts'
import { newArchive, valuation } from './new-archive.ts'
import { materialize, RecordedDisk } from './recorded-disk.ts'
import { snapshotOptions } from './recovered-exchange.ts'

let root: string
let blocks: readonly Uint8Array[]
/** What an archive of all blocks has. */
let whole: unknown
let nowMs: Ms
beforeAll(() => {
  root = makeQuickFolder('ringbook-lost-power-')
  blocks = tradedBlocks(path.join(root, 'source'), 1, 30)
  const last = new BlockReader()
  last.open(blocks.at(-1)!, 'A block')
  nowMs = Ms(last.timeMs + 1_000)
  appendBlocks(path.join(root, 'whole'), blocks)
  whole = newArchive(path.join(root, 'whole'), nowMs)
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

/** What one of the exchange's parts does with files, and what a start must find. `data` is the data folder. */
interface Act {
  prepare?(data: string): void
  act(data: string, mark: (what: string) => void): void | Promise<void>
  /** Starts from what is left; throws, or expects. `mark` is the last thing that others received. */
  start(data: string, mark: string): void
}

function factsOf(folder: string): readonly unknown[] {
  const control = ControlStore.open(folder)
  try {
    return [...control.entries()]
  } finally {
    control.close()
  }
}

/** None where a creation was interrupted and a start reports it. */
function factsOrRefusal(folder: string): readonly unknown[] {
  try {
    return factsOf(folder)
  } catch (error) {
    expect(error).toBeInstanceOf(StorageError)
    return []
  }
}

function openLog(data: string): Journal {
  const parts = { cells: new WalCells(), segmentBegun: () => {}, makeRoom: () => {} }
  return openJournal(data, 0, 'flushed', { ...parts, segmentBytes: 8 * PAGE_BYTES })
}

function fill(folder: string, facts: readonly unknown[], text: string): void {
  fs.mkdirSync(folder, { recursive: true })
  const control = ControlStore.open(folder)
  control.appendAll(facts)
  control.close()
  fs.writeFileSync(path.join(folder, 'secret.key'), 'k'.repeat(32))
  for (const name of ['journal-0', 'archive-base']) {
    fs.mkdirSync(path.join(folder, name))
    fs.writeFileSync(path.join(folder, name, 'data.mdb'), text)
  }
}

const textsOf = (folder: string) =>
  ['journal-0', 'archive-base'].map((name) =>
    fs.readFileSync(path.join(folder, name, 'data.mdb'), 'utf8'),
  )

/** A journal of blocks that a snapshot covers. */
function journalOf(data: string): void {
  appendBlocks(data, blocks.slice(0, 20))
  makeSnapshot(snapshotOptions(data))
  appendBlocks(data, blocks.slice(20))
}

const sealing = (data: string) => ({
  dataFolder: data,
  matcher: 0,
  cells: new WalCells(),
  covered: 16,
  goesOn: () => true,
  segmentBytes: 3_000,
})

/** Seals what may be, and removes it from LMDB. */
function sealAll(data: string): void {
  const options = sealing(data)
  while (sealSegment(options) !== undefined);
  leaveToSegments(data, options.cells.sealed)
}

/** Removes sealed blocks, as the checkpointer does: segments alone have them. */
function leaveToSegments(data: string, sealed: number): void {
  const store = new LmdbStore(journalFolder(data, 0))
  while (store.removeUpTo(sealed, 1 << 20) > 0);
  store.close()
}

/** Beginnings and summaries from which the whole archive was made. */
const archives = new Set<string>()

const cut = { timeMs: Ms(1), control: 3, snapshot: 1 }
const CORRECTED = [{ fromMs: 1, toMs: 2 }]
const events = { goesOn: () => true, copied: () => {} }

const acts: Readonly<Record<string, Act>> = {
  'facts of operators': {
    act(data, mark) {
      const control = ControlStore.open(data)
      control.append('one')
      mark('1')
      control.appendAll(['two', 'three'])
      mark('3')
      control.close()
    },
    start(data, mark) {
      const facts = mark === '' ? factsOrRefusal(data) : factsOf(data)
      expect(['one', 'two', 'three'].slice(0, facts.length)).toEqual(facts)
      expect(facts.length).toBeGreaterThanOrEqual(Number(mark))
    },
  },
  'other content in the place of old': {
    prepare(data) {
      fill(data, ['a', 'b', 'c'], 'old')
      const state = path.join(data, 'states', 'one')
      fill(state, ['a'], 'new')
      const manifest = JSON.stringify({ format: FORMAT, layout: JOURNAL_LAYOUT })
      fs.writeFileSync(path.join(state, MANIFEST), manifest)
    },
    async act(data, mark) {
      await stageState(data, path.join(data, 'states', 'one'), 'loaded')
      replaceContent(data)
      mark('replaced')
    },
    start(data, mark) {
      finishReplacing(data)
      const found = { facts: factsOf(data), texts: textsOf(data) }
      const old = { facts: ['a', 'b', 'c'], texts: ['old', 'old'] }
      const next = { facts: ['a', 'loaded'], texts: ['new', 'new'] }
      expect(mark === '' ? [old, next] : [next]).toContainEqual(found)
      expect(fs.existsSync(path.join(data, 'secret.key'))).toBe(true)
    },
  },
  'a data folder that is made': {
    async act(data, mark) {
      const claim = await claimDataFolder(path.join(data, 'one', 'two'))
      mark('made')
      claim.close()
    },
    start(data, mark) {
      if (mark !== '') expect(fs.existsSync(path.join(data, 'one', 'two'))).toBe(true)
    },
  },
  'the mark of an open archive': {
    act(data, mark) {
      new OpenMark(data).begin()
      mark('open')
    },
    start(data, mark) {
      if (mark !== '') expect(new OpenMark(data).isKept).toBe(false)
    },
  },
  'a journal that is new': {
    act(data, mark) {
      const log = openLog(data)
      for (const block of blocks.slice(0, 2)) {
        log.append(block)
        mark(String(log.lastPosition))
      }
      log.close()
    },
    start(data, mark) {
      try {
        recoverWals(data)
        expect(Array.from(readJournals(data)).length).toBeGreaterThanOrEqual(Number(mark))
      } catch (error) {
        // Nothing was acknowledged.
        if (mark !== '' || !(error instanceof StorageError)) throw error
      }
    },
  },
  'a salvage': {
    prepare(data) {
      appendBlocks(data, blocks.slice(0, 4))
      const log = openLog(data)
      for (const block of blocks.slice(4, 6)) log.append(block)
      log.close()
      const folder = journalFolder(data, 0)
      fs.rmSync(segmentFile(folder, 0))
      fs.mkdirSync(sealedFolder(folder), { recursive: true })
      fs.writeFileSync(path.join(sealedFolder(folder), '000000000001-000000000009'), '')
      fs.mkdirSync(path.join(data, 'archive'))
      fs.writeFileSync(path.join(data, 'archive', 'data.mdb'), 'of what is lost')
    },
    act(data, mark) {
      giveUpLost(data, findLost(data))
      mark('given up')
    },
    start(data, mark) {
      const isArchived = fs.existsSync(path.join(data, 'archive'))
      if (mark !== '') expect([findLost(data), isArchived]).toEqual([[], false])
      giveUpLost(data, findLost(data))
      expect(recoverWals(data)).toBe(0)
      expect(Array.from(readJournals(data))).toHaveLength(4)
    },
  },
  'a state that is removed': {
    prepare(data) {
      const state = path.join(data, 'states', 'one')
      fill(state, ['a'], 'new')
      fs.writeFileSync(path.join(state, MANIFEST), '{}')
    },
    act(data, mark) {
      removeState(data, 'state', 'one')
      mark('removed')
    },
    start(data, mark) {
      const state = path.join(data, 'states', 'one')
      if (!fs.existsSync(state)) return
      expect(mark).toBe('')
      expect(textsOf(state)).toEqual(['new', 'new'])
      expect([factsOf(state), fs.existsSync(path.join(state, MANIFEST))]).toEqual([['a'], true])
    },
  },
  'a small file': {
    prepare: (data) => fs.writeFileSync(path.join(data, 'token'), 'old'),
    act(data, mark) {
      writeWholeFile(path.join(data, 'token'), 'new')
      mark('written')
    },
    start: (data, mark) =>
      expect(mark === '' ? ['old', 'new'] : ['new']).toContain(
        fs.readFileSync(path.join(data, 'token'), 'utf8'),
      ),
  },
  'a snapshot': {
    prepare: journalOf,
    act(data, mark) {
      makeSnapshot(snapshotOptions(data))
      mark('2')
    },
    start(data, mark) {
      const numbers = snapshotsIn(data)
      for (const number of numbers) new SnapshotFile(data, number).close()
      expect(numbers).toContain(Number(mark === '' ? 1 : mark))
    },
  },
  'snapshots that a salvage removes': {
    prepare(data) {
      journalOf(data)
      makeSnapshot(snapshotOptions(data))
    },
    act(data, mark) {
      removeSnapshotsBehind(data, new Map([[0, 10]]))
      mark('removed')
    },
    start: (data, mark) => expect(mark === '' ? [] : snapshotsIn(data)).toEqual([]),
  },
  'a sealed segment': {
    prepare: journalOf,
    act(data, mark) {
      const options = sealing(data)
      const { setSealed } = options.cells
      options.cells.setSealed = (position) => {
        mark(String(position))
        setSealed.call(options.cells, position)
      }
      sealSegment(options)
    },
    start(data, mark) {
      const sealed = lastSealedBlock(journalFolder(data, 0))
      expect(sealed).toBeGreaterThanOrEqual(Number(mark))
      leaveToSegments(data, sealed)
      expect(Array.from(readJournals(data))).toHaveLength(blocks.length)
    },
  },
  'segments that retention removes': {
    prepare(data) {
      journalOf(data)
      sealAll(data)
    },
    act(data, mark) {
      const options = { dataFolder: data, valuation, retention: keepEverything, goesOn: () => true }
      const steps = removeOldSegments({ ...options, nowMs, beforeMs: nowMs })
      while (steps.next().done !== true);
      mark('removed')
    },
    start(data, mark) {
      const { position } = beginningOf(journalFolder(data, 0))
      if (mark !== '') expect(position).toBeGreaterThan(0)
      const reader = new JournalReader(journalFolder(data, 0))
      const found = blocks.slice(position).map((_, i) => reader.block(position + i + 1))
      reader.close()
      expect(found).not.toContain(undefined)
      const base = archiveBaseFile(data)
      const summary = fs.existsSync(base) ? fs.readFileSync(base, 'base64') : ''
      const known = `${position} ${summary}`
      if (!archives.has(known)) expect(newArchive(data, nowMs)).toEqual(whole)
      archives.add(known)
    },
  },
  'a backup': {
    prepare(data) {
      journalOf(data)
      fs.writeFileSync(path.join(data, 'secret.key'), 'k'.repeat(32))
      const control = ControlStore.open(data)
      control.appendAll(['a', 'b', 'c'])
      control.close()
      storeCorrections(data, CORRECTED)
    },
    act(data, mark) {
      const positions = [blocks.length]
      makeBackup(data, path.join(data, 'backup'), { ...cut, positions }, [], events)
      mark('made')
    },
    start(data, mark) {
      const backup = path.join(data, 'backup')
      if (mark === '' && !fs.existsSync(backup)) return
      expect(readManifest(backup).blocks).toBe(blocks.length)
      expect(factsOf(backup)).toEqual(['a', 'b', 'c'])
      expect(readCorrections(backup)).toEqual(CORRECTED)
      expect(Array.from(readJournals(backup))).toHaveLength(blocks.length)
      new SnapshotFile(backup, 1).close()
    },
  },
  'a restore': {
    prepare: (data) => {
      const source = path.join(data, 'source')
      fill(source, ['a', 'b', 'c'], 'new')
      fs.rmSync(path.join(source, 'journal-0'), { recursive: true })
      makeBackup(
        source,
        path.join(data, 'backup'),
        { ...cut, positions: [], snapshot: 0 },
        [],
        events,
      )
      fs.rmSync(source, { recursive: true })
    },
    act(data, mark) {
      restoreBackup(path.join(data, 'backup'), path.join(data, 'restored'))
      mark('restored')
    },
    start(data, mark) {
      const folder = path.join(data, 'restored')
      if (mark === '' && !hasFacts(folder)) return
      expect(factsOf(folder)).toEqual(['a', 'b', 'c'])
      expect(fs.readFileSync(path.join(folder, 'secret.key'), 'utf8')).toBe('k'.repeat(32))
      const base = path.join(folder, 'archive-base', 'data.mdb')
      expect(fs.readFileSync(base, 'utf8')).toBe('new')
    },
  },
}

describe('a power loss at any moment of', () => {
  test.each(Object.entries(acts))('%s', async (name, { prepare, act, start }) => {
    const data = path.join(root, name.replaceAll(' ', '-'))
    fs.mkdirSync(data)
    prepare?.(data)
    const disk = new RecordedDisk(data)
    await disk.record((mark) => act(data, mark))
    let losses = 0
    for (const { mark, kept, state } of disk.losses()) {
      // LMDB knows files by their paths.
      const left = `${data}.${losses++}`
      fs.mkdirSync(left)
      materialize(state, left)
      try {
        start(left, mark)
      } catch (error) {
        throw new Error(`told "${mark}", kept ${kept}: ${(error as Error).message}`)
      }
      fs.rmSync(left, { recursive: true })
    }
    expect(losses).toBeGreaterThan(3)
  })
})
