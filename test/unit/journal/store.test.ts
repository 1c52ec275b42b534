import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AssertionError } from '#base/assert.ts'
import { BLOCK_BYTES_MAX } from '#base/limits.ts'
import { BlockWriter, JournalDamage } from '#journal/block.ts'
import { ControlStore } from '#journal/control-store.ts'
import { StorageError } from '#journal/environment.ts'
import { JournalReader, journalFolder, openJournal } from '#journal/lmdb-store.ts'
import { JournalMerge, journalsIn, readJournals } from '#journal/recovery.ts'
import type { Durability } from '#journal/store.ts'
import { RecordBuffer } from '#layout/record-buffer.ts'
import { writeOrderRested } from '#layout/records.gen.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const DURABILITIES: Durability[] = ['flushed', 'committed']

/** Appends blocks of one record each, whose order ids are given. */
function append(matcher: number, epoch: number, orderIds: number[], durability: Durability): void {
  const journal = openJournal(folder, matcher, durability)
  const blocks = new BlockWriter({ matcher, epoch, previous: journal.lastChecksum })
  const events = RecordBuffer.allocate(1024)
  for (const orderId of orderIds) {
    const end = writeOrderRested(events, 0, {
      symbolId: 0,
      gateway: 0,
      correlation: 0,
      timeMs: 0,
      sequence: 1,
      account: 1,
      terms: 0,
      orderId,
      priceTicks: 1,
      restedLots: 1,
      updateId: 1,
    })
    journal.append(blocks.seal(events, end, journal.lastPosition + 1, 0))
  }
  journal.close()
}

const orderIdAt = (records: RecordBuffer, start: number) => records.f64[(start >> 3) + 5]!
const read = () => {
  const blocks = []
  for (const it of readJournals(folder)) {
    blocks.push([it.epoch, it.matcher, it.position, orderIdAt(it.records, it.start)])
  }
  return blocks
}

describe.each(DURABILITIES)('a journal, %s', (durability) => {
  test('counts positions from 1, and goes on after it was closed', () => {
    const bytes = (i: number) => new Uint8Array(100 * i).fill(i)
    let journal = openJournal(folder, 0, durability)
    expect([journal.lastPosition, journal.flushedPosition]).toEqual([0, 0])
    for (let i = 1; i <= 3; i++) journal.append(bytes(i))
    expect(journal.lastPosition).toBe(3)
    expect(journal.flushedPosition).toBe(durability === 'flushed' ? 3 : 0)
    journal.flush()
    expect(journal.flushedPosition).toBe(3)
    journal.close()
    journal = openJournal(folder, 0, durability)
    expect([journal.lastPosition, journal.flushedPosition]).toEqual([3, 3])
    journal.append(bytes(4))
    const found = [...journal.blocks(2)].map(({ position, block }) => [position, block.length])
    expect(found).toEqual([
      [2, 200],
      [3, 300],
      [4, 400],
    ])
    journal.close()
  })

  test('holds blocks of every size, whole', () => {
    const journal = openJournal(folder, 0, durability)
    const sizes = [1, 56, 2000, 4000, 4096, 5000, 70_000, 250_000, BLOCK_BYTES_MAX]
    for (const [i, size] of sizes.entries()) journal.append(new Uint8Array(size).fill(i + 1))
    for (const { position, block } of journal.blocks(1)) {
      expect(block.length).toBe(sizes[position - 1])
      expect(block.every((byte) => byte === position)).toBe(true)
    }
    expect(() => journal.append(new Uint8Array(BLOCK_BYTES_MAX + 1))).toThrow(AssertionError)
    journal.close()
  })

  test('is read beside its writer, as of the last refresh', () => {
    const journal = openJournal(folder, 0, durability)
    const reader = new JournalReader(journalFolder(folder, 0))
    for (let position = 1; position <= 200; position++) {
      expect(reader.block(position)).toBeUndefined()
      journal.append(new Uint8Array(10).fill(position))
      reader.refresh()
      expect(reader.block(position)?.[9]).toBe(position)
    }
    reader.close()
    journal.close()
  })
})

test('committed blocks do not wait for a flush without end', () => {
  const journal = openJournal(folder, 0, 'committed')
  const block = new Uint8Array(100)
  for (let i = 0; i < 1_500; i++) {
    journal.append(block)
    expect(journal.lastPosition - journal.flushedPosition).toBeLessThan(512)
  }
  journal.flush()
  const large = new Uint8Array(1 << 20)
  for (let i = 0; i < 40; i++) {
    journal.append(large)
    expect(journal.lastPosition - journal.flushedPosition).toBeLessThan(20)
  }
  journal.close()
})

