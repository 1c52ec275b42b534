/** One thread of test/stress/wal.test.ts: writes, checkpoints or reads a journal until it is `count` long. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../src/base/assert.ts'
import { Prng } from '../../src/base/prng.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { Ms } from '../../src/base/units.ts'
import { BlockWriter } from '../../src/journal/block.ts'
import { Checkpointer } from '../../src/journal/checkpointer.ts'
import { openJournal } from '../../src/journal/journal.ts'
import { openMerge } from '../../src/journal/recovery.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'

export interface WalTask {
  readonly role: 'write' | 'checkpoint' | 'read'
  readonly folder: string
  readonly cells: SharedArrayBuffer
  /** One word: 1 once the writer has had to wait for room, before which nothing is checkpointed. */
  readonly full: SharedArrayBuffer
  readonly count: number
  readonly seed: number
}
export interface WalFinding {
  /** How often the writer had to wait for room, or a reader began again. */
  readonly times: number
}

const RECORD_BYTES = 2048
const RECORDS_MAX = 120
const WAIT_MS = 60_000
/** Blocks after which a reader begins again. */
const ANEW_EVERY = 1_999

assert(!isMainThread && parentPort !== null, 'a role runs on a thread of its own')
const task = workerData as WalTask
const roles = { write, checkpoint, read }
parentPort.postMessage(roles[task.role](task))

function write({ folder, cells: memory, full, count, seed }: WalTask): WalFinding {
  const cells = new WalCells(memory)
  const random = new Prng(seed)
  let times = 0
  const journal = openJournal(folder, 0, 'committed', {
    cells,
    segmentBegun: () => {},
    makeRoom: (position) => {
      times++
      Atomics.store(new Int32Array(full), 0, 1)
      Atomics.notify(new Int32Array(full), 0)
      assert(
        cells.waitCheckpointed(new RealTime(), position, WAIT_MS),
        'the checkpointer makes room',
      )
    },
  })
  const blocks = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  const events = RecordBuffer.allocate(RECORDS_MAX * RECORD_BYTES)
  for (let position = 1; position <= count; position++) {
    const records = random.chance(0.2) ? random.between(1, RECORDS_MAX) : random.between(1, 8)
    const end = records * RECORD_BYTES
    events.bytes.fill(position, 0, end)
    for (let at = 0; at < end; at += RECORD_BYTES) events.i32[at >> 2] = 18 | (RECORD_BYTES << 16)
    journal.append(blocks.seal(events, end, position, Ms(0)))
  }
  journal.close()
  return { times }
}

function checkpoint({ folder, cells: memory, full, count }: WalTask): WalFinding {
  assert(
    Atomics.wait(new Int32Array(full), 0, 0, WAIT_MS) !== 'timed-out',
    'the write-ahead log fills up',
  )
  const cells = new WalCells(memory)
  const checkpointer = new Checkpointer(folder, 0, cells)
  let times = 0
  while (cells.checkpointed < count) if (checkpointer.checkpoint() > 0) times++
  checkpointer.close()
  return { times }
}

/** Follows the journal as the indexer does; now and then it falls behind, or begins again. */
function read({ folder, cells: memory, count, seed }: WalTask): WalFinding {
  const cells = new WalCells(memory)
  const random = new Prng(seed)
  const pause = new Int32Array(new SharedArrayBuffer(4))
  let times = 0
  let merge = openMerge(folder, [0], new Map(), [cells])
  for (let position = 0; position < count; ) {
    const block = merge.next()
    if (block === undefined) {
      merge.refresh()
      if (random.chance(0.3)) Atomics.wait(pause, 0, 0, random.below(20))
      continue
    }
    position++
    assert(block.position === position, 'blocks come one after another')
    assert(block.records.bytes[block.start + 8] === (position & 255), 'each is what was written')
    if (position % ANEW_EVERY !== 0) continue
    times++
    merge.close()
    const place = { position: block.position, checksum: block.checksum }
    merge = openMerge(folder, [0], new Map([[0, place]]), [cells])
  }
  merge.close()
  return { times }
}
