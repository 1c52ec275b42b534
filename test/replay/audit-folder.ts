/** A data folder with a journal of random trading, whose blocks a test may exchange for others. */
import fs from 'node:fs'
import path from 'node:path'
import type { DataFolder } from '../../scripts/audit/data-folder.ts'
import { AccountId, AssetId, Ms } from '../../src/base/units.ts'
import { BlockReader } from '../../src/journal/block.ts'
import { journalFolder, LmdbReader, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { accounts, deposits, symbols } from '../sim/world.ts'
import { EngineRun } from './engine-run.ts'

/** What the simulation's exchange would have in its control journal. */
export const dataFolder = (folder: string): DataFolder => ({
  folder,
  symbols,
  accounts,
  assets: [...new Set(symbols.flatMap(({ base, quote }) => [base, quote]))].sort(
    (a, b) => a.id - b.id,
  ),
  deposits: deposits.map(([account, asset, atoms]) => ({ account, asset, atoms })),
  externalLocks: [],
  corrections: [],
  epoch: 1,
  journals: 1,
  facts: deposits.map(([account, asset, atoms]) => ({
    fact: 'deposit',
    account: AccountId(account),
    asset: AssetId(asset),
    atoms: String(atoms),
    timeMs: Ms(1),
  })),
})

/** Trades in a separate folder and returns the journal's blocks. */
export function tradedBlocks(folder: string, seed: number, batches: number): Uint8Array[] {
  const source = path.join(folder, 'source')
  const run = new EngineRun(source, seed)
  for (let batch = 0; batch < batches; batch++) run.batch()
  run.close()
  const reader = new LmdbReader(journalFolder(source, 0))
  const blocks = Array.from({ length: reader.lastPosition }, (_, i) =>
    Uint8Array.from(reader.block(i + 1)!),
  )
  reader.close()
  fs.rmSync(source, { recursive: true })
  return blocks
}

/** Puts the blocks behind what the journal holds, whatever they say. */
export function appendBlocks(folder: string, blocks: readonly Uint8Array[]): void {
  const store = new LmdbStore(journalFolder(folder, 0))
  let next = 0
  store.append(() => blocks[next++])
  store.close()
}

/** The records of a block as they lie, for a test to change and seal again. */
export function recordsOf(block: Uint8Array): BlockReader {
  const reader = new BlockReader()
  reader.open(block, 'A block')
  return reader
}
