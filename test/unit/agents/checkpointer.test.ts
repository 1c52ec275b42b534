/** How the checkpointer treats the matchers beside it: it rests between blocks while they have room. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { JournalsCheckpointer } from '../../../src/agents/checkpointer-agent.ts'
import { Ms } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { PAGE_BYTES } from '../../../src/journal/environment.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { SEGMENT_BYTES } from '../../../src/journal/wal-writer.ts'
import { OrderRested } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../src/layout/record-buffer.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

/** Each block is small and fills a page. */
const BLOCKS_PER_SEGMENT = SEGMENT_BYTES / PAGE_BYTES

const folder = folderPerTest()
let journal: Journal
let checkpointer: JournalsCheckpointer
let blocks: BlockWriter
const cells = () => journal.cells

beforeEach(() => {
  const parts = { cells: new WalCells(), segmentBegun: () => {}, makeRoom: () => {} }
  journal = openJournal(folder(), 0, 'committed', parts)
  blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: journal.lastChecksum })
  checkpointer = new JournalsCheckpointer({ dataFolder: folder(), wals: [parts.cells] })
})
afterEach(() => {
  checkpointer.close()
  journal.close()
})

/** Appends blocks of one record each. */
function append(count: number): void {
  const events = RecordBuffer.allocate(OrderRested.bytes)
  writeHead(events, 0, OrderRested.type, OrderRested.bytes)
  for (let i = 0; i < count; i++) {
    journal.append(blocks.seal(events, OrderRested.bytes, journal.lastPosition + 1, Ms(0)))
  }
}

/** Checkpoints all, and returns before how many blocks it might have rested. */
function rests(): number {
  let count = 0
  const throttle = { begin: () => {}, tread: () => count++ }
  while (checkpointer.doWork(throttle) > 0);
  return count
}

describe('the checkpointer', () => {
  test.each([
    ['while no segment is full', 10, 0],
    ['while one is full', BLOCKS_PER_SEGMENT + 10, 1],
  ])('may rest before each block %s', (_, count, full) => {
    append(count)
    expect([cells().fullSegments(), checkpointer.hasWork()]).toEqual([full, full > 0])
    expect(rests()).toBe(count)
    expect(cells().checkpointed).toBe(count)
  })

  test('hurries once two segments are full', () => {
    const count = 2 * BLOCKS_PER_SEGMENT + 10
    append(count)
    expect(cells().fullSegments()).toBe(2)
    expect(rests()).toBeLessThanOrEqual(count - BLOCKS_PER_SEGMENT)
    expect(cells().checkpointed).toBe(count)
  })
})
