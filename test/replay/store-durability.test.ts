/**
 * The experiments behind journal/lmdb-store.ts: what a killed process and a lost power supply leave
 * of a journal. Power loss is played by its worst: of all pages written since the last flush, any may
 * have reached the disk and any may not.
 */
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Prng } from '#base/prng.ts'
import { BlockWriter } from '#journal/block.ts'
import { journalFolder, type LmdbStore, openJournal } from '#journal/lmdb-store.ts'
import { readJournals, restoreJournals } from '#journal/recovery.ts'
import { EventStream } from '../unit/archive/event-stream.ts'

const PAGE_BYTES = 4096
const writerProgram = path.resolve('dist/test/replay/store-writer.js')

let folder = ''
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-durability-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function readAll(dataFolder: string): number {
  let last = 0
  for (const block of readJournals(dataFolder)) last = block.position
  return last
}

describe.each(['flushed', 'committed'])('kill -9 while appending, %s', (durability) => {
  test('no position that was told is missing', async () => {
    let last = 0
    for (const appends of [1, 40, 400]) {
      const child = spawn(process.execPath, [writerProgram, folder, durability])
      let told = ''
      child.stdout.on('data', (text) => {
        told += text
        if (told.split('\n').length > appends + 1) child.kill('SIGKILL')
      })
      await new Promise((resolve) => child.once('close', resolve))
      const acknowledged = Number(told.trimEnd().split('\n').at(-1))
      expect(acknowledged).toBeGreaterThanOrEqual(last + appends)
      restoreJournals(folder)
      last = readAll(folder)
      expect(last).toBeGreaterThanOrEqual(acknowledged)
    }
  })
})

