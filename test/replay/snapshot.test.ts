/**
 * Snapshots in the middle of random trading of every kind: what begins from one is what never stopped,
 * in its hash and in every byte that it journals from there on. What is damaged is passed over.
 */
import fs from 'node:fs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { makeSnapshot, SnapshotMaker } from '../../src/agents/snapshots.ts'
import { AccountId, type Ms } from '../../src/base/units.ts'
import { Book } from '../../src/core/book/book.ts'
import { checkBook } from '../../src/core/book/invariants.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { stateHash } from '../../src/core/state-hash.ts'
import { BlockReader } from '../../src/journal/block.ts'
import { Checkpointer } from '../../src/journal/checkpointer.ts'
import { openJournal } from '../../src/journal/journal.ts'
import { journalFolder, LmdbReader, LmdbStore } from '../../src/journal/lmdb-store.ts'
import {
  type Section,
  SectionKind,
  snapshotFile,
  snapshotsIn,
  writeSnapshot,
} from '../../src/journal/snapshot.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { ImageWriter } from '../../src/layout/image.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { spyOnFs } from '../fixtures/spied-fs.ts'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { EngineRun } from './engine-run.ts'
import { RecoveredExchange, snapshotOptions } from './recovered-exchange.ts'

const SEEDS = Number(process.env.RINGBOOK_SNAPSHOT_SEEDS ?? 6)
const BATCHES = 160

const folder = folderPerTest()

interface Batch {
  readonly commands: { command: RecordBuffer; timeMs: Ms }[]
  /** The journal's position when the batch was done. */
  readonly position: number
}

interface History {
  readonly batches: readonly Batch[]
  readonly blocks: readonly Uint8Array[]
  /** By symbol, without balances: of the engines that never stopped. */
  readonly engines: EngineRun['engines']
  /** By account: when its balances last changed, for clients that queried the engines' exchange. */
  readonly changedMs: readonly Ms[]
}

const changesIn = (balances: Balances) =>
  Array.from({ length: balances.accountsMax }, (_, id) => balances.changedMs(AccountId(id)))

/** Trades of every kind, with all commands and all blocks. */
function trade(seed: number): History {
  const source = folder(`source-${seed}`)
  const run = new EngineRun(source, seed)
  let commands: Batch['commands'] = []
  for (const engine of run.engines) {
    const execute = engine.execute.bind(engine)
    vi.spyOn(engine, 'execute').mockImplementation((buffer, at, timeMs, output) => {
      const command = RecordBuffer.allocate(buffer.bytes.length)
      command.bytes.set(buffer.bytes)
      commands.push({ command, timeMs })
      execute(buffer, at, timeMs, output)
    })
  }
  const batches = Array.from({ length: BATCHES }, () => {
    commands = []
    run.batch()
    return { commands, position: run.wals[0]!.written }
  })
  run.close()
  const reader = new LmdbReader(journalFolder(source, 0))
  const blocks: Uint8Array[] = []
  for (let position = 1; position <= batches.at(-1)!.position; position++) {
    blocks.push(Uint8Array.from(reader.block(position)!))
  }
  reader.close()
  const changedMs = changesIn(run.balances)
  return { batches, blocks, engines: run.engines, changedMs }
}

/** Makes the journal of `data` as long as it was after that block. */
function journalUpTo(data: string, blocks: readonly Uint8Array[], position: number): void {
  const store = new LmdbStore(journalFolder(data, 0))
  let next = store.lastPosition
  store.append(() => (next < position ? blocks[next++] : undefined))
  store.close()
}

const nothing = () => new Balances(new SharedArrayBuffer(Balances.bytesFor(1, 1)), 1, 1)

function eventsOf(blocks: readonly Uint8Array[], from: number, to: number): Buffer {
  const reader = new BlockReader()
  const parts = blocks.slice(from, to).map((block) => {
    reader.open(block, '')
    return Buffer.from(reader.records.bytes.slice(reader.start, reader.end))
  })
  return Buffer.concat(parts)
}