test('a folder that cannot be a journal is one clear sentence', () => {
  writeFileSync(path.join(folder, 'journal-0'), 'a file')
  expect(() => openJournal(folder, 0, 'flushed')).toThrow(StorageError)
  expect(() => openJournal(folder, 0, 'flushed')).toThrow(/journal-0 cannot be used: .*EEXIST/)
})

describe('recovery', () => {
  test('nothing yet', () => {
    expect(journalsIn(path.join(folder, 'absent'))).toEqual([])
    expect(read()).toEqual([])
  })

  test('goes epoch by epoch, then journal by journal, whatever the number of matchers', () => {
    append(0, 1, [1, 2], 'committed')
    append(2, 1, [3], 'flushed')
    append(10, 1, [4], 'committed')
    append(0, 2, [5], 'flushed')
    append(2, 3, [6], 'committed')
    append(0, 3, [7, 8], 'flushed')
    append(10, 4, [9], 'committed')
    append(1, 4, [10], 'committed')
    expect(read()).toEqual([
      [1, 0, 1, 1],
      [1, 0, 2, 2],
      [1, 2, 1, 3],
      [1, 10, 1, 4],
      [2, 0, 3, 5],
      [3, 0, 4, 7],
      [3, 0, 5, 8],
      [3, 2, 2, 6],
      [4, 1, 1, 10],
      [4, 10, 2, 9],
    ])
  })

  test('goes on from a place, and along with a growing journal', () => {
    append(0, 1, [1, 2, 3], 'flushed')
    const places = new Map<number, { position: number; checksum: number }>()
    for (const { matcher, position, checksum } of readJournals(folder)) {
      if (position === 2) places.set(matcher, { position, checksum })
    }
    const merge = new JournalMerge(folder, [0], places)
    expect(merge.next()?.position).toBe(3)
    expect(merge.next()).toBeUndefined()
    append(0, 2, [4], 'flushed')
    merge.refresh()
    expect(merge.next()?.position).toBe(4)
    merge.close()
    const other = new Map([[0, { position: 2, checksum: 12345 }]])
    expect(() => new JournalMerge(folder, [0], other)).toThrow(/not the one that was read before/)
    const later = new Map([[0, { position: 20, checksum: 1 }]])
    expect(() => new JournalMerge(folder, [0], later)).toThrow(/no longer there/)
  })

  const broken: [what: string, append: () => void, sentence: RegExp][] = [
    ['bytes that are no block', () => raw(0, new Uint8Array(80)), /^Block 2 of journal-0 does not/],
    ['a block of another matcher', () => sealed(1, 1, 2), /Block 2 .* another matcher's/],
    ['a block of another place', () => sealed(0, 1, 3), /Block 2 .* says it is another/],
    ['a block of an earlier start', () => sealed(0, 0, 2), /Block 2 .* earlier start/],
    ['a block after another one', () => sealed(0, 1, 2, 99), /Block 2 .* does not follow/],
  ]
  test.each(broken)('stops at %s', (_, damage, sentence) => {
    append(0, 1, [1], 'flushed')
    damage()
    expect(read).toThrow(JournalDamage)
    expect(read).toThrow(sentence)
  })

  function raw(matcher: number, block: Uint8Array): void {
    const journal = openJournal(folder, matcher, 'flushed')
    journal.append(block)
    journal.close()
  }

  function sealed(matcher: number, epoch: number, position: number, previous?: number): void {
    const journal = openJournal(folder, 0, 'flushed')
    const origin = { matcher, epoch, previous: previous ?? journal.lastChecksum }
    const events = RecordBuffer.allocate(72)
    events.i32[0] = 18 | (72 << 16)
    journal.append(new BlockWriter(origin).seal(events, 72, position, 0))
    journal.close()
  }
})

describe('the control journal', () => {
  test('keeps values in sequence', () => {
    const facts = [{ fact: 'start', epoch: 1 }, 'text', 5, [null, { deep: ['ü'] }]]
    let control = ControlStore.open(folder)
    expect([...control.entries()]).toEqual([])
    expect(facts.map((fact) => control.append(fact))).toEqual([1, 2, 3, 4])
    control.close()
    control = ControlStore.open(folder)
    expect(control.lastSequence).toBe(4)
    expect(control.appendAll(['a', 'b'])).toBe(6)
    expect([...control.entries()]).toEqual([...facts, 'a', 'b'])
    control.close()
  })

  test('takes all of several values, or none', () => {
    const control = ControlStore.open(folder)
    expect(() => control.appendAll(['a', 10n])).toThrow(TypeError)
    expect([...control.entries()]).toEqual([])
    control.close()
  })
})
