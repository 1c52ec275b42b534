/**
 * Fuzzing of the files that a start reads: a write-ahead log with any damage gives a beginning of what
 * was written to it, and a snapshot is the one that was written, or damaged.
 */
import { deepStrictEqual } from 'node:assert/strict'
import fs from 'node:fs'
import { EventStream } from '../../bench/workloads/event-stream.ts'
import type { Prng } from '../../src/base/prng.ts'
import { Ms, SymbolId } from '../../src/base/units.ts'
import { BlockWriter } from '../../src/journal/block.ts'
import { BEGINNING, BlockChain } from '../../src/journal/chain.ts'
import { PAGE_BYTES } from '../../src/journal/environment.ts'
import { blocksLeftInWal } from '../../src/journal/left-wal.ts'
import {
  SectionKind,
  SnapshotDamage,
  SnapshotFile,
  snapshotFile,
  writeSnapshot,
} from '../../src/journal/snapshot.ts'
import { SEGMENT_COUNT } from '../../src/journal/wal-cells.ts'
import { paddedBytes, segmentFile } from '../../src/journal/wal-writer.ts'
import { ImageWriter } from '../../src/layout/image.ts'
import { makeQuickFolder } from '../sim/quick-folder.ts'
import type { FuzzTarget } from './target.ts'

const BLOCKS = 5
let folder = ''

/** Made when it is first needed, removed when the process ends. */
function folderOfFiles(): string {
  if (folder !== '') return folder
  folder = makeQuickFolder('ringbook-fuzz-')
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Blocks that follow each other, of one page and of several. */
function writtenBlocks(): readonly Buffer[] {
  const stream = new EventStream(1)
  const writer = new BlockWriter({ matcher: 0, epoch: 1, previous: 0 })
  return Array.from({ length: BLOCKS }, (_, index) => {
    stream.reset()
    for (let i = 0; i < 4 + index * 20; i++) stream.step(SymbolId(0))
    return Buffer.from(writer.seal(stream.events, stream.end, index + 1, Ms(index)))
  })
}

const blocks = writtenBlocks()
/** Two segments: the blocks lie one after the other, filled up to whole pages. */
const segments: readonly Buffer[] = [blocks.slice(0, 3), blocks.slice(3), [], []].map((held) =>
  Buffer.concat(
    held.map((block) =>
      Buffer.concat([block, Buffer.alloc(paddedBytes(block.length) - block.length)]),
    ),
  ),
)

function spoil(prng: Prng, bytes: Buffer): Buffer {
  let spoiled = Buffer.from(bytes)
  for (let left = prng.between(1, 4); left > 0 && spoiled.length > 0; left--) {
    const page = prng.below(Math.ceil(spoiled.length / PAGE_BYTES)) * PAGE_BYTES
    // Heads of blocks, which lead to all else, more often than what follows them.
    const reach = prng.chance(0.6) ? 64 : PAGE_BYTES
    const at = Math.min(spoiled.length - 1, page + prng.below(reach))
    const dice = prng.below(5)
    if (dice === 0) spoiled[at]! ^= 1 << prng.below(8)
    else if (dice === 1) spoiled[at] = prng.below(256)
    else if (dice === 2) spoiled.subarray(at, at + prng.between(1, 512)).fill(0)
    else if (dice === 3) spoiled = spoiled.subarray(0, at)
    else spoiled.set(spoiled.slice(page, page + 512).subarray(0, spoiled.length - at), at)
  }
  return spoiled
}

const wal: FuzzTarget = {
  name: 'write-ahead logs',
  group: 'journal',
  writesFiles: true,
  run(prng) {
    const data = folderOfFiles()
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      const bytes = segments[segment]!
      const isSpoiled = prng.chance(0.6)
      fs.writeFileSync(segmentFile(data, segment), isSpoiled ? spoil(prng, bytes) : bytes)
    }
    const left = blocksLeftInWal(data, new BlockChain(0, BEGINNING), undefined)
    const found = Array.from(left, ({ bytes }) => Buffer.from(bytes))
    deepStrictEqual(found, blocks.slice(0, found.length), 'what is found is what was written')
  },
}

let written: Buffer | undefined

function writtenSnapshot(): Buffer {
  if (written !== undefined) return written
  const image = new ImageWriter()
  for (let i = 0; i < 40; i++) {
    image.double(i * 1.5)
    image.word(i)
  }
  const sections = [
    { kind: SectionKind.JOURNALS, id: 0, image },
    { kind: SectionKind.LEDGER, id: 0, image: new ImageWriter() },
    { kind: SectionKind.SYMBOL, id: 7, image },
  ]
  writeSnapshot(folderOfFiles(), 1, sections)
  written = fs.readFileSync(snapshotFile(folderOfFiles(), 1))
  return written
}

const snapshot: FuzzTarget = {
  name: 'snapshots',
  group: 'journal',
  writesFiles: true,
  run(prng) {
    const before = writtenSnapshot()
    const bytes = spoil(prng, before)
    const extra = prng.chance(0.1) ? Buffer.alloc(prng.between(1, 64)) : Buffer.alloc(0)
    const spoiled = Buffer.concat([bytes, extra])
    fs.writeFileSync(snapshotFile(folderOfFiles(), 1), spoiled)
    try {
      new SnapshotFile(folderOfFiles(), 1).close()
    } catch (error) {
      if (error instanceof SnapshotDamage) return
      throw error
    }
    deepStrictEqual(spoiled, before, 'what is taken is what was written')
  },
}

export const fileTargets: readonly FuzzTarget[] = [wal, snapshot]