test.each(
  Array.from({ length: SEEDS }, (_, i) => i + 1),
)('seed %i: a snapshot continues as what never stopped', (seed) => {
  const { batches, blocks, engines, changedMs } = trade(seed)
  const data = folder(`data-${seed}`)
  for (let batch = 19; batch < BATCHES; batch += 20) {
    const { position } = batches[batch]!
    journalUpTo(data, blocks, position)
    const made = makeSnapshot(snapshotOptions(data))
    expect(made?.covered.points.get(0)?.position).toBe(position)
    const recovered = new RecoveredExchange(data)
    expect(recovered.snapshotNumber).toBe(made?.number)
    expect(recovered.replayedEvents).toBe(0)
    expect(recovered.hash).toBe(new RecoveredExchange(data, false).hash)
    for (const engine of recovered.engines) checkBook(engine.book as Book)
    let before = position
    for (const { commands, position } of batches.slice(batch + 1)) {
      expect(recovered.batch(commands).equals(eventsOf(blocks, before, position))).toBe(true)
      before = position
    }
    expect(stateHash(recovered.engines, nothing())).toBe(stateHash(engines, nothing()))
  }
  expect(snapshotsIn(data)).toHaveLength(3)
  expect(changesIn(new RecoveredExchange(data).balances)).toEqual(changedMs)
})

test('ids of lists continue behind a snapshot that met no new list', () => {
  const { blocks } = trade(1)
  const ids: number[] = []
  for (let position = 1; position <= blocks.length; position++) {
    journalUpTo(folder(), blocks, position)
    ids.push(makeSnapshot(snapshotOptions(folder()))!.covered.orderListId)
  }
  expect(ids.toSorted((a, b) => a - b)).toEqual(ids)
  const quiet = ids.filter((id, at) => id > 0 && id === ids[at - 1])
  expect(quiet.length).toBeGreaterThan(0)
})

test('nothing new makes no snapshot, and giving up leaves none', () => {
  const { blocks } = trade(1)
  journalUpTo(folder(), blocks, 20)
  let asked = 0
  const goesOn = () => ++asked < 5
  expect(makeSnapshot({ ...snapshotOptions(folder()), goesOn })).toBeUndefined()
  expect(snapshotsIn(folder())).toEqual([])
  expect(makeSnapshot(snapshotOptions(folder()))?.number).toBe(1)
  expect(makeSnapshot(snapshotOptions(folder()))).toBeUndefined()
})

test('a symbol that is not known is not left out in silence', () => {
  const { blocks } = trade(1)
  journalUpTo(folder(), blocks, 40)
  const options = snapshotOptions(folder())
  const symbols = () => options.symbols().slice(0, -1)
  expect(() => makeSnapshot({ ...options, symbols })).toThrow('a symbol that is not listed')
  expect(snapshotsIn(folder())).toEqual([])
})

describe('a maker of many snapshots', () => {
  const STEP = 20
  const made = (maker: SnapshotMaker) => {
    const steps = maker.steps()
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value
    }
  }
  /** Both folders have the journal up to there; the other's snapshot is made from its files alone. */
  function expectSame(maker: SnapshotMaker, data: string, other: string): void {
    const { number } = made(maker)!
    expect(makeSnapshot(snapshotOptions(other))!.number).toBe(number)
    const [one, fromFiles] = [data, other].map((at) => fs.readFileSync(snapshotFile(at, number)))
    expect(one!.equals(fromFiles!)).toBe(true)
  }
  let data = ''
  let other = ''
  let blocks: readonly Uint8Array[] = []
  const upTo = (position: number) => {
    for (const at of [data, other]) journalUpTo(at, blocks, position)
  }
  beforeEach(() => {
    data = folder('kept')
    other = folder('other')
    blocks = trade(5).blocks
  })

  test('continues in the memory of the first, byte for byte as from the files', () => {
    const maker = new SnapshotMaker(snapshotOptions(data))
    upTo(STEP)
    expectSame(maker, data, other)
    for (let position = 2 * STEP; position <= blocks.length; position += STEP) {
      upTo(position)
      const taken = vi.spyOn(Book, 'bytesFor')
      const steps = maker.steps()
      steps.next()
      for (let step = steps.next(); step.done !== true; step = steps.next());
      expect(taken).not.toHaveBeenCalled()
      taken.mockRestore()
      const { number } = makeSnapshot(snapshotOptions(other))!
      const [one, fromFiles] = [data, other].map((at) => fs.readFileSync(snapshotFile(at, number)))
      expect(one!.equals(fromFiles!)).toBe(true)
      expect(made(maker)).toBeUndefined()
    }
  })

  test('begins from the files again after one that failed, or was given up', () => {
    const options = snapshotOptions(data)
    const listed = options.symbols()
    let symbols = listed
    const maker = new SnapshotMaker({ ...options, symbols: () => symbols })
    upTo(STEP)
    expectSame(maker, data, other)
    upTo(2 * STEP)
    const steps = maker.steps()
    for (let i = 0; i < STEP / 2; i++) expect(steps.next().done).toBe(false)
    steps.return(undefined)
    expectSame(maker, data, other)
    upTo(3 * STEP)
    spyOnFs('fsyncSync').mockImplementationOnce(() => {
      throw new Error('the disk is full')
    })
    expect(() => made(maker)).toThrow('the disk is full')
    expectSame(maker, data, other)
    const fresh = new SnapshotMaker({ ...options, symbols: () => symbols })
    symbols = listed.slice(0, -1)
    upTo(4 * STEP)
    expect(() => made(fresh)).toThrow('a symbol that is not listed')
    symbols = listed
    expectSame(fresh, data, other)
  })
})

