/**
 * `npm run bench -- journal [--blocks N]`: blocks and records appended per second at both
 * durabilities, beside what the same bytes cost without us, measured in the same run block by block
 * in turns: a bare pwrite and fdatasync, and a bare lmdb transaction.
 */

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Key, open, TransactionFlags } from 'lmdb'
import { writeOrderAccepted } from '../../scripts/layout/codecs.gen.ts'
import {
  AccountId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../src/base/units.ts'
import { BlockWriter } from '../../src/journal/block.ts'
import { openJournal } from '../../src/journal/journal.ts'
import { OrderAccepted } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, printTable } from '../harness/report.ts'

const RECORDS_PER_BLOCK = [1, 16, 64, 256]
/** Ratios are of this size: a busy batch. */
const RATIO_RECORDS = 64
const FLUSH_EVERY_BLOCKS = 100

type Append = (block: Uint8Array, position: number) => void

export const flags = { blocks: 500 } as const satisfies Flags

export async function run({ blocks }: SettingsOf<typeof flags>): Promise<BenchResult> {
  const folder = fs.mkdtempSync(path.join(process.cwd(), 'bench-journal-'))
  try {
    const appends = measureAppends(folder, blocks)
    return {
      ratios: {
        flushedOverFdatasync: appends.get('bare')! / appends.get('flushed')!,
        committedOverLmdb: appends.get('lmdb')! / appends.get('committed')!,
      },
      figures: {
        blocks,
        flushedMicroseconds: appends.get('flushed')!,
        committedMicroseconds: appends.get('committed')!,
        fdatasyncMicroseconds: appends.get('bare')!,
        recordsPerBlock: RATIO_RECORDS,
        system: `${os.type()} ${os.release()}`,
      },
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Median µs per append of RATIO_RECORDS records, by contender. */
function measureAppends(folder: string, blocks: number): Map<string, number> {
  const result = new Map<string, number>()
  const rows: (string | number)[][] = [
    ['contender', 'records/block', 'p50 µs', 'p99 µs', 'blocks/s', 'records/s'],
  ]
  for (const records of RECORDS_PER_BLOCK) {
    const contenders = openContenders(path.join(folder, `append-${records}`))
    const times = contenders.map(() => new Float64Array(blocks))
    const events = eventsOf(records)
    const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
    for (let i = 0; i < blocks; i++) {
      const block = writer.seal(events, events.bytes.length, i + 1, Ms(0))
      for (const [at, { append }] of contenders.entries()) {
        const began = performance.now()
        append(block, i + 1)
        times[at]![i] = (performance.now() - began) * 1000
      }
    }
    for (const [at, { name, close }] of contenders.entries()) {
      const sorted = times[at]!.sort()
      const p50 = median([...sorted])
      const seconds = sorted.reduce((sum, it) => sum + it, 0) / 1e6
      const rate = blocks / seconds
      rows.push([name, records, p50, sorted[Math.floor(blocks * 0.99)]!, rate, rate * records])
      if (records === RATIO_RECORDS) result.set(name, p50)
      close()
    }
  }
  printTable(`Appending blocks of ${OrderAccepted.bytes}-byte records`, rows)
  return result
}

function openContenders(folder: string): { name: string; append: Append; close(): void }[] {
  fs.mkdirSync(folder)
  const file = fs.openSync(path.join(folder, 'bare'), 'w')
  let end = 0
  const bare = open<Uint8Array, Key>({
    path: path.join(folder, 'lmdb'),
    encoding: 'binary',
    overlappingSync: false,
  })
  const [flushed, committed] = (['flushed', 'committed'] as const).map((durability) =>
    openJournal(path.join(folder, durability), 0, durability),
  )
  return [
    {
      name: 'bare',
      append: (block) => {
        end += fs.writeSync(file, block, 0, block.length, end)
        fs.fdatasyncSync(file)
      },
      close: () => fs.closeSync(file),
    },
    {
      name: 'flushed',
      append: (block) => flushed!.append(block),
      close: () => flushed!.close(),
    },
    {
      name: 'lmdb',
      // Commits without flushing.
      append: (block, position) =>
        bare.transactionSync(() => {
          bare.putSync(position, block)
        }, TransactionFlags.SYNCHRONOUS_COMMIT | TransactionFlags.NO_SYNC_FLUSH),
      close: () => void bare.close(),
    },
    {
      name: 'committed',
      append: (block, position) => {
        committed!.append(block)
        if (position % FLUSH_EVERY_BLOCKS === 0) committed!.flush()
      },
      close: () => committed!.close(),
    },
  ]
}

function eventsOf(records: number): RecordBuffer {
  const events = RecordBuffer.allocate(records * OrderAccepted.bytes)
  for (let i = 0; i < records; i++) {
    writeOrderAccepted(events, i * OrderAccepted.bytes, {
      symbolId: SymbolId(0),
      gateway: 0,
      correlation: i,
      timeMs: Ms(1_700_000_000_000),
      sequence: i + 1,
      account: AccountId(1),
      terms: 0,
      orderId: OrderId(i + 1),
      priceTicks: Ticks(100),
      lots: Lots(10),
      quoteAtoms: QuoteAtoms(0),
      heldAtoms: Atoms(1000),
      clientOrderId: 'abcdefghijklmnopqrstuv',
    })
  }
  return events
}
