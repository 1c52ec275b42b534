/**
 * Power losses over the real files of a journal (power-play.ts): whatever is torn, and wherever, recovery
 * finds all that was flushed, and the next start continues from there, several times over. The same at
 * length: `npm run power`.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Prng } from '../../src/base/prng.ts'
import { JournalDamage } from '../../src/journal/block.ts'
import { PAGE_BYTES } from '../../src/journal/environment.ts'
import { flushMarkFile } from '../../src/journal/flush-mark.ts'
import { Journal } from '../../src/journal/journal.ts'
import { journalFolder } from '../../src/journal/lmdb-store.ts'
import { readJournals, recoverWals } from '../../src/journal/recovery.ts'
import type { Durability } from '../../src/journal/store.ts'
import { segmentFile } from '../../src/journal/wal-writer.ts'
import { type BlockSource, JournalRun, type Loss, PowerPlay } from './power-play.ts'
import { AnyBlocks, ExchangeHistory } from './power-sources.ts'

const LIVES = 3
const SEEDS = 6
const BATCHES = 200

let folder = ''
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-power-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  fs.rmSync(folder, { recursive: true, force: true })
})

test.each<Durability>(['flushed', 'committed'])('any crash, any torn sectors, %s', (durability) => {
  const losses: Loss[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Prng(seed)
    const source = new AnyBlocks(random)
    const play = new PowerPlay({ folder, durability, random, source })
    for (let life = 0; life < LIVES; life++) losses.push(play.lose()!)
  }
  expect(losses.some(({ survivors, appended }) => survivors < appended)).toBe(true)
  expect(losses.some(({ isReused }) => isReused)).toBe(true)
})

test('an exchange that lost power is what never stopped was, and its money is whole', () => {
  const history = new ExchangeHistory(path.join(folder, 'history'), 1, BATCHES)
  const moments = new Set<string>()
  for (let seed = 1; moments.size < 4; seed++) {
    const random = new Prng(seed)
    const checked: number[] = []
    const recovered = (data: string, blocks: number) => {
      history.check(data, blocks)
      checked.push(blocks)
    }
    const options = { durability: 'flushed', random, source: history, recovered } as const
    const play = new PowerPlay({ folder: path.join(folder, 'play'), ...options })
    for (let loss = play.lose(); loss !== undefined; loss = play.lose()) moments.add(loss.moment)
    expect(checked.length).toBeGreaterThan(0)
  }
})

test('a journal that says flushed and is not is found out', () => {
  vi.spyOn(Journal.prototype, 'flushedPosition', 'get').mockImplementation(function (
    this: Journal,
  ) {
    return this.lastPosition
  })
  const loseOften = () => {
    for (let seed = 1; seed < 50; seed++) {
      const random = new Prng(seed)
      const source = new AnyBlocks(random)
      new PowerPlay({ folder, durability: 'committed', random, source }).lose()
    }
  }
  expect(loseOften).toThrow('were flushed')
})

/** Blocks as small as they get. */
function smallBlocks(): BlockSource {
  const blocks = new AnyBlocks(new Prng(1))
  return {
    begin: (journal, epoch) => blocks.begin(journal, epoch),
    next: (position) => blocks.block(position, 8),
  }
}

test('a byte of a flushed log that changes costs no block in silence', () => {
  const checksums: number[] = []
  const life = new JournalRun(folder, 'flushed', smallBlocks(), 1)
  for (let i = 0; i < 2; i++) life.append(checksums)
  life.end()
  const file = segmentFile(journalFolder(folder, 0), 0)
  const head = fs.readFileSync(file).subarray(0, 2 * PAGE_BYTES)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: head.length - 1 }), fc.nat(255), (at, byte) => {
      const copy = path.join(folder, 'copy')
      fs.cpSync(journalFolder(folder, 0), journalFolder(copy, 0), { recursive: true })
      const bytes = Buffer.from(head)
      bytes[at] = byte
      const damaged = fs.openSync(segmentFile(journalFolder(copy, 0), 0), 'r+')
      fs.writeSync(damaged, bytes)
      fs.closeSync(damaged)
      try {
        recoverWals(copy)
        const found = Array.from(readJournals(copy), ({ checksum }) => checksum)
        expect(found).toEqual(checksums)
      } catch (error) {
        if (!(error instanceof JournalDamage)) throw error
        expect([...readJournals(copy)]).toEqual([])
      }
      fs.rmSync(copy, { recursive: true })
    }),
    {
      numRuns: 60,
      examples: Array.from({ length: 56 }, (_, at) => [at, 0xff] as [number, number]),
    },
  )
})

test('a block that was given up is never taken for one that came later', () => {
  const checksums: number[] = []
  const first = new JournalRun(folder, 'committed', smallBlocks(), 1)
  const mark = fs.readFileSync(flushMarkFile(journalFolder(folder, 0)))
  for (let i = 0; i < 3; i++) first.append([])
  first.end()
  fs.writeFileSync(flushMarkFile(journalFolder(folder, 0)), mark)
  const segment = segmentFile(journalFolder(folder, 0), 0)
  const torn = fs.readFileSync(segment)
  torn.fill(0, 0, PAGE_BYTES)
  fs.writeFileSync(segment, torn)
  expect(recoverWals(folder)).toBe(0)
  const second = new JournalRun(folder, 'flushed', smallBlocks(), 2)
  second.append(checksums)
  second.end()
  expect(recoverWals(folder)).toBe(1)
  expect(Array.from(readJournals(folder), ({ checksum }) => checksum)).toEqual(checksums)
})