test('what fails while it is written leaves no file', () => {
  function* sections(): Iterable<Section> {
    yield { kind: SectionKind.LEDGER, id: 0, image: new ImageWriter() }
    throw new Error('the disk is full')
  }
  expect(() => writeSnapshot(folder(), 1, sections())).toThrow('the disk is full')
  expect(fs.readdirSync(folder('snapshots'))).toEqual([])
})

test('what a power loss could still undo is in no snapshot', () => {
  const { blocks } = trade(1)
  const cells = new WalCells()
  const parts = { cells, segmentBegun: () => {}, makeRoom: () => {} }
  const journal = openJournal(folder(), 0, 'committed', parts)
  for (const block of blocks.slice(0, 20)) journal.append(block)
  expect(makeSnapshot(snapshotOptions(folder()))).toBeUndefined()
  const checkpointer = new Checkpointer(folder(), 0, cells)
  while (checkpointer.checkpoint() > 0);
  expect(makeSnapshot(snapshotOptions(folder()))?.covered.points.get(0)?.position).toBe(20)
  checkpointer.close()
  journal.close()
})

describe('what cannot be used is passed over for the one before, and said', () => {
  const damages: [string, string, (file: string) => void][] = [
    ['cut short', 'cut short', (file) => fs.truncateSync(file, fs.statSync(file).size - 1)],
    ['without its end', 'cut short', (file) => fs.truncateSync(file, fs.statSync(file).size - 24)],
    ['empty', 'cut short', (file) => fs.truncateSync(file, 0)],
    ['longer', 'longer than it says', (file) => fs.appendFileSync(file, 'x')],
    ['of a newer layout', 'another layout', (file) => poke(file, 4, 99)],
    ['of another number', 'name of another', (file) => poke(file, 16, 1)],
    ['with another begin', 'does not begin', (file) => poke(file, 0, 1)],
  ]
  test.each(damages)('%s', (_, why, damage) => {
    const { blocks } = trade(2)
    journalUpTo(folder(), blocks, 30)
    makeSnapshot(snapshotOptions(folder()))
    journalUpTo(folder(), blocks, 60)
    makeSnapshot(snapshotOptions(folder()))
    damage(snapshotFile(folder(), 2))
    const recovered = new RecoveredExchange(folder())
    expect(recovered.snapshotNumber).toBe(1)
    expect(recovered.logged.join()).toContain(why)
    expect(recovered.hash).toBe(new RecoveredExchange(folder(), false).hash)
    expect(makeSnapshot(snapshotOptions(folder()))?.number).toBe(3)
  })

  test('any single bit', () => {
    const { blocks } = trade(3)
    journalUpTo(folder(), blocks, 40)
    makeSnapshot(snapshotOptions(folder()))
    const file = snapshotFile(folder(), 1)
    const whole = fs.readFileSync(file)
    for (let at = 0; at < whole.length; at += 37) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1 << (at % 8)
      fs.writeFileSync(file, damaged)
      expect(new RecoveredExchange(folder()).snapshotNumber, `byte ${at}`).toBe(0)
    }
  })

  test('a journal that lost what a snapshot covers is not gone on from', () => {
    const { blocks } = trade(4)
    journalUpTo(folder(), blocks, 30)
    makeSnapshot(snapshotOptions(folder()))
    fs.rmSync(journalFolder(folder(), 0), { recursive: true })
    const start = () => new RecoveredExchange(folder())
    expect(start).toThrow(
      /^journal-0 is no longer there\. It is in snapshot 1, so it was lost since\./,
    )
    journalUpTo(folder(), blocks, 10)
    expect(start).toThrow(/Block 30 of journal-0 is no longer there\. It is in snapshot 1/)
    fs.rmSync(journalFolder(folder(), 0), { recursive: true })
    journalUpTo(folder(), trade(5).blocks, 30)
    expect(start).toThrow(/not the one that was read before\. It is in snapshot 1/)
    fs.rmSync(snapshotFile(folder(), 1))
    expect(start().snapshotNumber).toBe(0)
  })
})

function poke(file: string, at: number, value: number): void {
  const bytes = fs.readFileSync(file)
  bytes.writeInt32LE(value, at)
  fs.writeFileSync(file, bytes)
}
