/** A data folder as the scripts read it, while no exchange runs on it. They change nothing in it. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { claimDataFolder } from '../../src/assembly/main/exclusive.ts'
import type { Correction } from '../../src/base/corrections.ts'
import { type Fact, isMarked } from '../../src/control/facts.ts'
import { Registry } from '../../src/control/registry.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import type { AccountSpec, AssetSpec, SymbolSpec } from '../../src/market/listing.ts'
import { UsageError } from '../command-line/usage-error.ts'

/** What an operator moved of one account in one asset. */
export interface Moved {
  readonly account: number
  readonly asset: number
  readonly atoms: bigint
}

/** A data folder and its control journal's content. */
export interface DataFolder {
  readonly folder: string
  readonly assets: readonly AssetSpec[]
  /** By symbol id. */
  readonly symbols: readonly SymbolSpec[]
  readonly accounts: readonly AccountSpec[]
  /** Deposits less withdrawals. */
  readonly deposits: readonly Moved[]
  /** What is locked from outside. */
  readonly externalLocks: readonly Moved[]
  /** Epoch of the last start; no block is of a later one. */
  readonly epoch: number
  /** How many journals there are at least. */
  readonly journals: number
  /** Corrections of the clock, in their order. */
  readonly corrections: readonly Correction[]
  /** In their sequence. */
  readonly facts: readonly Fact[]
  /** Fault of its control journal's mark; undefined when all is well with it. */
  readonly markFault?: string | undefined
}

/**
 * Claims the folder, so that no exchange starts on it meanwhile, and reads its control journal. Throws
 * UsageError, StartError or StorageError with one clear sentence.
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  if (!existsSync(path.join(folder, 'control'))) {
    throw new UsageError(`${folder} is not a data folder: it has no control journal.`)
  }
  await claimDataFolder(folder)
  return readDataFolder(folder)
}

/** Reads the control journal of a folder that the caller has claimed. */
export function readDataFolder(folder: string): DataFolder {
  const control = ControlStore.open(folder)
  const facts = [...control.entries()] as Fact[]
  const markFault = isMarked(facts) ? control.markFault : undefined
  control.close()
  const registry = new Registry()
  for (const fact of facts) registry.apply(fact)
  const { assets, symbols, accounts, deposits, externalLocks, epoch, journals, corrections } =
    registry
  const listed = { assets, symbols, accounts, deposits, externalLocks }
  return { folder, ...listed, epoch, journals, corrections, facts, markFault }
}
