/**
 * Blocks that were moved out of a journal are read where they are now, by all who read journals, and
 * whatever of a move a crash left undone changes nothing.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditJournals } from '../../scripts/audit/journal-audit.ts'
import { noteSealed, sealSegment } from '../../src/agents/compactor.ts'
import { coveredByAll, makeSnapshot } from '../../src/agents/snapshots.ts'
import { JournalDamage } from '../../src/journal/block.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { readJournals } from '../../src/journal/recovery.ts'
import { lastSealedBlock, sealedFolder } from '../../src/journal/sealed-segments.ts'
import { snapshotFile } from '../../src/journal/snapshot.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { ACCOUNTS } from '../sim/world.ts'
import { appendBlocks, dataFolder, tradedBlocks } from './audit-folder.ts'
import { ORDERS_MAX } from './engine-run.ts'
import { RecoveredExchange, snapshotOptions } from './recovered-exchange.ts'

const BATCHES = 60
const RUN_BYTES = 4_000
/** Removed in one transaction. */
const REMOVED_BYTES = 1_500

let root = ''
let folder = ''
let blocks: readonly Uint8Array[] = []
const makeRoot = () => fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-old-'))
beforeAll(() => {
  const source = makeRoot()
  blocks = tradedBlocks(source, 1, BATCHES)
  fs.rmSync(source, { recursive: true })
})
beforeEach(() => {
  root = makeRoot()
  folder = path.join(root, 'data')
  appendBlocks(folder, blocks.slice(0, 40))
  makeSnapshot(snapshotOptions(folder))
  appendBlocks(folder, blocks.slice(40))
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

const journal = () => journalFolder(folder, 0)
const old = () => sealedFolder(journal())
const options = (cells: WalCells, goesOn = () => true) => ({
  dataFolder: folder,
  matcher: 0,
  cells,
  until: coveredByAll(folder).get(0)!.position - 1,
  goesOn,
  runBytes: RUN_BYTES,
})

/** Moves all that may be; answers the runs. */
function moveAll(cells = new WalCells()) {
  const runs = []
  for (
    let run = sealSegment(options(cells));
    run !== undefined;
    run = sealSegment(options(cells))
  ) {
    runs.push(run)
  }
  return runs
}

/** As the checkpointer does, in so many transactions. */
function removeSealed(cells: WalCells, transactions = Number.POSITIVE_INFINITY): number {
  const store = new LmdbStore(journal())
  let removed = 0
  for (let left = transactions; left > 0; left--) {
    const count = store.removeUpTo(cells.sealed, REMOVED_BYTES)
    if (count === 0) break
    removed += count
  }
  store.close()
  return removed
}

function moveAndRemove(): void {
  const cells = new WalCells()
  moveAll(cells)
  expect(removeSealed(cells)).toBe(cells.sealed)
}

const read = () =>
  [...readJournals(folder)].map(({ position, records, start, end }) => {
    return [position, Buffer.from(records.bytes.slice(start, end)).toString('base64')]
  })

const audited = () =>
  auditJournals({
    data: dataFolder(folder),
    accountsMax: ACCOUNTS,
    ordersMax: ORDERS_MAX,
    advanced: () => {},
  })

describe('blocks that were moved', () => {
  test('are read in their places, and are what they were', () => {
    const before = { read: read(), audit: audited(), hash: new RecoveredExchange(folder).hash }
    expect(before.audit.findings).toEqual([])
    const cells = new WalCells()
    const runs = moveAll(cells)
    expect(runs.length).toBeGreaterThan(2)
    expect(runs.map(({ first }) => first)).toEqual([
      1,
      ...runs.slice(0, -1).map(({ last }) => last + 1),
    ])
    expect(cells.sealed).toBe(runs.at(-1)!.last)
    expect(cells.sealed).toBeLessThan(40)
    expect(removeSealed(cells)).toBe(cells.sealed)
    expect(fs.readdirSync(old())).toHaveLength(runs.length)
    expect(read()).toEqual(before.read)
    expect(audited()).toEqual(before.audit)
    expect(new RecoveredExchange(folder).hash).toBe(before.hash)
    fs.rmSync(snapshotFile(folder, 1))
    expect(new RecoveredExchange(folder).hash).toBe(before.hash)
  })

  test('are only those that every snapshot covers', () => {
    makeSnapshot(snapshotOptions(folder))
    expect(coveredByAll(folder).get(0)!.position).toBe(40)
    fs.writeFileSync(snapshotFile(folder, 1), 'damaged')
    expect(() => coveredByAll(folder)).toThrow('is cut short')
    fs.rmSync(snapshotFile(folder, 1))
    expect(coveredByAll(folder).get(0)!.position).toBe(blocks.length)
  })

  test('may be away while a snapshot continues from behind them, and are asked for otherwise', () => {
    const { hash } = new RecoveredExchange(folder)
    moveAndRemove()
    fs.renameSync(path.dirname(old()), path.join(root, 'away'))
    expect(new RecoveredExchange(folder).hash).toBe(hash)
    expect(read).toThrow(JournalDamage)
    expect(read).toThrow(`Block 1 of journal-0 is missing, also in ${old()}.`)
    expect(audited().findings).toEqual([`Block 1 of journal-0 is missing, also in ${old()}.`])
    fs.renameSync(path.join(root, 'away'), path.dirname(old()))
    expect(audited().findings).toEqual([])
  })

  test.each([
    ['a byte of a run', 8_000, /^Block \d+ of journal-0 /],
    ['the length of its first block', 12, /^Block \d+ of journal-0 /],
  ])('are found out when %s is damaged', (_, at, sentence) => {
    moveAndRemove()
    const name = path.join(old(), fs.readdirSync(old()).sort()[1]!)
    const bytes = fs.readFileSync(name)
    bytes[at % bytes.length]! ^= 0x11
    fs.writeFileSync(name, bytes)
    expect(read).toThrow(JournalDamage)
    expect(read).toThrow(sentence)
  })

  test('are read by who had the journal open before', () => {
    const reader = new JournalReader(journal())
    expect(reader.block(1)).toBeDefined()
    moveAndRemove()
    for (const [index, block] of blocks.entries()) {
      reader.refresh()
      expect(Buffer.from(reader.block(index + 1)!).equals(Buffer.from(block))).toBe(true)
    }
    // And backwards, from the middle of a run.
    for (const position of [30, 7, 7, 3]) {
      expect(Buffer.from(reader.block(position)!).equals(Buffer.from(blocks[position - 1]!))).toBe(
        true,
      )
    }
    expect(reader.block(blocks.length + 1)).toBeUndefined()
    reader.close()
  })
})

describe('a crash', () => {
  test.each([0, 1, 2])('after %i transactions of the removal', (transactions) => {
    const before = read()
    moveAll()
    const cells = new WalCells()
    noteSealed(folder, 0, cells)
    expect(cells.sealed).toBe(lastSealedBlock(journal()))
    const removed = removeSealed(cells, transactions)
    expect(removed).toBeLessThan(cells.sealed)
    expect(read()).toEqual(before)
    const again = new WalCells()
    noteSealed(folder, 0, again)
    expect(removed + removeSealed(again)).toBe(cells.sealed)
    expect(read()).toEqual(before)
    expect(sealSegment(options(again))).toBeUndefined()
  })

  test('while a run is written leaves what the next run replaces', () => {
    const before = read()
    fs.mkdirSync(old(), { recursive: true })
    fs.writeFileSync(path.join(old(), 'partial'), blocks[0]!)
    expect(lastSealedBlock(journal())).toBe(0)
    moveAndRemove()
    expect(fs.readdirSync(old())).not.toContain('partial')
    expect(read()).toEqual(before)
  })

  test('or a stop ends a run early, and the next continues behind it', () => {
    const before = read()
    const cells = new WalCells()
    let asked = 0
    expect(sealSegment(options(cells, () => ++asked < 3))).toBeUndefined()
    expect(fs.existsSync(old())).toBe(false)
    asked = -1_000
    const counted = () => ++asked < 0
    while (sealSegment(options(cells, counted)) !== undefined);
    moveAll(cells)
    removeSealed(cells)
    expect(read()).toEqual(before)
  })
})