const hasStrace = spawnSync('strace', ['-V']).status === 0
describe.skipIf(!hasStrace)('flushes, counted by strace', () => {
  test.each([
    ['flushed', 40],
    ['committed', 0],
  ])('%s: %i for 40 blocks', (durability, expected) => {
    const trace = path.join(folder, 'trace')
    const filter = 'trace=fdatasync,fsync,msync,write'
    const data = path.join(folder, 'data')
    const program = [process.execPath, writerProgram, data, durability, '40']
    spawnSync('strace', ['-f', '-e', filter, '-o', trace, ...program])
    const lines = fs.readFileSync(trace, 'utf8').split('\n')
    const begin = lines.findIndex((line) => line.includes('write(1, "open'))
    expect(begin).toBeGreaterThan(0)
    const flushes = lines.slice(begin).filter((line) => /(fdata|f|m)sync\(/.test(line))
    expect(flushes).toHaveLength(expected)
  })
})

/** Appends batches of random size from one stream of events. */
class Author {
  readonly journal: LmdbStore
  readonly #blocks: BlockWriter
  readonly #stream: EventStream
  readonly #random: Prng

  constructor(dataFolder: string, seed: number, epoch: number, bootId: string) {
    this.journal = openJournal(dataFolder, 0, 'committed', bootId)
    this.#blocks = new BlockWriter({ matcher: 0, epoch, previous: this.journal.lastChecksum })
    this.#stream = new EventStream(seed)
    this.#random = new Prng(seed)
  }

  append(blocks: number): void {
    for (let i = 0; i < blocks; i++) {
      this.#stream.reset()
      const steps = this.#random.chance(0.1) ? 300 : this.#random.between(1, 12)
      for (let step = 0; step < steps; step++) this.#stream.step(0)
      const position = this.journal.lastPosition + 1
      const { events, end } = this.#stream
      this.journal.append(this.#blocks.seal(events, end, position, 0))
    }
  }
}

const dataFile = (dataFolder: string) => path.join(journalFolder(dataFolder, 0), 'data.mdb')
const markFile = (dataFolder: string) => path.join(journalFolder(dataFolder, 0), 'flushed')

/** The disk after power was lost: page by page what was flushed, or what was written since. */
function lose(flushed: Buffer, written: Buffer, random: Prng): Buffer {
  const pages = Math.ceil(Math.max(flushed.length, written.length) / PAGE_BYTES)
  const kept = random.unit()
  const disk = Buffer.alloc(pages * PAGE_BYTES)
  for (let page = 0; page < pages; page++) {
    const at = page * PAGE_BYTES
    const source = random.chance(kept) ? written : flushed
    disk.set(source.subarray(at, at + PAGE_BYTES), at)
  }
  return disk.subarray(0, random.chance(0.5) ? flushed.length : disk.length)
}

function afterPowerLoss(disk: Buffer, mark: Buffer): string {
  const restored = path.join(folder, 'restored')
  fs.rmSync(restored, { recursive: true, force: true })
  fs.mkdirSync(journalFolder(restored, 0), { recursive: true })
  fs.writeFileSync(dataFile(restored), disk)
  fs.writeFileSync(markFile(restored), mark)
  return restored
}

describe('power loss while appending, committed', () => {
  test.each(Array.from({ length: 12 }, (_, i) => i + 1))('seed %i', (seed) => {
    const random = new Prng(seed)
    const source = path.join(folder, 'source')
    const author = new Author(source, seed, 1, 'first boot')
    for (let flushes = random.below(4); flushes > 0; flushes--) {
      author.append(random.below(60))
      author.journal.flush()
    }
    const flushedPosition = author.journal.lastPosition
    const flushed = fs.readFileSync(dataFile(source))
    author.append(random.between(1, 250))
    const written = fs.readFileSync(dataFile(source))
    const mark = fs.readFileSync(markFile(source))
    for (let attempt = 0; attempt < 5; attempt++) {
      const restored = afterPowerLoss(lose(flushed, written, random), mark)
      expect(restoreJournals(restored, 'second boot')).toEqual([0])
      expect(restoreJournals(restored, 'second boot')).toEqual([])
      expect(readAll(restored)).toBe(flushedPosition)
      const next = new Author(restored, seed + 1, 2, 'second boot')
      next.append(30)
      next.journal.close()
      expect(readAll(restored)).toBe(flushedPosition + 30)
    }
    author.journal.close()
    expect(readAll(source)).toBe(author.journal.lastPosition)
  })

  test('while the mark itself was written: the mark before it holds', () => {
    const source = path.join(folder, 'source')
    const author = new Author(source, 5, 1, 'first boot')
    author.append(40)
    author.journal.flush()
    author.append(40)
    author.journal.flush()
    const mark = fs.readFileSync(markFile(source))
    const slotBytes = mark.length / 2
    const newest = mark.readDoubleLE(8) > mark.readDoubleLE(slotBytes + 8) ? 0 : slotBytes
    mark.fill(0xee, newest + 5000, newest + 6000)
    const restored = afterPowerLoss(fs.readFileSync(dataFile(source)), mark)
    expect(restoreJournals(restored, 'second boot')).toEqual([0])
    expect(readAll(restored)).toBe(40)
    author.journal.close()
  })

  test('the same boot id leaves unflushed blocks alone', () => {
    const source = path.join(folder, 'source')
    const author = new Author(source, 6, 1, 'first boot')
    author.append(40)
    const mark = fs.readFileSync(markFile(source))
    const restored = afterPowerLoss(fs.readFileSync(dataFile(source)), mark)
    expect(restoreJournals(restored, 'first boot')).toEqual([])
    expect(readAll(restored)).toBe(40)
    author.journal.close()
  })

  test('a journal that was closed needs no mark', () => {
    const source = path.join(folder, 'source')
    const author = new Author(source, 7, 1, 'first boot')
    author.append(10)
    expect(fs.existsSync(markFile(source))).toBe(true)
    author.journal.close()
    expect(fs.existsSync(markFile(source))).toBe(false)
    expect(restoreJournals(source, 'second boot')).toEqual([])
    expect(readAll(source)).toBe(10)
  })
})
